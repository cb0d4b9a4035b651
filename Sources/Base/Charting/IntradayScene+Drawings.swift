extension IntradayAxis {
    /// Where a time of some day lies: before and after this one whole days of the axis are counted, `days` of them.
    ///
    /// A minute between two sessions lies at the last of the one before it, one before all of them at the first. A day without a minute
    /// begins at its first.
    func x(_ minute: Int?, days: Int) -> Double { x(minute.map(place) ?? 0) + Double(days) * (right - left) }

    private func place(minute: Int) -> Int {
        guard let first = parts.first, let last = parts.last else { return 0 }
        func since(_ minute: Int) -> Int { (minute - first.stretch.start + 1_440) % 1_440 }
        let (passed, end) = (since(minute), since(last.stretch.start) + last.stretch.length)
        // Nearer to the next day's first minute than to this one's last.
        guard passed <= (1_440 + end) / 2, let part = parts.last(where: { since($0.stretch.start) <= passed }) else { return 0 }
        return part.place + min(passed - since(part.stretch.start), part.stretch.length - 1)
    }
}

extension IntradayScene {
    /// The user's drawings on the axes of this day: levels always, others where they reach into it.
    func shapes() -> [(drawing: Drawing, shape: DrawingShape)] {
        guard content.count > 0, content.day > 0 else { return [] }
        return content.drawings.compactMap { drawing in
            DrawingShape(
                drawing, in: pane, x: x,
                y: { price in
                    let y = scale.y(price)
                    return y.isFinite ? y : nil
                }, decimals: content.decimals, texts: texts
            ).map { (drawing, $0) }
        }
    }

    /// A day of which the calendar says that nothing is traded counts as the beginning of the next one.
    private func x(_ time: ChartTime) -> Double {
        let known = content.knownDays
        guard let first = known.first, let last = known.last, let own = known.firstIndex(of: content.day) else {
            return axis.x(time.minute, days: BarPlaces.weekdays(time.day) - BarPlaces.weekdays(content.day))
        }
        if time.day < first { return axis.x(time.minute, days: BarPlaces.weekdays(time.day) - BarPlaces.weekdays(first) - own) }
        if time.day > last {
            return axis.x(time.minute, days: known.count - 1 - own + BarPlaces.weekdays(time.day) - BarPlaces.weekdays(last))
        }
        let place = known.firstIndex { $0 >= time.day } ?? own
        return axis.x(known[place] == time.day ? time.minute : nil, days: place - own)
    }
}
