import CCairo
public import Charting

/// A picture that is kept and drawn on again and again, whole or in part (G-4).
public final class CairoCanvas {
    private let surface: OpaquePointer
    private let context: OpaquePointer

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
        cairo_scale(context, scale, scale)
        try CairoPainter.check(cairo_status(context))
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// - Parameter part: What has changed of the scene; nil: all.
    public func draw(_ scene: Scene, _ painter: CairoPainter, in part: Rect? = nil) throws(PaintFault) {
        cairo_save(context)
        defer { cairo_restore(context) }
        if let part {
            cairo_rectangle(context, part.x, part.y, part.width, part.height)
            cairo_clip(context)
        }
        painter.draw(scene, on: context)
        try CairoPainter.check(cairo_status(context))
    }

    public func png() throws(PaintFault) -> [UInt8] {
        var bytes: [UInt8] = []
        try CairoPainter.check(
            withUnsafeMutablePointer(to: &bytes) { cairo_surface_write_to_png_stream(surface, CairoPainter.append, $0) })
        return bytes
    }
}
