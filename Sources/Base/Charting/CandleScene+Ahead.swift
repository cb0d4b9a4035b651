/// What is drawn of bars to come: lines that are moved ahead, and the cloud between two of them.
extension CandleScene {
    /// As the market calendar has them, else in weekdays.
    static func coming(_ content: ChartContent, _ places: Range<Int>) -> [ChartTime] {
        let bars = BarPlaces(content.times, comingDays: content.comingDays)
        var times: [ChartTime] = []
        for place in places {
            guard let time = bars.time(at: place) else { break }
            times.append(time)
        }
        return times
    }

    /// Where in view an output may have values.
    func seen(_ output: Indicator.Output) -> Range<Int> {
        range.lowerBound..<range.upperBound + min(coming.count, max(output.shift, 0))
    }

    /// Between two lines of an indicator: in the colour of rises where the first is above, of falls where it is below.
    func clouds(_ scale: Scale, _ marks: inout [Mark]) {
        for indicator in content.indicators where indicator.pane == .price {
            let known = 0..<min(indicator.outputs.count, indicator.lines.count)
            guard let cloud = indicator.cloud, known.contains(cloud.first), known.contains(cloud.second) else { continue }
            shade(indicator, cloud, scale, &marks)
        }
    }

    private func shade(_ indicator: ChartIndicator, _ cloud: Indicator.Cloud, _ scale: Scale, _ marks: inout [Mark]) {
        let (first, second) = (indicator.outputs[cloud.first], indicator.outputs[cloud.second])
        let shift = min(first.shift, second.shift)
        let end = content.bars.count + max(shift, 0)
        let seen = seen(first).clamped(to: seen(second))
        var part = CloudPart()
        for place in max(0, seen.lowerBound - 1)..<min(seen.upperBound + 1, end) {
            if !content.isJoined(max(place - 1, 0), place) { part.end(&marks) }
            let a = scale.y(value(indicator.lines[cloud.first], first, place))
            let b = scale.y(value(indicator.lines[cloud.second], second, place))
            guard a.isFinite, b.isFinite else {
                part.end(&marks)
                continue
            }
            let (highest, lowest) = (-Clip.farthest, Clip.farthest)
            part.add(viewport.x(place), min(max(a, highest), lowest), min(max(b, highest), lowest), &marks)
            // What a tick changes is a shape of its own (G-4).
            if place == end - 2 { part.split(&marks) }
        }
        part.end(&marks)
    }
}

/// A stretch of a cloud in which one of its lines stays above the other.
private struct CloudPart {
    private var points: [(x: Double, a: Double, b: Double)] = []

    /// Where the lines cross the stretch ends and another begins.
    mutating func add(_ x: Double, _ a: Double, _ b: Double, _ marks: inout [Mark]) {
        if let last = points.last, (last.b - last.a) * (b - a) < 0 {
            let share = (last.b - last.a) / ((last.b - last.a) - (b - a))
            let y = last.a + share * (a - last.a)
            let crossing = (x: last.x + share * (x - last.x), a: y, b: y)
            points.append(crossing)
            end(&marks)
            points = [crossing]
        }
        points.append((x, a, b))
        if a == b { split(&marks) }
    }

    mutating func split(_ marks: inout [Mark]) {
        let last = points.last
        end(&marks)
        points = last.map { [$0] } ?? []
    }

    mutating func end(_ marks: inout [Mark]) {
        defer { points = [] }
        guard points.count > 1, let widest = points.max(by: { abs($0.b - $0.a) < abs($1.b - $1.a) }), widest.a != widest.b else { return }
        let shape = points.map { Point($0.x, $0.a) } + points.reversed().map { Point($0.x, $0.b) }
        marks.append(.polygon(shape, widest.a < widest.b ? .upFill : .downFill, opacity: 0.16))
    }
}
