extension CandleScene {
    /// A number at each bar; where two would touch one is left out, those that end a count last of all.
    func counts(_ line: [Double], _ output: Indicator.Output, _ scale: Scale, _ marks: inout [Mark]) {
        guard viewport.slot >= 6 else { return }
        let isSell = output.name.hasPrefix("SELL")
        // Two rows a side: setups next to the bar, countdowns beyond.
        let distance = output.name.hasSuffix("COUNTDOWN") ? 14.0 : 4.0
        var taken: [(left: Double, right: Double, y: Double)] = []
        func put(_ place: Int, isBold: Bool) {
            let y = isSell ? scale.y(content.bars.high[place]) - distance : scale.y(content.bars.low[place]) + distance + 7
            guard y.isFinite else { return }
            let size = viewport.slot >= 8 ? 9.0 : 7
            let style = TextStyle(isSell ? .down : .up, size: size, isBold: isBold, anchor: .middle, hasHalo: true)
            let text = "\(Int(clamping: line[place]))"
            let (x, half) = (viewport.x(place), texts.width(text, style) / 2)
            let (left, right) = (x - half, x + half + Self.countGap)
            guard taken.allSatisfy({ $0.right <= left || $0.left >= right || abs($0.y - y) >= size }) else { return }
            taken.append((left, right, y))
            marks.append(.text(text, Point(x, y), style))
        }
        let places = range.filter { line[$0].isFinite }
        for isBold in [true, false] {
            for place in places where (line[place] == 9 || line[place] == 13) == isBold { put(place, isBold: isBold) }
        }
    }

    /// Between two numbers.
    private static let countGap = 1.5
}
