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
            return fill(Wrapping.lines(text, columns).map { Line([Span($0, .caution)]) })
        }
        guard let data = state.data else {
            return fill([Line([Span(Text.boardTitle.words(in: language), .title), Span("  "), Span(words(.connectionConnecting), .quiet)])])
        }
        let footer = BoardFooter(state: state, columns: columns).lines
        let room = rows - footer.count
        var result = [status(data)]
        switch state.overlay {
        case .help: result += helpLines
        case .explanation: result += page(BoardExplanation(data: data, language: language, columns: columns).lines, rows: room - 1)
        case nil:
            result += watchlist(data, count: rows - 16)
            result += lower(data)
        }
        result = Array(result.prefix(room))
        result += Array(repeating: Line(), count: max(0, room - result.count))
        return fill(result + footer)
    }

    /// The page of `lines` that the user turned to; where there is more than one, the last row says which.
    private func page(_ lines: [Line], rows: Int) -> [Line] {
        guard lines.count > rows, rows > 1 else { return lines }
        let pages = (lines.count + rows - 2) / (rows - 1)
        let page = state.page % pages
        let shown = Array(lines.dropFirst(page * (rows - 1)).prefix(rows - 1))
        let blank = Array(repeating: Line(), count: rows - 1 - shown.count)
        return shown + blank + [Line([Span("  " + words(.boardPage(page: page + 1, pages: pages)), .quiet)])]
    }

    private func fill(_ lines: [Line]) -> [Line] {
        let kept = lines.prefix(max(0, rows))
        let blank = Array(repeating: Line(), count: max(0, rows - kept.count))
        return (Array(kept) + blank).map { $0.fitted(to: max(0, columns)) }
    }

    private func words(_ text: Text) -> String { text.words(in: language) }

    // MARK: Status

    /// The fullest form that fits: the market date and the state of the links are never left out.
    private func status(_ data: DeskData) -> Line {
        let forms = [(true, true), (false, true), (false, false)].map { status(data, hasTitle: $0, namesSpeed: $1) }
        return forms.first { $0.columns <= columns } ?? forms[2]
    }

    private func status(_ data: DeskData, hasTitle: Bool, namesSpeed: Bool) -> Line {
        var spans = hasTitle ? [Span(words(.boardTitle), .title), Span("  ")] : []
        if let clock = data.clock {
            let format = state.instrument.map { Display.clock(of: $0) } ?? .utc
            spans.append(Span(format.date(clock.time.nanoseconds) + " " + format.named(clock.time.nanoseconds)))
            spans.append(Span("  "))
            if clock.speedMicros == 0 {
                spans.append(Span(words(.boardPaused), .caution))
            } else {
                let speed = Self.speed(clock.speedMicros)
                spans.append(Span(namesSpeed ? words(.boardSpeed(speed: speed)) : speed, .quiet))
            }
        } else {
            spans.append(Span(Display.missing))
        }
        return Line(spans + [Span("  ")] + links(data))
    }

    private func links(_ data: DeskData) -> [Span] {
        let quotes = link(data.quoteLink)
        let trade = link(data.tradeLink)
        if quotes == trade { return [Span(words(.connectionQuotes) + " · " + words(.connectionTrade) + " " + quotes.text, quotes.voice)] }
        return [
            Span(words(.connectionQuotes) + " " + quotes.text, quotes.voice), Span(" · "),
            Span(words(.connectionTrade) + " " + trade.text, trade.voice),
        ]
    }

    private func link(_ link: LinkState) -> Span {
        var text = words(link.text)
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
    private var hasPrevious: Bool { columns >= 100 }
    /// Without name and source: seven columns and the spaces between all.
    private var fixedWidth: Int { hasPrevious ? 75 : 64 }
    /// The source in words takes up to 28 cells; the rest of a wide terminal is the name's.
    private var nameWidth: Int { hasPrevious ? min(48, max(14, columns - fixedWidth - (isWide ? 28 : 1))) : 14 }
    private var sourceWidth: Int { isWide ? max(1, columns - fixedWidth - nameWidth) : 1 }

    private func watchlist(_ data: DeskData, count: Int) -> [Line] {
        var head = Columns()
        head.add(words(.fieldSymbol), 12)
        head.add(words(.fieldName), nameWidth)
        head.add(words(.fieldLast), 10, .right)
        head.add(words(.fieldChange), 9, .right)
        head.add(words(.fieldPercent), 8, .right)
        if hasPrevious { head.add(words(.fieldPreviousClose), 10, .right) }
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
            let standing = BookStanding(instrument, quote, calendar: data.calendar, now: now, link: data.quoteLink)
            let row = QuoteRow(instrument, quote, standing, now: now ?? MarketInstant(nanoseconds: quote?.timeNs ?? 0), in: language)
            lines.append(watchRow(row, hasQuote: quote != nil, data.quoteLink, standing, isChosen: index == state.instrumentIndex))
        }
        return lines
    }

    private func watchRow(_ row: QuoteRow, hasQuote: Bool, _ link: LinkState, _ standing: BookStanding, isChosen: Bool) -> Line {
        // What closed before the end of a replay is no older for it.
        let isLost = standing == .lost || link.isTroubled && link != .degraded(.ended)
        let isOld = row.age != nil || isLost
        let voice: Voice = isOld ? .quiet : row.direction == .up ? .up : row.direction == .down ? .down : .plain
        var cells = Columns()
        cells.add(row.symbol, 12, .left, isChosen ? .chosen : .plain)
        cells.add(row.name, nameWidth, .left, isChosen ? .chosen : .plain)
        cells.add(row.last, 10, .right, voice)
        cells.add(row.change, 9, .right, voice)
        cells.add(row.percent, 8, .right, voice)
        if hasPrevious { cells.add(row.previous, 10, .right, .quiet) }
        cells.add(row.volume, 8, .right, isOld ? .quiet : .plain)
        // A price that cannot move says so, one that stopped says how old it is (B-8).
        if isLost {
            cells.add(hasQuote ? words(.boardStale) : Display.missing, 10, .left, .caution)
        } else if case .unrecorded = standing {
            cells.add(words(row.phase), 10, .left, .caution)
        } else if let age = row.age {
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
        let book = BoardBook(state: state, data: data)
        let left = book.lines
        let right = BoardAccount(state: state, data: data, width: columns - book.width - 2, rows: left.count).lines
        return left.indices.map { index in
            var spans = left[index].fitted(to: book.width).spans + [Span("│ ", .quiet)]
            if index < right.count { spans += right[index].spans }
            return Line(spans)
        }
    }

    private var helpLines: [Line] {
        let texts: [Text] = [
            .boardHelpMove, .boardHelpOrder, .boardHelpConfirm, .boardHelpCancel, .boardHelpExplain, .boardHelpSession, .boardHelpOther,
            .boardHelpMarks, .boardHelpAverage,
        ]
        return texts.flatMap { [Line(), Line([Span("  " + words($0))])] }
    }
}
