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

    var lines: [Line] { [ticketLine] + estimateLines + noticeLines + [Line([Span(keys.map(words) ?? "", .quiet)])] }

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

    /// What it costs and leaves, before anything is sent; empty where nothing is being ordered.
    private var estimateLines: [Line] {
        guard let ticket = state.ticket, let data = state.data else { return [] }
        switch ticket.stage {
        case .editing, .confirming, .refused: break
        case .sending, .unknown, .done: return []
        }
        let instrument = ticket.instrument
        let standing = BookStanding(
            instrument, data.quotes[instrument.id], calendar: data.calendar, now: data.clock?.time, link: data.quoteLink)
        let estimate = OrderEstimate(
            instrument, ticket.side, ticket.type, quantity: ticket.quantity, limit: ticket.limit,
            book: standing == .live ? data.books[instrument.id] : nil, means: data.means(instrument))
        guard let estimate else { return [Line([Span(words(.ticketNoEstimate), .caution)]), Line()] }
        let voice: Voice = estimate.isShort ? .caution : .quiet
        let text = money(estimate, instrument).map(words).joined(separator: " · ")
        return [product(estimate, ticket)] + Wrapping.lines(text, columns).map { Line([Span($0, voice)]) }
    }

    /// `367.80 × 100 = HKD 36,780.00`
    private func product(_ estimate: OrderEstimate, _ ticket: Ticket) -> Line {
        let instrument = ticket.instrument
        let ends = [estimate.from, estimate.to].map { Display.price($0, of: instrument) }
        var text = (ends[0] == ends[1] ? ends[0] : ends[0] + "–" + ends[1]) + " × " + Display.quantity(estimate.quantity)
        if instrument.multiplier != 1 { text += " × \(instrument.multiplier)" }
        var spans = [Span(text + " = \(instrument.currency) " + Display.money(estimate.value))]
        if estimate.quantity < ticket.quantity {
            spans.append(Span(" · " + words(.ticketBookShort(quantity: Display.quantity(estimate.quantity))), .caution))
        }
        return Line(spans)
    }

    private func money(_ estimate: OrderEstimate, _ instrument: Instrument) -> [Text] {
        let currency = "\(instrument.currency)"
        var parts: [Text] = []
        if let margin = estimate.margin { parts.append(margin.isZero ? .ticketNoMargin : .ticketMargin(amount: Display.money(margin))) }
        parts.append(estimate.fees.map { .ticketFees(amount: Display.money($0)) } ?? .ticketBeforeFees)
        if let needed = estimate.needed { parts.append(.ticketNeeds(amount: Display.money(needed))) }
        let before = Display.money(estimate.available)
        if let sellable = estimate.sellable, estimate.isShort {
            parts.append(.ticketSellable(quantity: Display.quantity(sellable)))
        } else if estimate.isShort {
            parts.append(.ticketNotEnough(before: before, currency: currency))
        } else if let after = estimate.after {
            parts.append(.ticketAvailable(after: Display.money(after), before: before, currency: currency))
        } else {
            parts.append(.ticketAvailableNow(before: before, currency: currency))
        }
        return parts
    }

    /// One row; more where it takes more, three at most.
    private var noticeLines: [Line] {
        switch state.notice {
        case .text(let text): rows(words(text), .plain)
        case .failure(let failure): rows(failure.text(in: language), .caution)
        case .late(let outcome): rows(words(.orderResolved(result: late(outcome))), .caution)
        case nil: reasonLines ?? [idleLine]
        }
    }

    private func rows(_ text: String, _ voice: Voice) -> [Line] {
        Wrapping.lines(Columns.safe(text), columns).prefix(3).map { Line([Span($0, voice)]) }
    }

    /// Why the marked order ended without a fill.
    private var reasonLines: [Line]? {
        guard state.overlay == nil, state.ticket == nil, state.asked == nil, let data = state.data, let index = state.markedOrder,
            let reason = data.orders[index].reasonFailure
        else { return nil }
        let row = OrderRow(data.orders[index], data.table[InstrumentID(data.orders[index].instrument)], in: language)
        return rows(words(.boardOrderReason(reason: reason.text(in: language), status: row.status, symbol: row.symbol)), .caution)
    }

    private func late(_ outcome: OrderOutcome) -> String {
        switch outcome {
        case .accepted(let order): words(.orderResolvedAccepted(order: String(order)))
        case .refused(let failure): failure.text(in: language)
        case .notConnected: words(.orderNotConnected)
        case .unknown: Failure(ErrorCode("order.unknown")).text(in: language)
        }
    }

    /// Where the chosen price comes from, in words, and what the letters of the narrow list mean (C-8).
    private var idleLine: Line {
        guard columns < 120, state.overlay == nil, state.ticket == nil, state.asked == nil, let data = state.data,
            let instrument = state.instrument, let quote = data.quotes[instrument.id]
        else { return Line() }
        let source = quote.provenance.text(recordedOn: quote.recordedOn, delaySeconds: quote.delaySeconds, level: quote.level)
        return Line([Span(words(source) + "  (" + words(.boardLegend) + ")", .quiet)])
    }
}
