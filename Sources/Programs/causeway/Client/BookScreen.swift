import HTTP
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Texts

/// The order book of one instrument, or why there is none and when the market opens.
struct BookScreen {
    var instrument: Instrument
    var book: Book?
    var quote: Quote?
    var standing: BookStanding
    var depth: Int
    var language: Language

    var lines: [String] {
        let ladder = BookLadder(book, of: instrument, depth: depth, in: language)
        let rows = ladder.rows.filter { $0.bid != nil || $0.ask != nil }
        let source =
            book == nil ? quote.map { $0.provenance.text(recordedOn: $0.recordedOn, level: $0.level) } ?? .provenanceUnknown : ladder.source
        var lines = ["\(instrument.symbol)  \(source.words(in: language))"] + reason
        // What nobody can trade on is not shown.
        if standing == .live, rows.isEmpty { lines.append(Text.bookEmpty.words(in: language)) }
        if standing == .live, !rows.isEmpty {
            var table = Table(in: language, (.fieldSize, .right), (.fieldBid, .right), (.fieldAsk, .right), (.fieldSize, .right))
            table.rows = rows.map { [$0.bid?.size ?? "", $0.bid?.price ?? "", $0.ask?.price ?? "", $0.ask?.size ?? ""] }
            lines += table.lines
        }
        return lines
    }

    private var reason: [String] {
        switch standing {
        case .live, .lost: []
        case .untraded: [Text.boardNoBook.words(in: language), Text.boardUntraded.words(in: language)]
        case .index: [Text.bookIndex.words(in: language)]
        case .unrecorded(let opens): [Text.provenanceUnrecorded.words(in: language)] + next(opens)
        case .closed(let phase, let opens): [phase.text.words(in: language)] + next(opens)
        }
    }

    private func next(_ opens: MarketInstant?) -> [String] {
        opens.map { [Text.boardOpens(time: local($0)).words(in: language)] } ?? []
    }

    private func local(_ time: MarketInstant) -> String { instrument.clock.minute(time.nanoseconds) + " " + instrument.clock.tag }

    private var opens: MarketInstant? {
        switch standing {
        case .unrecorded(let opens), .closed(_, let opens): opens
        case .live, .lost, .index, .untraded: nil
        }
    }

    /// The book, with `state` (`open`, `closed`, `untraded`, `unrecorded`, `index`) and `opens` (null: open now, or not known).
    var json: JSONValue {
        var shown = book ?? Book()
        if book == nil, let quote {
            shown.provenance = quote.provenance
            shown.recordedOn = quote.recordedOn
        }
        if standing != .live {
            shown.bids = []
            shown.asks = []
        }
        guard case .object(var members) = QuoteJSON.book(shown, of: instrument) else { return .null }
        if book == nil, let place = members.firstIndex(where: { $0.name == "time" }) { members[place].value = .null }
        members.append(.init("state", .string(standing.word)))
        members.append(.init("opens", opens.map { .string(instrument.clock.rfc3339($0.nanoseconds)) } ?? .null))
        return .object(members)
    }
}

extension BookStanding {
    /// As `--json` says it.
    var word: String {
        switch self {
        case .live: "open"
        case .lost: "lost"
        case .index: "index"
        case .unrecorded: "unrecorded"
        case .untraded: "untraded"
        case .closed: "closed"
        }
    }
}
