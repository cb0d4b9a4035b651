import Exact
import Instruments
import Messages
import Streams

/// The events of one instrument on the market date in order of time: pure, made bar by bar as they are asked for.
struct InstrumentReplay: Sendable {
    let instrument: Instrument
    private let tape: Recordings.Tape
    private let seed: UInt64
    private let grid: PriceGrid
    private let depth: SimulatedDepth?
    private var phases: [(time: Int64, phase: Phase)]
    private var barIndex = 0
    private var bookIndex = 0
    private var tradeIndex = 0
    private var phaseIndex = 0
    /// Prints of the bar under way, in order.
    private var prints: [Print] = []
    private var printIndex = 0
    private var day = Day()
    private var started = false
    private let origin: Int64

    /// The day's figures so far.
    private struct Day: Sendable {
        var open: Int64?
        var high: Int64?
        var low: Int64?
        var volume: Int64 = 0
        var turnover: Int64 = 0
        /// Turnover when the bar under way began, and what its recording says.
        var turnoverBefore: Int64 = 0
        var recorded: Int64?
        var ticks: UInt64 = 0
        var phase = Phase.closed
    }

    init(
        instrument: Instrument, tape: Recordings.Tape, facts: MarketFacts, marketDate: TradingDay, seed: UInt64, origin: Int64,
        phases: [(time: Int64, phase: Phase)]
    ) {
        self.instrument = instrument
        self.tape = tape
        self.seed = seed
        self.origin = origin
        self.phases = phases
        grid = PriceGrid(ticks: facts.ticks, instrument: instrument, day: marketDate)
        let lot = instrument.lot.units
        let wanted = tape.trades.isEmpty ? tape.bars.reduce(Int64(0)) { $0 + Self.wanted($1, instrument) } : Int64(tape.trades.count)
        let units = tape.trades.isEmpty ? tape.bars.reduce(Int64(0)) { $0 + $1.volume } : tape.trades.reduce(0) { $0 + $1.size }
        // The deepest level holds up to eleven times as much, which must stay a size.
        let typical = min(max(1, 2 * (units / lot) / max(1, wanted)), max(1, FeedStanding.largestSize / lot / 16))
        let simulated = instrument.isTradable && tape.books.isEmpty
        depth = simulated ? SimulatedDepth(grid: grid, seed: seed, levels: 10, lot: lot, typicalLots: typical) : nil
    }

    /// About six prints a minute, twelve for an index.
    private static func wanted(_ bar: TapeBar, _ instrument: Instrument) -> Int64 {
        max(1, (bar.end - bar.start) / 60_000_000_000) * (instrument.kind == .index ? 12 : 6)
    }

    private enum Due { case start, barEnd, phase, book, trade, print }

    /// What comes next and when; where times are equal the order is: figures at the start, end of a bar, phase, book, trade.
    private func due() -> (Int64, Due)? {
        guard started else { return (origin, .start) }
        var best: (Int64, Due)?
        func offer(_ time: Int64, _ due: Due) { if best.map({ time < $0.0 }) ?? true { best = (time, due) } }
        if barIndex < tape.bars.count, printIndex == prints.count { offer(tape.bars[barIndex].recordedEnd, .barEnd) }
        if phaseIndex < phases.count { offer(phases[phaseIndex].time, .phase) }
        if bookIndex < tape.books.count { offer(tape.books[bookIndex].timeNs, .book) }
        if tradeIndex < tape.trades.count { offer(tape.trades[tradeIndex].time, .trade) }
        if printIndex < prints.count { offer(prints[printIndex].time, .print) }
        return best
    }

    var nextTime: Int64? { due()?.0 }

    /// When the last of the recording has been told; nil: there is none.
    var recordingEnd: Int64? {
        [tape.bars.map(\.recordedEnd).max(), tape.books.last?.timeNs, tape.trades.last?.time].compactMap { $0 }.max()
    }

    /// The next happening as events of one moment.
    mutating func next() -> (time: Int64, bodies: [FeedEvent.Body])? {
        guard let (time, due) = due() else { return nil }
        switch due {
        case .start:
            started = true
            loadBar()
            return (time, [.quote(opening(time))])
        case .barEnd:
            let bar = tape.bars[barIndex]
            if let turnover = bar.turnover, tape.trades.isEmpty { day.turnover = day.turnoverBefore + turnover }
            barIndex += 1
            loadBar()
            // What is simulated is no recording; who wants its minutes adds up its ticks.
            guard bar.recordedOn != nil else { return (time, []) }
            return (time, [.bar(Recordings.message(bar, instrument.id, grid.day))])
        case .phase:
            day.phase = phases[phaseIndex].phase
            phaseIndex += 1
            var quote = blank(time)
            quote.phase = day.phase
            return (time, [.phase(instrument: instrument.id, day.phase), .quote(quote)])
        case .book:
            let book = tape.books[bookIndex]
            bookIndex += 1
            var quote = blank(time)
            touch(book, &quote)
            return (time, [.book(book), .quote(quote)])
        case .trade:
            let print = tape.trades[tradeIndex]
            tradeIndex += 1
            return (time, bodies(print, .recorded, tape.tradesRecordedOn))
        case .print:
            let print = prints[printIndex]
            printIndex += 1
            return (time, bodies(print, tape.path, tape.bars[barIndex].recordedOn))
        }
    }

