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

/// What became of a print or a bar.
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
public struct BarSeries: Sendable {
    public let instrument: Instrument
    public let period: BarPeriod
    /// Regular trading only; days and longer never have other hours.
    public let regularOnly: Bool
    public private(set) var bars: [Bar] = []
    private var edges: [Edges] = []
    /// Prints numbered up to here are in the bars.
    public private(set) var sequence: UInt64?
    let calendar: MarketCalendar
    private let capacity: Int
    private var grid: BarGrid?
    private var closedThrough: MarketInstant?

    /// The moments of the print that made the open, and of the one that made the close.
    private struct Edges: Hashable, Sendable {
        var open: MarketInstant
        var close: MarketInstant
    }

    /// Keeps the newest `capacity` bars.
    public init(instrument: Instrument, period: BarPeriod, calendar: MarketCalendar, regularOnly: Bool = false, capacity: Int = 10_000) {
        self.instrument = instrument
        self.period = period
        self.regularOnly = regularOnly || period.length == nil
        self.calendar = calendar
        self.capacity = max(capacity, 1)
    }

    /// Takes bars another end holds, oldest first, with the number of the last print in them: live prints go on after it.
    public mutating func load(_ history: [Bar], through sequence: UInt64? = nil) -> [BarRefusal] {
        var refused: [BarRefusal] = []
        for bar in history { if case .refused(let reason) = take(bar) { refused.append(reason) } }
        if let sequence { self.sequence = max(self.sequence ?? 0, sequence) }
        return refused
    }

    /// A bar of this period, whole as another end knows it: it stands for what was there.
    public mutating func take(_ bar: Bar) -> BarOutcome {
        if let refusal = check(bar) { return .refused(refusal) }
        return put(bar, Edges(open: MarketInstant(nanoseconds: bar.startNs), close: MarketInstant(nanoseconds: bar.startNs)))
    }

    /// A bar of a shorter period: joins the bar its time belongs to.
    public mutating func join(_ shorter: Bar) -> BarOutcome {
        guard shorter.instrument == instrument.id.rawValue else { return .refused(.otherInstrument) }
        guard shorter.isConsistent else { return .refused(.inconsistent) }
        let time = MarketInstant(nanoseconds: shorter.startNs)
        guard let day = TradingDay(yyyymmdd: shorter.tradingDay), let slot = slot(day, { $0.placeBefore(time) }) else {
            return .refused(.closedDay)
        }
        guard slot.isRegular || !regularOnly else { return .ignored }
        return join(shorter, slot, Edges(open: time, close: time))
    }

