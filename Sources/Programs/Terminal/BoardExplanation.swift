import Exact
import Messages
import Portfolio
import Texts

/// How the profit was worked out (E-5).
struct BoardExplanation {
    let data: DeskData
    let language: Language
    let columns: Int

    var lines: [Line] {
        let profits = BoardProfits(data)
        var lines = [Line()] + rows(Text.pnlFormula.words(in: language), .title) + [Line()]
        if profits.entries.isEmpty { lines.append(Line([Span("  " + Text.pnlEmpty.words(in: language), .quiet)])) }
        for currency in [Currency.hkd, .usd] where !profits.entries.isEmpty {
            let total = profits.total(in: currency)
            let explanation = Explanation(profits.entries.map(\.profit), total: total)
            for line in explanation.lines {
                lines += rows("\(line.symbol)  \(line.formula) = \(currency) \(Display.money(line.amount, signed: true))", .plain)
            }
            for missing in explanation.missing { lines += rows(missing.words(in: language), .caution) }
            let shown = profits.unreadable.isEmpty ? total.shown() : nil
            lines.append(Line([Span("  \(Text.pnlTotal.words(in: language))  \(currency) \(Display.money(shown, signed: true))", .mine)]))
            lines.append(Line())
        }
        for name in profits.unreadable {
            lines += rows(Text.pnlMissingPrice(symbol: name).words(in: language), .caution)
        }
        lines += rows(Text.pnlRounding(decimals: 2).words(in: language), .quiet)
        lines += rows(Text.pnlFees.words(in: language), .quiet)
        lines += rows(profits.rates.source.words(in: language), .quiet)
        return lines
    }

    /// Whole, on as many rows as it takes.
    private func rows(_ text: String, _ voice: Voice) -> [Line] {
        Wrapping.lines(Columns.safe(text), columns - 4, indent: "    ").map { Line([Span("  " + $0, voice)]) }
    }
}
