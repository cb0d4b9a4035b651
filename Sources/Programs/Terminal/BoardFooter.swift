import Exact
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Texts
import Trade

/// The rows at the bottom: what is about to be done, what happened last, and the keys that do something now.
struct BoardFooter {
    let state: BoardState
    let columns: Int
    private var language: Language { state.language }
    private func words(_ text: Text) -> String { text.words(in: language) }

    var lines: [Line] { [ticketLine, noticeLine, Line([Span(keys.map(words) ?? "", .quiet)])] }

    /// Only keys that mean something now.
    private var keys: Text? {
        if state.overlay != nil { return .boardOverlayKeys }
        if state.asked != nil { return .ticketCancelKeys }
        guard let ticket = state.ticket else { return .boardKeys }
        switch ticket.stage {
        case .editing, .refused, .done: return .ticketKeys
        case .confirming: return .ticketConfirmKeys
        case .sending: return nil
        case .unknown: return .ticketCloseKeys
        }
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
        case nil: idleLine
        }
    }

    /// Where the chosen price comes from, in words, and what the letters of the narrow list mean (C-8).
    private var idleLine: Line {
        guard columns < 120, state.overlay == nil, state.ticket == nil, state.asked == nil, let data = state.data,
            let instrument = state.instrument, let quote = data.quotes[instrument.id]
        else { return Line() }
        let source = quote.provenance.text(recordedOn: quote.recordedOn, delaySeconds: quote.delaySeconds)
        return Line([Span(Columns.safe(instrument.symbol) + "  " + words(source) + "  (" + words(.boardLegend) + ")", .quiet)])
    }
}
