public import Texts

/// Several instruments on one chart, each as its change in per cent (G-5).
public struct PercentContent: Sendable {
    public struct Series: Sendable {
        /// As in the legend: `700.HK`.
        public var title: String
        /// By place of the axis; NaN: it has no bar there, and the line has a gap.
        public var closes: [Double]
        public init(title: String, closes: [Double]) {
            self.title = title
            self.closes = closes
        }
    }

    /// One instrument's bars, in order of their keys.
    public struct Member: Sendable {
        public var title: String
        /// What bars of the same day, week or minute have alike, whatever the instrument.
        public var keys: [Int64]
        /// As the exchange has it.
        public var times: [ChartTime]
        public var closes: [Double]
        public var joins: [ChartJoin]
        public init(title: String, keys: [Int64], times: [ChartTime], closes: [Double], joins: [ChartJoin] = []) {
            precondition(keys.count == times.count && keys.count == closes.count, "\(keys.count) keys for \(closes.count) bars")
            self.title = title
            self.keys = keys
            self.times = times
            self.closes = closes
            self.joins = joins
        }
    }

    public var title = ""
    public var subtitle = ""
    public let series: [Series]
    public let times: [ChartTime]
    /// Where any of them does not go on from what was before: all begin anew there, so that they stay comparable.
    public let joins: [ChartJoin]
    public var language: Language

    /// The axis has each key any of them has; its time is that of the first of them which has it.
    public init(_ members: [Member], _ language: Language) {
        let keys = Set(members.flatMap(\.keys)).sorted()
        let places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
        var times = [ChartTime?](repeating: nil, count: keys.count)
        var joins: [Int: [String]] = [:]
        series = members.map { member in
            var closes = [Double](repeating: .nan, count: keys.count)
            for (number, key) in member.keys.enumerated() {
                guard let place = places[key] else { continue }
                closes[place] = member.closes[number]
                if times[place] == nil { times[place] = member.times[number] }
            }
            for join in member.joins where member.keys.indices.contains(join.place) {
                guard let place = places[member.keys[join.place]] else { continue }
                joins[place, default: []].append(join.label)
            }
            return Series(title: member.title, closes: closes)
        }
        self.times = times.map { $0 ?? ChartTime(day: 0) }
        self.joins = joins.sorted { $0.key < $1.key }.map { place, labels in
            // One label where all say the same.
            ChartJoin(
                place: place, label: labels.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }.joined(separator: " · "))
        }
        self.language = language
    }

    /// Sections of the bars in view that go on within: in each the first price of a series is its 0.
    func sections(_ range: Range<Int>) -> [Range<Int>] {
        let edges = [range.lowerBound] + joins.map(\.place).filter { $0 > range.lowerBound && $0 < range.upperBound } + [range.upperBound]
        return zip(edges, edges.dropFirst()).map { $0..<$1 }
    }

    /// Per cent of the first price of each section in view; NaN where there is no price, or where the first is not above zero.
    func changes(_ number: Int, _ range: Range<Int>) -> [Double] {
        let closes = series[number].closes
        return sections(range).flatMap { section -> [Double] in
            let base = section.lazy.map { closes[$0] }.first { $0.isFinite } ?? .nan
            return section.map { base > 0 ? (closes[$0] / base - 1) * 100 : .nan }
        }
    }

    /// Which of them cannot be told in per cent: a first price in view is not above zero.
    public func unmeasured(_ range: Range<Int>) -> [String] {
        series.indices.filter { number in
            sections(range).contains { section in
                section.lazy.map { series[number].closes[$0] }.first { $0.isFinite }.map { $0 <= 0 } ?? false
            }
        }.map { series[$0].title }
    }
}
