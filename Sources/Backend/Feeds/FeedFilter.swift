import Exact
public import Instruments
import Messages
public import Streams

/// The one judge of what any source says (F-8): what is wrong is thrown out and counted, never mended. A value.
public struct FeedFilter: Sendable {
    public private(set) var quarantine = Quarantine()
    /// Numbers of the source that never came.
    public private(set) var missing: UInt64 = 0
    private let facts: MarketFacts
    private let pace: FeedPace
    private var latest: UInt64 = 0
    private var places: [UInt32: Int] = [:]
    private var standings: [FeedStanding] = []

    /// Clocks of others may be ahead of ours by this much.
    static let skew: Int64 = 5_000_000_000
    /// A live event older than this is of another day, or its time is in another unit.
    static let oldest: Int64 = 18 * 3_600_000_000_000
    /// Live trades come in bundles that are not in order.
    static let lateness: Int64 = 5_000_000_000
    /// A price grid is looked up anew after so long.
    private static let hour: Int64 = 3_600_000_000_000

    public init(facts: MarketFacts, pace: FeedPace) {
        self.facts = facts
        self.pace = pace
    }

    /// Whether the event may be believed at market time `now`; counts why not.
    public mutating func admits(_ event: FeedEvent, now: MarketInstant) -> Bool {
        guard let reason = defect(event, now.nanoseconds) else { return true }
        quarantine.add(reason)
        return false
    }

    /// The same of what a time left behind that was not played: it has no number.
    mutating func admitsPast(_ event: FeedEvent, now: MarketInstant) -> Bool {
        let (time, now) = (event.time.nanoseconds, now.nanoseconds)
        var reason: Quarantine.Reason?
        switch event.body {
        case .past(let trades): for trade in trades where reason == nil { reason = defect(trade, now) }
        // The minute an auction's trade belongs to may begin after it.
        case .bar(let bar): reason = standing(bar.instrument, time, now).map { standings[$0].defect(bar, now: .max) }
        case .quote, .book, .trade, .phase, .fx, .clock, .feed, .refused: reason = defect(event.body, time, now)
        }
        if let reason { quarantine.add(reason) }
        return reason == nil
    }

    /// Numbers up to that one are behind us.
    mutating func goOn(after sequence: UInt64) { latest = max(latest, sequence) }

    private mutating func defect(_ event: FeedEvent, _ now: Int64) -> Quarantine.Reason? {
        guard event.sequence > latest else { return .repeated }
        if latest > 0 { missing &+= event.sequence - latest - 1 }
        latest = event.sequence
        return defect(event.body, event.time.nanoseconds, now)
    }

    private mutating func defect(_ body: FeedEvent.Body, _ time: Int64, _ now: Int64) -> Quarantine.Reason? {
        if let reason = misdated(time, now) { return reason }
        switch body {
        case .quote(let quote):
            return standing(quote.instrument, quote.timeNs, now).map { standings[$0].defect(quote, now: now + skew) }
        case .book(let book): return standing(book.instrument, book.timeNs, now).map { standings[$0].defect(book) }
        case .trade(let tick): return defect(tick, now)
        case .bar(let bar):
            return standing(bar.instrument, time, now).map { standings[$0].defect(bar, now: now + skew) }
        case .phase(let id, _): return facts.instruments[id] == nil ? .unknownInstrument : nil
        case .fx(let rate): return rate.nanos > 0 ? nil : .notPositive
        case .refused(let reason): return reason
        case .clock, .past, .feed: return nil  // the hub's own
        }
    }

    private mutating func defect(_ tick: Tick, _ now: Int64) -> Quarantine.Reason? {
        standing(tick.instrument, tick.timeNs, now).map { standings[$0].defect(tick, lateness: pace == .live ? Self.lateness : 0) }
    }

    private var skew: Int64 { pace == .live ? Self.skew : 0 }

    /// A time that cannot be: ahead of the market, or, of a live source, long ago.
    private func misdated(_ time: Int64, _ now: Int64) -> Quarantine.Reason? {
        if time > now + skew { return .ahead }
        return pace == .live && time < now - Self.oldest ? .tooOld : nil
    }

    /// The place of what is known of the instrument, with the grid of that time.
    private mutating func standing(_ id: UInt32, _ time: Int64, _ now: Int64) -> Judgement {
        if let reason = misdated(time, now) { return .refused(reason) }
        if let place = places[id] {
            let age = time.subtractingReportingOverflow(standings[place].gridAt)
            if !age.overflow, 0..<Self.hour ~= age.partialValue { return .place(place) }
        }
        guard let instrument = facts.instruments[InstrumentID(id)] else { return .refused(.unknownInstrument) }
        let day: TradingDay
        switch pace {
        case .played(let date): day = date
        case .live:
            do throws(CalendarFault) {
                day = try facts.calendar.localDate(instrument.calendar, at: MarketInstant(nanoseconds: time))
            } catch { return .refused(.tooOld) }
        }
        let place = places[id] ?? standings.count
        if place == standings.count {
            places[id] = place
            standings.append(FeedStanding(instrument: instrument, day: day))
        }
        standings[place].renew(day, at: time, grid: facts.ticks.grid(instrument.tickTable, on: day))
        return .place(place)
    }

    private enum Judgement {
        case place(Int)
        case refused(Quarantine.Reason)

        func map(_ judge: (Int) -> Quarantine.Reason?) -> Quarantine.Reason? {
            switch self {
            case .place(let place): judge(place)
            case .refused(let reason): reason
            }
        }
    }
}
