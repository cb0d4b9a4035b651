import Exact
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Texts

/// The left half below the watchlist: the book of the chosen instrument where there is one, else why there is none.
struct BoardBook {
    static let depth = 10
    let state: BoardState
    let data: DeskData
    private var language: Language { state.language }
    private func words(_ text: Text) -> String { text.words(in: language) }

    /// `99.9K`; `99.9万`.
    private var sizeWidth: Int { language == .english ? 5 : 6 }
    var width: Int { 2 * sizeWidth + 19 }

    /// Always the title and `depth` rows, so that nothing moves.
    var lines: [Line] {
        guard let instrument = state.instrument else { return Array(repeating: Line(), count: Self.depth + 1) }
        let standing = BookStanding(
            instrument, data.quotes[instrument.id], calendar: data.calendar, now: data.clock?.time, link: data.quoteLink)
        let lines = standing == .live ? ladder(instrument) : reason(instrument, standing)
        return lines + Array(repeating: Line(), count: Self.depth + 1 - lines.count)
    }

    private func ladder(_ instrument: Instrument) -> [Line] {
        let mine = data.orders.filter { $0.instrument == instrument.id.rawValue }
        let ladder = BookLadder(data.books[instrument.id], of: instrument, depth: Self.depth, mine: mine, in: language)
        var lines = [title(ladder.isSimulated ? .boardBookSimulated : .boardBook, instrument)]
        for row in ladder.rows {
            var cells = Columns()
            cells.add(row.bid?.size ?? "", sizeWidth, .right, row.bid?.mine.isEmpty == false ? .mine : .quiet)
            cells.add(row.bid?.price ?? "", 8, .right, .up)
            cells.add(row.ask?.price ?? "", 8, .right, .down)
            cells.add(row.ask?.size ?? "", sizeWidth, .right, row.ask?.mine.isEmpty == false ? .mine : .quiet)
            lines.append(cells.line)
        }
        return lines
    }

    private func reason(_ instrument: Instrument, _ standing: BookStanding) -> [Line] {
        let clock = Display.clock(of: instrument)
        func opens(_ instant: MarketInstant?) -> [Line] {
            instant.map { [row(.boardOpens(time: clock.minute($0.nanoseconds) + " " + clock.tag), .quiet)] } ?? []
        }
        let head = title(.boardBook, instrument)
        switch standing {
        case .live: return [head]
        case .index: return [head, row(.boardNoBookIndex, .quiet)]
        case .unrecorded(let next): return [head, row(.boardNoBook, .caution), row(.boardNoRecording, .caution)] + opens(next)
        case .untraded: return [head, row(.boardNoBook, .caution), row(.boardUntraded, .caution)]
        case .closed(let phase, let next): return [head, row(.boardNoBook, .caution), row(phase.text, .caution)] + opens(next)
        case .lost:
            var lines = [head, row(.boardNoBook, .caution)]
            if case .reconnecting(let away) = data.quoteLink {
                lines.append(row(.boardLostFor(away: away), .caution))
            } else {
                lines.append(row(data.quoteLink.isTroubled ? data.quoteLink.text : .boardLost, .caution))
            }
            if let quote = data.quotes[instrument.id] { lines.append(row(.boardLastSeen(time: clock.named(quote.timeNs)), .quiet)) }
            return lines
        }
    }

    private func title(_ text: Text, _ instrument: Instrument) -> Line {
        Line([Span(words(text), .title), Span(" "), Span(Columns.safe(instrument.symbol), .quiet)])
    }

    private func row(_ text: Text, _ voice: Voice) -> Line { Line([Span(words(text), voice)]) }
}
