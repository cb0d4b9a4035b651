import Texts

/// What comes of bars while a chart is shown. `values`: of the indicators at that bar, by indicator, then by output.
public enum ChartPush: Sendable {
    /// The newest bar changed.
    case replaced(BarColumns.Bar, values: [[Double]])
    case appended(BarColumns.Bar, ChartTime, values: [[Double]])
    /// Older bars, and all lines anew over those and what was known before them, without what has been pushed since.
    case prepended(BarColumns, [ChartTime], lines: [[[Double]]])
}

/// Pushes that wait for the finger to go up, or for the end to come into view: in order, and few, because a bar that changed twice is kept
/// once.
struct WaitingPushes: Sendable {
    private(set) var pushes: [ChartPush] = []

    /// Beyond it they come in although the end is out of view: that moves nothing that is seen.
    static let most = 1_000

    mutating func add(_ push: ChartPush) {
        guard case .replaced(let bar, let values) = push else { return pushes.append(push) }
        switch pushes.last {
        case .replaced: pushes[pushes.count - 1] = push
        case .appended(_, let time, _): pushes[pushes.count - 1] = .appended(bar, time, values: values)
        case .prepended, nil: pushes.append(push)
        }
    }

    /// The first that may come in. History may whatever is in view: it is what the view waits for.
    mutating func next(isEndInView: Bool) -> ChartPush? {
        guard !pushes.isEmpty else { return nil }
        let isAsked = pushes.contains { if case .prepended = $0 { true } else { false } }
        return isEndInView || isAsked || pushes.count > Self.most ? pushes.removeFirst() : nil
    }
}

extension ChartInteraction {
    mutating func apply(_ push: ChartPush) {
        switch push {
        case .replaced(let bar, let values):
            let place = content.bars.count - 1
            guard place >= 0 else { return }
            content.bars[place] = bar
            set(values, at: place)
        case .appended(let bar, let time, let values):
            content.bars.append(bar)
            content.times.append(time)
            set(values, at: content.bars.count - 1)
            viewport.bars(content.bars.count)
        case .prepended(let bars, let times, let lines):
            prepend(bars, times, lines)
        }
        fit()
    }

    private mutating func set(_ values: [[Double]], at place: Int) {
        for number in content.indicators.indices {
            for line in content.indicators[number].lines.indices {
                let value = values.indices.contains(number) && values[number].indices.contains(line) ? values[number][line] : .nan
                let known = content.indicators[number].lines[line].count
                if place < known {
                    content.indicators[number].lines[line][place] = value
                } else {
                    // A line may begin late; a missing value is never another bar's.
                    content.indicators[number].lines[line] += Array(repeating: .nan, count: place - known) + [value]
                }
            }
        }
    }

    private mutating func prepend(_ bars: BarColumns, _ times: [ChartTime], _ lines: [[[Double]]]) {
        isHistoryAsked = bars.count == 0
        guard bars.count > 0, bars.count == times.count else { return }
        let added = bars.count
        var all = bars
        all.reserveCapacity(added + content.bars.count)
        for place in 0..<content.bars.count { all.append(content.bars[place]) }
        content.bars = all
        content.times = times + content.times
        for number in content.indicators.indices {
            for line in content.indicators[number].lines.indices {
                let old = content.indicators[number].lines[line]
                let isTold = lines.indices.contains(number) && lines[number].indices.contains(line)
                let new = isTold ? lines[number][line] : Array(repeating: .nan, count: added) + old
                // As long as the bars, whatever was told.
                content.indicators[number].lines[line] =
                    Array(new.prefix(all.count)) + Array(repeating: .nan, count: max(0, all.count - new.count))
            }
        }
        for number in content.trades.indices { content.trades[number].place += added }
        for number in content.joins.indices { content.joins[number].place += added }
        if let place = crosshair?.place { crosshair?.place = place + added }
        viewport.prepended(added, count: all.count)
    }
}

/// The values of one bar, as a legend says them.
public struct ChartReadout: Hashable, Sendable {
    public var time: ChartTime
    public var bar: BarColumns.Bar
    /// Against the close before it; nil where nothing is before, or it is not above zero.
    public var changePercent: Double?
    /// By indicator, then by output; NaN is undefined.
    public var values: [[Double]]

    init(_ content: ChartContent, _ place: Int) {
        time = content.times[place]
        bar = content.bars[place]
        let before = place > 0 && content.isJoined(place - 1, place) ? content.bars.close[place - 1] : .nan
        changePercent = before > 0 ? (bar.close / before - 1) * 100 : nil
        values = content.indicators.map { indicator in
            zip(indicator.outputs, indicator.lines).map { output, line in
                let from = place - output.shift
                return line.indices.contains(from) && content.isJoined(from, place) ? line[from] : .nan
            }
        }
    }
}

/// The time left of a bar (G-5): `0:42`, `23:52`, `1:23:52`; days where there are.
public enum BarCountdown {
    /// Nanoseconds since 1970, both; nil once the bar has ended. What is left of a second counts as one.
    public static func text(now: Int64, end: Int64) -> String? {
        let (left, overflow) = end.subtractingReportingOverflow(now)
        guard !overflow, left > 0 else { return nil }
        let seconds = (left - 1) / 1_000_000_000 + 1
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60)
        let clock = hours > 0 || days > 0 ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
        return days > 0 ? "\(days)d \(clock)" : clock
    }
}
