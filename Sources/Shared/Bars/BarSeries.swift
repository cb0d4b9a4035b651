public import Instruments
public import Messages
public import Streams

/// One price a market printed.
public struct Print: Hashable, Sendable {
    public var time: MarketInstant
    /// × 10⁻⁹.
    public var price: Int64
    /// × 10⁻⁸; zero is a price without a trade.
    public var size: Int64
    /// The source's own number; nil where it has none.
    public var sequence: UInt64?
    public var provenance: Provenance
    public var recordedOn: Int32
    /// Of a minute of which something was not heard.
    public var isPartial = false

    public init(
        time: MarketInstant, price: Int64, size: Int64, sequence: UInt64? = nil, provenance: Provenance = .live, recordedOn: Int32 = 0
    ) {
        self.time = time
        self.price = price
        self.size = size
        self.sequence = sequence
        self.provenance = provenance
        self.recordedOn = recordedOn
    }
}

/// What became of a print or a bar; which bar it was, `BarSeries.changed` says.
public enum BarOutcome: Hashable, Sendable {
    /// The newest bar is new.
    case appended
    /// The newest bar changed.
    case updated
    /// A bar before the newest changed or was put into its place.
    case corrected
    /// Already in what was taken before, or outside the hours of this period.
    case ignored
    case refused(BarRefusal)
}

public enum BarRefusal: String, Hashable, Sendable, CaseIterable {
    /// No slot starts there: a wrong unit, another period, another day.
    case offGrid = "off-grid"
    /// High, low, open and close do not agree, or volume is below zero.
    case inconsistent
    /// The calendar knows no session that day.
    case closedDay = "closed-day"
    case otherInstrument = "other-instrument"
    /// A size below zero, or a sum beyond what a number holds.
    case size
}

/// The bars of one instrument in one period: from history, from prints, from shorter bars, by one rule (G-1). The same start replaces,
/// a later one is appended, an earlier one goes to its place; a late print changes the bar of its own time.
///
/// A bar of an auction that stands outside the slots (09:20 in Hong Kong) is part of the bar its prints belong to, and stays so whatever
/// replaces the rest of that bar. Weeks and longer are joined of days of one recording: where another begins, another bar does.
public struct BarSeries: Sendable {
    public let instrument: Instrument
    public let period: BarPeriod
    public let anchor: BarAnchor
    /// Regular trading only; days and longer never have other hours.
    public let regularOnly: Bool
    public internal(set) var bars: [Bar] = []
    var edges: [Edges] = []
    /// Bars that are more than one part, by start.
    var compositions: [Int64: Composition] = [:]
    /// Where in `bars` the bar is that the newest outcome is about; nil where none changed.
    public internal(set) var changed: Int?
    /// Prints numbered up to here are in the bars.
    public private(set) var sequence: UInt64?
    let calendar: MarketCalendar
    private let capacity: Int
    private var grid: BarGrid?
    /// The slot found last, without its first moment: most prints belong to it.
    private var running: (slot: DaySlot, end: MarketInstant)?
    private var closedThrough: MarketInstant?

    struct Edges: Hashable, Sendable {
        /// The moments of the print that made the open, and of the one that made the close.
        var open: MarketInstant
        var close: MarketInstant
        /// Prints up to here are in the bar; `.min`: nobody knows.
        var through = MarketInstant(nanoseconds: .min)
        var isComposed = false
    }

    /// Keeps the newest `capacity` bars.
    public init(
        instrument: Instrument, period: BarPeriod, calendar: MarketCalendar, anchor: BarAnchor = .session, regularOnly: Bool = false,
        capacity: Int = 10_000
    ) {
        self.instrument = instrument
        self.period = period
        self.anchor = anchor
        self.regularOnly = regularOnly || period.length == nil
        self.calendar = calendar
        self.capacity = max(capacity, 1)
    }

    /// The bar the newest outcome is about, as it is now.
    public var changedBar: Bar? { changed.map { bars[$0] } }

