import Bars
import Exact
import Instruments
import Messages
import Streams

/// What befalls an instrument on the day, beyond trading; by its place, so that every market of sixteen has each once.
enum SyntheticIncident: Hashable, Sendable {
    case none
    /// Trading stops for some minutes, the price is another one after it.
    case halt
    /// The day opens far from the previous close.
    case gap
    /// The price runs to a tenth above or below the previous close and stays there: one side of the book is empty.
    case limitUp, limitDown

    init(_ place: Int) {
        switch place % 16 {
        case 1: self = .halt
        case 4: self = .gap
        case 8: self = .limitUp
        case 13: self = .limitDown
        default: self = .none
        }
    }
}

/// The events of one synthetic instrument in order of time: a small state and a generator of its own.
struct SyntheticStream: Sendable {
    let instrument: Instrument
    let isTradable: Bool
    /// Units of a lot.
    let lot: Int64
    let multiplier: Int64
    let grid: PriceGrid
    /// The band of the grid the price is in.
    var band = GridBand()
    /// The minutes of the day.
    let slots: BarGrid
    let depth: SimulatedDepth
    let interval: Int64
    /// The same in an auction. All of a market's are under way at once, and what a start has to play grows with them: in a large market each
    /// is told less often.
    let auctionInterval: Int64
    let previousClose: Int64
    /// The lowest and the highest price of the day.
    let limits: ClosedRange<Int64>
    /// A tenth of the previous close; the walk stays inside nine tenths of it.
    let room: Int64
    let walk: ClosedRange<Int64>
    let incident: SyntheticIncident
    /// When the halt or the run to the limit begins and ends; empty: never.
    let trouble: Range<Int64>
    /// The first moment after the market date: later days have phases but no prices.
    let dayEnd: Int64
    var phases: [(time: Int64, phase: Phase)]
    var phaseIndex = 0
    var random: SeededRandom
    var phase = Phase.closed
    var isHalted = false
    /// When the next update of the phase under way comes.
    var updateAt: Int64?
    var startAt: Int64?
    var phaseEnd = Int64.max
    /// The price between ticks that the walk goes on from, and on the grid.
    var exact: Int64
    var last: Int64
    var hasMoved = false
    var wasHalted = false
    var auctionVolume: Int64 = 0
    var day = Day()

    struct Day: Sendable {
        var high = Int64.min
        var low = Int64.max
        var volume: Int64 = 0
        var turnover: Int64 = 0
        var ticks: UInt64 = 0
    }

    init(
        instrument: Instrument, grid: PriceGrid, plan: SyntheticPlan, incident: SyntheticIncident, previousClose: Int64?,
        sessions: [Session], phases: [(time: Int64, phase: Phase)]
    ) {
        self.instrument = instrument
        isTradable = instrument.isTradable
        lot = instrument.lot.units
        multiplier = Int64(instrument.multiplier)
        self.grid = grid
        slots = BarGrid(day: grid.day, sessions: sessions, length: .seconds(60))
        self.phases = phases
        self.incident = incident
        dayEnd = sessions.last?.end.nanoseconds ?? .min
        interval = plan.interval.nanoseconds
        auctionInterval = max(interval, 2_000_000_000 * Int64(max(1, plan.instruments / 1_000)))
        random = SeededRandom(seed: plan.seed, UInt64(instrument.id.rawValue), UInt64(grid.day.yyyymmdd), 2)
        // Between 1 and 400, more of the small ones.
        let made: Int64 = (1 + random.below(20)) * (1 + random.below(20)) * 1_000_000_000
        let close = grid.nearest(previousClose ?? made) ?? previousClose ?? made
        self.previousClose = close
        (exact, last) = (close, close)
        let step = max(abs(close) / 10, 1)
        let low = grid.nearest(close - step) ?? close
        let high = grid.nearest(close + step) ?? close
        limits = min(low, high)...max(low, high)
        room = abs(close) / 10
        walk = close - room * 9 / 10...close + room * 9 / 10
        depth = SimulatedDepth(
            grid: grid, seed: plan.seed, levels: 10, lot: instrument.lot.units, typicalLots: 4 + random.below(40))
        trouble = Self.trouble(incident, sessions, &random)
    }

