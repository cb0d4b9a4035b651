/// Bars narrower than two pixels: one column for each pixel, of all bars that fall on it.
struct MergedBars: Hashable, Sendable {
    struct Column: Hashable, Sendable {
        /// Left edge, a whole pixel.
        var x: Double
        var open: Double
        var high: Double
        var low: Double
        var close: Double
        /// The highest of its bars.
        var volume: Double
    }

    private(set) var columns: [Column] = []

    /// Below it bars are merged.
    static let widest = 2.0

    init(_ bars: BarColumns, _ range: Range<Int>, _ viewport: Viewport) {
        for place in range {
            let bar = bars[place]
            guard bar.open.isFinite, bar.high.isFinite, bar.low.isFinite, bar.close.isFinite, bar.low <= bar.high else { continue }
            let x = viewport.x(place).rounded(.down)
            let volume = bar.volume.isFinite ? bar.volume : 0
            guard let last = columns.last, last.x == x else {
                columns.append(Column(x: x, open: bar.open, high: bar.high, low: bar.low, close: bar.close, volume: volume))
                continue
            }
            columns[columns.count - 1] = Column(
                x: x, open: last.open, high: max(last.high, bar.high), low: min(last.low, bar.low), close: bar.close,
                volume: max(last.volume, volume))
        }
    }
}