    /// Takes bars another end holds, oldest first, with the number of the last print in them: live prints go on after it.
    public mutating func load(_ history: [Bar], through sequence: UInt64? = nil) -> [BarRefusal] {
        var refused: [BarRefusal] = []
        for bar in history { if case .refused(let reason) = take(bar) { refused.append(reason) } }
        if let sequence { self.sequence = max(self.sequence ?? 0, sequence) }
        return refused
    }

    /// A bar of this period, whole as another end knows it: it stands for what was there. `through`: prints up to that moment are in it,
    /// and count nothing when they come.
    public mutating func take(_ bar: Bar, through: MarketInstant? = nil) -> BarOutcome {
        changed = nil
        guard bar.instrument == instrument.id.rawValue, bar.period == period else { return .refused(.otherInstrument) }
        guard bar.isConsistent else { return .refused(.inconsistent) }
        guard let day = TradingDay(yyyymmdd: bar.tradingDay) else { return .refused(.closedDay) }
        let start = MarketInstant(nanoseconds: bar.startNs)
        var edges = Edges(open: start, close: max(start, through ?? start))
        if let through { edges.through = through }
        guard period.length != nil else {
            guard isTradingDay(day) else { return .refused(.closedDay) }
            return put(bar, DaySlot(start: start, day: day, isRegular: true), edges)
        }
        guard let grid = grid(of: day) else { return .refused(.closedDay) }
        if grid.place(startingAt: start) != nil { return put(bar, DaySlot(start: start, day: day, isRegular: true), edges) }
        guard let auction = grid.auction(at: start) else { return .refused(.offGrid) }
        let slot = grid.slot(auction.place)
        edges.through = through ?? MarketInstant(nanoseconds: auction.end.nanoseconds - 1)
        edges.close = max(start, edges.through)
        return compose(bar, DaySlot(start: slot.start, day: day, isRegular: slot.isRegular), edges)
    }

    /// A bar of this period of prints that came after all that was told of its time before, up to `through`: joins what is there.
    public mutating func extend(with bar: Bar, through: MarketInstant) -> BarOutcome {
        let start = MarketInstant(nanoseconds: bar.startNs)
        guard period.length != nil, let day = TradingDay(yyyymmdd: bar.tradingDay), bar.instrument == instrument.id.rawValue,
            bar.period == period, bar.isConsistent, let grid = grid(of: day), let at = grid.place(startingAt: start)
        else { return take(bar) }
        let place = place(of: DaySlot(start: start, day: day, isRegular: true))
        let slot = DaySlot(start: start, day: day, isRegular: grid.slot(at).isRegular)
        // Nothing is known of what came first in a bar that is new here, but that it did not come after its end.
        let close = min(max(start, through), MarketInstant(nanoseconds: grid.slot(at).end.nanoseconds - 1))
        let isKnown = place < bars.count && isSame(bars[place], slot)
        changed = nil
        return join(bar, slot, Edges(open: isKnown ? close : start, close: close))
    }

    /// A bar of a shorter period: joins the bar its time belongs to.
    public mutating func join(_ shorter: Bar) -> BarOutcome {
        changed = nil
        guard shorter.instrument == instrument.id.rawValue else { return .refused(.otherInstrument) }
        guard shorter.isConsistent else { return .refused(.inconsistent) }
        guard let day = TradingDay(yyyymmdd: shorter.tradingDay) else { return .refused(.closedDay) }
        let time = MarketInstant(nanoseconds: shorter.startNs)
        if period.length == nil, shorter.period.length == nil {
            // Hours of days long ago are in no table; the days are.
            guard isTradingDay(day) else { return .refused(.closedDay) }
            return join(shorter, DaySlot(start: time, day: day, isRegular: true), Edges(open: time, close: time))
        }
        guard let slot = slot(day, { $0.place(ofBarAt: time) }) else { return .refused(.closedDay) }
        guard slot.isRegular || !regularOnly else { return .ignored }
        return join(shorter, slot, Edges(open: time, close: time))
    }

