extension Expression {
    /// What is kept of a bar: a value of each node, and each line's.
    public var valuesPerBar: Int { nodes.count + results.count }

    /// What a bar costs at most, in steps of a few instructions: one a node, and the whole window where that is gone through each time.
    public var stepsPerBar: Int {
        nodes.reduce(0) { sum, node in
            guard case .windowed(let kind, _, let period) = node else { return sum + 1 }
            return sum + 1 + (kind.isWhole ? period : 0)
        }
    }

    /// The fewest bars after which every line may have a value.
    public var barsNeeded: Int {
        // A node stands after those it is made of.
        var needed: [Int] = []
        for node in nodes {
            let own =
                switch node {
                case .number, .column: 1
                case .negated(let a), .not(let a), .smoothed(let a, _), .mapped(_, let a), .sinceTrue(let a): needed[a]
                case .binary(_, let a, let b): max(needed[a], needed[b])
                case .windowed(_, let a, let period): needed[a] + period - 1
                case .shifted(let a, let by): needed[a] + by
                case .choice(let a, let b, let c): max(needed[a], needed[b], needed[c])
                case .crosses(let a, let b): max(needed[a], needed[b]) + 1
                }
            needed.append(own)
        }
        return results.reduce(1) { max($0, needed[$1]) }
    }
}

extension Expression.Window {
    fileprivate var isWhole: Bool {
        switch self {
        case .mean, .sum, .highest, .lowest: false
        case .sample, .population, .deviation, .weighted: true
        }
    }
}

extension ExpressionFault {
    /// What is wrong, as `word.…` of the catalogues names it, and what it is about, in the formula's own letters or numbers.
    public var said: (word: String, found: String) {
        switch reason {
        case .tooLong: ("formula-too-long", "\(Expression.maximumBytes)")
        case .tooComplex: ("formula-too-complex", "\(Expression.maximumNodes)")
        case .tooDeep: ("formula-too-deep", "\(Expression.maximumDepth)")
        case .empty: ("formula-empty", "\"\"")
        case .unfinished: ("formula-unfinished", "…")
        case .unexpected(let text): ("formula-unexpected", text)
        case .unknownName(let name): ("formula-unknown-name", name)
        case .nameTaken(let name): ("formula-name-taken", name)
        case .arguments(let name, 1): ("formula-one-value", name)
        case .arguments(let name, 2): ("formula-two-values", name)
        case .arguments(let name, _): ("formula-three-values", name)
        case .window(let name): ("formula-window", name)
        }
    }
}
