import CCairo
import Charting

/// The ground under a text's glyphs, farther out than they are by `radius`, as the share of each pixel that it covers.
final class Halo {
    /// In units of the scene.
    static let radius = 1.5
    let mask: OpaquePointer
    /// From the start of the text's baseline to the mask's corner, in pixels.
    let corner: Point

    /// - Parameter scale: Pixels for one unit of the scene.
    init?(_ line: SetLine, scale: Double) {
        let reach = (Self.radius * scale).rounded(.up) + 1
        let (left, top) = ((line.ink.x * scale - reach).rounded(.down), (line.ink.y * scale - reach).rounded(.down))
        let right = (line.ink.maxX * scale + reach).rounded(.up)
        let bottom = (line.ink.maxY * scale + reach).rounded(.up)
        let most = CairoPainter.longestSide
        guard right - left <= most, bottom - top <= most,
            let glyphs = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(right - left), Int32(bottom - top))
        else { return nil }
        defer { cairo_surface_destroy(glyphs) }
        let context = cairo_create(glyphs)
        cairo_translate(context, -left, -top)
        cairo_scale(context, scale, scale)
        cairo_move_to(context, 0, 0)
        pango_cairo_show_layout_line(context, line.line)
        let isDrawn = cairo_status(context) == CAIRO_STATUS_SUCCESS
        cairo_destroy(context)
        guard isDrawn, let mask = Self.grown(glyphs, by: Self.radius * scale) else { return nil }
        self.mask = mask
        corner = Point(left, top)
    }

    deinit { cairo_surface_destroy(mask) }

    /// Each pixel as dark as the darkest near it, and less by how far that is beyond the radius.
    private static func grown(_ glyphs: OpaquePointer, by radius: Double) -> OpaquePointer? {
        let (width, height) = (Int(cairo_image_surface_get_width(glyphs)), Int(cairo_image_surface_get_height(glyphs)))
        let stride = Int(cairo_image_surface_get_stride(glyphs))
        guard let mask = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(width), Int32(height)) else { return nil }
        cairo_surface_flush(glyphs)
        guard let from = cairo_image_surface_get_data(glyphs), let to = cairo_image_surface_get_data(mask) else {
            cairo_surface_destroy(mask)
            return nil
        }
        let far = Int((radius + 0.5).rounded(.down))
        let weights = (-far...far).flatMap { down in
            (-far...far).compactMap { across -> (offset: Int, share: Int)? in
                let share = min(max(radius + 0.5 - Double(across * across + down * down).squareRoot(), 0), 1)
                return share > 0 ? (down * stride + across, Int(share * 256)) : nil
            }
        }
        for row in 0..<height {
            for column in 0..<width where from[row * stride + column] > 0 {
                let share = Int(from[row * stride + column])
                // There is room for the reach around all glyphs.
                guard row >= far, column >= far, row < height - far, column < width - far else { continue }
                for weight in weights {
                    let place = row * stride + column + weight.offset
                    to[place] = max(to[place], UInt8(share * weight.share >> 8))
                }
            }
        }
        cairo_surface_mark_dirty(mask)
        return mask
    }
}
