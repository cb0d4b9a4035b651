import Texts

extension IntradayScene {
    /// The line of the price over its tinted area, the average beside it; broken where nothing is traded, and before the first trade.
    func price(_ area: inout [Mark], _ lines: inout [Mark]) {
        let ink = SceneParts.direction(content.lastPrice, content.previousClose)
        let tint: Ink = ink == .up ? .upTint : ink == .down ? .downTint : .shade
        for points in runs(content.prices) {
            guard let first = points.first, let last = points.last else { continue }
            area.append(.polygon(points + [Point(last.x, pane.maxY), Point(first.x, pane.maxY)], tint, opacity: 0.6))
            lines.append(.polyline(points, Stroke(ink, width: 1.25)))
        }
        for points in runs(content.averages) { lines.append(.polyline(points, Stroke(.series(0), width: 1.25))) }
    }

    /// Where the price stands now; whole at the plot's edge too.
    func lastPoint(_ scene: inout Scene) {
        guard let last = content.lastPrice else { return }
        let ink = SceneParts.direction(last, content.previousClose)
        let point = Point(axis.x(content.prices.count - 1), scale.y(last))
        scene.marks.append(.circle(point, radius: 6, ink, opacity: 0.25))
        scene.marks.append(.circle(point, radius: 2.75, ink))
    }

    private func runs(_ values: [Double]) -> [[Point]] {
        var runs: [[Point]] = []
        var points: [Point] = []
        func end() {
            // One minute alone is a line of its own width.
            if let only = points.first, points.count == 1 { points.append(Point(only.x + max(axis.slot / 2, 1), only.y)) }
            if !points.isEmpty { runs.append(points) }
            points = []
        }
        for (number, part) in axis.parts.enumerated() {
            if axis.hasBreak(before: number) { end() }
            for place in part.place..<part.place + part.stretch.length where place < values.count {
                if values[place].isFinite { points.append(Point(axis.x(place), scale.y(values[place]))) } else { end() }
            }
        }
        end()
        return runs
    }

    func volume(_ scene: inout Scene) {
        let most = content.volumes.max() ?? 0
        guard most > 0 else { return }
        let scale = Scale(0...most, top: volumePane.y + ChartLayout.legend, bottom: volumePane.maxY)
        // Where a minute is narrower than a pixel the highest of a pixel is drawn.
        var columns: [(x: Double, width: Double, top: Double, ink: Ink)] = []
        for (place, volume) in content.volumes.enumerated() where volume > 0 {
            let before = place > 0 ? content.prices[place - 1] : content.previousClose ?? .nan
            let ink: Ink = content.prices[place] > before ? .upFill : content.prices[place] < before ? .downFill : .flat
            let width = max((axis.slot * 0.76).rounded(.down), 1)
            let x = (axis.x(place) - width / 2).rounded()
            let top = min(scale.y(volume).rounded(), volumePane.maxY - 1)
            if let last = columns.last, last.x == x {
                if top < last.top { columns[columns.count - 1] = (x, width, top, ink) }
            } else {
                columns.append((x, width, top, ink))
            }
        }
        var boxes = InkedBoxes()
        for column in columns { boxes.add(Rect(column.x, column.top, column.width, volumePane.maxY - column.top), column.ink) }
        scene.marks.append(.clipped(volumePane, boxes.marks(opacity: 0.75)))
        sideText(short(most), volumePane.y + ChartLayout.legend, .faintText, isLeft: true, &scene)
    }

    func short(_ value: Double) -> String {
        guard let whole = Int64(exactly: value.rounded()) else { return "—" }
        return NumberFormat.short(whole, scale: 0, in: content.language, decimals: 1)
    }

