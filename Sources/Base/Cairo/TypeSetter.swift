import CCairo
import Charting
import Texts

/// Sets texts with a painter's fonts: digits of one width, glyphs where they belong and not on whole pixels. The fonts are its own: what is
/// drawn meanwhile elsewhere does not touch them.
final class TypeSetter {
    private let context: OpaquePointer
    private let attributes: OpaquePointer?
    private let family: String
    private var fonts: [Font: OpaquePointer] = [:]

    private struct Font: Hashable {
        var size: Double
        var isBold: Bool
    }

    init?(family: String, _ language: Language) {
        let fonts = pango_cairo_font_map_new()
        guard let fonts, let context = pango_font_map_create_context(fonts) else { return nil }
        // The context keeps the fonts.
        g_object_unref(UnsafeMutableRawPointer(fonts))
        self.context = context
        self.family = family
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        // Pixels, whatever a screen's own density is.
        pango_cairo_context_set_resolution(context, 96)
        pango_context_set_round_glyph_positions(context, 0)
        pango_context_set_language(context, pango_language_from_string(Self.tag(language)))
        attributes = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"))
    }

    deinit {
        for font in fonts.values { pango_font_description_free(font) }
        pango_attr_list_unref(attributes)
        g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// Han characters have other shapes in other places.
    private static func tag(_ language: Language) -> String {
        switch language {
        case .english: "en"
        case .simplifiedChinese: "zh-hans"
        case .traditionalChinese: "zh-hk"
        }
    }

    func set(_ text: String, size: Double, isBold: Bool) -> SetLine? {
        // Lives longer than this, which its context does as well.
        guard let layout = pango_layout_new(context) else { return nil }
        pango_layout_set_attributes(layout, attributes)
        pango_layout_set_single_paragraph_mode(layout, 1)
        pango_layout_set_font_description(layout, font(Font(size: size, isBold: isBold)))
        pango_layout_set_text(layout, text.ofCharacters, -1)
        return SetLine(adopting: layout)
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

/// A text of one line as it is set, to be drawn anywhere, many times. Used under the lock of the case it is kept in only, which is why it is
/// safe to be told across threads.
final class SetLine: @unchecked Sendable {
    private let layout: OpaquePointer
    let line: UnsafeMutablePointer<PangoLayoutLine>?
    /// How far its glyphs advance.
    let width: Double
    /// What its glyphs cover, from the start of its baseline.
    let ink: Rect
    private var halos: [(scale: Double, halo: Halo)] = []

    init(adopting layout: OpaquePointer) {
        self.layout = layout
        line = pango_layout_get_line_readonly(layout, 0)
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_line_get_extents(line, &ink, &logical)
        func pixels(_ units: Int32) -> Double { Double(units) / Double(PANGO_SCALE) }
        width = pixels(logical.width)
        self.ink = Rect(pixels(ink.x), pixels(ink.y), pixels(ink.width), pixels(ink.height))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// What it stands on, made once for a size of pixels; at most those of two screens are kept.
    func halo(scale: Double) -> Halo? {
        if let known = halos.first(where: { $0.scale == scale }) { return known.halo }
        guard let halo = Halo(self, scale: scale) else { return nil }
        if halos.count == 2 { halos.removeFirst() }
        halos.append((scale, halo))
        return halo
    }
}
