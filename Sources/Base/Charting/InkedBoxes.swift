/// Boxes side by side, gathered by their ink: a painter fills each ink's at once.
struct InkedBoxes {
    private var inks: [(ink: Ink, boxes: [Rect])] = []

    mutating func add(_ box: Rect, _ ink: Ink) {
        if let place = inks.firstIndex(where: { $0.ink == ink }) {
            inks[place].boxes.append(box)
        } else {
            inks.append((ink, [box]))
        }
    }

    /// The edge of a box, one pixel wide, inside of it.
    mutating func addFrame(_ box: Rect, _ ink: Ink) {
        add(Rect(box.x, box.y, box.width, 1), ink)
        guard box.height > 1 else { return }
        add(Rect(box.x, box.maxY - 1, box.width, 1), ink)
        guard box.height > 2 else { return }
        add(Rect(box.x, box.y + 1, 1, box.height - 2), ink)
        if box.width > 1 { add(Rect(box.maxX - 1, box.y + 1, 1, box.height - 2), ink) }
    }

    func marks(opacity: Double = 1) -> [Mark] { inks.map { .boxes($0.boxes, $0.ink, opacity: opacity) } }
}
