import Exact
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Texts
import Trade

/// Draws a board: a pure function of state and size, tested by golden text. 80 × 24 at least; numbers keep their columns.
public struct BoardRenderer: Sendable {
    public static let smallest = (columns: 80, rows: 24)
    static let bookWidth = 29

    let state: BoardState
    let columns: Int
    let rows: Int
    private var language: Language { state.language }

    public init(_ state: BoardState, columns: Int, rows: Int) {
        self.state = state
        self.columns = columns
        self.rows = rows
    }

    /// Exactly `rows` lines of exactly `columns` columns.
    public var lines: [Line] {
        guard columns >= Self.smallest.columns, rows >= Self.smallest.rows else {
            let text = Text.boardSmall(columns: columns, rows: rows).words(in: language)
            return fill([Line([Span(text, .caution)])])
        }
        guard let data = state.data else {
            return fill([Line([Span(Text.boardTitle.words(in: language), .title), Span("  "), Span(words(.connectionConnecting), .quiet)])])
        }
        var result = [status(data)]
        switch state.overlay {
        case .help: result += helpLines
        case .explanation: result += BoardExplanation(data: data, language: language).lines
        case nil:
            let watchRows = rows - 16
            result += watchlist(data, count: watchRows)
            result += lower(data)
        }
        result = Array(result.prefix(rows - 3))
        result += Array(repeating: Line(), count: max(0, rows - 3 - result.count))
        return fill(result + footer)
    }

    private func fill(_ lines: [Line]) -> [Line] {
        let kept = lines.prefix(max(0, rows))
        let blank = Array(repeating: Line(), count: max(0, rows - kept.count))
        return (Array(kept) + blank).map { $0.fitted(to: max(0, columns)) }
    }

    private func words(_ text: Text) -> String { text.words(in: language) }

    // MARK: Status

    private func status(_ data: DeskData) -> Line {
        var spans = [Span(words(.boardTitle), .title), Span("  ")]
        if let clock = data.clock {
            let format = state.instrument.map { Display.clock(of: $0) } ?? .utc
            let date = columns < 100 ? "" : format.date(clock.time.nanoseconds) + " "
            spans.append(Span(date + format.named(clock.time.nanoseconds)))
            spans.append(Span("  "))
            if clock.speedMicros == 0 {
                spans.append(Span(words(.boardPaused), .caution))
            } else {
                spans.append(Span(words(.boardSpeed(speed: Self.speed(clock.speedMicros))), .quiet))
            }
        } else {
            spans.append(Span(Display.missing))
        }
        spans += [Span("  "), link(.connectionQuotes, data.quoteLink), Span(" · "), link(.connectionTrade, data.tradeLink)]
        return Line(spans)
    }

    private func link(_ name: Text, _ link: LinkState) -> Span {
        var text = words(name) + " " + words(link.text)
        if case .reconnecting(let away) = link { text += " " + TimeFormat.length(away, in: language) }
        return Span(text, link.isTroubled ? .caution : .quiet)
    }

    /// `60×`, `0.5×`.
    static func speed(_ micros: Int64) -> String {
        var text = NumberFormat.fixed(micros, scale: 6, decimals: 6, grouping: false)
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text + "×"
    }

    // MARK: Watchlist

    private var isWide: Bool { columns >= 120 }
    private var nameWidth: Int { isWide ? min(28, 14 + columns - 114) : 14 }
    private var sourceWidth: Int { isWide ? max(1, columns - 66 - nameWidth) : 1 }

    private func watchlist(_ data: DeskData, count: Int) -> [Line] {
        var head = Columns()
        head.add(words(.fieldSymbol), 12)
        head.add(words(.fieldName), nameWidth)
        head.add(words(.fieldLast), 10, .right)
        head.add(words(.fieldChange), 9, .right)
        head.add(words(.fieldPercent), 8, .right)
        head.add(words(.fieldVolume), 8, .right)
        head.add(words(.fieldPhase), 10)
        head.add(isWide ? words(.fieldSource) : "", sourceWidth)
        let first = Self.firstRow(chosen: state.instrumentIndex, count: data.instruments.count, visible: count)
        var lines = [head.line.with(state.focus == .watchlist ? .title : .quiet)]
        let now = data.clock?.time
        for index in first..<first + count {
            guard data.instruments.indices.contains(index) else {
                lines.append(Line())
                continue
            }
            let instrument = data.instruments[index]
            // Without the server's clock no age can be told: the quote's own time counts as now.
            let quote = data.quotes[instrument.id]
            let row = QuoteRow(instrument, quote, now: now ?? MarketInstant(nanoseconds: quote?.timeNs ?? 0), in: language)
            lines.append(watchRow(row, isChosen: index == state.instrumentIndex))
        }
        return lines
    }