    private mutating func loadBar() {
        prints = []
        printIndex = 0
        guard barIndex < tape.bars.count else { return }
        let bar = tape.bars[barIndex]
        day.turnoverBefore = day.turnover
        day.recorded = bar.turnover
        guard tape.trades.isEmpty else { return }
        var random = SeededRandom(seed: seed, UInt64(instrument.id.rawValue), UInt64(bitPattern: bar.start))
        let path = DerivedPath(grid: grid, lot: instrument.kind == .index ? 0 : instrument.lot.units)
        switch bar.kind {
        case .plain: prints = path.prints(bar, wanted: Self.vary(Self.wanted(bar, instrument), &random), random: &random)
        case .openingAuction:
            let time = bar.start + random.below(max(1, bar.end - bar.start))
            prints = [Print(time: time, price: bar.close, size: bar.volume, side: .unspecified)]
        case .closingAuction(let matching):
            var minute = bar
            let lot = instrument.lot.units
            let before = tape.bars[..<barIndex].suffix(10).map(\.volume).sorted()
            let usual = before.isEmpty ? bar.volume / 2 : before[before.count / 2]
            minute.volume = min(usual, bar.volume / 2) / lot * lot
            prints = path.prints(minute, wanted: Self.vary(Self.wanted(minute, instrument), &random), random: &random)
            let time = matching.lowerBound + random.below(matching.upperBound - matching.lowerBound)
            prints.append(Print(time: time, price: bar.close, size: bar.volume - prints.reduce(0) { $0 + $1.size }, side: .unspecified))
        }
    }

    /// Between half and one and a half times as many.
    private static func vary(_ wanted: Int64, _ random: inout SeededRandom) -> Int { Int(wanted / 2 + random.below(wanted + 1)) }

    private func blank(_ time: Int64) -> Quote {
        var quote = Quote()
        quote.instrument = instrument.id.rawValue
        quote.timeNs = time
        quote.phase = day.phase
        quote.tradingDay = grid.day.yyyymmdd
        quote.provenance = tape.trades.isEmpty ? tape.path : .recorded
        quote.recordedOn = (tape.tradesRecordedOn ?? tape.bars.first?.recordedOn)?.yyyymmdd ?? 0
        quote.level = instrument.isTradable ? .depth : .last
        return quote
    }

    private func opening(_ time: Int64) -> Quote {
        var quote = blank(time)
        if let close = tape.previousClose { quote.previousClose = close }
        return quote
    }

    private func touch(_ book: Book, _ quote: inout Quote) {
        quote.bookProvenance = book.provenance
        quote.show(book)
    }

    private mutating func bodies(_ print: Print, _ provenance: Provenance, _ recordedOn: TradingDay?) -> [FeedEvent.Body] {
        var quote = blank(print.time)
        quote.provenance = provenance
        quote.recordedOn = recordedOn?.yyyymmdd ?? 0
        quote.last = print.price
        quote.lastTimeNs = print.time
        if day.open == nil {
            day.open = print.price
            quote.open = print.price
        }
        if day.high.map({ print.price > $0 }) ?? true {
            day.high = print.price
            quote.high = print.price
        }
        if day.low.map({ print.price < $0 }) ?? true {
            day.low = print.price
            quote.low = print.price
        }
        var bodies: [FeedEvent.Body] = []
        if print.size > 0, instrument.isTradable {
            add(print)
            quote.lastSize = print.size
            quote.volume = day.volume
            quote.turnover = day.turnover
            bodies.append(.trade(tick(print, provenance, recordedOn)))
        }
        if let depth {
            let book = depth.book(last: print.price, side: print.side, time: print.time, turn: day.ticks)
            touch(book, &quote)
            bodies += [.quote(quote), .book(book)]
        } else {
            bodies.append(.quote(quote))
        }
        return bodies
    }

    private mutating func add(_ print: Print) {
        day.ticks += 1
        day.volume += print.size
        // nanos × units / 10¹¹ = micros
        let value = Int64(clamping: Int128(print.price) * Int128(print.size) * Int128(instrument.multiplier) / 100_000_000_000)
        var turnover = Int64(clamping: Int128(day.turnover) + Int128(value))
        if let recorded = day.recorded, tape.trades.isEmpty { turnover = min(turnover, day.turnoverBefore + recorded) }
        day.turnover = turnover
    }

    private func tick(_ print: Print, _ provenance: Provenance, _ recordedOn: TradingDay?) -> Tick {
        var tick = Tick()
        tick.instrument = instrument.id.rawValue
        tick.timeNs = print.time
        tick.price = print.price
        tick.size = print.size
        tick.aggressor = print.side
        tick.sequence = day.ticks
        tick.provenance = provenance
        tick.recordedOn = recordedOn?.yyyymmdd ?? 0
        return tick
    }
}

extension TapeBar {
    /// When the whole bar is known.
    var recordedEnd: Int64 {
        if case .closingAuction(let matching) = kind { return matching.upperBound }
        return end
    }
}
