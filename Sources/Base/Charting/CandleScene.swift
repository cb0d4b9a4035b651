import Texts

/// Builds the scene of a chart of bars: what is in view only (G-4, G-5).
public struct CandleScene {
    let content: ChartContent
    let viewport: Viewport
    let layout: ChartLayout
    let range: Range<Int>
    /// Of the bars in view that are still to come and have something drawn.
    let coming: [ChartTime]
    let size: Size
    let texts: TextMeasure
    /// The bar and the height the pointer is at.
    let crosshair: (place: Int, y: Double?)?

    public init(
        _ content: ChartContent, _ viewport: Viewport, size: Size, crosshair: (place: Int, y: Double?)? = nil, texts: TextMeasure = .guess
    ) {
        self.content = content
        self.size = size
        self.texts = texts
        layout = ChartLayout(size, content, texts)
        var viewport = viewport
        let count = content.bars.count
        let ahead = content.ahead
        viewport.keep(ahead: ahead, count: count)
        viewport.resize(width: layout.plotWidth, count: count)
        self.viewport = viewport
        range = viewport.range(count: count)
        coming = ahead > 0 ? Self.coming(content, count..<max(count, viewport.range(count: count + ahead).upperBound)) : []
        self.crosshair = crosshair.flatMap { content.bars.count > $0.place && $0.place >= 0 ? $0 : nil }
    }

    /// Of the price pane.
    var priceScale: Scale {
        var low = Double.infinity
        var high = -Double.infinity
        func take(_ value: Double) {
            guard value.isFinite else { return }
            low = min(low, value)
            high = max(high, value)
        }
        for place in range {
            take(content.bars.low[place])
            take(content.bars.high[place])
        }
        for indicator in content.indicators where indicator.pane == .price {
            for (output, line) in zip(indicator.outputs, indicator.lines) where output.style != .counts {
                for place in seen(output) { take(value(line, output, place)) }
            }
            if let lagging = indicator.lagging { for place in range { take(value(content.bars.close, lagging, place)) } }
        }
        let pane = layout.panes[0].box
        return Scale(
            low <= high ? low...high : nil, top: pane.y + ChartLayout.legend, bottom: pane.maxY - 6,
            kind: content.isLogarithmic ? .logarithmic : .linear, margin: 0.05)
    }

    /// Whether the axis is logarithmic: asked for, and no price in view is zero or below.
    public var isLogarithmic: Bool { priceScale.kind == .logarithmic }

    /// A line's value at a bar, moved as its output says.
    func value(_ line: [Double], _ output: Indicator.Output, _ place: Int) -> Double {
        let from = place - output.shift
        return line.indices.contains(from) && content.isJoined(from, place) ? line[from] : .nan
    }

    public func scene() -> Scene {
        var scene = Scene(size: size)
        let scale = priceScale
        let tags = axisTags(scale)
        for pane in layout.panes where pane.box.y > 0 {
            scene.marks.append(.line(Point(0, crisp(pane.box.y)), Point(size.width, crisp(pane.box.y)), Stroke(.line)))
        }
        header(&scene)
        timeAxis(&scene)
        priceGrid(scale, tags, &scene)
        let price = priceMarks(scale)
        scene.marks += price.joins
        scene.marks.append(.clipped(layout.panes[0].box, price.inside))
        scene.marks += price.orders
        scene.marks.append(.clipped(layout.panes[0].box, price.labels))
        for pane in layout.panes.dropFirst() {
            switch pane.kind {
            case .price: break
            case .volume: volume(pane.box, &scene)
            case .indicators(let places): for place in places { self.pane(content.indicators[place], pane.box, &scene) }
            }
        }
        chips(scale, &scene)
        legend(&scene)
        crosshairLines(scale, &scene)
        for tag in tags { draw(tag, &scene) }
        return scene
    }

