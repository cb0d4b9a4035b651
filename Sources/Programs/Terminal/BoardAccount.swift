import Exact
import Instruments
import Markets
import Messages
import Portfolio
import Texts
import Trade

/// The right half below the watchlist: positions with profit, then orders.
struct BoardAccount {
    let state: BoardState
    let data: DeskData
    let width: Int
    let rows: Int
    private var language: Language { state.language }
    private func words(_ text: Text) -> String { text.words(in: language) }

    var lines: [Line] {
        let positionRows = (rows - 2) / 2
        return positions(positionRows) + orders(rows - 2 - positionRows)
    }

    private func positions(_ count: Int) -> [Line] {
        let profits = BoardProfits(data)
        var head = [Span(words(.boardPositions), .title), Span("  ")] + profits.totals(in: language)
        // Worked out from prices that no longer come.
        if data.quoteLink.isTroubled, !profits.entries.isEmpty { head.append(Span("  " + words(.boardStale), .caution)) }
        var lines = [Line(head)]
        for entry in profits.entries.prefix(count) {
            let row = PositionRow(entry.profit, sellable: Quantity(units: entry.position.sellable), entry.instrument, in: language)
            var cells = Columns()
            cells.add(row.symbol, 12)
            cells.add(row.quantity, 7, .right, .mine)
            cells.add(row.cost, 10, .right)
            cells.add(
                row.profit, min(max(10, width - 36), 16), .right,
                data.quoteLink.isTroubled ? .quiet : row.isGain.map { $0 ? .up : .down } ?? .plain)
            cells.add(row.currency, 3, .left, .quiet)
            lines.append(cells.line)
        }
        if profits.entries.isEmpty, count > 0 { lines.append(Line([Span(words(.positionsNone), .quiet)])) }
        if profits.entries.count > count, count > 0 { lines[count] = Line([Span("… +\(profits.entries.count - count + 1)", .quiet)]) }
        return lines + Array(repeating: Line(), count: max(0, count + 1 - lines.count))
    }

    private func orders(_ count: Int) -> [Line] {
        var lines = [Line([Span(words(.boardOrders), state.focus == .orders ? .title : .quiet)])]
        // Nothing is marked: the newest are shown.
        let first = BoardRenderer.firstRow(chosen: state.markedOrder ?? 0, count: data.orders.count, visible: count)
        for (index, order) in data.orders.enumerated().dropFirst(first).prefix(count) {
            let row = OrderRow(order, data.table[InstrumentID(order.instrument)], in: language)
            var cells = Columns()
            cells.add(row.symbol, 12)
            cells.add(words(row.side), 4, .left, row.isBuy ? .up : .down)
            cells.add(row.filled + "/" + row.quantity, 10, .right, .mine)
            let isWide = width >= 60
            cells.add(isWide ? row.price : row.paid ?? row.price, 9, .right)
            if isWide { cells.add(row.paid ?? "", 10, .right) }
            cells.add(words(row.status), max(8, width - (isWide ? 50 : 39)), .left, .quiet)
            lines.append(index == state.markedOrder ? cells.line.with(.chosen) : cells.line)
        }
        if data.orders.isEmpty, count > 0 { lines.append(Line([Span(words(.orderNone), .quiet)])) }
        return lines
    }
}

/// Profit of the open positions of a board, and its totals in the two currencies.
struct BoardProfits {
    struct Entry {
        var position: Position
        var instrument: Instrument
        var profit: PositionProfit
    }

    var entries: [Entry] = []
    /// Open positions that cannot be worked out at all, by what is known of them.
    var unreadable: [String] = []
    let rates: ReferenceRates

    init(_ data: DeskData) {
        rates = data.rates
        for position in data.positions where position.quantity != 0 {
            guard let instrument = data.table[InstrumentID(position.instrument)], let holding = Holding(position, of: instrument) else {
                unreadable.append("#\(position.instrument)")
                continue
            }
            let quote = data.quotes[instrument.id]
            let price = quote.flatMap { $0.hasLast ? Price(nanos: $0.last) : nil }
            entries.append(Entry(position: position, instrument: instrument, profit: ProfitAndLoss.profit(holding, price: price)))
        }
    }

    func total(in currency: Currency) -> ProfitTotal { ProfitAndLoss.total(entries.map(\.profit), in: currency, rates: rates.table) }

    func totals(in language: Language) -> [Span] {
        guard !entries.isEmpty || !unreadable.isEmpty else { return [] }
        let parts = [Currency.hkd, .usd].map { currency -> Span in
            // A sum that lacks a part is not a sum.
            let amount = unreadable.isEmpty ? total(in: currency).shown() : nil
            let voice: Voice = amount.map { $0.isPositive ? .up : $0.isNegative ? .down : .plain } ?? .caution
            return Span("\(currency) " + Display.money(amount, signed: true), voice)
        }
        return [parts[0], Span(" · "), parts[1]]
    }
}
