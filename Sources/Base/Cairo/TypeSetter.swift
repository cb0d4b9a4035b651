import CCairo
import Charting
import Texts

/// Sets one text after the other with the painter's fonts: digits of one width, glyphs where they belong and not on whole pixels.
final class TypeSetter {
    private let layout: OpaquePointer?
    private let family: String
    private var fonts: [Font: OpaquePointer] = [:]

    private struct Font: Hashable {
        var size: Double
        var isBold: Bool
    }

    /// - Parameter context: A Pango context, kept by the layout.
    init(_ painter: CairoPainter, _ context: OpaquePointer) {
        family = painter.fontFamily
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        // Pixels, whatever a screen's own density is.
        pango_cairo_context_set_resolution(context, 96)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string(Self.tag(painter.language)))
        layout = pango_layout_new(context)
        let attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_single_paragraph_mode(layout, 1)
    }

    /// On fonts of its own.
    convenience init?(measuring painter: CairoPainter) {
        let fonts = pango_cairo_font_map_new()
        guard let fonts, let context = pango_font_map_create_context(fonts) else { return nil }
        self.init(painter, context)
        // The layout keeps the context, which keeps the fonts.
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fonts))
    }

    deinit {
        for font in fonts.values { pango_font_description_free(font) }
        g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Han characters have other shapes in other places.
    private static func tag(_ language: Language) -> String {
        switch language {
        case .english: "en"
        case .simplifiedChinese: "zh-hans"
        case .traditionalChinese: "zh-hk"
        }
    }

    /// The line, which lives until the next text is set, and how wide it is.
    func set(_ text: String, _ style: TextStyle) -> (line: UnsafeMutablePointer<PangoLayoutLine>?, width: Double) {
        pango_layout_set_font_description(layout, font(Font(size: style.size, isBold: style.isBold)))
        pango_layout_set_text(layout, text, -1)
        var width: Int32 = 0
        pango_layout_get_size(layout, &width, nil)
        return (pango_layout_get_line_readonly(layout, 0), Double(width) / Double(PANGO_SCALE))
    }

    private func font(_ font: Font) -> OpaquePointer? {
        if let known = fonts[font] { return known }
        let description = pango_font_description_new()
        pango_font_description_set_family(description, family)
        pango_font_description_set_absolute_size(description, font.size * Double(PANGO_SCALE))
        pango_font_description_set_weight(description, font.isBold ? PANGO_WEIGHT_SEMIBOLD : PANGO_WEIGHT_NORMAL)
        fonts[font] = description
        return description
    }
}
