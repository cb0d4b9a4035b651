/// Bars as columns of floating-point numbers, which is what indicators and pictures need; money never comes from here.
///
/// A missing value is NaN. All columns are of one length.
public struct BarColumns: Hashable, Sendable {
    public private(set) var open: [Double] = []
    public private(set) var high: [Double] = []
    public private(set) var low: [Double] = []
    public private(set) var close: [Double] = []
    public private(set) var volume: [Double] = []
    /// A number that changes where a trading day begins: what restarts each day counts from there.
    public private(set) var day: [Int32] = []

    public struct Bar: Hashable, Sendable {
        public var open: Double
        public var high: Double
        public var low: Double
        public var close: Double
        public var volume: Double
        public var day: Int32

        public init(open: Double, high: Double, low: Double, close: Double, volume: Double, day: Int32 = 0) {
            self.open = open
            self.high = high
            self.low = low
            self.close = close
            self.volume = volume
            self.day = day
        }
    }

    public init() {}

    public init(_ bars: some Sequence<Bar>) { for bar in bars { append(bar) } }

    public var count: Int { close.count }

    public subscript(place: Int) -> Bar {
        get {
            Bar(open: open[place], high: high[place], low: low[place], close: close[place], volume: volume[place], day: day[place])
        }
        set {
            open[place] = newValue.open
            high[place] = newValue.high
            low[place] = newValue.low
            close[place] = newValue.close
            volume[place] = newValue.volume
            day[place] = newValue.day
        }
    }

    public mutating func append(_ bar: Bar) {
        open.append(bar.open)
        high.append(bar.high)
        low.append(bar.low)
        close.append(bar.close)
        volume.append(bar.volume)
        day.append(bar.day)
    }

    public mutating func reserveCapacity(_ count: Int) {
        open.reserveCapacity(count)
        high.reserveCapacity(count)
        low.reserveCapacity(count)
        close.reserveCapacity(count)
        volume.reserveCapacity(count)
        day.reserveCapacity(count)
    }
}