    var own: [Mark] {
        var marks: [Mark] = []
        for (place, trades) in Dictionary(grouping: content.trades, by: \.place).sorted(by: { $0.key < $1.key }) {
            guard content.prices.indices.contains(place), content.prices[place].isFinite else { continue }
            let y = scale.y(content.prices[place])
            for isBuy in [true, false] {
                let count = trades.count { $0.isBuy == isBuy }
                guard count > 0 else { continue }
                let letter = count > 1 ? "\(count)" : isBuy ? "B" : "S"
                marks += SceneParts.flag(x: axis.x(place), low: y, high: y, isBuy: isBuy, letter, pane)
            }
        }
        return marks
    }

    // MARK: Words

    func legends(_ scene: inout Scene) {
        let place = crosshair?.place ?? content.prices.count - 1
        func value(_ values: [Double]) -> String {
            guard values.indices.contains(place), values[place].isFinite else { return "—" }
            return ChartContent.text(values[place], content.decimals)
        }
        var parts = [(content.priceTitle + " " + value(content.prices), Ink.text)]
        if content.hasVolume { parts.append((content.averageTitle + " " + value(content.averages), .series(0))) }
        if crosshair != nil { parts.insert((TimeAxis.clock(axis.minute(place)), .softText), at: 0) }
        scene.marks += SceneParts.row(parts, x: pane.x + 5, top: pane.y, end: pane.maxX, texts)
        guard content.hasVolume else { return }
        let volume = content.volumes.indices.contains(place) ? short(content.volumes[place]) : "—"
        let total = crosshair == nil ? short(content.volumes.reduce(0, +)) : volume
        scene.marks += SceneParts.row(
            [(content.volumeTitle + " " + total, .softText)], x: pane.x + 5, top: volumePane.y, end: pane.maxX, texts)
    }

    func lastLine(_ scene: inout Scene) {
        guard let price = content.lastPrice else { return }
        let y = SceneParts.crisp(scale.y(price))
        let ink = SceneParts.direction(price, content.previousClose)
        scene.marks.append(.line(Point(pane.x, y), Point(pane.maxX, y), Stroke(ink, dash: [2, 2])))
    }

    /// Dotted over the whole plot, and what it is at its right end, above the line where there is room.
    func indication(_ scene: inout Scene) {
        guard let indication = content.indication else { return }
        let y = SceneParts.crisp(scale.y(indication.price))
        scene.marks.append(.line(Point(pane.x, y), Point(pane.maxX, y), Stroke(.softText, width: 1.5, dash: [1.5, 3])))
        let style = TextStyle(.softText, isBold: true, anchor: .end, hasHalo: true)
        let above = y - 5 - style.size > pane.y + ChartLayout.legend
        scene.marks.append(.text(indication.label, Point(pane.maxX - 6, above ? y - 5 : y + 14), style))
    }

    /// Prices left and per cent right of each row of the grid, in the colour of their side of the previous close; beside the plot tags of
    /// the last price and of the user's own, with no row's label close to one.
    func priceLabels(_ scene: inout Scene) {
        let tags = axisWidth == nil ? [] : tags
        for value in rows {
            let y = SceneParts.crisp(scale.y(value))
            let ink: Ink = content.previousClose == nil ? .faintText : SceneParts.direction(value, content.previousClose)
            if tags.allSatisfy({ abs($0.y - y) > 16 }) {
                sideText(ChartContent.text(value, content.decimals), y, ink, isLeft: true, &scene)
            }
            if let text = change(value), tags.allSatisfy({ abs($0.y - y) > 16 || $0.fill == .mine }) {
                sideText(text, y, ink, isLeft: false, &scene)
            }
        }
        for tag in tags {
            if let leader = tag.leader(at: pane.x, to: -1) { scene.marks.append(leader) }
            self.tag(tag.text, tag.y, tag.fill, tag.ink, isLeft: true, &scene)
            let price = isLast(tag) ? content.lastPrice : tag.fill == .shade ? content.indication?.price : nil
            if let price, let text = change(price) {
                if let leader = tag.leader(at: pane.maxX, to: 1) { scene.marks.append(leader) }
                self.tag(text, tag.y, tag.fill, tag.ink, isLeft: false, &scene)
            }
        }
    }

