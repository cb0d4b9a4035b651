import CCairo
import Charting
import Testing
import Texts

@testable import Cairo

/// Pixels as 0xRRGGBB of what a painter draws (G-5).
private func pixels(_ marks: [Mark], _ theme: Theme = Theme(), side: Int = 40) -> [[UInt32]] {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(side), Int32(side))
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    if let context {
        CairoPainter(theme).draw(Scene(size: Size(width: Double(side), height: Double(side)), marks: marks), on: context)
    }
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    guard let data = cairo_image_surface_get_data(surface) else { return [] }
    return (0..<side).map { y in
        (0..<side).map { x in
            UnsafeRawPointer(data).loadUnaligned(fromByteOffset: y * stride + x * 4, as: UInt32.self) & 0xFF_FFFF
        }
    }
}

private let someScene = Scene(
    size: Size(width: 200, height: 100),
    marks: [
        .box(Rect(10, 10, 50, 20), fill: .upFill, stroke: nil, radius: 4),
        .text("腾讯控股 700.HK 612.50", Point(12, 60), TextStyle(.text, size: 14, isBold: true, hasHalo: true)),
        .polyline([Point(0, 0), Point(100, 50), Point(200, 0)], Stroke(.series(1), width: 1.25, dash: [3, 3])),
    ])

struct CairoPainterTests {
    @Test func marksLieWhereTheSceneSays() {
        let theme = Theme(.dark, .greenUp)
        let rows = pixels(
            [
                .box(Rect(4, 6, 8, 4), fill: .upFill, stroke: nil),
                .line(Point(20.5, 0), Point(20.5, 40), Stroke(.mine)),
                .clipped(Rect(30, 30, 5, 5), [.box(Rect(0, 0, 40, 40), fill: .downFill, stroke: nil)]),
                .polygon([Point(24, 4), Point(28, 4), Point(28, 8), Point(24, 8)], .ink),
            ], theme)
        #expect(rows[6][4] == theme.colour(.upFill) && rows[9][11] == theme.colour(.upFill))
        #expect(rows[5][4] == theme.colour(.view) && rows[6][12] == theme.colour(.view))
        #expect(rows[0][20] == theme.colour(.mine) && rows[39][20] == theme.colour(.mine) && rows[0][21] == theme.colour(.view))
        #expect(rows[30][30] == theme.colour(.downFill) && rows[34][34] == theme.colour(.downFill))
        #expect(rows[29][30] == theme.colour(.view) && rows[35][34] == theme.colour(.view))
        #expect(rows[5][25] == theme.colour(.ink))
    }

    @Test func opacityLetsTheGroundThrough() {
        let rows = pixels([.box(Rect(0, 0, 40, 40), fill: .ink, stroke: nil, opacity: 0.5)], Theme(.light))
        let red = Double(rows[20][20] >> 16)
        #expect(abs(red - Double(0xFF + 0x1C) / 2) <= 1)
    }

    @Test func dashesLeaveGaps() {
        let rows = pixels([.line(Point(0, 10.5), Point(40, 10.5), Stroke(.ink, dash: [4, 4]))])
        #expect((0..<40).map { rows[10][$0] == Theme().colour(.ink) } == (0..<40).map { $0 % 8 < 4 })
    }

    /// Cairo draws nothing more after a number that is none: such marks are left out, what follows is not.
    @Test func whatIsNoNumberStopsNothing() {
        let rows = pixels([
            .polyline([Point(.nan, 1), Point(2, .infinity), Point(3, 3)], Stroke(.ink)),
            .box(Rect(.nan, 0, 4, 4), fill: .ink, stroke: nil), .box(Rect(0, 0, -4, 4), fill: .ink, stroke: nil),
            .circle(Point(.infinity, 3), radius: 2, .ink), .text("x", Point(.nan, 9), TextStyle(.ink)),
            .text("\0\u{FFFD}\u{202E}\n", Point(1, 9), TextStyle(.view)), .polyline([], Stroke(.ink)),
            .box(Rect(20, 20, 4, 4), fill: .upFill, stroke: nil),
        ])
        #expect(rows[21][21] == Theme().colour(.upFill))
    }

