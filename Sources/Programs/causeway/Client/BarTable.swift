import Bars
import Exact
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// Bars as people read them: days without a time, one number of decimals, where each comes from, and a line where two recordings meet,
/// or days were left out of one: prices do not join there.
struct BarTable {
    var bars: [Bar]
    var instrument: Instrument
    /// Tells holidays from days that were left out; without it only long gaps are known.
    var calendar: MarketCalendar?
    var language: Language
    /// What a bar's prices carry.
    var adjustment: (Bar) -> BarAdjustment = { _ in .none }
    /// Said below the head.
    var note: String?
    /// When a market that is closed opens next, where there are no bars.
    var opens: String?

    func lines(within width: Int?) -> [String] {
        guard let first = bars.first else {
            return [Text.barsNone.words(in: language)] + (opens.map { [Text.boardOpens(time: $0).words(in: language)] } ?? [])
        }
        let sources = bars.map(source)
        let isOne = Set(sources).count == 1
        var table = Table(
            in: language, folding: isOne ? nil : 6, (isByDay ? .fieldDate : .fieldTime, .left), (.fieldOpen, .right), (.fieldHigh, .right),
            (.fieldLow, .right), (.fieldClose, .right), (.fieldVolume, .right))
        if !isOne { table.columns.append((title: Text.fieldSource.words(in: language), alignment: .left)) }
        let places =
            bars.flatMap { [$0.open, $0.high, $0.low, $0.close] }.map { instrument.decimals(showing: Price(nanos: $0)) }.max() ?? 0
        for (bar, source) in zip(bars, sources) {
            let prices = [bar.open, bar.high, bar.low, bar.close].map { NumberFormat.fixed($0, scale: Price.places, decimals: places) }
            table.rows.append([time(bar)] + prices + [Display.quantity(Quantity(units: bar.volume))] + (isOne ? [] : [source]))
        }
        let head = instrument.symbol + "  " + Display.name(instrument, in: language)
        return [head + (isOne ? "  " + source(first) : "")]
            + (note.map { [$0] } ?? []) + withGaps(table.lines(within: width))
    }

    private func source(_ bar: Bar) -> String {
        let text = bar.provenance.text(recordedOn: bar.recordedOn)
        return (bar.partial ? Text.barsPartial(source: text) : text).words(in: language)
    }

    /// Puts a line before each bar whose recording does not follow the one before it.
    private func withGaps(_ lines: [String]) -> [String] {
        let perRow = (lines.count) / (bars.count + 1)
        var result = Array(lines.prefix(perRow))
        for (index, bar) in bars.enumerated() {
            if index > 0, let (from, to) = gap(bars[index - 1], bar) {
                result.append("\u{2500}\u{2500} " + Text.barsGap(from: from, to: to).words(in: language))
            }
            result += lines[(perRow * (index + 1))..<(perRow * (index + 2))]
        }
        return result
    }

    private func gap(_ before: Bar, _ bar: Bar) -> (String, String)? {
        bar.goesOn(from: before, of: instrument, calendar: calendar) ? nil : (name(before), name(bar))
    }

    /// For programs: a line a bar, with where it comes from.
    var csv: [String] {
        ["time,open,high,low,close,volume,source,recorded_on,adjustment,partial"]
            + bars.map { bar in
                let prices = [bar.open, bar.high, bar.low, bar.close].map { Price(nanos: $0).description }
                let source = [
                    bar.provenance.word, TradingDay(yyyymmdd: bar.recordedOn)?.description ?? "", adjustment(bar).word,
                    bar.partial ? "true" : "false",
                ]
                let fields = [instrument.clock.rfc3339(bar.startNs)] + prices + [Quantity(units: bar.volume).description] + source
                return fields.joined(separator: ",")
            }
    }

    private func name(_ bar: Bar) -> String {
        TradingDay(yyyymmdd: bar.recordedOn)?.description ?? bar.provenance.text(recordedOn: 0).words(in: language)
    }

    private var isByDay: Bool {
        switch bars.first?.period {
        case .day, .week, .month, .quarter, .year: true
        default: false
        }
    }

    /// The trading day, which a night session opens on the evening before; else the start in the exchange's zone.
    private func time(_ bar: Bar) -> String {
        if isByDay, let day = TradingDay(yyyymmdd: bar.tradingDay) { return day.description }
        return instrument.clock.minute(bar.startNs) + " " + instrument.clock.tag
    }
}