    /// What is on the price pane, in the order of drawing: labels lie over the lines, which may be at the same price.
    func priceMarks(
        _ scale: Scale
    ) -> (joins: [Mark], inside: [Mark], orders: [Mark], labels: [Mark], shapes: [(drawing: Drawing, shape: DrawingShape)]) {
        var (joins, inside, labels): ([Mark], [Mark], [Mark]) = ([], [], [])
        self.joins(scale, &joins)
        clouds(scale, &inside)
        candles(scale, &inside)
        overlays(scale, &inside)
        var shapes = shapes(scale)
        for (drawing, shape) in shapes { inside += shape.marks(drawing.style) }
        for (drawing, shape) in shapes where drawing.id == content.selectedDrawing { inside += shape.handleMarks(drawing.style) }
        ownTrades(scale, &inside)
        let orders = orderLines(scale)
        extremes(scale, beside: (inside + orders).straightLines, &labels)
        if shapes.contains(where: { !$0.shape.labels.isEmpty }) {
            var space = LabelSpace(joins + inside + orders + labels, in: layout.panes[0].box, texts)
            for place in shapes.indices {
                // One that is selected stands where it was put.
                space.place(&shapes[place].shape, stays: shapes[place].drawing.id == content.selectedDrawing)
                labels += shapes[place].shape.labelMarks
            }
        }
        return (joins, inside, orders, labels, shapes)
    }

    func crisp(_ value: Double) -> Double { SceneParts.crisp(value) }

    private func header(_ scene: inout Scene) {
        scene.marks += SceneParts.header(
            content.title, content.subtitle, last: content.lastPrice, before: content.previousClose, decimals: content.decimals,
            width: size.width, texts)
    }

    // MARK: Axes

    /// The last price where it is, the others moved away from it so that none covers another.
    private func axisTags(_ scale: Scale) -> [SceneParts.Tag] {
        let pane = layout.panes[0].box
        func fits(_ price: Double) -> Bool { pane.holds(y: scale.y(price)) }
        var last: SceneParts.Tag?
        if let price = content.lastPrice, fits(price) {
            let before = content.previousClose ?? content.bars.open.last ?? price
            let fill: Ink = price > before ? .upFill : price < before ? .downFill : .ink
            last = SceneParts.Tag(
                y: scale.y(price), text: content.price(price), second: content.countdown, fill: fill, ink: fill == .ink ? .onInk : .onFill)
        }
        let orders = content.orderLines.filter { fits($0.price) }.map {
            SceneParts.Tag(y: scale.y($0.price), text: content.price($0.price), fill: .mine, ink: .onMine)
        }
        return SceneParts.spread(last, orders)
    }

    private func draw(_ tag: SceneParts.Tag, _ scene: inout Scene) {
        if let leader = tag.leader(at: layout.plotWidth, to: 1) { scene.marks.append(leader) }
        let box = Rect(layout.plotWidth + 2, (tag.y - tag.height / 2).rounded(), layout.axisWidth - 4, tag.height)
        scene.marks += SceneParts.tag(tag.text, second: tag.second, box, fill: tag.fill, ink: tag.ink)
    }

    private func priceGrid(_ scale: Scale, _ tags: [SceneParts.Tag], _ scene: inout Scene) {
        for value in scale.ticks(rows: size.width < 520 ? 4 : 6, decimals: content.decimals) {
            let y = crisp(scale.y(value))
            guard y > layout.panes[0].box.y + ChartLayout.legend, y < layout.panes[0].box.maxY - 4 else { continue }
            scene.marks.append(.line(Point(0, y), Point(layout.plotWidth, y), Stroke(.line)))
            let isFree = tags.allSatisfy { abs($0.y - y) > 16 + ($0.height - 18) / 2 }
            if isFree { axisText(content.price(value), y, &scene) }
        }
    }

    func axisText(_ text: String, _ y: Double, _ scene: inout Scene) {
        scene.marks.append(.text(text, Point(layout.plotWidth + layout.axisWidth / 2, y + 4), TextStyle(.faintText, anchor: .middle)))
    }

    private func timeAxis(_ scene: inout Scene) {
        let top = layout.panes[0].box.y
        let seen = range.lowerBound..<range.upperBound + coming.count
        scene.marks += SceneParts.timeAxis(
            TimeAxis.turns(content.times, coming: coming, seen, slot: viewport.slot, language: content.language), viewport,
            plot: Rect(0, top, layout.plotWidth, layout.axisTop - top), width: size.width, isOne: seen.count == 1, texts)
    }