    /// Of the last price, which has its change on the other side.
    private func isLast(_ tag: SceneParts.Tag) -> Bool { tag.fill != .mine && tag.fill != .shade }

    private var tags: [SceneParts.Tag] {
        let last = content.lastPrice.map { price -> SceneParts.Tag in
            let ink = SceneParts.direction(price, content.previousClose)
            let fill: Ink = ink == .up ? .upFill : ink == .down ? .downFill : .ink
            return .init(
                y: scale.y(price), text: ChartContent.text(price, content.decimals), fill: fill, ink: fill == .ink ? .onInk : .onFill)
        }
        var others = content.orderLines.filter { pane.holds(y: scale.y($0.price)) }.map {
            SceneParts.Tag(y: scale.y($0.price), text: ChartContent.text($0.price, content.decimals), fill: .mine, ink: .onMine)
        }
        if let price = content.indication?.price, price != content.lastPrice {
            others.append(.init(y: scale.y(price), text: ChartContent.text(price, content.decimals), fill: .shade, ink: .text))
        }
        return SceneParts.spread(last, others)
    }

    /// Per cent of the previous close; where that is not above zero, the difference.
    private func change(_ value: Double) -> String? {
        guard let before = content.previousClose else { return nil }
        if before > 0 { return ChartContent.text((value / before - 1) * 100, 2, sign: .always) + "%" }
        return ChartContent.text(value - before, content.decimals, sign: .always)
    }

    private func sideText(_ text: String, _ y: Double, _ ink: Ink, isLeft: Bool, _ scene: inout Scene) {
        guard let axisWidth else {
            let style = TextStyle(ink, anchor: isLeft ? .start : .end, hasHalo: true)
            scene.marks.append(.text(text, Point(isLeft ? pane.x + 3 : pane.maxX - 3, y + 4), style))
            return
        }
        let x = isLeft ? pane.x - axisWidth / 2 : pane.maxX + axisWidth / 2
        scene.marks.append(.text(text, Point(x, y + 4), TextStyle(ink, anchor: .middle)))
    }

    private func tag(_ text: String, _ y: Double, _ fill: Ink, _ ink: Ink, isLeft: Bool, _ scene: inout Scene) {
        let width = (axisWidth ?? texts.width(text, TextStyle(ink, isBold: true)) + 12) - 4
        let x = isLeft ? max(pane.x - (axisWidth ?? 0), 0) + 2 : min(pane.maxX + (axisWidth ?? 0), size.width) - width - 2
        scene.marks += SceneParts.tag(text, Rect(x, (y - 9).rounded(), width, 18), fill: fill, ink: ink)
    }

    func crosshairMarks(_ scene: inout Scene) {
        guard let crosshair else { return }
        let x = SceneParts.crisp(axis.x(crosshair.place))
        let stroke = Stroke(.softText, dash: [3, 3])
        scene.marks.append(.line(Point(x, pane.y), Point(x, volumePane.maxY), stroke))
        let text = TimeAxis.clock(axis.minute(crosshair.place))
        let width = texts.width(text, TextStyle(.onInk, isBold: true)) + 12
        let left = min(max(x - width / 2, 0), size.width - width)
        scene.marks += SceneParts.tag(text, Rect(left, volumePane.maxY + 1, width, 18), fill: .ink, ink: .onInk)
        guard let y = crosshair.y, pane.holds(y: y) else { return }
        scene.marks.append(.line(Point(pane.x, SceneParts.crisp(y)), Point(pane.maxX, SceneParts.crisp(y)), stroke))
        tag(ChartContent.text(scale.value(y: y), content.decimals), y, .ink, .onInk, isLeft: true, &scene)
        if let text = change(scale.value(y: y)) { tag(text, y, .ink, .onInk, isLeft: false, &scene) }
    }
}