    /// A print: joins the bar of its time.
    public mutating func add(_ print: Print) -> BarOutcome {
        if let number = print.sequence {
            if let sequence, number <= sequence { return .ignored }
            sequence = number
        }
        guard print.size >= 0 else { return .refused(.size) }
        guard let day = try? calendar.tradingDay(instrument.calendar, at: print.time), let slot = slot(day, { $0.place(of: print.time) })
        else { return .refused(.closedDay) }
        guard slot.isRegular || !regularOnly else { return .ignored }
        var bar = Bar()
        bar.instrument = instrument.id.rawValue
        (bar.open, bar.high, bar.low, bar.close) = (print.price, print.price, print.price, print.price)
        bar.volume = print.size
        bar.provenance = print.provenance == .recorded ? .derived : print.provenance
        bar.recordedOn = print.recordedOn
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

    private mutating func settles(_ bar: Bar) -> MarketInstant? {
        guard let day = TradingDay(yyyymmdd: bar.tradingDay), let grid = grid(of: day) else { return nil }
        guard period.length == nil else { return grid.place(startingAt: MarketInstant(nanoseconds: bar.startNs)).map(grid.settles) }
        guard let next = try? calendar.tradingDay(1, from: day, instrument.calendar), period.group(next) != period.group(day) else {
            return nil
        }
        return grid.settles(grid.slots.count - 1)
    }

    private mutating func join(_ part: Bar, _ slot: DaySlot, _ edges: Edges) -> BarOutcome {
        let place = place(of: slot)
        guard place < bars.count, isSame(bars[place], slot) else {
            var bar = part
            bar.period = period
            bar.startNs = slot.start.nanoseconds
            bar.tradingDay = slot.day.yyyymmdd
            return insert(bar, edges, at: place)
        }
        let known = self.edges[place]
        guard bars[place].absorb(part, opens: edges.open < known.open, closes: edges.close >= known.close) else { return .refused(.size) }
        if period.length == nil, slot.day.yyyymmdd > bars[place].tradingDay { bars[place].tradingDay = slot.day.yyyymmdd }
        self.edges[place] = Edges(open: min(known.open, edges.open), close: max(known.close, edges.close))
        return place == bars.count - 1 ? .updated : .corrected
    }

    private mutating func put(_ bar: Bar, _ edges: Edges) -> BarOutcome {
        guard let day = TradingDay(yyyymmdd: bar.tradingDay) else { return .refused(.closedDay) }
        let slot = DaySlot(start: MarketInstant(nanoseconds: bar.startNs), day: day, isRegular: true)
        let place = place(of: slot)
        guard place < bars.count, isSame(bars[place], slot) else { return insert(bar, edges, at: place) }
        bars[place] = bar
        self.edges[place] = edges
        return place == bars.count - 1 ? .updated : .corrected
    }

    private mutating func insert(_ bar: Bar, _ edges: Edges, at place: Int) -> BarOutcome {
        let outcome: BarOutcome = place == bars.count ? .appended : .corrected
        if bars.count == capacity {
            // Older than everything kept.
            if place == 0 { return .ignored }
            bars.removeFirst()
            self.edges.removeFirst()
            bars.insert(bar, at: place - 1)
            self.edges.insert(edges, at: place - 1)
        } else {
            bars.insert(bar, at: place)
            self.edges.insert(edges, at: place)
        }
        return outcome
    }

    /// Where the bar of a slot is, or would go; nearly always the end.
    private func place(of slot: DaySlot) -> Int {
        func isBefore(_ bar: Bar) -> Bool {
            guard period.length == nil else { return bar.startNs < slot.start.nanoseconds }
            return (TradingDay(yyyymmdd: bar.tradingDay).map(period.group) ?? .min) < period.group(slot.day)
        }
        if let last = bars.last, isBefore(last) { return bars.count }
        var (low, high) = (0, bars.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(bars[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isSame(_ bar: Bar, _ slot: DaySlot) -> Bool {
        guard period.length == nil else { return bar.startNs == slot.start.nanoseconds }
        return TradingDay(yyyymmdd: bar.tradingDay).map(period.group) == period.group(slot.day)
    }

    private mutating func check(_ bar: Bar) -> BarRefusal? {
        guard bar.instrument == instrument.id.rawValue, bar.period == period else { return .otherInstrument }
        guard bar.isConsistent else { return .inconsistent }
        guard let day = TradingDay(yyyymmdd: bar.tradingDay) else { return .closedDay }
        if period.length == nil { return (try? calendar.isTradingDay(day, instrument.calendar)) == true ? nil : .closedDay }
        guard let grid = grid(of: day) else { return .closedDay }
        return grid.place(startingAt: MarketInstant(nanoseconds: bar.startNs)) == nil ? .offGrid : nil
    }

    private struct DaySlot: Hashable, Sendable {
        var start: MarketInstant
        var day: TradingDay
        var isRegular: Bool
    }

    private mutating func slot(_ day: TradingDay, _ place: (BarGrid) -> Int?) -> DaySlot? {
        guard let grid = grid(of: day), let place = place(grid) else { return nil }
        let slot = grid.slots[place]
        return DaySlot(start: period.length == nil ? grid.slots[0].start : slot.start, day: day, isRegular: slot.isRegular)
    }

    /// The last one asked for is kept: prints come day by day.
    private mutating func grid(of day: TradingDay) -> BarGrid? {
        if let grid, grid.day == day { return grid }
        guard let sessions = try? calendar.sessions(of: instrument, on: day), !sessions.isEmpty else { return nil }
        let grid = BarGrid(day: day, sessions: sessions, length: period.length ?? .seconds(60))
        self.grid = grid
        return grid
    }
}
