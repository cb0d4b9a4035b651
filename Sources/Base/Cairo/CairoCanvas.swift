import CCairo
public import Charting

/// A picture that is kept and drawn on again and again, whole or in part (G-4).
public final class CairoCanvas {
    let surface: OpaquePointer
    private let context: OpaquePointer
    private let scale: Double
    /// What the picture is of; nil: of nothing whole.
    private var shown: (scene: Scene, theme: Theme, texts: TypeCase)?

    /// - Parameters:
    ///   - size: Of the scenes to come.
    ///   - scale: Pixels of the picture for one of the scene.
    public init(_ size: Size, scale: Double = 1) throws(PaintFault) {
        let (width, height) = (size.width * scale, size.height * scale)
        try CairoPainter.check(width, height)
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width.rounded(.up)), Int32(height.rounded(.up))),
            let context = cairo_create(surface)
        else { throw PaintFault(reason: "out of memory") }
        self.surface = surface
        self.context = context
        self.scale = scale
        cairo_scale(context, scale, scale)
        try CairoPainter.check(cairo_status(context))
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// All of a scene.
    public func draw(_ scene: Scene, _ painter: CairoPainter) throws(PaintFault) {
        painter.draw(scene, on: context)
        try CairoPainter.check(cairo_status(context))
        shown = (scene, painter.theme, painter.texts)
    }

    /// What of a scene is other than in the one drawn before; the picture is then the same as if all were drawn (G-4).
    ///
    /// - Returns: What was drawn anew.
    @discardableResult
    public func update(_ scene: Scene, _ painter: CairoPainter) throws(PaintFault) -> [Rect] {
        guard let shown, shown.theme == painter.theme, shown.texts === painter.texts,
            let changes = scene.changes(from: shown.scene, texts: painter.measure)
        else {
            try draw(scene, painter)
            return [Rect(0, 0, scene.size.width, scene.size.height)]
        }
        let parts = changes.map { pixels(scene.whole(pixels($0))) }
        for part in parts { painter.draw(scene, on: context, in: part) }
        try CairoPainter.check(cairo_status(context))
        self.shown?.scene = scene
        return parts
    }

    /// Whole pixels: half of one would mix what is drawn anew with what was.
    private func pixels(_ box: Rect) -> Rect {
        let (left, top) = ((box.x * scale).rounded(.down), (box.y * scale).rounded(.down))
        let (right, bottom) = ((box.maxX * scale).rounded(.up), (box.maxY * scale).rounded(.up))
        return Rect(left / scale, top / scale, (right - left) / scale, (bottom - top) / scale)
    }

    /// The picture as it is, with its corner at the origin of another Cairo context, a window's.
    public func copy(onto other: OpaquePointer) {
        cairo_save(other)
        cairo_scale(other, 1 / scale, 1 / scale)
        cairo_set_source_surface(other, surface, 0, 0)
        cairo_paint(other)
        cairo_restore(other)
    }

    public func png() throws(PaintFault) -> [UInt8] {
        var bytes: [UInt8] = []
        try CairoPainter.check(
            withUnsafeMutablePointer(to: &bytes) { cairo_surface_write_to_png_stream(surface, CairoPainter.append, $0) })
        return bytes
    }
}
