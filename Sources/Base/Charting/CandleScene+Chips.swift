import Texts

/// At what prices the shares were bought, beside a chart of bars, with the words for its figures.
public struct ChartChips: Hashable, Sendable {
    public struct Words: Hashable, Sendable {
        public var title: String
        public var profit: String
        public var average: String
        /// Of the part of the float whose costs are known.
        public var known: String
        public var concentration: String

        public init(title: String, profit: String, average: String, known: String, concentration: String) {
            self.title = title
            self.profit = profit
            self.average = average
            self.known = known
            self.concentration = concentration
        }
    }

    public var distribution: ChipDistribution
    public var words: Words

    public init(_ distribution: ChipDistribution, words: Words) {
        self.distribution = distribution
        self.words = words
    }
}

extension CandleScene {
    /// Right of the price axis: a bar for each bin in view, as long as its share of the largest; what is in profit at the close has the
    /// colour of rises. Below it the figures.
    func chips(_ scale: Scale, _ scene: inout Scene) {
        guard let chips = content.chips, layout.sideWidth > 0 else { return }
        let pane = layout.panes[0].box
        let left = layout.plotWidth + layout.axisWidth
        let box = Rect(left, pane.y, layout.sideWidth, pane.height)
        scene.marks.append(.line(Point(crisp(left), pane.y), Point(crisp(left), layout.axisTop), Stroke(.line)))
        let found = chips.distribution
        let most = found.masses.max() ?? 0
        var marks: [Mark] = []
        let close = found.close ?? 0
        for (bin, mass) in found.masses.enumerated() where mass > 0 && most > 0 {
            let (low, high) = (found.price(bin), found.price(bin) + found.step)
            // A bin that holds the close is in profit below it.
            for (from, to, ink) in [(low, min(high, max(low, close)), Ink.upFill), (max(low, min(high, close)), high, .downFill)]
            where to > from && (scale.kind == .linear || from > 0) {
                let (top, bottom) = (scale.y(to), scale.y(from))
                guard bottom > box.y, top < box.maxY else { continue }
                let length = max((layout.sideWidth - 8) * mass / most, 0.5)
                // Bins do not touch where there is room between them.
                let gap = bottom - top > 3 ? 1.0 : 0
                marks.append(.box(Rect(left + 1, top, length, max(bottom - top - gap, 0.5)), fill: ink, stroke: nil, opacity: 0.6))
            }
        }
        let average = found.averageCost
        if average.isFinite, scale.kind == .linear || average > 0, box.holds(y: scale.y(average)) {
            let y = crisp(scale.y(average))
            marks.append(.line(Point(left + 1, y), Point(box.maxX, y), Stroke(.series(0), width: 1.25, dash: [4, 3])))
        }
        scene.marks.append(.clipped(box, marks))
        figures(chips, left, &scene)
    }

    private func figures(_ chips: ChartChips, _ left: Double, _ scene: inout Scene) {
        let found = chips.distribution
        scene.marks += SceneParts.row([(chips.words.title, .softText)], x: left + 6, top: layout.panes[0].box.y, end: size.width, texts)
        func percent(_ share: Double) -> String { share.isFinite ? ChartContent.text(share * 100, 1) + "%" : "—" }
        func price(_ value: Double) -> String { value.isFinite ? content.price(value) : "—" }
        var rows: [(String, Ink)] = [
            (chips.words.profit + " " + percent(found.profitShare), .up),
            (chips.words.average + " " + price(found.averageCost), .series(0)),
        ]
        for (share, name) in [(0.9, "90%"), (0.7, "70%")] {
            let (low, high) = found.range(share)
            rows.append((name + "  " + price(low) + "–" + price(high), .softText))
            rows.append((chips.words.concentration + " " + percent(found.concentration(share)), .faintText))
        }
        rows.append((chips.words.known + " " + percent(found.known), .faintText))
        var top = layout.panes[0].box.maxY + 2
        for row in rows where top + 16 <= layout.axisTop {
            scene.marks += SceneParts.row([row], x: left + 6, top: top, end: size.width, texts)
            top += 16
        }
    }
}