    /// A print: joins the bar of its time.
    public mutating func add(_ print: Print) -> BarOutcome {
        changed = nil
        if let number = print.sequence {
            if let sequence, number <= sequence { return .ignored }
            sequence = number
        }
        guard print.size >= 0 else { return .refused(.size) }
        let slot: DaySlot
        if let running, running.slot.start < print.time, print.time < running.end {
            slot = running.slot
        } else {
            guard let day = try? calendar.tradingDay(instrument.calendar, at: print.time),
                let found = self.slot(day, { $0.place(of: print.time) })
            else { return .refused(.closedDay) }
            slot = found
        }
        guard slot.isRegular || !regularOnly else { return .ignored }
        var bar = Bar()
        bar.instrument = instrument.id.rawValue
        (bar.open, bar.high, bar.low, bar.close) = (print.price, print.price, print.price, print.price)
        bar.volume = print.size
        bar.provenance = print.provenance == .recorded ? .derived : print.provenance
        bar.recordedOn = print.recordedOn
        bar.partial = print.isPartial
        return join(bar, slot, Edges(open: print.time, close: print.time))
    }

    /// The bars nothing more belongs to at that moment and that were not told before: each once, by the calendar, whether or not another
    /// print comes.
    public mutating func close(at instant: MarketInstant) -> [Bar] {
        var closed: [Bar] = []
        for bar in bars where closedThrough.map({ bar.startNs > $0.nanoseconds }) ?? true {
            guard let end = settles(bar), end <= instant else { break }
            closed.append(bar)
        }
        if let last = closed.last { closedThrough = MarketInstant(nanoseconds: last.startNs) }
        return closed
    }

    /// When nothing more belongs to a bar of this period; nil where the calendar does not say, or, of a week and longer, where another of its
    /// days follows the newest in it.
    public mutating func settles(_ bar: Bar) -> MarketInstant? {
        guard let day = TradingDay(yyyymmdd: bar.tradingDay), let grid = grid(of: day) else { return nil }
        guard period.length == nil else { return grid.place(startingAt: MarketInstant(nanoseconds: bar.startNs)).map(grid.settles) }
        guard let next = try? calendar.tradingDay(1, from: day, instrument.calendar), period.group(next) != period.group(day) else {
            return nil
        }
        return grid.settles(grid.count - 1)
    }

    private mutating func join(_ part: Bar, _ slot: DaySlot, _ edges: Edges) -> BarOutcome {
        let place = place(of: slot)
        guard place < bars.count, isSame(bars[place], slot) else { return insert(placed(part, slot), edges, at: place) }
        let known = self.edges[place]
        if edges.close <= known.through { return .ignored }
        if known.isComposed { return grow(place, placed(part, slot), edges) }
        guard goesOn(part, bars[place]) else {
            return insert(placed(part, slot), edges, at: part.tradingDay < bars[place].tradingDay ? place : place + 1)
        }
        guard bars[place].absorb(part, opens: edges.open < known.open, closes: edges.close >= known.close) else { return .refused(.size) }
        if period.length == nil {
            bars[place].tradingDay = max(bars[place].tradingDay, slot.day.yyyymmdd)
            bars[place].startNs = min(bars[place].startNs, slot.start.nanoseconds)
        }
        self.edges[place].open = min(known.open, edges.open)
        self.edges[place].close = max(known.close, edges.close)
        return outcome(at: place)
    }

    /// Whether a part is of the recording the bar is of. Inside one day it is: what replaces what there is decided where it is taken.
    private func goesOn(_ part: Bar, _ bar: Bar) -> Bool {
        guard period.length == nil, part.tradingDay != 0, part.tradingDay != bar.tradingDay else { return true }
        return part.tradingDay > bar.tradingDay
            ? part.goesOn(from: bar, of: instrument, calendar: calendar) : bar.goesOn(from: part, of: instrument, calendar: calendar)
    }

