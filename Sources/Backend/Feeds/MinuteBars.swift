public import Instruments
public import Messages
import Streams

/// One-minute bars of the market date, made from price updates and replaced by recorded bars where those come. Bounded.
public struct MinuteBars: Sendable {
    /// More minutes than any trading day has.
    static let capacity = 2_000
    static let minute: Int64 = 60_000_000_000

    private var series: [InstrumentID: Series] = [:]

    fileprivate struct Series: Sendable {
        var bars: [Bar] = []
        /// Updates up to here are in the bars.
        var until = Int64.min
    }

    public init() {}

    public func bars(_ instrument: InstrumentID) -> [Bar] { series[instrument]?.bars ?? [] }

    /// Takes an event in; returns the bar it changed.
    public mutating func apply(_ event: FeedEvent) -> Bar? {
        switch event.body {
        case .quote(let quote): return add(quote)
        case .bar(let bar) where bar.period == .minute1: return replace(bar, event.time.nanoseconds)
        case .bar, .book, .trade, .phase, .fx, .clock, .past: return nil
        }
    }

    private mutating func add(_ quote: Quote) -> Bar? {
        guard quote.hasLast, quote.hasLastTimeNs else { return nil }
        // In place: a copy of the series for each update would cost a day of bars.
        return series[InstrumentID(quote.instrument), default: Series()].add(quote)
    }

    private mutating func replace(_ bar: Bar, _ time: Int64) -> Bar {
        series[InstrumentID(bar.instrument), default: Series()].replace(bar, time)
        return bar
    }
}

extension MinuteBars.Series {
    fileprivate mutating func add(_ quote: Quote) -> Bar? {
        guard quote.lastTimeNs > until else { return nil }
        let start = quote.lastTimeNs - ((quote.lastTimeNs % MinuteBars.minute) + MinuteBars.minute) % MinuteBars.minute
        until = quote.lastTimeNs
        var bar = Bar()
        if let last = bars.last, last.startNs >= start {
            // A later bar exists only where a recorded one was told early; then its own figures stand.
            guard last.startNs == start, last.provenance != .recorded else { return nil }
            bar = last
            bar.high = max(bar.high, quote.last)
            bar.low = min(bar.low, quote.last)
            bars.removeLast()
        } else {
            bar.instrument = quote.instrument
            bar.period = .minute1
            bar.startNs = start
            bar.tradingDay = quote.tradingDay
            (bar.open, bar.high, bar.low) = (quote.last, quote.last, quote.last)
        }
        bar.close = quote.last
        if quote.hasLastSize { bar.volume += quote.lastSize }
        bar.provenance = quote.provenance == .recorded ? .derived : quote.provenance
        bar.recordedOn = quote.recordedOn
        bars.append(bar)
        bound()
        return bar
    }

    fileprivate mutating func replace(_ bar: Bar, _ time: Int64) {
        // A recorded bar stands for all that was derived until it was told (an auction's print may lie minutes later).
        let end = bar.provenance == .recorded ? max(time, bar.startNs + MinuteBars.minute) : bar.startNs + MinuteBars.minute
        let first = bars.firstIndex { $0.startNs >= bar.startNs } ?? bars.count
        let past = bars.firstIndex { $0.startNs >= end } ?? bars.count
        bars.replaceSubrange(first..<max(first, past), with: [bar])
        until = max(until, bar.provenance == .recorded ? end - 1 : time)
        bound()
    }

    private mutating func bound() {
        if bars.count > MinuteBars.capacity { bars.removeFirst(bars.count - MinuteBars.capacity) }
    }
}
