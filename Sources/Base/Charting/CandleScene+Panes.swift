import Texts

extension CandleScene {
    /// The bar the legends speak of.
    private var spoken: Int? { crosshair?.place ?? (range.isEmpty ? nil : range.upperBound - 1) }

    func volume(_ box: Rect, _ scene: inout Scene) {
        let averages = content.indicators.filter { $0.pane == .volume }
        var most = range.lazy.map { content.bars.volume[$0] }.filter { $0.isFinite }.max() ?? 0
        for line in averages.flatMap(\.lines) { most = max(most, range.lazy.map { line[$0] }.filter { $0.isFinite }.max() ?? 0) }
        let scale = Scale(0...max(most, 1e-9), top: box.y + ChartLayout.legend, bottom: box.maxY)
        let width = Viewport.body(viewport.slot)
        var boxes = InkedBoxes()
        if viewport.slot < MergedBars.widest {
            for column in MergedBars(content.bars, range, viewport).columns where column.volume > 0 {
                let top = min(scale.y(column.volume).rounded(), box.maxY - 1)
                let ink: Ink = column.close > column.open ? .upFill : column.close < column.open ? .downFill : .flat
                boxes.add(Rect(column.x, top, 1, box.maxY - top), ink)
            }
        }
        for place in range
        where viewport.slot >= MergedBars.widest && content.bars.volume[place].isFinite && content.bars.volume[place] > 0 {
            let top = min(scale.y(content.bars.volume[place]).rounded(), box.maxY - 1)
            let column = Rect(viewport.x(place).rounded(.down) - (width - 1) / 2, top, width, box.maxY - top)
            let ink: Ink = isRise(place).map { $0 ? .upFill : .downFill } ?? .flat
            boxes.add(column, ink)
        }
        var marks = boxes.marks(opacity: 0.6)
        for (number, indicator) in averages.enumerated() {
            for (output, line) in zip(indicator.outputs, indicator.lines) { plot(line, output, .series(number), scale, &marks) }
        }
        scene.marks.append(.clipped(box, marks))
        if most > 0 { axisText(content.short(most), box.y + ChartLayout.legend, &scene) }
        var parts = [(content.volumeTitle + " " + (spoken.map { content.short(content.bars.volume[$0]) } ?? "—"), Ink.softText)]
        for (number, indicator) in averages.enumerated() {
            parts.append((indicator.title + " " + (spoken.map { content.short(indicator.lines[0][$0]) } ?? "—"), .series(number)))
        }
        write(parts, box.y, &scene)
    }

    func pane(_ indicator: ChartIndicator, _ box: Rect, _ scene: inout Scene) {
        var low = Double.infinity
        var high = -Double.infinity
        for (output, line) in zip(indicator.outputs, indicator.lines) {
            for place in seen(output) {
                let value = value(line, output, place)
                guard value.isFinite else { continue }
                low = min(low, value)
                high = max(high, value)
            }
            // Columns stand on zero.
            if output.style == .columns, low <= high { (low, high) = (min(low, 0), max(high, 0)) }
        }
        let known = low <= high
        let scale = Scale(known ? low...high : nil, top: box.y + ChartLayout.legend, bottom: box.maxY - 3, margin: 0.04)
        let decimals = decimals(scale)
        if known {
            for value in scale.ticks(rows: 3, decimals: 6)
            where scale.y(value) > box.y + ChartLayout.legend - 2 && scale.y(value) < box.maxY - 6 {
                let y = crisp(scale.y(value))
                scene.marks.append(.line(Point(0, y), Point(layout.plotWidth, y), Stroke(.line)))
                axisText(number(value, decimals), y, &scene)
            }
        }
        var marks: [Mark] = []
        // Columns first, so that lines stay seen.
        for isColumn in [true, false] {
            for (place, (output, line)) in zip(indicator.outputs, indicator.lines).enumerated() where (output.style == .columns) == isColumn
            {
                plot(line, output, .series(place), scale, &marks)
            }
        }
        scene.marks.append(.clipped(box, marks))
        var parts: [(String, Ink)] = indicator.outputs.count > 1 ? [(indicator.title, .softText)] : []
        for (place, (output, line)) in zip(indicator.outputs, indicator.lines).enumerated() {
            let value = spoken.map { self.value(line, output, $0) } ?? .nan
            let name = indicator.outputs.count > 1 ? output.name : indicator.title
            var ink = Ink.series(place)
            if output.style == .columns { ink = value > 0 ? .up : value < 0 ? .down : .flat }
            parts.append((name + " " + (value.isFinite ? number(value, decimals) : "—"), ink))
        }
        write(parts, box.y, &scene)
    }

