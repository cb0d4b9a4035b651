public import Streams

/// How fast market time runs.
public enum ReplaySpeed: Hashable, Sendable {
    case paused
    /// Millionths of real time, positive: 1,000,000 is live pace.
    case times(micros: Int64)
    /// As fast as the consumers take it; time moves with the events. Readings say speed 0, for nobody can derive such a clock.
    case max

    public static let live = ReplaySpeed.times(micros: 1_000_000)
}

/// Market time from monotonic time: a value, told the monotonic time with every call. Seek and change of pace begin a new epoch.
public struct ReplayClock: Hashable, Sendable {
    public private(set) var speed: ReplaySpeed
    public private(set) var epoch: UInt64 = 1
    private var anchor: MonotonicInstant
    private var anchored: MarketInstant
    /// The wall clock was set back: time stands until it has caught up.
    private var waits = false

    public init(start: MarketInstant, speed: ReplaySpeed, at now: MonotonicInstant) {
        self.speed = speed
        anchor = now
        anchored = start
    }

    public func reading(at now: MonotonicInstant) -> MarketClockReading {
        switch speed {
        case .paused, .max: return MarketClockReading(time: anchored, speedMicros: 0, epoch: epoch)
        case .times(let micros) where waits: return MarketClockReading(time: anchored, speedMicros: micros, epoch: epoch)
        case .times(let micros):
            let real = Int128(max(0, now.nanoseconds - anchor.nanoseconds))
            let (market, overflow) = anchored.nanoseconds.addingReportingOverflow(Int64(clamping: real * Int128(micros) / 1_000_000))
            return MarketClockReading(time: MarketInstant(nanoseconds: overflow ? .max : market), speedMicros: micros, epoch: epoch)
        }
    }

    /// The monotonic moment at which market time reaches `time`; nil where it does not run by itself.
    public func moment(of time: MarketInstant) -> MonotonicInstant? {
        guard case .times(let micros) = speed else { return nil }
        let market = Int128(max(0, time.nanoseconds - anchored.nanoseconds))
        let real = Int64(clamping: (market * 1_000_000 + Int128(micros) - 1) / Int128(micros))
        let (sum, overflow) = anchor.nanoseconds.addingReportingOverflow(real)
        return MonotonicInstant(nanoseconds: overflow ? .max : sum)
    }

    public mutating func setSpeed(_ speed: ReplaySpeed, at now: MonotonicInstant) {
        anchored = reading(at: now).time
        anchor = now
        self.speed = speed
        epoch += 1
    }

    /// False, and nothing changes: `time` is not ahead.
    public mutating func seek(to time: MarketInstant, at now: MonotonicInstant) -> Bool {
        guard time > reading(at: now).time else { return false }
        anchored = time
        anchor = now
        epoch += 1
        return true
    }

    /// Is what the wall clock says, but never goes back.
    mutating func follow(_ wall: MarketInstant, at now: MonotonicInstant) {
        let reading = reading(at: now).time
        anchored = max(reading, wall)
        anchor = now
        waits = wall < reading
    }

    /// What it says before it has begun.
    var standing: MarketClockReading { MarketClockReading(time: anchored, speedMicros: 0, epoch: epoch) }

    /// Starts counting from here, without a new epoch: the time before a feed runs does not pass.
    mutating func begin(at now: MonotonicInstant) { anchor = now }

    /// At full speed: market time has been played up to `time`.
    mutating func played(to time: MarketInstant) {
        if speed == .max, time > anchored { anchored = time }
    }
}