    @Test func aHaloKeepsLinesOffTheText() {
        let line = Mark.line(Point(0, 16.5), Point(40, 16.5), Stroke(.ink))
        let text = Mark.text("III", Point(12, 20), TextStyle(.view, size: 12, hasHalo: true))
        let (plain, covered) = (pixels([line]), pixels([line, text]))
        #expect(plain[16].allSatisfy { $0 == Theme().colour(.ink) })
        #expect(covered[16].count { $0 != Theme().colour(.ink) } >= 10)
    }

    @Test func widthsAreThoseOfTheText() {
        let measure = CairoPainter(Theme(), language: .simplifiedChinese).measure
        func width(_ text: String, _ style: TextStyle = TextStyle(.text)) -> Double { measure.width(text, style) }
        #expect(width("") == 0)
        #expect(width("1111.11") == width("8888.88"))
        #expect(width("成交量") > 2.5 * 11 && width("成交量") < 3.5 * 11)
        #expect(width("12", TextStyle(.text, size: 22)) > 1.8 * width("12"))
        // The guess, where no painter is there to ask, is rather too wide.
        for text in ["Buy 200", "1,234.50", "+1.83%", "2026-11-30", "买入 200", "MA5 612.50"] {
            for style in [TextStyle(.text), TextStyle(.text, isBold: true), TextStyle(.text, size: 14, isBold: true)] {
                #expect(style.width(of: text) >= width(text, style) - 0.5, "\(text) \(style)")
            }
        }
    }

    @Test func pngIsOfTheSizeAskedForAndAlwaysTheSame() throws {
        let painter = CairoPainter(Theme(.dark))
        let bytes = try painter.png(someScene)
        #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]))
        #expect(Array(bytes[16..<24]) == [0, 0, 0, 200, 0, 0, 0, 100])
        #expect(try painter.png(someScene) == bytes)
        #expect(try Array(painter.png(someScene, scale: 2)[16..<24]) == [0, 0, 1, 144, 0, 0, 0, 200])
    }

    @Test func pdfTellsNoTime() throws {
        let bytes = try CairoPainter(Theme()).pdf(someScene)
        #expect(bytes.starts(with: Array("%PDF-".utf8)))
        #expect(try CairoPainter(Theme()).pdf(someScene) == bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("CreationDate"))
        #expect(text.contains("/MediaBox [ 0 0 150 75 ]"))
    }

    @Test(arguments: [0, -5, 0.5, 20_000, Double.nan, .infinity])
    func sizesThatAreNoneAreRefused(side: Double) {
        let scene = Scene(size: Size(width: side, height: 100))
        #expect(throws: PaintFault.self) { try CairoPainter(Theme()).png(scene) }
        #expect(throws: PaintFault.self) { try CairoPainter(Theme()).pdf(scene) }
    }

    // G-4
    @Test func aPartDrawnAnewLeavesTheRest() throws {
        let painter = CairoPainter(Theme())
        let size = Size(width: 60, height: 40)
        func scene(_ ink: Ink) -> Scene { Scene(size: size, marks: [.box(Rect(0, 0, 60, 40), fill: ink, stroke: nil)]) }
        let canvas = try CairoCanvas(size)
        try canvas.draw(scene(.upFill), painter)
        let changed = Scene(
            size: size, marks: scene(.upFill).marks + [.box(Rect(40, 0, 20, 40), fill: .downFill, stroke: nil)])
        #expect(try canvas.update(changed, painter) == [Rect(39, 0, 21, 40)])
        let halves = Scene(
            size: size,
            marks: [
                .box(Rect(0, 0, 40, 40), fill: .upFill, stroke: nil), .box(Rect(40, 0, 20, 40), fill: .downFill, stroke: nil),
            ])
        #expect(try canvas.png() == painter.png(halves))
    }
}
