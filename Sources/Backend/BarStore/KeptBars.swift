import Bars
import Feeds
import Instruments
import Messages
import Streams

/// The kept minutes in memory, and the days made of them. A value.
struct KeptBars: Sendable {
    private struct Shelf: Sendable {
        /// In order of time.
        var minutes: [Bar] = []
        /// Of the days before the newest that has minutes.
        var days: [Bar] = []
        var newest = Int32.min
    }

    /// A day's minutes in which something of a market was heard.
    private struct MarketDay: Hashable, Sendable {
        var calendar: CalendarID
        var day: Int32
    }

    /// A day of whose regular minutes more were not heard than this has no bar: its open, range and volume would be wrong.
    static let mostMissing = 5

    private let facts: MarketFacts
    private var shelves: [InstrumentID: Shelf] = [:]
    private var heard: [MarketDay: Set<Int64>] = [:]
    /// Of symbols that no instrument of the table has.
    private(set) var unknown = 0

    init(facts: MarketFacts) { self.facts = facts }

    /// What was read, by symbol and time.
    init(_ stored: [StoredBar], facts: MarketFacts) {
        self.init(facts: facts)
        var bars: [Bar] = []
        // A symbol may change hands from one day to another.
        var known: (symbol: String, day: Int32, instrument: Instrument?) = ("", 0, nil)
        for one in stored {
            if known.symbol != one.symbol || known.day != one.bar.tradingDay {
                let instrument = TradingDay(yyyymmdd: one.bar.tradingDay).flatMap {
                    try? facts.instruments.resolve(one.symbol, on: $0).get()
                }
                known = (one.symbol, one.bar.tradingDay, instrument)
            }
            guard let instrument = known.instrument else {
                unknown += 1
                continue
            }
            var bar = one.bar
            bar.instrument = instrument.id.rawValue
            bars.append(bar)
            hear(bar, instrument)
        }
        // What was heard of a day is known before a day is made.
        for bar in bars { _ = put(bar) }
    }

    private mutating func hear(_ bar: Bar, _ instrument: Instrument) {
        heard[MarketDay(calendar: instrument.calendar, day: bar.tradingDay), default: []].insert(bar.startNs)
    }

    /// False: it was there, just so.
    mutating func put(_ bar: Bar) -> Bool {
        guard let instrument = facts.instruments[InstrumentID(bar.instrument)] else { return false }
        var shelf = shelves.removeValue(forKey: instrument.id) ?? Shelf()
        defer { shelves[instrument.id] = shelf }
        var (low, high) = (0, shelf.minutes.count)
        if let last = shelf.minutes.last, last.startNs < bar.startNs { low = high }
        while low < high {
            let middle = (low + high) / 2
            if shelf.minutes[middle].startNs < bar.startNs { low = middle + 1 } else { high = middle }
        }
        if low < shelf.minutes.count, shelf.minutes[low].startNs == bar.startNs {
            guard shelf.minutes[low] != bar else { return false }
            shelf.minutes[low] = bar
        } else {
            shelf.minutes.insert(bar, at: low)
        }
        hear(bar, instrument)
        if bar.tradingDay > shelf.newest {
            if let day = day(shelf.newest, of: shelf.minutes, instrument) { shelf.days.append(day) }
            shelf.newest = bar.tradingDay
        }
        return true
    }

    /// All minutes, and the days that were heard whole.
    func history(_ id: InstrumentID) -> Recordings.History {
        guard let shelf = shelves[id], let instrument = facts.instruments[id] else { return Recordings.History() }
        let newest = day(shelf.newest, of: shelf.minutes, instrument)
        return Recordings.History(days: shelf.days + (newest.map { [$0] } ?? []), intraday: shelf.minutes)
    }

    /// The minutes of each instrument's newest day.
    var newest: [Bar] {
        shelves.sorted { $0.key < $1.key }.flatMap { (_, shelf) in shelf.minutes.filter { $0.tradingDay == shelf.newest } }
    }

    /// Forgets days before that one.
    mutating func prune(before day: Int32) {
        for id in shelves.keys {
            shelves[id]?.minutes.removeAll { $0.tradingDay < day }
            shelves[id]?.days.removeAll { $0.tradingDay < day }
            if shelves[id]?.minutes.isEmpty == true { shelves[id] = nil }
        }
        heard = heard.filter { $0.key.day >= day }
    }

    /// Nil: too much of it was not heard, or the instrument did not trade.
    private func day(_ number: Int32, of minutes: [Bar], _ instrument: Instrument) -> Bar? {
        guard let day = TradingDay(yyyymmdd: number), let sessions = try? facts.calendar.sessions(of: instrument, on: day),
            let heard = heard[MarketDay(calendar: instrument.calendar, day: number)]
        else { return nil }
        let regular = BarGrid(day: day, sessions: sessions, length: .seconds(60)).slots.filter(\.isRegular)
        guard regular.count(where: { !heard.contains($0.start.nanoseconds) }) <= Self.mostMissing else { return nil }
        var series = BarSeries(instrument: instrument, period: .day, calendar: facts.calendar, capacity: 1)
        for bar in minutes.reversed().prefix(while: { $0.tradingDay >= number }).reversed() where bar.tradingDay == number {
            _ = series.join(bar)
        }
        return series.bars.last
    }
}
