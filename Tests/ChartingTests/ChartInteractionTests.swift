import Streams
import Exact
import Testing
import Texts

@testable import Charting

private let size = Size(width: 900, height: 600)

private func bar(_ random: inout SeededRandom, after close: Double) -> BarColumns.Bar {
    let next = max(1, close + (random.unit() - 0.5) * 4)
    return .init(
        open: close, high: max(close, next) + random.unit(), low: min(close, next) - random.unit() * 0.5, close: next,
        volume: Double(random.next() % 1_000))
}

/// Weekdays, of which some are known at first: older ones come by request, newer ones are pushed.
struct Market {
    var random: SeededRandom
    var times = weekdayTimes(3_000)
    var bars = BarColumns()
    var oldest: Int
    var newest: Int

    init(_ seed: UInt64, known: Range<Int>) {
        random = SeededRandom(seed: seed)
        for _ in 0..<3_000 { bars.append(bar(&random, after: bars.close.last ?? 100)) }
        (oldest, newest) = (known.lowerBound, known.upperBound)
    }

    var known: Range<Int> { oldest..<newest }

    func line(_ range: Range<Int>) -> [Double] { range.map { $0 < oldest + 4 ? .nan : (bars.close[$0] + bars.close[$0 - 4]) / 2 } }

    var content: ChartContent {
        var content = ChartContent(
            bars: BarColumns(known.map { bars[$0] }), times: Array(times[known]), decimals: 2, volumeTitle: "VOL", language: .english)
        content.title = "700.HK"
        content.lastPrice = content.bars.close.last
        content.indicators = [
            ChartIndicator(
                title: "M", outputs: [.init(name: "M", style: .line, shift: 0)], pane: .price, lines: [line(known)])
        ]
        return content
    }

    mutating func replace() -> ChartPush {
        let place = newest - 1
        bars[place] = bar(&random, after: bars.close[max(place - 1, 0)])
        return .replaced(bars[place], values: [[(bars.close[place] + bars.close[place - 4]) / 2]])
    }

    mutating func append() -> ChartPush {
        newest += 1
        let place = newest - 1
        return .appended(bars[place], times[place], values: [[(bars.close[place] + bars.close[place - 4]) / 2]])
    }

    mutating func prepend(_ count: Int) -> ChartPush {
        let added = max(oldest - count, 0)..<oldest
        oldest = added.lowerBound
        return .prepended(BarColumns(added.map { bars[$0] }), Array(times[added]), lines: [[line(known)]])
    }
}

private func chart(_ market: Market) -> ChartInteraction {
    ChartInteraction(market.content, size: size) { try? $0.rounded(toTick: price("0.5"), rounding: .halfUp) }
}

extension ChartInteraction {
    fileprivate func bar(at x: Double) -> Double { viewport.first + x / viewport.slot }
    /// First bars that a view can have.
    fileprivate var firsts: ClosedRange<Double> {
        let end = Double(content.bars.count) + 2 - viewport.width / viewport.slot
        return min(0, end)...end
    }
    fileprivate var scale: Scale { CandleScene(content, viewport, size: size).priceScale }
}

