import Texts

/// Builds the scene of a chart of bars: what is in view only (G-4, G-5).
public struct CandleScene {
    let content: ChartContent
    let viewport: Viewport
    let layout: ChartLayout
    let range: Range<Int>
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
        viewport.resize(width: layout.plotWidth, count: content.bars.count)
        self.viewport = viewport
        range = viewport.range(count: content.bars.count)
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
                for place in range { take(value(line, output, place)) }
            }
        }
        let pane = layout.panes[0].box
        return Scale(
            low <= high ? low...high : nil, top: pane.y + ChartLayout.legend, bottom: pane.maxY - 6,
            kind: content.isLogarithmic ? .logarithmic : .linear, margin: 0.05)
    }

    /// A line's value at a bar, moved as its output says.
    func value(_ line: [Double], _ output: Indicator.Output, _ place: Int) -> Double {
        let from = place - output.shift
        return line.indices.contains(from) ? line[from] : .nan
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
        var inside: [Mark] = []
        candles(scale, &inside)
        overlays(scale, &inside)
        extremes(scale, &inside)
        ownTrades(scale, &inside)
        scene.marks.append(.clipped(layout.panes[0].box, inside))
        orderLines(scale, &scene)
        for pane in layout.panes.dropFirst() {
            switch pane.kind {
            case .price: break
            case .volume: volume(pane.box, &scene)
            case .indicators(let places): for place in places { self.pane(content.indicators[place], pane.box, &scene) }
            }
        }
        legend(&scene)
        crosshairLines(scale, &scene)
        for tag in tags { draw(tag, &scene) }
        return scene
    }

    /// In the middle of a pixel, where a line of one pixel is sharp.
    func crisp(_ value: Double) -> Double { value.rounded(.down) + 0.5 }

    /// What the chart is of; how the last price stands against the close before it.
    private func header(_ scene: inout Scene) {
        guard !content.title.isEmpty else { return }
        let title = TextStyle(.text, size: 14, isBold: true)
        var x = 8.0
        scene.marks.append(.text(content.title, Point(x, 18), title))
        x += texts.width(content.title, title) + 14
        if let last = content.lastPrice, let before = content.previousClose {
            let change = ChartContent.text(last - before, content.decimals, sign: .always)
            let percent = before > 0 ? "  " + ChartContent.text((last / before - 1) * 100, 2, sign: .always) + "%" : ""
            let style = TextStyle(last > before ? .up : last < before ? .down : .flat, size: 13, isBold: true)
            let text = content.price(last) + "  " + change + percent
            scene.marks.append(.text(text, Point(x, 18), style))
            x += texts.width(text, style) + 14
        }
        let soft = TextStyle(.softText, size: 12)
        if x + texts.width(content.subtitle, soft) < size.width - 8 { scene.marks.append(.text(content.subtitle, Point(x, 18), soft)) }
    }

    // MARK: Axes

    struct Tag: Hashable {
        var y: Double
        var text: String
        var second: String?
        var fill: Ink
        var ink: Ink
        var height: Double { second == nil ? 18 : 32 }
    }

    /// The last price where it is, the others moved away from it so that none covers another.
    private func axisTags(_ scale: Scale) -> [Tag] {
        let pane = layout.panes[0].box
        func fits(_ price: Double) -> Bool { (pane.y...pane.maxY).contains(scale.y(price)) }
        var tags: [Tag] = []
        var last: Tag?
        if let price = content.lastPrice, fits(price) {
            let before = content.previousClose ?? content.bars.open.last ?? price
            let fill: Ink = price > before ? .upFill : price < before ? .downFill : .ink
            last = Tag(
                y: scale.y(price), text: content.price(price), second: content.countdown, fill: fill, ink: fill == .ink ? .onInk : .onFill)
        }
        let orders = content.orderLines.filter { fits($0.price) }.map {
            Tag(y: scale.y($0.price), text: content.price($0.price), second: nil, fill: .mine, ink: .onMine)
        }
        let middle = last?.y ?? pane.y
        if let last { tags.append(last) }
        var edge = middle - (last.map { $0.height / 2 } ?? 0)
        for var tag in orders.filter({ $0.y <= middle && last != nil }).sorted(by: { $0.y > $1.y }) {
            tag.y = min(tag.y, edge - 1 - tag.height / 2)
            edge = tag.y - tag.height / 2
            tags.append(tag)
        }
        edge = middle + (last.map { $0.height / 2 } ?? 0)
        for var tag in orders.filter({ $0.y > middle || last == nil }).sorted(by: { $0.y < $1.y }) {
            tag.y = max(tag.y, edge + 1 + tag.height / 2)
            edge = tag.y + tag.height / 2
            tags.append(tag)
        }
        return tags
    }

    private func draw(_ tag: Tag, _ scene: inout Scene) {
        let box = Rect(layout.plotWidth + 2, (tag.y - tag.height / 2).rounded(), layout.axisWidth - 4, tag.height)
        scene.marks.append(.box(box, fill: tag.fill, stroke: nil, radius: 3))
        let right = layout.plotWidth + layout.axisWidth / 2
        scene.marks.append(.text(tag.text, Point(right, box.y + 13), TextStyle(tag.ink, isBold: true, anchor: .middle)))
        if let second = tag.second {
            scene.marks.append(.text(second, Point(right, box.y + 26), TextStyle(tag.ink, size: 10, anchor: .middle)))
        }
    }

    private func priceGrid(_ scale: Scale, _ tags: [Tag], _ scene: inout Scene) {
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
        let y = layout.axisTop
        scene.marks.append(.line(Point(0, crisp(y)), Point(size.width, crisp(y)), Stroke(.line)))
        var free = 0.0
        for turn in TimeAxis.turns(content.times, range, slot: viewport.slot, language: content.language) {
            let x = crisp(viewport.x(turn.place))
            scene.marks.append(.line(Point(x, layout.panes[0].box.y), Point(x, y), Stroke(.line)))
            let style = TextStyle(.faintText, anchor: .middle)
            let half = texts.width(turn.text, style) / 2
            guard x - half >= free, x + half <= layout.plotWidth else { continue }
            free = x + half + 8
            scene.marks.append(.text(turn.text, Point(x, y + 14), style))
        }
    }

    // MARK: Bars

    func isRise(_ place: Int) -> Bool? {
        let (open, close) = (content.bars.open[place], content.bars.close[place])
        if close != open { return close > open }
        // A flat body has the colour of its change against the bar before.
        guard place > 0 else { return nil }
        let before = content.bars.close[place - 1]
        return close == before || before.isNaN ? nil : close > before
    }

    private func fill(_ place: Int) -> Ink { isRise(place).map { $0 ? .upFill : .downFill } ?? .flat }

    private func candles(_ scale: Scale, _ marks: inout [Mark]) {
        let body = Viewport.body(viewport.slot)
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
                if wickTop < top { marks.append(.box(Rect(x, wickTop, 1, top - wickTop), fill: ink, stroke: nil)) }
                if wickBottom > bottom { marks.append(.box(Rect(x, bottom, 1, wickBottom - bottom), fill: ink, stroke: nil)) }
                let inner = Rect(x - (body - 1) / 2 + 0.5, top + 0.5, body - 1, max(bottom - top - 1, 0))
                marks.append(.box(inner, fill: nil, stroke: Stroke(ink)))
            } else {
                marks.append(.box(Rect(x, wickTop, 1, wickBottom - wickTop), fill: ink, stroke: nil))
                if body > 1 { marks.append(.box(Rect(x - (body - 1) / 2, top, body, bottom - top), fill: ink, stroke: nil)) }
            }
        }
    }

    private func overlays(_ scale: Scale, _ marks: inout [Mark]) {
        var series = 0
        for indicator in content.indicators where indicator.pane == .price {
            for (output, line) in zip(indicator.outputs, indicator.lines) {
                plot(line, output, .series(series), scale, &marks)
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
                if points.count > 1 { marks.append(.polyline(points, Stroke(ink, width: 1.25))) }
                points = []
            }
            for place in max(0, range.lowerBound - 1)..<min(range.upperBound + 1, content.bars.count) {
                let value = value(line, output, place)
                if value.isFinite { points.append(Point(viewport.x(place), scale.y(value))) } else { end() }
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
            let zero = scale.y(0)
            let width = Viewport.body(viewport.slot)
            for place in range {
                let value = value(line, output, place)
                guard value.isFinite else { continue }
                let y = scale.y(value)
                let box = Rect(viewport.x(place).rounded(.down) - (width - 1) / 2, min(y, zero), width, max(abs(y - zero), 1))
                marks.append(.box(box, fill: value >= 0 ? .upFill : .downFill, stroke: nil, opacity: 0.75))
            }
        case .counts:
            let isSell = output.name.hasPrefix("SELL")
            // Two rows a side: setups next to the bar, countdowns beyond.
            let distance = output.name.hasSuffix("COUNTDOWN") ? 14.0 : 4.0
            guard viewport.slot >= 6 else { return }
            for place in range where line[place].isFinite {
                let y = isSell ? scale.y(content.bars.high[place]) - distance : scale.y(content.bars.low[place]) + distance + 7
                let style = TextStyle(isSell ? .down : .up, size: 9, isBold: line[place] == 9 || line[place] == 13, anchor: .middle)
                marks.append(.text("\(Int(line[place]))", Point(viewport.x(place), y), style))
            }
        }
    }

    /// Highest and lowest in view, each with a short line to its value.
    private func extremes(_ scale: Scale, _ marks: inout [Mark]) {
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
            marks.append(.text(content.price(value), Point(goesLeft ? end - 3 : end + 3, y + 4), style))
        }
    }

    private func ownTrades(_ scale: Scale, _ marks: inout [Mark]) {
        for (place, trades) in Dictionary(grouping: content.trades, by: \.place).sorted(by: { $0.key < $1.key }) where range.contains(place)
        {
            for isBuy in [true, false] {
                let count = trades.count { $0.isBuy == isBuy }
                guard count > 0 else { continue }
                flag(place, isBuy, count > 1 ? "\(count)" : isBuy ? "B" : "S", scale, &marks)
            }
        }
    }

    /// A flag of 14 × 19 that points at its bar; on the other side of the bar where the pane ends.
    private func flag(_ place: Int, _ isBuy: Bool, _ letter: String, _ scale: Scale, _ marks: inout [Mark]) {
        let x = viewport.x(place)
        let pane = layout.panes[0].box
        let (low, high) = (scale.y(content.bars.low[place]) + 3, scale.y(content.bars.high[place]) - 3)
        let isBelow = isBuy ? low + 19 <= pane.maxY : high - 19 < pane.y + ChartLayout.legend
        let tip = isBelow ? low : high
        let way: Double = isBelow ? 1 : -1
        let shape = [
            Point(x, tip), Point(x + 7, tip + 5 * way), Point(x + 7, tip + 19 * way), Point(x - 7, tip + 19 * way),
            Point(x - 7, tip + 5 * way),
        ]
        marks.append(.polygon(shape, .mine))
        marks.append(.text(letter, Point(x, tip + 12 * way + 4), TextStyle(.onMine, size: 10, isBold: true, anchor: .middle)))
    }

    private func orderLines(_ scale: Scale, _ scene: inout Scene) {
        let pane = layout.panes[0].box
        if let price = content.lastPrice, (pane.y...pane.maxY).contains(scale.y(price)) {
            let before = content.previousClose ?? content.bars.open.last ?? price
            let y = crisp(scale.y(price))
            let ink: Ink = price > before ? .up : price < before ? .down : .flat
            scene.marks.append(.line(Point(0, y), Point(layout.plotWidth, y), Stroke(ink, dash: [2, 2])))
        }
        var taken: [(y: Double, right: Double)] = []
        for line in content.orderLines.sorted(by: { $0.price > $1.price }) {
            let y = crisp(scale.y(line.price))
            guard (pane.y + ChartLayout.legend...pane.maxY).contains(y) else { continue }
            scene.marks.append(
                .line(Point(0, y), Point(layout.plotWidth, y), Stroke(.mine, dash: line.kind == .working ? [6, 4] : [2, 3])))
            let width = texts.width(line.label, TextStyle(.mine, isBold: true)) + 14
            let left = taken.filter { abs($0.y - y) < 20 }.map { $0.right + 4 }.max() ?? 10
            taken.append((y, left + width))
            scene.marks.append(.box(Rect(left, y - 9, width, 18), fill: .mineTint, stroke: Stroke(.mine), radius: 4))
            scene.marks.append(.text(line.label, Point(left + 7, y + 4), TextStyle(.mine, isBold: true)))
        }
    }
}