    private func watchRow(_ row: QuoteRow, isChosen: Bool) -> Line {
        let voice: Voice =
            row.age != nil ? .quiet : row.direction == .up ? .up : row.direction == .down ? .down : .plain
        var cells = Columns()
        cells.add(row.symbol, 12, .left, isChosen ? .chosen : .plain)
        cells.add(row.name, nameWidth, .left, isChosen ? .chosen : .plain)
        cells.add(row.last, 10, .right, voice)
        cells.add(row.change, 9, .right, voice)
        cells.add(row.percent, 8, .right, voice)
        cells.add(row.volume, 8, .right)
        // A price that stopped says how old it is (B-8).
        if let age = row.age {
            cells.add(TimeFormat.length(age, in: language), 10, .left, .caution)
        } else {
            cells.add(words(row.phase), 10, .left, .quiet)
        }
        cells.add(isWide ? words(row.source) : row.mark, sourceWidth, .left, .quiet)
        return cells.line
    }

    /// Keeps the chosen row in view.
    static func firstRow(chosen: Int, count: Int, visible: Int) -> Int {
        guard count > visible, visible > 0 else { return 0 }
        return min(max(0, chosen - visible / 2), count - visible)
    }

    // MARK: Book beside positions and orders

    private func lower(_ data: DeskData) -> [Line] {
        let left = bookLines(data)
        let right = BoardAccount(state: state, data: data, width: columns - Self.bookWidth - 3, rows: left.count).lines
        return left.indices.map { index in
            var spans = left[index].fitted(to: Self.bookWidth).spans + [Span(" │ ", .quiet)]
            if index < right.count { spans += right[index].spans }
            return Line(spans)
        }
    }

    private func bookLines(_ data: DeskData) -> [Line] {
        guard let instrument = state.instrument else { return Array(repeating: Line(), count: 11) }
        let mine = data.orders.filter { $0.instrument == instrument.id.rawValue }
        let ladder = BookLadder(data.books[instrument.id], of: instrument, depth: 10, mine: mine)
        let title = words(ladder.isSimulated ? .boardBookSimulated : .boardBook)
        var lines = [Line([Span(title, .title), Span(" "), Span(instrument.symbol, .quiet)])]
        for row in ladder.rows {
            var cells = Columns()
            cells.add(row.bid?.size ?? "", 5, .right, row.bid?.mine.isEmpty == false ? .mine : .quiet)
            cells.add(row.bid?.price ?? "", 8, .right, .up)
            cells.add(row.ask?.price ?? "", 8, .right, .down)
            cells.add(row.ask?.size ?? "", 5, .right, row.ask?.mine.isEmpty == false ? .mine : .quiet)
            lines.append(cells.line)
        }
        return lines
    }

    // MARK: Ticket, notice, keys

    private var footer: [Line] {
        [ticketLine, noticeLine, Line([Span(words(state.ticket == nil ? .boardKeys : .ticketKeys), .quiet)])]
    }

    private var ticketLine: Line {
        if let order = state.asked {
            let instrument = state.data?.table[InstrumentID(order.instrument)]
            let name = instrument.map { Display.name($0, in: language) } ?? "#\(order.instrument)"
            // What is left of it is what the cancel is about.
            let left = Quantity(units: order.quantity.subtractingReportingOverflow(order.filled).partialValue)
            let text = Text.ticketCancelAsk(name: name, quantity: Display.quantity(left), side: order.side.text)
            return Line([Span(Columns.safe(words(text)), .caution)])
        }
        guard let ticket = state.ticket else { return Line() }
        switch ticket.stage {
        case .confirming: return Line([Span(Columns.safe(words(ticket.question(in: language))), .caution)])
        case .sending: return Line([Span(words(.statusSending), .quiet)])
        case .unknown: return Line([Span(words(.orderUnknown), .caution)])
        case .editing, .refused, .done:
            let price =
                ticket.type == .market
                ? words(.ticketPriceMarket) : words(.typeLimit) + " " + Display.price(ticket.limit, of: ticket.instrument)
            let voice: Voice = ticket.side == .buy ? .up : .down
            return Line([
                Span(words(ticket.side.text), voice), Span(" "), Span(ticket.instrument.symbol, .title), Span("  "),
                Span(Display.quantity(ticket.quantity), .mine), Span("  "), Span(price, .mine),
            ])
        }
    }

    private var noticeLine: Line {
        switch state.notice {
        case .text(let text): Line([Span(Columns.safe(words(text)))])
        case .failure(let failure): Line([Span(Columns.safe(failure.text(in: language)), .caution)])
        case nil: Line()
        }
    }

    private var helpLines: [Line] {
        [
            Text.boardHelpMove, .boardHelpOrder, .boardHelpConfirm, .boardHelpCancel, .boardHelpExplain, .boardHelpSession, .boardHelpOther,
        ].flatMap { [Line(), Line([Span("  " + words($0))])] }
    }
}