struct ChartInteractionTests {
    // G-4: nothing jumps under the finger, and nothing that was pushed is lost.
    @Test(arguments: UInt64(0)..<50)
    func nothingJumpsUnderTheFinger(seed: UInt64) throws {
        var market = Market(seed, known: 1_000..<1_000 + 5 + Int(seed * 7 % 400))
        var chart = chart(market)
        var random = SeededRandom(seed: seed &+ 1_000)
        var held: (bar: Double, x: Double)?
        for _ in 0..<120 {
            let point = Point(random.unit() * chart.viewport.width, 60 + random.unit() * 200)
            let before = (first: chart.viewport.first, slot: chart.viewport.slot, scale: chart.scale, count: chart.content.bars.count)
            let follows = chart.viewport.followsEnd
            switch random.next() % 9 {
            case 0, 1:
                let pushes = [market.replace(), market.append(), market.replace()]
                for push in pushes { _ = chart.handle(.push(push)) }
                if held != nil {
                    #expect(chart.viewport.first == before.first && chart.scale == before.scale && chart.content.bars.count == before.count)
                } else if follows {
                    #expect(chart.viewport.range(count: chart.content.bars.count).upperBound == chart.content.bars.count)
                    #expect(chart.waiting.pushes.isEmpty)
                } else {
                    #expect(chart.viewport.first == before.first)
                }
            case 2:
                let time = chart.viewport.place(x: 300, count: before.count).map { chart.content.times[$0] }
                _ = chart.handle(.push(market.prepend(1 + Int(random.next() % 200))))
                // The same bars, wherever they are counted now.
                if let time, held == nil {
                    #expect(chart.viewport.place(x: 300, count: chart.content.bars.count).map { chart.content.times[$0] } == time)
                }
                if held != nil { #expect(chart.viewport.first == before.first && chart.content.bars.count == before.count) }
            case 3 where held == nil:
                _ = chart.handle(.pointerDown(point))
                held = (chart.bar(at: point.x), point.x)
                #expect(chart.viewport.first == before.first)
            case 4, 5:
                _ = chart.handle(.pointerMoved(point))
                guard let held else {
                    #expect(chart.viewport.first == before.first)
                    break
                }
                let wanted = held.bar - point.x / chart.viewport.slot
                let first = min(max(wanted, chart.firsts.lowerBound), chart.firsts.upperBound)
                #expect(abs(chart.viewport.first - first) < 1e-6 && chart.viewport.slot == before.slot)
            case 6 where held != nil:
                _ = chart.handle(.pointerUp(point))
                held = nil
            case 7:
                let bar = chart.bar(at: point.x)
                _ = chart.handle(.wheel(steps: Int(random.next() % 5) - 2, at: point))
                if held != nil { #expect(chart.viewport.first == before.first && chart.viewport.slot == before.slot) }
                let wanted = bar - point.x / chart.viewport.slot
                // Unless what waited came in with the end.
                if chart.content.bars.count == before.count, chart.firsts.contains(wanted) {
                    #expect(abs(chart.bar(at: point.x) - bar) < 1e-6)
                }
            default:
                _ = chart.handle(.key([.left(isFast: true), .right(isFast: true), .closer, .farther][Int(random.next() % 4)]))
                if held != nil { #expect(chart.viewport.first == before.first) }
            }
            if held == nil, chart.isEndInView { #expect(chart.waiting.pushes.isEmpty) }
        }
        _ = chart.handle(.pointerLost)
        _ = chart.handle(.key(.last))
        #expect(chart.content.bars == market.content.bars && chart.content.times == market.content.times)
        let line = try #require(chart.content.indicators.first?.lines.first)
        #expect(line.count == chart.content.bars.count)
        #expect(line.suffix(50).elementsEqual(market.content.indicators[0].lines[0].suffix(50)) { $0 == $1 || $0.isNaN && $1.isNaN })
    }

    // G-4: what is read of the past does not move, and history that was asked for comes in at once.
    @Test func historyIsReadInPeace() throws {
        var market = Market(1, known: 1_000..<1_400)
        var chart = chart(market)
        #expect(chart.handle(.key(.first)) == [.loadHistory])
        #expect(chart.handle(.key(.left(isFast: false))).isEmpty)
        let count = chart.content.bars.count
        for _ in 0..<3 { _ = chart.handle(.push(market.append())) }
        _ = chart.handle(.push(market.replace()))
        #expect(chart.content.bars.count == count && chart.waiting.pushes.count == 3)
        let first = chart.content.times[try #require(chart.viewport.place(x: 10, count: count))]
        #expect(chart.handle(.push(market.prepend(200))).isEmpty)
        #expect(chart.content.bars.count == count + 203)
        #expect(chart.content.times[try #require(chart.viewport.place(x: 10, count: count + 203))] == first)
        // There is no more.
        #expect(chart.handle(.key(.first)) == [.loadHistory])
        #expect(chart.handle(.push(.prepended(BarColumns(), [], lines: []))).isEmpty)
        #expect(chart.handle(.key(.first)).isEmpty)
        _ = chart.handle(.push(market.append()))
        #expect(chart.handle(.key(.last)).isEmpty && chart.content.bars == market.content.bars)
    }

    private func order(_ id: UInt64, _ price: Double) -> ChartOrderLine {
        var line = ChartOrderLine(price: price, label: "Buy 100", kind: .working)
        line.order = id
        return line
    }

    private func withOrders() throws -> (chart: ChartInteraction, x: Double, y: Double, pixel: Double) {
        var chart = chart(Market(2, known: 1_000..<1_400))
        let scale = chart.scale
        let middle = ((scale.lowest + scale.highest) / 2 * 2).rounded() / 2
        _ = chart.handle(.orderLines([order(7, middle), ChartOrderLine(price: middle + 1, label: "Cost", kind: .cost)]))
        return (chart, 400, scale.y(middle), (scale.highest - scale.lowest) / (scale.bottom - scale.top))
    }

    @Test func anOrderIsTakenToAnotherPrice() throws {  // G-5
        var (chart, x, y, pixel) = try withOrders()
        let was = chart.content.orderLines[0].price
        _ = chart.handle(.pointerDown(Point(x, y + 3)))
        _ = chart.handle(.pointerMoved(Point(x, y - 47)))
        let wanted = ((was + 50 * pixel) * 2).rounded() / 2
        #expect(chart.content.orderLines[0].price == wanted && chart.content.orderLines[0].isDragged)
        let effects = chart.handle(.pointerUp(Point(x, y - 47)))
        guard case .amend(7, let price)? = effects.first, effects.count == 1 else {
            Issue.record("\(effects)")
            return
        }
        #expect(Double(price.nanos) / 1e9 == wanted && price.nanos % 500_000_000 == 0)
        // It is the exchange that moves it.
        #expect(chart.content.orderLines[0].price == was && !chart.content.orderLines[0].isDragged)
    }

    @Test func anOrderStaysWhereItIsNotMeant() throws {  // G-5
        var (chart, x, y, _) = try withOrders()
        let lines = chart.content.orderLines
        // A trembling hand; back where it was; Escape; the pointer taken away; off the allowed prices.
        _ = chart.handle(.pointerDown(Point(x, y)))
        #expect(chart.handle(.pointerUp(Point(x + 1, y + 2))).isEmpty && chart.content.orderLines == lines)
        _ = chart.handle(.pointerDown(Point(x, y)))
        _ = chart.handle(.pointerMoved(Point(x, y - 40)))
        #expect(chart.handle(.pointerUp(Point(x, y))).isEmpty && chart.content.orderLines == lines)
        for end in [ChartInteraction.Event.key(.escape), .pointerLost, .choose(nil), .resized(Size(width: 800, height: 500))] {
            _ = chart.handle(.resized(size))
            _ = chart.handle(.pointerDown(Point(x, y)))
            _ = chart.handle(.pointerMoved(Point(x, y - 40)))
            #expect(chart.content.orderLines != lines)
            _ = chart.handle(end)
            #expect(chart.content.orderLines == lines)
            _ = chart.handle(.pointerMoved(Point(x, y - 60)))
            #expect(chart.handle(.pointerUp(Point(x, y - 60))).isEmpty && chart.content.orderLines == lines)
        }
        _ = chart.handle(.resized(size))
        var free = ChartInteraction(chart.content, size: size) { _ in nil }
        _ = free.handle(.pointerDown(Point(x, y)))
        _ = free.handle(.pointerMoved(Point(x, y - 40)))
        #expect(free.handle(.pointerUp(Point(x, y - 40))).isEmpty && free.content.orderLines == lines)
        // The cost cannot be moved: the chart is.
        let cost = chart.scale.y(lines[1].price)
        _ = chart.handle(.pointerDown(Point(x, cost)))
        _ = chart.handle(.pointerMoved(Point(x, cost - 40)))
        #expect(chart.handle(.pointerUp(Point(x, cost - 40))).isEmpty && chart.content.orderLines == lines)
    }

    @Test func anOrderThatEndsUnderTheFingerIsNotAmended() throws {  // G-5
        var (chart, x, y, _) = try withOrders()
        _ = chart.handle(.pointerDown(Point(x, y)))
        _ = chart.handle(.pointerMoved(Point(x, y - 40)))
        let dragged = chart.content.orderLines[0].price
        // Another order comes: the finger keeps its own.
        _ = chart.handle(.orderLines([order(8, 1), order(7, chart.orders[0].price)]))
        #expect(chart.content.orderLines[1].price == dragged)
        _ = chart.handle(.orderLines([order(8, 1)]))
        #expect(chart.content.orderLines == [order(8, 1)])
        _ = chart.handle(.pointerMoved(Point(x, y - 50)))
        #expect(chart.handle(.pointerUp(Point(x, y - 50))).isEmpty && chart.content.orderLines == [order(8, 1)])
    }

    @Test func drawingsArePlaced() throws {  // G-5
        var chart = chart(Market(3, known: 1_000..<1_400))
        let plane = chart.plane
        let (a, b, c) = (Point(200, 100), Point(400, 180), Point(300, 250))
        let anchors = try [a, b, c].map { try #require(plane.anchor(at: $0)) }
        // By one stroke.
        _ = chart.handle(.choose(.trend))
        _ = chart.handle(.pointerDown(a))
        _ = chart.handle(.pointerMoved(Point(300, 150)))
        #expect(chart.content.drawings.map(\.id) == [0])
        #expect(chart.handle(.pointerUp(b)) == [.draw(.trend, Array(anchors[..<2]))] && chart.tool == nil)
        let kept = try Drawing(id: 5, tool: .trend, anchors: Array(anchors[..<2]))
        _ = chart.handle(.drawings([kept]))
        #expect(chart.content.drawings == [kept])
        // Click by click.
        _ = chart.handle(.choose(.channel))
        for point in [a, b] {
            _ = chart.handle(.pointerDown(point))
            #expect(chart.handle(.pointerUp(point)).isEmpty)
            _ = chart.handle(.pointerMoved(Point(point.x + 30, point.y)))
        }
        _ = chart.handle(.pointerDown(c))
        #expect(chart.handle(.pointerUp(c)) == [.draw(.channel, anchors)])
        _ = chart.handle(.drawings([kept]))
        // One click; the words are asked for. Escape ends a drawing, then the tool.
        _ = chart.handle(.choose(.text))
        _ = chart.handle(.pointerDown(a))
        #expect(chart.handle(.pointerUp(a)) == [.draw(.text, [anchors[0]])])
        _ = chart.handle(.choose(.ray))
        _ = chart.handle(.pointerDown(a))
        _ = chart.handle(.pointerUp(a))
        _ = chart.handle(.pointerMoved(b))
        _ = chart.handle(.key(.escape))
        #expect(chart.content.drawings == [kept] && chart.tool == .ray)
        _ = chart.handle(.key(.escape))
        #expect(chart.tool == nil)
    }

    @Test func drawingsAreMovedAndRemoved() throws {  // G-5
        var chart = chart(Market(3, known: 1_000..<1_400))
        let plane = chart.plane
        let (a, b) = (Point(200, 100), Point(400, 180))
        let kept = try Drawing(id: 5, tool: .trend, anchors: [a, b].map { try #require(plane.anchor(at: $0)) })
        _ = chart.handle(.drawings([kept]))
        let (start, end) = (try #require(plane.point(kept.anchors[1])), Point(480, 240))
        _ = chart.handle(.pointerDown(start))
        #expect(chart.content.selectedDrawing == 5)
        #expect(chart.handle(.pointerUp(start)).isEmpty)
        _ = chart.handle(.pointerDown(start))
        let moved = plane.moved(kept, .anchor(1), from: start, to: end)
        #expect(chart.handle(.pointerUp(end)) == [.keep(moved)] && chart.content.drawings == [moved] && moved != kept)
        // Undone.
        let middle = Point((a.x + end.x) / 2, (a.y + end.y) / 2)
        _ = chart.handle(.pointerDown(middle))
        _ = chart.handle(.pointerMoved(Point(middle.x + 50, middle.y)))
        #expect(chart.content.drawings != [moved])
        _ = chart.handle(.key(.escape))
        #expect(chart.content.drawings == [moved] && chart.handle(.pointerUp(middle)).isEmpty)
        // Removed elsewhere while it is held.
        _ = chart.handle(.pointerDown(middle))
        _ = chart.handle(.drawings([]))
        #expect(chart.handle(.pointerUp(Point(10, 100))).isEmpty && chart.content.drawings.isEmpty)
        _ = chart.handle(.drawings([kept]))
        _ = chart.handle(.pointerDown(start))
        _ = chart.handle(.pointerUp(start))
        #expect(chart.handle(.key(.delete)) == [.remove(5)] && chart.content.drawings.isEmpty)
        #expect(chart.handle(.key(.delete)).isEmpty)
    }

    @Test func theBarUnderThePointerIsRead() throws {  // G-5
        let market = Market(4, known: 1_000..<1_400)
        var chart = chart(market)
        _ = chart.handle(.pointerMoved(Point(chart.viewport.x(350), 200)))
        let readout = try #require(chart.readout)
        #expect(readout.time == market.times[1_350] && readout.bar == market.bars[1_350])
        #expect(readout.values == [[market.line(market.known)[350]]])
        let change = (market.bars.close[1_350] / market.bars.close[1_349] - 1) * 100
        #expect(readout.changePercent == change)
        _ = chart.handle(.pointerLost)
        #expect(chart.readout == nil)
        _ = chart.handle(.pointerMoved(Point(chart.viewport.width - 1, 200)))
        #expect(chart.readout == nil)
    }

    // G-5: under the last price in its tag, which no order's tag covers; gone once nothing is traded.
    @Test func theCountdownStandsUnderTheLastPrice() throws {
        var chart = chart(Market(4, known: 1_000..<1_400))
        let last = try #require(chart.content.lastPrice)
        let orders = (-2...2).map { order(UInt64($0 + 3), last * (1 + Double($0) * 0.0004)) }
        _ = chart.handle(.orderLines(orders))
        func tags() -> [(box: Rect, texts: [String])] {
            let marks = chart.frame().scene.marks
            let edge = CandleScene(chart.content, chart.viewport, size: size).layout.plotWidth
            return marks.compactMap { mark -> (box: Rect, texts: [String])? in
                guard case .box(let box, _, nil, _, _) = mark, box.x >= edge else { return nil }
                return (
                    box,
                    marks.compactMap {
                        if case .text(let text, let at, _) = $0, box.holds(at) { text } else { nil }
                    }
                )
            }
        }
        let price = chart.content.price(last)
        #expect(tags().count == 6 && tags().first { $0.texts.contains(price) }?.box.height == 18)
        _ = chart.handle(.time(1_000_000_000, barEnd: 5_033_000_000_000))
        let tag = try #require(tags().first { $0.texts.contains("1:23:52") })
        #expect(tag.texts == [price, "1:23:52"] && tag.box.height == 32)
        let boxes = tags().map(\.box)
        for (number, box) in boxes.enumerated() {
            for other in boxes[(number + 1)...] { #expect(!box.meets(other), "\(box) and \(other)") }
        }
        _ = chart.handle(.time(5_033_000_000_000, barEnd: 5_033_000_000_000))
        #expect(tags().first { $0.texts.contains(price) }?.texts == [price])
    }

    @Test func barsCountDown() {  // G-5
        let cases: [(Int64, String?)] = [
            (0, nil), (-1, nil), (1, "0:01"), (1_000_000_000, "0:01"), (1_000_000_001, "0:02"), (59_000_000_000, "0:59"),
            (1_432_000_000_000, "23:52"), (5_032_000_000_000, "1:23:52"), (90_000_000_000_000, "1d 1:00:00"),
        ]
        for (left, text) in cases { #expect(BarCountdown.text(now: 100, end: 100 + left) == text) }
        #expect(BarCountdown.text(now: .min, end: .max) == nil)
        var chart = chart(Market(4, known: 1_000..<1_400))
        _ = chart.frame()
        _ = chart.handle(.time(0, barEnd: 60_000_000_000))
        let (scene, touched) = chart.frame()
        #expect(chart.content.countdown == "1:00" && scene.marks.contains { if case .text("1:00", _, _) = $0 { true } else { false } })
        #expect(!touched.isEmpty && touched.allSatisfy { $0.x >= chart.viewport.width })
        _ = chart.handle(.time(0, barEnd: nil))
        #expect(chart.content.countdown == nil)
    }
}
