/// Where the minutes of a trading day lie: stretches side by side, a narrow band for each break between them.
struct IntradayAxis: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        var stretch: IntradayContent.Stretch
        /// Of its first minute.
        var place: Int
        var x: Double
    }

    /// What a break is as wide as, however long it is.
    static let band = 10.0

    let parts: [Part]
    let slot: Double
    let count: Int
    let left: Double
    let right: Double

    init(_ stretches: [IntradayContent.Stretch], left: Double, width: Double) {
        count = stretches.reduce(0) { $0 + $1.length }
        let breaks = zip(stretches, stretches.dropFirst()).count { Self.isBreak($0, $1) }
        slot = count > 0 ? max(width - Double(breaks) * Self.band, 1) / Double(count) : max(width, 1)
        var parts: [Part] = []
        var (place, x) = (0, left)
        for stretch in stretches {
            if let last = parts.last, Self.isBreak(last.stretch, stretch) { x += Self.band }
            parts.append(Part(stretch: stretch, place: place, x: x))
            place += stretch.length
            x += Double(stretch.length) * slot
        }
        self.parts = parts
        self.left = left
        right = left + width
    }

    private static func isBreak(_ before: IntradayContent.Stretch, _ next: IntradayContent.Stretch) -> Bool {
        (next.start - before.end) % 1_440 != 0
    }

    /// Whether nothing is traded between the part and the one before it.
    func hasBreak(before number: Int) -> Bool { number > 0 && Self.isBreak(parts[number - 1].stretch, parts[number].stretch) }

    func end(_ part: Part) -> Double { part.x + Double(part.stretch.length) * slot }

    private func part(_ place: Int) -> Part? { parts.last { $0.place <= place } }

    /// The middle of a minute.
    func x(_ place: Int) -> Double {
        guard let part = part(place) else { return left }
        return part.x + (Double(place - part.place) + 0.5) * slot
    }

    /// Of the civil day.
    func minute(_ place: Int) -> Int {
        guard let part = part(place) else { return 0 }
        return (part.stretch.start + place - part.place) % 1_440
    }

    /// The minute under a pointer; of a break the one before it.
    func place(x: Double) -> Int? {
        guard count > 0, x >= left, x <= right, let part = parts.last(where: { $0.x <= x }) else { return nil }
        return part.place + min(max(Int(clamping: (x - part.x) / slot), 0), part.stretch.length - 1)
    }

    struct Turn: Hashable, Sendable {
        var x: Double
        var text: String
        var anchor: TextStyle.Anchor
    }

    /// Both ends, the breaks with the times on both their sides, and round hours between as far as there is room.
    func turns(_ width: (String) -> Double) -> [Turn] {
        guard let first = parts.first, let last = parts.last else { return [] }
        var turns: [Turn] = []
        var taken: [ClosedRange<Double>] = []
        func put(_ x: Double, _ text: String, _ anchor: TextStyle.Anchor) {
            let wide = width(text)
            let from = anchor == .start ? x : anchor == .end ? x - wide : x - wide / 2
            guard from >= left - 0.5, from + wide <= right + 0.5, !taken.contains(where: { $0.overlaps(from - 12...from + wide + 12) })
            else { return }
            taken.append(from...from + wide)
            turns.append(Turn(x: x, text: text, anchor: anchor))
        }
        put(left, TimeAxis.clock(first.stretch.start), .start)
        put(right, TimeAxis.clock(last.stretch.end), .end)
        for number in parts.indices.dropFirst() {
            let (before, now) = (parts[number - 1].stretch, parts[number])
            guard hasBreak(before: number) else {
                put(now.x, TimeAxis.clock(now.stretch.start), .middle)
                continue
            }
            put(now.x - Self.band / 2, TimeAxis.clock(before.end) + "/" + TimeAxis.clock(now.stretch.start), .middle)
        }
        let step = [15, 30, 60, 120, 180, 240, 360].first { Double($0) * slot >= 64 } ?? 720
        for part in parts {
            let start = part.stretch.start
            for minute in stride(from: (start / step + 1) * step, to: part.stretch.end, by: step) {
                put(part.x + Double(minute - start) * slot, TimeAxis.clock(minute), .middle)
            }
        }
        return turns.sorted { $0.x < $1.x }
    }
}
