import CCairo
import Charting

/// One pass over the marks of a scene.
struct Drawing {
    let theme: Theme
    let context: OpaquePointer
    private let texts: TypeCase
    private let measure: TextMeasure
    private let grid: PixelGrid?
    /// Marks that do not touch it are left out.
    private let part: Rect?

    init(_ painter: CairoPainter, _ context: OpaquePointer, _ part: Rect?) {
        theme = painter.theme
        texts = painter.texts
        measure = painter.measure
        self.context = context
        self.part = part
        grid = PixelGrid(context)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
    }

    func draw(_ mark: Mark) {
        if let part, mark.bounds(measure)?.meets(part) != true { return }
        switch mark {
        case .line(let from, let to, let stroke):
            // What lies along the rows or columns of pixels Cairo is quick with.
            if from.x != to.x, from.y != to.y { return draw([from, to], stroke) }
            path([from, to])
            draw(stroke)
        case .polyline(let points, let stroke):
            guard points.count > 1 else { return }
            draw(points, stroke)
        case .polygon(let points, let ink, let opacity):
            guard points.count > 2 else { return }
            path(points)
            cairo_close_path(context)
            fill(ink, opacity)
            cairo_fill(context)
        case .box(let box, let ink, let stroke, let radius, let opacity): draw(box, ink, stroke, radius, opacity)
        case .boxes(let boxes, let ink, let opacity):
            fill(ink, opacity)
            // One after the other: Cairo looks for no crossings then.
            for box in boxes.lazy.compactMap(\.sound) where part?.meets(box) != false {
                cairo_rectangle(context, box)
                cairo_fill(context)
            }
        case .circle(let centre, let radius, let ink, let opacity):
            guard centre.isFinite else { return }
            cairo_new_path(context)
            cairo_arc(context, centre.x, centre.y, radius, 0, 2 * .pi)
            fill(ink, opacity)
            cairo_fill(context)
        case .text(let words, let place, let style): draw(words, place, style)
        case .clipped(let box, let marks):
            cairo_save(context)
            cairo_rectangle(context, box.x, box.y, box.width, box.height)
            cairo_clip(context)
            for mark in marks { draw(mark) }
            cairo_restore(context)
        }
    }

    func fill(_ ink: Ink, _ opacity: Double = 1) {
        let colour = theme.colour(ink)
        func share(_ shift: UInt32) -> Double { Double(colour >> shift & 0xFF) / 255 }
        cairo_set_source_rgba(context, share(16), share(8), share(0), opacity)
    }

    /// What is no number is left out and never reaches Cairo, which would draw nothing more after it.
    private func path(_ points: [Point]) {
        cairo_new_path(context)
        for point in points where point.isFinite { cairo_line_to(context, point.x, point.y) }
    }

    private func draw(_ points: [Point], _ stroke: Stroke) {
        if let grid, stroke.dash.isEmpty {
            let pixels = points.lazy.filter(\.isFinite).map(grid.pixel)
            guard let clip = grid.clip(context), var mask = LineMask(Array(pixels), width: stroke.width * grid.scale, inside: clip) else {
                return
            }
            fill(stroke.ink)
            return mask.paint(on: context, grid)
        }
        path(points)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        draw(stroke)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
    }

    private func draw(_ stroke: Stroke, _ opacity: Double = 1) {
        fill(stroke.ink, opacity)
        cairo_set_line_width(context, stroke.width)
        cairo_set_dash(context, stroke.dash, Int32(stroke.dash.count), 0)
        cairo_stroke(context)
    }

    private func draw(_ box: Rect, _ ink: Ink?, _ stroke: Stroke?, _ radius: Double, _ opacity: Double) {
        guard Point(box.x, box.y).isFinite, box.width >= 0, box.height >= 0, Point(box.width, box.height).isFinite else { return }
        cairo_new_path(context)
        let radius = min(radius, box.width / 2, box.height / 2)
        if radius > 0 {
            cairo_arc(context, box.maxX - radius, box.y + radius, radius, -.pi / 2, 0)
            cairo_arc(context, box.maxX - radius, box.maxY - radius, radius, 0, .pi / 2)
            cairo_arc(context, box.x + radius, box.maxY - radius, radius, .pi / 2, .pi)
            cairo_arc(context, box.x + radius, box.y + radius, radius, .pi, .pi * 1.5)
            cairo_close_path(context)
        } else {
            cairo_rectangle(context, box.x, box.y, box.width, box.height)
        }
        if let ink {
            fill(ink, opacity)
            if stroke == nil { cairo_fill(context) } else { cairo_fill_preserve(context) }
        }
        if let stroke { draw(stroke, opacity) }
    }

    private func draw(_ words: String, _ place: Point, _ style: TextStyle) {
        guard place.isFinite else { return }
        texts.with(words, style) { line in
            guard let line else { return }
            let x =
                switch style.anchor {
                case .start: place.x
                case .middle: place.x - line.width / 2
                case .end: place.x - line.width
                }
            let start = style.hasHalo ? halo(line, Point(x, place.y)) : Point(x, place.y)
            cairo_new_path(context)
            cairo_move_to(context, start.x, start.y)
            fill(style.ink)
            pango_cairo_show_layout_line(context, line.line)
        }
    }

    /// Where the text stands on it: on pixels at a whole one, as the glyphs the halo was made around.
    private func halo(_ line: SetLine, _ start: Point) -> Point {
        fill(.view)
        if let grid, let halo = line.halo(scale: grid.scale) {
            let pixel = grid.pixel(start)
            let whole = Point(pixel.x.rounded(), pixel.y.rounded())
            grid.paint(halo.mask, at: Point(whole.x + halo.corner.x, whole.y + halo.corner.y), on: context)
            return grid.point(whole)
        }
        cairo_new_path(context)
        cairo_move_to(context, start.x, start.y)
        pango_cairo_layout_line_path(context, line.line)
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        draw(Stroke(.view, width: 2 * Halo.radius))
        cairo_set_line_join(context, CAIRO_LINE_JOIN_MITER)
        return start
    }
}

func cairo_rectangle(_ context: OpaquePointer, _ box: Rect) { cairo_rectangle(context, box.x, box.y, box.width, box.height) }

extension Point {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite }
}