    private func placed(_ part: Bar, _ slot: DaySlot) -> Bar {
        var bar = part
        bar.period = period
        bar.startNs = slot.start.nanoseconds
        bar.tradingDay = slot.day.yyyymmdd
        return bar
    }

    private mutating func put(_ bar: Bar, _ slot: DaySlot, _ edges: Edges) -> BarOutcome {
        let place = place(of: slot)
        guard place < bars.count, isSame(bars[place], slot) else { return insert(bar, edges, at: place) }
        if self.edges[place].isComposed { return replace(place, bar, edges) }
        bars[place] = bar
        self.edges[place] = edges
        return outcome(at: place)
    }

    /// The bar there changed.
    mutating func outcome(at place: Int) -> BarOutcome {
        changed = place
        return place == bars.count - 1 ? .updated : .corrected
    }

    mutating func insert(_ bar: Bar, _ edges: Edges, at place: Int) -> BarOutcome {
        let outcome: BarOutcome = place == bars.count ? .appended : .corrected
        var place = place
        if bars.count == capacity {
            // Older than everything kept.
            if place == 0 { return .ignored }
            compositions[bars[0].startNs] = nil
            bars.removeFirst()
            self.edges.removeFirst()
            place -= 1
        }
        bars.insert(bar, at: place)
        self.edges.insert(edges, at: place)
        changed = place
        return outcome
    }

    /// Where the bar of a slot is, or would go; nearly always the end.
    func place(of slot: DaySlot) -> Int {
        let last = bars.count - 1
        if last < 0 || isBefore(last, slot) { return last + 1 }
        if period.length != nil, bars[last].startNs == slot.start.nanoseconds { return last }
        var (low, high) = (0, bars.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle, slot) { low = middle + 1 } else { high = middle }
        }
        // Of several bars of one month the one its day falls into, or follows.
        while period.length == nil, low < last, isSame(bars[low + 1], slot), bars[low + 1].startNs <= slot.start.nanoseconds { low += 1 }
        return low
    }

    private func isBefore(_ place: Int, _ slot: DaySlot) -> Bool {
        guard period.length == nil else { return bars[place].startNs < slot.start.nanoseconds }
        return (TradingDay(yyyymmdd: bars[place].tradingDay).map(period.group) ?? .min) < period.group(slot.day)
    }

    func isSame(_ bar: Bar, _ slot: DaySlot) -> Bool {
        guard period.length == nil else { return bar.startNs == slot.start.nanoseconds }
        return TradingDay(yyyymmdd: bar.tradingDay).map(period.group) == period.group(slot.day)
    }

    private func isTradingDay(_ day: TradingDay) -> Bool { (try? calendar.isTradingDay(day, instrument.calendar)) == true }

    struct DaySlot: Hashable, Sendable {
        var start: MarketInstant
        var day: TradingDay
        var isRegular: Bool
    }

    private mutating func slot(_ day: TradingDay, _ place: (BarGrid) -> Int?) -> DaySlot? {
        guard let grid = grid(of: day), let place = place(grid) else { return nil }
        let slot = grid.slot(place)
        guard period.length != nil else { return DaySlot(start: grid.regularStart ?? slot.start, day: day, isRegular: slot.isRegular) }
        let found = DaySlot(start: slot.start, day: day, isRegular: slot.isRegular)
        running = (found, slot.end)
        return found
    }

    /// The last one asked for is kept: prints come day by day.
    private mutating func grid(of day: TradingDay) -> BarGrid? {
        if let grid, grid.day == day { return grid }
        guard let sessions = try? calendar.sessions(of: instrument, on: day) else { return nil }
        let grid = BarGrid(day: day, sessions: sessions, length: period.length ?? .seconds(60), anchor: anchor)
        guard grid.count > 0 else { return nil }
        self.grid = grid
        return grid
    }
}
