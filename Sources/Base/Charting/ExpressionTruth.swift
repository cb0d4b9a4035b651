extension Expression {
    /// Whether its last line says yes or no: a comparison, a cross, or what is made of such. A price is neither.
    public var isCondition: Bool { results.last.map(isTruth) ?? false }

    /// A node stands after those it is made of, so that this ends.
    private func isTruth(_ place: Int) -> Bool {
        switch nodes[place] {
        case .not, .crosses: true
        case .binary(let kind, let a, let b):
            switch kind {
            case .greater, .less, .greaterOrEqual, .lessOrEqual, .equal, .unequal, .and, .or: true
            // As some write "and" and "or".
            case .multiply, .maximum, .minimum, .add: isTruth(a) && isTruth(b)
            case .subtract, .divide: false
            }
        case .choice(_, let b, let c): isAnswer(b) && isAnswer(c)
        case .shifted(let a, _), .windowed(.highest, let a, _), .windowed(.lowest, let a, _): isTruth(a)
        case .number, .column, .negated, .windowed, .smoothed, .mapped, .sinceTrue: false
        }
    }

    private func isAnswer(_ place: Int) -> Bool {
        if case .number(let value) = nodes[place] { return value == 0 || value == 1 }
        return isTruth(place)
    }
}
