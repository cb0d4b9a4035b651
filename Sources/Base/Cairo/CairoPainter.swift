import CCairo
public import Charting
public import Texts

/// A scene that could not be painted, in Cairo's words.
public struct PaintFault: Error, Hashable, Sendable {
    public var reason: String
}

/// Scenes drawn with Cairo, their texts with Pango (G-5): into PNG and PDF, and on whatever a window draws on. The same scene and theme give
/// the same bytes; nothing tells when it was painted.
public struct CairoPainter: Sendable {
    public var theme: Theme
    public let language: Language
    /// In order of preference, as Pango reads it.
    public let fontFamily: String
    let texts: TypeCase

    public static let usualFonts = "Inter, Noto Sans CJK SC, WenQuanYi Micro Hei, DejaVu Sans, sans-serif"
    /// In pixels of the picture; a side of more is refused.
    public static let longestSide = 16_000.0

    public init(_ theme: Theme, language: Language = .english, fontFamily: String = usualFonts) {
        self.theme = theme
        self.language = language
        self.fontFamily = fontFamily
        texts = TypeCase(family: fontFamily, language)
    }

    /// - Parameter scale: Pixels of the picture for one of the scene.
    public func png(_ scene: Scene, scale: Double = 1) throws(PaintFault) -> [UInt8] {
        let canvas = try CairoCanvas(scene.size, scale: scale)
        try canvas.draw(scene, self)
        return try canvas.png()
    }

    /// One page; a pixel of the scene is a 1/96 inch. Texts stay texts.
    public func pdf(_ scene: Scene) throws(PaintFault) -> [UInt8] {
        try Self.check(scene.size.width, scene.size.height)
        var bytes: [UInt8] = []
        let status = withUnsafeMutablePointer(to: &bytes) { pointer in
            let surface = cairo_pdf_surface_create_for_stream(
                Self.append, pointer, scene.size.width * Self.point, scene.size.height * Self.point)
            defer { cairo_surface_destroy(surface) }
            // An empty date is no date.
            cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "")
            let context = cairo_create(surface)
            cairo_scale(context, Self.point, Self.point)
            if let context { draw(scene, on: context) }
            let drawn = cairo_status(context)
            cairo_destroy(context)
            cairo_surface_finish(surface)
            return drawn == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : drawn
        }
        try Self.check(status)
        return bytes
    }

    /// A point is 1/72 inch.
    private static let point = 0.75

    /// - Parameters:
    ///   - context: A `cairo_t` whose unit is a pixel of the scene. Its path and source are changed, nothing else.
    ///   - part: What of the scene is drawn, and marks that do not touch it are not; nil: all.
    public func draw(_ scene: Scene, on context: OpaquePointer, in part: Rect? = nil) {
        cairo_save(context)
        let whole = Rect(0, 0, scene.size.width, scene.size.height)
        let drawing = Drawing(self, context, part)
        cairo_rectangle(context, part ?? whole)
        cairo_clip(context)
        drawing.fill(.view)
        cairo_paint(context)
        for mark in scene.marks { drawing.draw(mark) }
        cairo_restore(context)
    }

    /// How wide texts are that this painter draws, for scenes whose boxes fit them. What it has set, drawing does not set again.
    public var measure: TextMeasure {
        TextMeasure(width: { [texts] in texts.width($0, $1) }, ink: { [texts] in texts.ink($0, $1) })
    }

    static func check(_ width: Double, _ height: Double) throws(PaintFault) {
        guard width >= 1, height >= 1, width <= longestSide, height <= longestSide else {
            throw PaintFault(reason: "a side is not from 1 to \(Int(longestSide)) pixels long")
        }
    }

    static func check(_ status: cairo_status_t) throws(PaintFault) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        throw PaintFault(reason: cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)")
    }

    static let append: cairo_write_func_t = { closure, data, count in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        closure.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
    }
}
