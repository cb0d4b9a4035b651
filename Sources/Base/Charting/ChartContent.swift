public import Texts

/// When a bar begins, in the exchange's own time.
public struct ChartTime: Hashable, Sendable, CustomStringConvertible {
    /// Year × 10,000 + month × 100 + day of the trading day.
    public var day: Int32
    /// −1 for none: a chart may have millions.
    private var stored: Int32
    /// Minute of the civil day; nil for bars of a day and longer.
    public var minute: Int? {
        get { stored < 0 ? nil : Int(stored) }
        set { stored = newValue.map { Int32(truncatingIfNeeded: $0) } ?? -1 }
    }
    public init(day: Int32, minute: Int? = nil) {
        self.day = day
        stored = -1
        self.minute = minute
    }

    /// `2026-11-30`, `2026-11-30 09:30`.
    public var description: String {
        func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
        let date = "\(year)-\(two(month))-\(two(dayOfMonth))"
        return minute.map { "\(date) \(two($0 / 60)):\(two($0 % 60))" } ?? date
    }

    var year: Int { Int(day) / 10_000 }
    var month: Int { Int(day) / 100 % 100 }
    var dayOfMonth: Int { Int(day) % 100 }
}

/// A plotted indicator.
public struct ChartIndicator: Sendable {
    public var title: String
    public var outputs: [Indicator.Output]
    public var pane: Indicator.Pane
    /// By output, then by bar.
    public var lines: [[Double]]
    /// Two of the outputs, shaded between; over the prices only.
    public var cloud: Indicator.Cloud?
    /// How the close is drawn beside the lines; over the prices only. Nil: it is not.
    public var lagging: Indicator.Output?

    public init(
        title: String, outputs: [Indicator.Output], pane: Indicator.Pane, lines: [[Double]], cloud: Indicator.Cloud? = nil,
        lagging: Indicator.Output? = nil
    ) {
        self.title = title
        self.outputs = outputs
        self.pane = pane
        self.lines = lines
        self.cloud = cloud
        self.lagging = lagging
    }

    /// As it is declared; `lines` over the chart's bars.
    public init(_ choice: IndicatorChoice, lines: [[Double]]) {
        self.init(
            title: choice.title, outputs: choice.indicator.outputs, pane: choice.indicator.pane, lines: lines,
            cloud: choice.indicator.cloud,
            lagging: choice.indicator.lagging)
    }

    /// Bars after the newest that have a value: of lines drawn later than they are told. `first`: of the bars that go on up to the newest.
    func ahead(since first: Int) -> Int {
        zip(outputs, lines).reduce(0) { most, pair in
            let (output, line) = pair
            guard output.shift > most, let last = line.indices.suffix(output.shift).last(where: { $0 >= first && line[$0].isFinite }) else {
                return most
            }
            return max(most, last + output.shift - (line.count - 1))
        }
    }
}

/// What of the user's own stands on a chart.
public struct ChartTrade: Hashable, Sendable {
    /// The bar it happened in.
    public var place: Int
    public var isBuy: Bool
    public init(place: Int, isBuy: Bool) {
        self.place = place
        self.isBuy = isBuy
    }
}

public struct ChartOrderLine: Hashable, Sendable {
    public enum Kind: Hashable, Sendable { case working, cost }
    public var price: Double
    public var label: String
    public var kind: Kind
    /// The order it can be dragged for; nil where it cannot be.
    public var order: UInt64?
    /// Under the finger: where the order would go, not where it is.
    public internal(set) var isDragged = false
    public init(price: Double, label: String, kind: Kind, order: UInt64? = nil) {
        self.price = price
        self.label = label
        self.kind = kind
        self.order = order
    }
}

/// A bar whose prices do not go on from the one before it: another recording begins, and nothing is computed across.
public struct ChartJoin: Hashable, Sendable {
    /// Of the first bar of the new one.
    public var place: Int
    /// What it is.
    public var label: String
    public init(place: Int, label: String) {
        self.place = place
        self.label = label
    }
}

