import CCairo
import Charting

/// A line of many points as the share of each pixel that it covers: as many times faster than Cairo's own outlines as it has points in a
/// row of pixels. Corners and ends are round. What a pixel gets depends on what is near it only, so that a part drawn anew is the same.
struct LineMask {
    private let box: Rect
    private let width: Int
    private let height: Int
    private let stride: Int
    private var shares: [UInt8]
    /// Rows touched of each strip of columns.
    private var rows: [Range<Int>?]
    private let reach: Double
    private static let strip = 64

    /// - Parameters:
    ///   - points: In pixels.
    ///   - box: What can be seen, in whole pixels.
    init?(_ points: [Point], width: Double, inside box: Rect) {
        let around = Rect(around: points)?.grown(width / 2 + 1)
        guard let around, let seen = around.wholePixels.intersection(box) else { return nil }
        self.box = seen
        self.width = Int(seen.width)
        height = Int(seen.height)
        stride = (self.width + 3) / 4 * 4
        shares = [UInt8](repeating: 0, count: stride * height)
        rows = Array(repeating: nil, count: (self.width + Self.strip - 1) / Self.strip)
        reach = width / 2 + 0.5
        for (from, to) in zip(points, points.dropFirst()) { draw(from, to) }
    }

    /// Counted from the picture's corner, whatever is seen of it: the same sums are rounded the same.
    private mutating func draw(_ from: Point, _ to: Point) {
        let (across, down) = (to.x - from.x, to.y - from.y)
        let length = (across * across + down * down).squareRoot()
        // The way it goes; a point's own is any.
        let (east, south) = length > 0 ? (across / length, down / length) : (1, 0)
        guard let columns = Self.clamped(min(from.x, to.x) - reach, max(from.x, to.x) + reach, box.x, width) else { return }
        shares.withUnsafeMutableBufferPointer { shares in
            for column in columns {
                let x = box.x + Double(column) + 0.5
                // The part of the line that this column is near to.
                var (low, high) = (min(from.y, to.y), max(from.y, to.y))
                if across != 0 {
                    let slope = down / across
                    let (left, right) = (from.y + (x - reach - from.x) * slope, from.y + (x + reach - from.x) * slope)
                    (low, high) = (max(low, min(left, right)), min(high, max(left, right)))
                }
                guard let touched = Self.clamped(low - reach, high + reach, box.y, height) else { continue }
                let number = column / Self.strip
                rows[number] =
                    rows[number].map { min($0.lowerBound, touched.lowerBound)..<max($0.upperBound, touched.upperBound) } ?? touched
                for row in touched {
                    let (right, below) = (x - from.x, box.y + Double(row) + 0.5 - from.y)
                    let along = right * east + below * south
                    var distance = abs(right * south - below * east)
                    // Beyond an end what counts is how far it is.
                    let beyond = max(-along, along - length)
                    if beyond > 0 { distance = (distance * distance + beyond * beyond).squareRoot() }
                    guard distance < reach else { continue }
                    let share = UInt8(truncatingIfNeeded: Int(min(reach - distance, 1) * 255 + 0.5))
                    let place = row * stride + column
                    if share > shares[place] { shares[place] = share }
                }
            }
        }
    }

    /// Pixels that have any of a stretch, of `count` from `origin`.
    private static func clamped(_ from: Double, _ to: Double, _ origin: Double, _ count: Int) -> Range<Int>? {
        let (from, to) = (from - origin, to - origin)
        guard from < Double(count), to > 0 else { return nil }
        let (first, end) = (Int(max(from, 0)), min(Int(min(to, Double(count)).rounded(.up)), count))
        return first < end ? first..<end : nil
    }

    /// In the source's colour.
    mutating func paint(on context: OpaquePointer, _ grid: PixelGrid) {
        shares.withUnsafeMutableBufferPointer { shares in
            for (number, touched) in rows.enumerated() {
                guard let touched, let base = shares.baseAddress else { continue }
                let left = number * Self.strip
                let mask = cairo_image_surface_create_for_data(
                    base + touched.lowerBound * stride + left, CAIRO_FORMAT_A8, Int32(min(Self.strip, width - left)), Int32(touched.count),
                    Int32(stride))
                grid.paint(mask, at: Point(box.x + Double(left), box.y + Double(touched.lowerBound)), on: context)
                // Nothing keeps it: the bytes go when this returns.
                cairo_surface_finish(mask)
                cairo_surface_destroy(mask)
            }
        }
    }
}