    /// Prices do not join there: a dashed line with the name of what begins.
    private func joins(_ scale: Scale, _ marks: inout [Mark]) {
        for join in content.joins where range.contains(join.place) && join.place > range.lowerBound {
            let x = crisp(viewport.x(join.place) - viewport.slot / 2)
            let pane = layout.panes[0].box
            marks.append(.line(Point(x, pane.y), Point(x, layout.axisTop), Stroke(.faintText, dash: [4, 4])))
            let style = TextStyle(.softText, size: 10, hasHalo: true)
            let width = texts.width(join.label, style)
            let start = x + 5 + width <= layout.plotWidth ? x + 5 : max(x - 5 - width, 2)
            // Above, where the highest bar with its price is not close by.
            let near = range.filter { abs(viewport.x($0) - x) < width + 80 && content.bars.high[$0].isFinite }
            let highest = near.map { scale.y(content.bars.high[$0]) }.min() ?? pane.maxY
            let y = highest > pane.y + ChartLayout.legend + 24 ? pane.y + ChartLayout.legend + 12 : pane.maxY - 7
            marks.append(.text(join.label, Point(start, y), style))
        }
    }

    // MARK: Bars

    func isRise(_ place: Int) -> Bool? {
        let (open, close) = (content.bars.open[place], content.bars.close[place])
        if close != open { return close > open }
        // A flat body has the colour of its change against the bar before.
        guard place > 0, content.isJoined(place - 1, place) else { return nil }
        let before = content.bars.close[place - 1]
        return close == before || before.isNaN ? nil : close > before
    }

    private func fill(_ place: Int) -> Ink { isRise(place).map { $0 ? .upFill : .downFill } ?? .flat }

    private func candles(_ scale: Scale, _ marks: inout [Mark]) {
        guard viewport.slot >= MergedBars.widest else { return merged(scale, &marks) }
        let body = Viewport.body(viewport.slot)
        var boxes = InkedBoxes()
        for place in range {
            let (open, high, low, close) = (
                content.bars.open[place], content.bars.high[place], content.bars.low[place], content.bars.close[place]
            )
            guard open.isFinite, high.isFinite, low.isFinite, close.isFinite, low <= high else { continue }
            let x = viewport.x(place).rounded(.down)
            let ink = fill(place)
            let top = scale.y(max(open, close)).rounded()
            let bottom = max(scale.y(min(open, close)).rounded(), top + 1)
            let isHollow = content.hollowRises && isRise(place) == true && body >= 3
            let (wickTop, wickBottom) = (scale.y(high).rounded(), max(scale.y(low).rounded(), scale.y(high).rounded() + 1))
            if isHollow {
                if wickTop < top { boxes.add(Rect(x, wickTop, 1, top - wickTop), ink) }
                if wickBottom > bottom { boxes.add(Rect(x, bottom, 1, wickBottom - bottom), ink) }
                boxes.addFrame(Rect(x - (body - 1) / 2, top, body, bottom - top), ink)
            } else {
                boxes.add(Rect(x, wickTop, 1, wickBottom - wickTop), ink)
                if body > 1 { boxes.add(Rect(x - (body - 1) / 2, top, body, bottom - top), ink) }
            }
        }
        marks += boxes.marks()
    }

    private func merged(_ scale: Scale, _ marks: inout [Mark]) {
        var boxes = InkedBoxes()
        for column in MergedBars(content.bars, range, viewport).columns {
            let (top, bottom) = (scale.y(column.high).rounded(), scale.y(column.low).rounded())
            let ink: Ink = column.close > column.open ? .upFill : column.close < column.open ? .downFill : .flat
            boxes.add(Rect(column.x, top, 1, max(bottom - top, 1)), ink)
        }
        marks += boxes.marks()
    }

    private func overlays(_ scale: Scale, _ marks: inout [Mark]) {
        // Numbers last, so that no line goes through them.
        for isCount in [false, true] {
            var series = 0
            for indicator in content.indicators where indicator.pane == .price {
                for (output, line) in zip(indicator.outputs, indicator.lines) {
                    if (output.style == .counts) == isCount { plot(line, output, .series(series), scale, &marks) }
                    series += 1
                }
                guard let lagging = indicator.lagging else { continue }
                if !isCount { plot(content.bars.close, lagging, .series(series), scale, &marks) }
                series += 1
            }
        }
    }

