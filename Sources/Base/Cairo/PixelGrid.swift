import CCairo
import Charting

/// Where the pixels of a picture lie under a scene; none where it is not made of pixels, as a PDF, or is turned.
struct PixelGrid {
    /// Pixels for one unit of the scene.
    let scale: Double
    private let left: Double
    private let top: Double
    /// Of the surface itself, on a screen with more than one pixel for each of a window's.
    private let density: Double

    init?(_ context: OpaquePointer) {
        let surface = cairo_get_group_target(context)
        guard cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE else { return nil }
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        var (across, down) = (1.0, 1.0)
        cairo_surface_get_device_scale(surface, &across, &down)
        guard matrix.xy == 0, matrix.yx == 0, matrix.xx == matrix.yy, across == down, matrix.xx > 0, across > 0 else { return nil }
        scale = matrix.xx * across
        left = matrix.x0 * across
        top = matrix.y0 * across
        density = across
    }

    func pixel(_ point: Point) -> Point { Point(point.x * scale + left, point.y * scale + top) }

    func point(_ pixel: Point) -> Point { Point((pixel.x - left) / scale, (pixel.y - top) / scale) }

    /// What may be drawn on, in whole pixels; nil: nothing, or more than any picture has.
    func clip(_ context: OpaquePointer) -> Rect? {
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        cairo_clip_extents(context, &left, &top, &right, &bottom)
        let (from, to) = (pixel(Point(left, top)), pixel(Point(right, bottom)))
        let box = Rect(
            from.x.rounded(.down), from.y.rounded(.down), to.x.rounded(.up) - from.x.rounded(.down),
            to.y.rounded(.up) - from.y.rounded(.down))
        let most = CairoPainter.longestSide
        return box.width > 0 && box.height > 0 && box.width <= most && box.height <= most ? box : nil
    }

    /// The source's colour through a mask whose corner is at a whole pixel.
    func paint(_ mask: OpaquePointer?, at pixel: Point, on context: OpaquePointer) {
        cairo_save(context)
        cairo_identity_matrix(context)
        cairo_surface_set_device_scale(mask, density, density)
        cairo_mask_surface(context, mask, pixel.x / density, pixel.y / density)
        cairo_restore(context)
    }
}
