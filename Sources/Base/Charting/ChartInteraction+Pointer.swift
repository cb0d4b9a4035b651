import Exact

extension ChartInteraction {
    /// The price pane as it is now.
    var plane: ChartPlane { CandleScene(content, viewport, size: size, texts: texts).plane() }

    mutating func down(_ point: Point) -> [Effect] {
        // A second finger, or an up that was lost.
        guard !isPointerDown else { return [] }
        guard point.x >= 0, point.x <= viewport.width else {
            gesture = .over
            return []
        }
        hover(point)
        let plane = plane
        if tool != nil {
            guard plane.pane.holds(point), let anchor = plane.anchor(at: point) else {
                gesture = .over
                return []
            }
            placed.append(anchor)
            gesture = .place(from: point)
            sketch(nil)
            return []
        }
        let hit = CandleScene(content, viewport, size: size, texts: texts).hit(at: point)
        let isSelectedAnchor = hit.map { $0.id == content.selectedDrawing && $0.part != .whole } ?? false
        if !isSelectedAnchor, let order = order(near: point, plane), let id = order.order {
            gesture = .order(id, was: order.price, from: point, plane: plane)
        } else if let hit, let drawing = content.drawings.first(where: { $0.id == hit.id && hit.id > 0 }) {
            content.selectedDrawing = hit.id
            gesture = .drawing(hit, was: drawing, from: point, plane: plane)
        } else {
            gesture = .pan(bar: viewport.first + point.x / viewport.slot, from: point)
        }
        return []
    }

    /// The nearest working order whose line is in reach.
    private func order(near point: Point, _ plane: ChartPlane) -> ChartOrderLine? {
        guard plane.pane.holds(point) else { return nil }
        let near = content.orderLines.compactMap { line -> (line: ChartOrderLine, distance: Double)? in
            guard line.order != nil, line.kind == .working, let y = plane.y(line.price), abs(y - point.y) <= Self.orderReach else {
                return nil
            }
            return (line, abs(y - point.y))
        }
        return near.min { $0.distance < $1.distance }?.line
    }

    mutating func moved(to point: Point) -> [Effect] {
        switch gesture {
        case .none:
            hover(point)
            if !placed.isEmpty { sketch(plane.anchor(at: point)) }
        case .pan(let bar, _):
            viewport.drag(by: (viewport.first - bar) * viewport.slot + point.x, count: content.bars.count)
            hover(point)
        case .order(let id, let was, let from, let plane):
            hover(point)
            drag(id, was, from, point, plane)
        case .drawing(let hit, let was, let from, let plane):
            hover(point)
            guard let place = content.drawings.firstIndex(where: { $0.id == hit.id }) else { break }
            content.drawings[place] = Self.isTremble(from, point) ? was : plane.moved(was, hit.part, from: from, to: point)
        case .place(let from):
            hover(point)
            if !Self.isTremble(from, point) { sketch(plane.anchor(at: point)) }
        case .over: break
        }
        return []
    }

    private static func isTremble(_ from: Point, _ to: Point) -> Bool {
        abs(from.x - to.x) < tremble && abs(from.y - to.y) < tremble
    }

    /// Where the order would go: the tick nearest to as far as the pointer was moved. Where no price is allowed it stays.
    private func proposed(_ was: Double, _ from: Point, _ to: Point, _ plane: ChartPlane) -> Price? {
        guard abs(from.y - to.y) >= Self.tremble, let y = plane.y(was) else { return nil }
        return plane.price(y: y + to.y - from.y).flatMap(snap)
    }

    private mutating func drag(_ id: UInt64, _ was: Double, _ from: Point, _ to: Point, _ plane: ChartPlane) {
        guard let place = content.orderLines.firstIndex(where: { $0.order == id }) else { return }
        let price = proposed(was, from, to, plane)
        content.orderLines[place].price = price.map { Double($0.nanos) / 1e9 } ?? was
        content.orderLines[place].isDragged = price != nil
    }

    mutating func up(_ point: Point) -> [Effect] {
        var effects: [Effect] = []
        switch gesture {
        case .none: return []
        case .over: break
        case .pan(_, let from):
            effects += moved(to: point)
            if Self.isTremble(from, point) { content.selectedDrawing = nil }
        case .order(let id, let was, let from, let plane):
            let price = proposed(was, from, point, plane)
            // What the exchange has is shown until it says something else.
            content.orderLines = orders
            if let price, Double(price.nanos) / 1e9 != was { effects.append(.amend(order: id, price)) }
        case .drawing(let hit, let was, _, _):
            effects += moved(to: point)
            if let now = content.drawings.first(where: { $0.id == hit.id }), now != was { effects.append(.keep(now)) }
        case .place(let from):
            guard let tool else { break }
            if !Self.isTremble(from, point), placed.count < tool.anchors, let anchor = plane.anchor(at: point) { placed.append(anchor) }
            sketch(nil)
            if placed.count >= tool.anchors {
                effects.append(.draw(tool, placed))
                placed = []
                self.tool = nil
            }
        }
        gesture = .none
        return effects + settled()
    }

    /// Shows what is being drawn: the anchors so far and the one under the pointer. Number 0 is no kept drawing's.
    private mutating func sketch(_ next: Drawing.Anchor?) {
        content.drawings.removeAll { $0.id == 0 }
        guard let tool, tool != .text else { return }
        let anchors = Array((placed + (next.map { [$0] } ?? [])).prefix(tool.anchors))
        // Two points of a channel are its first line.
        let shown = tool == .channel && anchors.count == 2 ? .trend : tool
        if let draft = try? Drawing(id: 0, tool: shown, anchors: anchors) { content.drawings.append(draft) }
    }

    /// As it was before the pointer went down; a view that was dragged stays.
    mutating func undo() {
        switch gesture {
        case .none, .pan, .over: break
        case .order: content.orderLines = orders
        case .drawing(let hit, let was, _, _):
            if let place = content.drawings.firstIndex(where: { $0.id == hit.id }) { content.drawings[place] = was }
        case .place: break
        }
        if !placed.isEmpty { content.drawings.removeAll { $0.id == 0 } }
        if case .place = gesture { placed = [] }
    }

    // MARK: What others changed

    mutating func take(_ lines: [ChartOrderLine]) {
        orders = lines
        let shown = content.orderLines
        content.orderLines = lines
        guard case .order(let id, _, let from, let plane) = gesture else { return }
        guard let place = lines.firstIndex(where: { $0.order == id && $0.kind == .working }) else {
            // Filled or cancelled under the finger.
            gesture = .over
            return
        }
        gesture = .order(id, was: lines[place].price, from: from, plane: plane)
        if let dragged = shown.first(where: { $0.order == id && $0.isDragged }) {
            content.orderLines[place].price = dragged.price
            content.orderLines[place].isDragged = true
        }
    }

    mutating func take(_ kept: [Drawing]) {
        let shown = content.drawings
        let draft = placed.isEmpty ? nil : shown.first { $0.id == 0 }
        content.drawings = kept + (draft.map { [$0] } ?? [])
        if let id = content.selectedDrawing, !kept.contains(where: { $0.id == id }) { content.selectedDrawing = nil }
        guard case .drawing(let hit, _, _, _) = gesture else { return }
        guard let place = kept.firstIndex(where: { $0.id == hit.id }), let dragged = shown.first(where: { $0.id == hit.id }) else {
            gesture = .over
            return
        }
        content.drawings[place] = dragged
    }
}