    /// Enough to tell the rows of the pane apart.
    private func decimals(_ scale: Scale) -> Int {
        let span = scale.highest - scale.lowest
        return span >= 1_000 ? 0 : span >= 10 ? 2 : span >= 0.1 ? 3 : 5
    }

    private func number(_ value: Double, _ decimals: Int) -> String {
        abs(value) >= 1_000_000 ? content.short(value) : ChartContent.text(value, decimals)
    }

    func legend(_ scene: inout Scene) {
        var parts: [(String, Ink)] = []
        if let crosshair {
            let bar = content.bars[crosshair.place]
            let goesOn = crosshair.place > 0 && content.isJoined(crosshair.place - 1, crosshair.place)
            let before = goesOn ? content.bars.close[crosshair.place - 1] : bar.open
            let ink: Ink = bar.close > before ? .up : bar.close < before ? .down : .flat
            for (letter, value) in [("O", bar.open), ("H", bar.high), ("L", bar.low), ("C", bar.close)] {
                parts.append((letter + " " + content.price(value), ink))
            }
            if before > 0 { parts.append((ChartContent.text((bar.close / before - 1) * 100, 2, sign: .always) + "%", ink)) }
        }
        var series = 0
        for indicator in content.indicators where indicator.pane == .price {
            if indicator.outputs.count > 1 { parts.append((indicator.title, .softText)) }
            let lagging = indicator.lagging.map { [($0, content.bars.close)] } ?? []
            for (output, line) in Array(zip(indicator.outputs, indicator.lines)) + lagging {
                defer { series += 1 }
                guard output.style != .counts else { continue }
                let value = spoken.map { self.value(line, output, $0) } ?? .nan
                let name = indicator.outputs.count > 1 ? output.name : indicator.title
                parts.append(
                    (name + " " + (value.isFinite ? content.price(value) : "—"), output.style == .dots ? .softText : .series(series)))
            }
        }
        write(parts, layout.panes[0].box.y, &scene)
    }

    private func write(_ parts: [(String, Ink)], _ top: Double, _ scene: inout Scene) {
        scene.marks += SceneParts.row(parts, x: 5, top: top, end: layout.plotWidth, texts)
    }

    func crosshairLines(_ scale: Scale, _ scene: inout Scene) {
        guard let crosshair else { return }
        let x = crisp(viewport.x(crosshair.place))
        let stroke = Stroke(.softText, dash: [3, 3])
        scene.marks.append(.line(Point(x, 0), Point(x, layout.axisTop), stroke))
        let text = TimeAxis.whole(content.times[crosshair.place])
        let style = TextStyle(.onInk, isBold: true, anchor: .middle)
        let width = texts.width(text, style) + 12
        let left = min(max(x - width / 2, 0), layout.plotWidth - width)
        scene.marks.append(.box(Rect(left, layout.axisTop + 1, width, 18), fill: .ink, stroke: nil, radius: 3))
        scene.marks.append(.text(text, Point(left + width / 2, layout.axisTop + 14), style))
        guard let y = crosshair.y, layout.panes[0].box.holds(y: y) else { return }
        scene.marks.append(.line(Point(0, crisp(y)), Point(layout.plotWidth, crisp(y)), stroke))
        let box = Rect(layout.plotWidth + 2, y - 9, layout.axisWidth - 4, 18)
        scene.marks.append(.box(box, fill: .ink, stroke: nil, radius: 3))
        scene.marks.append(.text(content.price(scale.value(y: y)), Point(box.x + box.width / 2, y + 4), style))
    }
}