    /// Inside the longest session in which it trades.
    private static func trouble(_ incident: SyntheticIncident, _ sessions: [Session], _ random: inout SeededRandom) -> Range<Int64> {
        let trading = sessions.filter { $0.phase == .continuous || $0.phase == .night }
        guard let session = trading.max(by: { $0.start.duration(to: $0.end) < $1.start.duration(to: $1.end) }) else { return 0..<0 }
        let (start, end) = (session.start.nanoseconds, session.end.nanoseconds)
        let from = start + (end - start) / 4 + random.below(max(1, (end - start) / 1_000_000_000 / 4)) * 1_000_000_000
        switch incident {
        case .halt: return from..<min(end - 1, from + (300 + random.below(1_500)) * 1_000_000_000)
        case .limitUp, .limitDown: return from..<end
        case .none, .gap: return 0..<0
        }
    }

    mutating func begin(at origin: Int64) { startAt = origin }

    enum Due { case start, phase, halt, resume, update }

    /// What comes next beside the updates of the phase under way; before an update of the same moment.
    func interruption() -> (time: Int64, due: Due)? {
        if let startAt { return (startAt, .start) }
        var best: (Int64, Due)?
        if phaseIndex < phases.count { best = (phases[phaseIndex].time, .phase) }
        if incident == .halt, !trouble.isEmpty, isHalted || !wasHalted {
            let time = isHalted ? trouble.upperBound : trouble.lowerBound
            if best.map({ time < $0.0 }) ?? true { best = (time, isHalted ? .resume : .halt) }
        }
        return best
    }

    private func due() -> (time: Int64, due: Due)? {
        let other = interruption()
        guard other?.due != .start, !isHalted, let updateAt, other.map({ updateAt < $0.time }) ?? true else { return other }
        return (updateAt, .update)
    }

    var nextTime: Int64? { due()?.time }

    /// What is due next happens: the state is the one after it, and says with the move what is told.
    mutating func next() -> [FeedEvent.Body] {
        guard let (time, due) = due() else { return [] }
        let move = step(due, time)
        return bodies(move, time)
    }

    mutating func step(_ due: Due, _ time: Int64) -> Move {
        switch due {
        case .start:
            startAt = nil
            return .begun
        case .phase: return enter(time)
        case .halt:
            (isHalted, wasHalted, updateAt) = (true, true, nil)
            return .halted
        case .resume: return resume(time)
        case .update: return update(time)
        }
    }

    private mutating func enter(_ time: Int64) -> Move {
        phase = phases[phaseIndex].phase
        phaseIndex += 1
        phaseEnd = phaseIndex < phases.count ? phases[phaseIndex].time : .max
        updateAt = nil
        switch phase {
        case _ where time >= dayEnd: break
        case .continuous, .night, .preMarket, .postMarket, .auctionInput, .auctionNoCancel: schedule(after: time)
        case .auctionMatching: updateAt = time + (phaseEnd - time) / 4 + random.below(max(1, (phaseEnd - time) / 2))
        case .closed, .break, .halted, .unspecified, .UNRECOGNIZED: break
        }
        if phase == .auctionInput { auctionVolume = 0 }
        return .entered
    }

    mutating func schedule(after time: Int64) {
        let mean =
            switch phase {
            case .preMarket, .postMarket: interval * 20
            case .auctionInput, .auctionNoCancel: auctionInterval
            default: interval
            }
        let share: Int64 = random.below(1_500_001)
        let (product, overflow) = mean.multipliedReportingOverflow(by: share)
        let wait = mean / 4 + (overflow ? Int64(Int128(mean) * Int128(share) / 1_000_000) : product / 1_000_000)
        let next = time + max(1, wait)
        updateAt = next < phaseEnd ? next : nil
    }
}

/// A stretch of prices in which the grid is every multiple of one tick, its ends left out: what is nearest needs no table there.
struct GridBand: Hashable, Sendable {
    private var inner: Range<Int64> = 0..<0
    private var tick: Int64 = 1

    /// The price of the grid nearest to `nanos`; nil outside the table.
    mutating func nearest(_ nanos: Int64, _ grid: PriceGrid) -> Int64? {
        if inner.contains(nanos) {
            let rest = nanos % tick
            return rest == 0 ? nanos : tick - rest <= rest ? nanos - rest + tick : nanos - rest
        }
        if let band = grid.band(at: nanos) {
            let (least, most) = (max(band.over ?? 0, 0), band.upTo ?? .max)
            tick = band.tick
            inner = least < most - 2 * tick ? least + tick..<most - tick : 0..<0
        }
        return grid.nearest(nanos)
    }
}
