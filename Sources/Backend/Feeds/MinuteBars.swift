public import Instruments
public import Messages
import Streams

/// One-minute bars of the market date, made from price updates and replaced by recorded bars where those come. Bounded.
public struct MinuteBars: Sendable {
    /// More minutes than any trading day has.
    static let capacity = 2_000
    static let minute: Int64 = 60_000_000_000

    private var series: [InstrumentID: Series] = [:]

    private struct Series: Sendable {
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
        case .bar, .book, .trade, .phase, .fx, .clock: return nil
        }
    }

    private mutating func add(_ quote: Quote) -> Bar? {
        let id = InstrumentID(quote.instrument)
        guard quote.hasLast, quote.hasLastTimeNs, quote.lastTimeNs > series[id]?.until ?? .min else { return nil }
        let start = quote.lastTimeNs - ((quote.lastTimeNs % Self.minute) + Self.minute) % Self.minute
        let size = quote.hasLastSize ? quote.lastSize : 0
        var own = series[id] ?? Series()
        own.until = quote.lastTimeNs
        var bar = Bar()
        if let last = own.bars.last, last.startNs >= start {
            // A later bar exists only where a recorded one was told early; then its own figures stand.
            guard last.startNs == start, last.provenance != .recorded else {
                series[id] = own
                return nil
            }
            bar = last
            bar.high = max(bar.high, quote.last)
            bar.low = min(bar.low, quote.last)
            own.bars.removeLast()
        } else {
            bar.instrument = quote.instrument
            bar.period = .minute1
            bar.startNs = start
            bar.tradingDay = quote.tradingDay
            (bar.open, bar.high, bar.low) = (quote.last, quote.last, quote.last)
        }
        bar.close = quote.last
        bar.volume += size
        bar.provenance = quote.provenance == .recorded ? .derived : quote.provenance
        bar.recordedOn = quote.recordedOn
        own.bars.append(bar)
        if own.bars.count > Self.capacity { own.bars.removeFirst(own.bars.count - Self.capacity) }
        series[id] = own
        return bar
    }

    private mutating func replace(_ bar: Bar, _ time: Int64) -> Bar {
        let id = InstrumentID(bar.instrument)
        var own = series[id] ?? Series()
        // A recorded bar stands for all that was derived until it was told (an auction's print may lie minutes later).
        let end = bar.provenance == .recorded ? max(time, bar.startNs + Self.minute) : bar.startNs + Self.minute
        let first = own.bars.firstIndex { $0.startNs >= bar.startNs } ?? own.bars.count
        let past = own.bars.firstIndex { $0.startNs >= end } ?? own.bars.count
        own.bars.replaceSubrange(first..<max(first, past), with: [bar])
        own.until = max(own.until, bar.provenance == .recorded ? end - 1 : time)
        if own.bars.count > Self.capacity { own.bars.removeFirst(own.bars.count - Self.capacity) }
        series[id] = own
        return bar
    }
}
