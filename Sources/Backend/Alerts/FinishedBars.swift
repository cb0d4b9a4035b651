import Bars
import Charting
public import Instruments
public import Messages
import Streams

/// Where the bars come from that formulas are judged over: those that clients are told.
public struct AlertBars: Sendable {
    var calendar: MarketCalendar
    var told: @Sendable (Instrument, BarPeriod, _ count: Int, _ through: UInt64) -> [Bar]?

    /// `told`: the newest `count`, oldest first; nil where what the feed numbered up to `through` is not in them yet.
    public init(
        calendar: MarketCalendar,
        told: @escaping @Sendable (Instrument, BarPeriod, _ count: Int, _ through: UInt64) -> [Bar]?
    ) {
        self.calendar = calendar
        self.told = told
    }

    /// Those that were over at that moment.
    func finished(_ instrument: Instrument, _ period: BarPeriod, at moment: MarketInstant, through: UInt64 = 0) -> FinishedBars? {
        // One more: the newest may be under way.
        guard let told = told(instrument, period, AlertFormula.mostBars + 1, through) else { return nil }
        return FinishedBars(told, of: instrument, period, calendar, at: moment)
    }

    /// When a bar ends next; nil where the calendar does not say.
    func nextEnd(_ instrument: Instrument, _ period: BarPeriod, anchor: BarAnchor, after moment: MarketInstant) -> MarketInstant? {
        guard let standing = try? calendar.tradingDay(instrument.calendar, at: moment) else { return nil }
        for day in [standing, try? calendar.tradingDay(1, from: standing, instrument.calendar)] {
            guard let day, let sessions = try? calendar.sessions(of: instrument, on: day) else { continue }
            let grid = BarGrid(day: day, sessions: sessions, length: period.length ?? .seconds(60), anchor: anchor)
            guard grid.count > 0 else { continue }
            let first = period.length == nil ? grid.count - 1 : 0
            if let next = (first..<grid.count).lazy.map(grid.settles).filter({ $0 > moment }).min() { return next }
        }
        return nil
    }
}

/// Bars that nothing more belongs to, oldest first, each with the moment it ended; what is computed does not run from one recording into
/// another.
struct FinishedBars: Sendable {
    private(set) var bars: [Bar] = []
    private(set) var ends: [MarketInstant] = []
    let anchor: BarAnchor
    private var stretches: [BarColumns] = []

    init(_ told: [Bar], of instrument: Instrument, _ period: BarPeriod, _ calendar: MarketCalendar, at moment: MarketInstant) {
        anchor = BarAnchor(of: told, period, instrument, calendar)
        var clock = BarSeries(instrument: instrument, period: period, calendar: calendar, anchor: anchor, capacity: 1)
        for (place, bar) in told.enumerated() {
            // Of days long ago the hours are not known: that another bar follows is enough.
            let next = place + 1 < told.count ? MarketInstant(nanoseconds: told[place + 1].startNs) : nil
            guard let end = clock.settles(bar) ?? next, end <= moment else { break }
            if bars.last.map({ !bar.goesOn(from: $0, of: instrument, calendar: calendar) }) ?? true { stretches.append(BarColumns()) }
            bars.append(bar)
            ends.append(end)
            stretches[stretches.count - 1].append(
                BarColumns.Bar(
                    open: Self.number(bar.open, 1e9), high: Self.number(bar.high, 1e9), low: Self.number(bar.low, 1e9),
                    close: Self.number(bar.close, 1e9), volume: Self.number(bar.volume, 1e8), day: bar.tradingDay))
        }
    }

    private static func number(_ scaled: Int64, _ scale: Double) -> Double { Double(scaled) / scale }

    /// For each bar whether the formula is true of it.
    func truths(_ formula: AlertFormula) -> [Bool] {
        stretches.flatMap { columns in
            // Bounded by what a formula may be and by how many bars are told.
            formula.expression.lines(columns)?.last?.map { !$0.isNaN && $0 != 0 } ?? Array(repeating: false, count: columns.count)
        }
    }
}
