import CCairo
import Charting
import Testing

@testable import Cairo

/// Shades from 0, the ground, to 255, the line, of points joined on a white square.
private func shades(_ points: [Point], width: Double, side: Int = 20, scale: Double = 1) -> [[Int]] {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(side), Int32(side))
    defer { cairo_surface_destroy(surface) }
    guard let context = cairo_create(surface) else { return [] }
    defer { cairo_destroy(context) }
    cairo_scale(context, scale, scale)
    let scene = Scene(
        size: Size(width: Double(side) / scale, height: Double(side) / scale), marks: [.polyline(points, Stroke(.onFill, width: width))])
    CairoPainter(Theme(.dark)).draw(scene, on: context)
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    guard let data = cairo_image_surface_get_data(surface) else { return [] }
    let ground = Int(Theme(.dark).colour(.view) & 0xFF)
    return (0..<side).map { y in (0..<side).map { x in (Int(data[y * stride + x * 4]) - ground) * 255 / (255 - ground) } }
}

struct LineMaskTests {
    @Test func aLineInTheMiddleOfAPixelIsSharp() {
        let rows = shades([Point(2, 5.5), Point(9, 5.5), Point(18, 5.5)], width: 1)
        #expect((3..<17).allSatisfy { rows[5][$0] == 255 && rows[4][$0] == 0 && rows[6][$0] == 0 })
        let columns = shades([Point(7.5, 2), Point(7.5, 18)], width: 1.25)
        #expect((4..<16).allSatisfy { columns[$0][7] == 255 && (30...34).contains(columns[$0][6]) && (30...34).contains(columns[$0][8]) })
    }

    /// As much of the line in each column as it is wide, whatever its slope; never darker where two parts of it meet.
    @Test(arguments: [0.0, 0.3, 1, 2.5, 8])
    func aLineIsAsWideAsItSays(slope: Double) {
        let side = 64
        let end = min(60, 4 + 56 / max(slope, 1))
        let points = stride(from: 4, through: end, by: (end - 4) / 16).map { Point($0, 4 + ($0 - 4) * slope) }
        let total = shades(points, width: 1.5, side: side).joined().reduce(0, +)
        let length = (end - 4) * (1 + slope * slope).squareRoot()
        #expect(abs(Double(total) / 255 - length * 1.5) < length * 1.5 * 0.07 + 2)
        #expect(shades(points, width: 1.5, side: side).joined().allSatisfy { $0 <= 255 })
    }

    /// Two points at one place are a dot and no more.
    @Test func aPointIsADot() {
        let rows = shades([Point(9.5, 9.5), Point(9.5, 9.5)], width: 2)
        #expect(rows[9][9] == 255 && rows[9][7] == 0 && rows[7][9] == 0 && rows[11][11] == 0)
    }

    @Test func scaledItIsWider() {
        let rows = shades([Point(1, 5), Point(9, 5)], width: 2, scale: 2)
        #expect((4..<16).allSatisfy { x in (8..<12).allSatisfy { rows[$0][x] == 255 } && rows[7][x] == 0 && rows[12][x] == 0 })
    }

    @Test(arguments: [
        [Point(-1e9, 3), Point(1e9, 4)], [Point(3, -1e300), Point(3, 1e300)], [Point(5, 5), Point(5, 5)], [Point(.nan, 1), Point(2, 2)],
    ])
    func farAwayPointsStopNothing(points: [Point]) { #expect(shades(points, width: 1).count == 20) }
}