    /// Lines are broken where a value is missing.
    func plot(_ line: [Double], _ output: Indicator.Output, _ ink: Ink, _ scale: Scale, _ marks: inout [Mark]) {
        switch output.style {
        case .line:
            var points: [Point] = []
            func end() {
                marks += Clip.polyline(points).map { .polyline($0, Stroke(ink, width: 1.25)) }
                points = []
            }
            let seen = seen(output)
            for place in max(0, seen.lowerBound - 1)..<min(seen.upperBound + 1, content.bars.count + max(output.shift, 0)) {
                let value = value(line, output, place)
                if !points.isEmpty, !content.isJoined(place - 1, place) { end() }
                let y = scale.y(value)
                if value.isFinite, !y.isNaN { points.append(Point(viewport.x(place), y)) } else { end() }
            }
            end()
        case .dots:
            for place in range {
                let value = value(line, output, place)
                if value.isFinite {
                    let ink: Ink = value < content.bars.close[place] ? .upFill : .downFill
                    marks.append(.circle(Point(viewport.x(place), scale.y(value)), radius: min(1.75, viewport.slot / 4 + 0.5), ink))
                }
            }
        case .columns:
            // On whole pixels, where an edge is sharp.
            let zero = scale.y(0).rounded()
            let width = Viewport.body(viewport.slot)
            var boxes = InkedBoxes()
            for place in range {
                let value = value(line, output, place)
                guard value.isFinite else { continue }
                let y = scale.y(value).rounded()
                let top = value >= 0 ? min(y, zero - 1) : zero
                let box = Rect(viewport.x(place).rounded(.down) - (width - 1) / 2, top, width, max(abs(y - zero), 1))
                boxes.add(box, value >= 0 ? .upFill : .downFill)
            }
            marks += boxes.marks(opacity: 0.75)
        case .counts:
            counts(line, output, scale, &marks)
        }
    }

    /// Highest and lowest in view, each with a short line to its value, which is over or under that where another line goes through it.
    func extremes(_ scale: Scale, beside lines: [(from: Point, to: Point)] = [], _ marks: inout [Mark]) {
        let pane = layout.panes[0].box
        let seen = range.filter { content.bars.high[$0].isFinite && content.bars.low[$0].isFinite }
        guard let high = seen.max(by: { content.bars.high[$0] < content.bars.high[$1] }),
            let low = seen.min(by: { content.bars.low[$0] < content.bars.low[$1] }), seen.count > 4
        else { return }
        for (place, value) in [(high, content.bars.high[high]), (low, content.bars.low[low])] {
            let x = viewport.x(place)
            let y = crisp(scale.y(value)) + (place == high ? -1 : 1)
            let goesLeft = x > layout.plotWidth / 2
            let end = goesLeft ? x - 14 : x + 14
            marks.append(.line(Point(x, y), Point(end, y), Stroke(.softText)))
            let style = TextStyle(.softText, anchor: goesLeft ? .end : .start, hasHalo: true)
            let width = texts.width(content.price(value), style)
            let rows = [y + 4] + (place == high ? [y - 3, y + 12] : [y + 12, y - 3])
            let row = rows.first { row in
                let box = Rect(goesLeft ? end - 3 - width : end + 3, row - style.size * 0.85, width, style.size)
                return box.y >= pane.y + ChartLayout.legend && box.maxY <= pane.maxY
                    && lines.allSatisfy { Clip.line($0.from, $0.to, in: box) == nil }
            }
            marks.append(.text(content.price(value), Point(goesLeft ? end - 3 : end + 3, row ?? y + 4), style))
        }
    }

    private func ownTrades(_ scale: Scale, _ marks: inout [Mark]) {
        for (place, trades) in Dictionary(grouping: content.trades, by: \.place).sorted(by: { $0.key < $1.key }) where range.contains(place)
        {
            for isBuy in [true, false] {
                let count = trades.count { $0.isBuy == isBuy }
                guard count > 0 else { continue }
                marks += SceneParts.flag(
                    x: viewport.x(place), low: scale.y(content.bars.low[place]), high: scale.y(content.bars.high[place]), isBuy: isBuy,
                    count > 1 ? "\(count)" : isBuy ? "B" : "S", layout.panes[0].box)
            }
        }
    }

    private func orderLines(_ scale: Scale) -> [Mark] {
        var marks: [Mark] = []
        let pane = layout.panes[0].box
        if let price = content.lastPrice, pane.holds(y: scale.y(price)) {
            let before = content.previousClose ?? content.bars.open.last ?? price
            let y = crisp(scale.y(price))
            let ink: Ink = price > before ? .up : price < before ? .down : .flat
            marks.append(.line(Point(0, y), Point(layout.plotWidth, y), Stroke(ink, dash: [2, 2])))
        }
        return marks + SceneParts.orderLines(content.orderLines, scale, pane, decimals: content.decimals, texts)
    }
}
