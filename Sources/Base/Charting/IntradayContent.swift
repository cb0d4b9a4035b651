public import Texts

/// One trading day by the minute, on an axis that is the whole of its sessions from the start (G-6).
public struct IntradayContent: Sendable {
    /// Minutes that follow each other without a break and are of one kind.
    public struct Stretch: Hashable, Sendable {
        /// Of the civil day in the exchange's zone.
        public var start: Int
        public var length: Int
        /// Before the main session, after it, or at night: shaded.
        public var isExtended: Bool
        /// Drawn at its top where it is shaded.
        public var label: String
        public init(start: Int, length: Int, isExtended: Bool = false, label: String = "") {
            self.start = start
            self.length = max(length, 0)
            self.isExtended = isExtended
            self.label = label
        }

        var end: Int { start + length }
    }

    /// What traded in one minute.
    public struct Minute: Hashable, Sendable {
        /// Counted over all stretches, from 0.
        public var place: Int
        public var high: Double
        public var low: Double
        public var close: Double
        public var volume: Double
        /// In the price's own unit times volume; nil: not known, the middle of high, low and close stands for it.
        public var turnover: Double?
        public init(place: Int, high: Double, low: Double, close: Double, volume: Double, turnover: Double? = nil) {
            self.place = place
            self.high = high
            self.low = low
            self.close = close
            self.volume = volume
            self.turnover = turnover
        }
    }

    /// What an auction that is under way would trade at.
    public struct Indication: Hashable, Sendable {
        public var price: Double
        /// With its volume, in words.
        public var label: String
        public init(price: Double, label: String) {
            self.price = price
            self.label = label
        }
    }

    public var title = ""
    public var subtitle = ""
    public let stretches: [Stretch]
    /// By minute from the first of the axis to the newest that is known: the last price then; NaN before the first trade. Minutes without
    /// trades are flat and have no volume (G-1).
    public private(set) var prices: [Double] = []
    /// Average price of the day until then, by volume.
    public private(set) var averages: [Double] = []
    public private(set) var volumes: [Double] = []
    /// Decimals of prices.
    public var decimals: Int
    /// The middle of the scale; nil: there is none, and no percent.
    public var previousClose: Double? {
        didSet { if previousClose?.isFinite == false { previousClose = nil } }
    }
    /// Nil: no auction is under way, or the feed does not tell.
    public var indication: Indication? {
        didSet { if indication?.price.isFinite == false { indication = nil } }
    }
    public var trades: [ChartTrade] = []
    /// What the user drew, the newest on top.
    public var drawings: [Drawing] = []
    /// The trading day (year × 10,000 + month × 100 + day), which drawings need.
    public var day: Int32 = 0
    /// Trading days in order, as far as they are known: how many lie between this one and a drawing's. Beyond them weekdays are counted.
    public var knownDays: [Int32] = []
    public var orderLines: [ChartOrderLine] = []
    public var priceTitle = ""
    public var averageTitle = ""
    public var volumeTitle = ""
    public var language: Language

    /// - Parameters:
    ///   - minutes: In order; what lies outside of the stretches, or before the one before it, is left out.
    ///   - passed: How many minutes of the axis are over or under way: up to there the price is drawn on flat. At least up to the last minute.
    public init(stretches: [Stretch], minutes: [Minute], passed: Int, decimals: Int, language: Language) {
        self.stretches = stretches.filter { $0.length > 0 }
        self.decimals = decimals
        self.language = language
        let count = self.stretches.reduce(0) { $0 + $1.length }
        var (price, turnover, volume) = (Double.nan, 0.0, 0.0)
        func extend(to end: Int) {
            while prices.count < min(end, count) {
                prices.append(price)
                averages.append(volume > 0 ? turnover / volume : .nan)
                volumes.append(0)
            }
        }
        for minute in minutes where minute.place >= prices.count && minute.place < count && minute.close.isFinite {
            extend(to: minute.place)
            price = minute.close
            let traded = minute.volume.isFinite ? max(minute.volume, 0) : 0
            // A turnover that is no price between low and high times the volume is in another unit.
            let middle = (minute.high + minute.low + minute.close) / 3
            var mean = minute.turnover.map { $0 / traded } ?? middle
            if !(mean >= minute.low && mean <= minute.high) { mean = middle }
            if traded > 0, mean.isFinite { (turnover, volume) = (turnover + mean * traded, volume + traded) }
            extend(to: minute.place + 1)
            volumes[minute.place] = traded
        }
        extend(to: passed)
    }

    /// Minutes of the whole axis.
    public var count: Int { stretches.reduce(0) { $0 + $1.length } }

    /// Whether anything traded has a volume, or nothing is traded yet: an index has none, and no average.
    var hasVolume: Bool { lastPrice == nil || volumes.contains { $0 > 0 } }

    public var lastPrice: Double? { prices.last { $0.isFinite } }
}