/// Everything a chart shows, without where and how large.
public struct ChartContent: Sendable {
    /// What it is of, e.g. `700.HK  Tencent`; empty: no header.
    public var title = ""
    /// Period and source, beside the title.
    public var subtitle = ""
    public var bars: BarColumns
    /// One for each bar.
    public var times: [ChartTime]
    /// Of prices.
    public var decimals: Int
    public var indicators: [ChartIndicator] = []
    public var trades: [ChartTrade] = []
    public var orderLines: [ChartOrderLine] = []
    /// Where bars do not go on from those before, in order.
    public var joins: [ChartJoin] = []
    /// What the user drew, the newest on top.
    public var drawings: [Drawing] = []
    /// The one whose anchors are shown.
    public var selectedDrawing: Int?
    /// Trading days after the last bar's, in order, as far as they are known: where lines and drawings in the time to come lie.
    public var comingDays: [Int32] = []
    /// Beside the bars; nil: none.
    public var chips: ChartChips?
    /// Nil: the last close is not told apart, nothing is live.
    public var lastPrice: Double?
    /// Until the newest bar ends.
    public var countdown: String?
    /// Colours the last price; nil: against the last bar's open.
    public var previousClose: Double?
    /// A word for the volume pane.
    public var volumeTitle: String
    public var language: Language
    public var isLogarithmic = false
    public var hollowRises = false
    /// Of all bars there were at first: the axis has room for them, so that it does not change its width while the user pans (G-4).
    let lowest: Double
    let highest: Double
    private let hadVolume: Bool

    /// Bars to come of which something is drawn.
    public var ahead: Int { indicators.reduce(0) { $1.pane == .volume ? $0 : max($0, $1.ahead(since: joins.last?.place ?? 0)) } }

    /// Whether anything has a volume: an index has none.
    var hasVolume: Bool { hadVolume || bars.volume.last.map { $0 > 0 } ?? true || indicators.contains { $0.pane == .volume } }

    public init(bars: BarColumns, times: [ChartTime], decimals: Int, volumeTitle: String, language: Language) {
        precondition(times.count == bars.count, "\(times.count) times for \(bars.count) bars")
        self.bars = bars
        self.times = times
        self.decimals = decimals
        self.volumeTitle = volumeTitle
        self.language = language
        lowest = bars.low.lazy.filter(\.isFinite).min() ?? 0
        highest = bars.high.lazy.filter(\.isFinite).max() ?? 0
        hadVolume = bars.count == 0 || bars.volume.contains { $0 > 0 }
    }

    /// How the last price stands: what was traded today against the close before; where nothing was, the last bar against the one before it,
    /// which for bars shorter than a day says nothing of a day and is left out. The close before the day is never told against itself.
    public mutating func stand(traded: Double?, against previousClose: Double?, isIntraday: Bool) {
        lastPrice = traded ?? bars.close.last
        self.previousClose = traded == nil ? nil : previousClose
        let last = bars.count - 1
        guard traded == nil, !isIntraday, last > 0, isJoined(last - 1, last), bars.close[last - 1].isFinite else { return }
        self.previousClose = bars.close[last - 1]
    }

    /// Lines computed over each of the parts between joins on its own; nil where `compute` says so of any.
    public func parts(_ compute: (BarColumns) -> [[Double]]?) -> [[Double]]? {
        guard !joins.isEmpty else { return compute(bars) }
        let edges = [0] + joins.map(\.place).filter { $0 > 0 && $0 < bars.count } + [bars.count]
        var lines: [[Double]] = []
        for (from, to) in zip(edges, edges.dropFirst()) where from < to {
            guard let part = compute(BarColumns((from..<to).map { bars[$0] })) else { return nil }
            lines = lines.isEmpty ? part : zip(lines, part).map { $0 + $1 }
        }
        return lines
    }

    /// Whether a join lies between two bars.
    func isJoined(_ from: Int, _ to: Int) -> Bool { joins.allSatisfy { $0.place <= min(from, to) || $0.place > max(from, to) } }

    /// Digits grouped, the decimals prices have here.
    func price(_ value: Double) -> String { Self.text(value, decimals) }

    static func text(_ value: Double, _ decimals: Int, sign: NumberFormat.Sign = .plain) -> String {
        guard let scaled = Int64(exactly: (value * power(decimals)).rounded()) else { return "—" }
        return minus(NumberFormat.fixed(scaled, scale: decimals, decimals: decimals, sign: sign))
    }

    func short(_ value: Double) -> String {
        guard let whole = Int64(exactly: value.rounded()) else { return "—" }
        return Self.minus(NumberFormat.short(whole, scale: 0, in: language, decimals: 1))
    }

    /// One minus in a picture, beside prices as beside changes: U+2212.
    static func minus(_ text: String) -> String { text.hasPrefix("-") ? "−" + text.dropFirst() : text }

    private static func power(_ decimals: Int) -> Double { (0..<decimals).reduce(1) { result, _ in result * 10 } }
}
