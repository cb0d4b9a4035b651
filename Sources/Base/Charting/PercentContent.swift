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
    public private(set) var series: [Series]
    public private(set) var times: [ChartTime]
    /// The first bar drawn where older ones of some do not go on to it (another recording before); nil: none was left out for that.
    public private(set) var since: ChartTime?
    /// Whose bars begin latest of those that go on to the newest, and when; nil: none has any.
    public let latest: (title: String, time: ChartTime)?
    public var language: Language

    /// The axis has each key any of them has; its time is that of the first of them which has it. It begins where all of them have a bar and
    /// nothing but bars that go on follows for any: one base for all. Where all never have one, it begins with what goes on.
    public init(_ members: [Member], _ language: Language) {
        func start(_ member: Member) -> Int { member.joins.last { member.keys.indices.contains($0.place) }?.place ?? 0 }
        let starts = members.compactMap { member in member.keys.isEmpty ? nil : (member, start(member)) }
        latest = starts.max { $0.0.keys[$0.1] < $1.0.keys[$1.1] }.map { ($0.title, $0.times[$1]) }
        let joined = starts.filter { $1 > 0 }.map { $0.keys[$1] }.max()
        var holders: [Int64: Int] = [:]
        for member in members {
            for (key, close) in zip(member.keys, member.closes) where close.isFinite && key >= joined ?? .min {
                holders[key, default: 0] += 1
            }
        }
        let first = holders.filter { $0.value == members.count }.keys.min() ?? joined ?? .min
        let keys = Set(members.flatMap(\.keys)).filter { $0 >= first }.sorted()
        let places = Dictionary(keys.enumerated().map { ($1, $0) }) { first, _ in first }
        var times = [ChartTime?](repeating: nil, count: keys.count)
        series = members.map { member in
            var closes = [Double](repeating: .nan, count: keys.count)
            for (number, key) in member.keys.enumerated() {
                guard let place = places[key] else { continue }
                closes[place] = member.closes[number]
                if times[place] == nil { times[place] = member.times[number] }
            }
            return Series(title: member.title, closes: closes)
        }
        self.times = times.map { $0 ?? ChartTime(day: 0) }
        since = joined == nil ? nil : self.times.first
        self.language = language
    }

    /// At which places all of them have a bar.
    private func isCommon(_ place: Int) -> Bool { !series.isEmpty && series.allSatisfy { $0.closes[place].isFinite } }

    /// How many bars all of them have, and the newest one's place.
    public var common: (count: Int, newest: Int?) {
        let places = times.indices.filter(isCommon)
        return (places.count, places.last)
    }

    /// Leaves out what is older than the newest `count` places, or than the last before them that all have: that is the base then.
    public mutating func keep(newest count: Int) {
        var first = max(times.count - max(count, 1), 0)
        while first > 0, !isCommon(first) { first -= 1 }
        guard first > 0 else { return }
        times.removeFirst(first)
        for number in series.indices { series[number].closes.removeFirst(first) }
        since = nil
    }

    /// The first bar in view that all of them have: what is per cent is of it. Nil: there is none, and no change is known.
    public func base(_ range: Range<Int>) -> Int? { range.first(where: isCommon) }

    /// Per cent of the price at the base; NaN before it, where there is no price, or where that is not above zero.
    func changes(_ number: Int, _ range: Range<Int>) -> [Double] {
        let closes = series[number].closes
        guard let base = base(range), closes[base] > 0 else { return range.map { _ in .nan } }
        return range.map { $0 < base ? .nan : (closes[$0] / closes[base] - 1) * 100 }
    }

    /// Which of them cannot be told in per cent: the price at the base is not above zero.
    public func unmeasured(_ range: Range<Int>) -> [String] {
        base(range).map { base in series.filter { $0.closes[base] <= 0 }.map(\.title) } ?? []
    }
}
