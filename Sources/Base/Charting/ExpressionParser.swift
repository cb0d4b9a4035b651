/// Recursive descent, lowest binding first: OR, AND, comparison, sum, product, sign.
struct ExpressionParser {
    private struct Token: Hashable {
        enum Kind: Hashable { case number(Double), name(String), symbol(String), end }
        var kind: Kind
        var place: Int
        /// In the text, in Unicode scalars.
        var range: Range<Int>
    }

    private let scalars: [Unicode.Scalar]
    private var tokens: [Token] = []
    private var next = 0
    private var nodes: [Expression.Node] = []
    private var known: [Expression.Node: Int] = [:]
    private var names: [String: Int] = [:]
    private var depth = 0

    init(_ text: String) throws(ExpressionFault) {
        scalars = Array(text.unicodeScalars)
        try read()
    }

    private mutating func read() throws(ExpressionFault) {
        var place = 0
        func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic || scalar == "_" }
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        while place < scalars.count {
            let scalar = scalars[place]
            let start = place
            if scalar.properties.isWhitespace {
                place += 1
                continue
            }
            var kind: Token.Kind
            if isLetter(scalar) {
                while place < scalars.count, isLetter(scalars[place]) || isDigit(scalars[place]) { place += 1 }
                kind = .name(text(start..<place).uppercased())
            } else if isDigit(scalar) || scalar == "." {
                while place < scalars.count, isDigit(scalars[place]) || scalars[place] == "." { place += 1 }
                guard let value = Double(text(start..<place)), value.isFinite else {
                    throw ExpressionFault(.unexpected(text(start..<place)), at: start)
                }
                kind = .number(value)
            } else {
                let two = text(start..<min(start + 2, scalars.count))
                let symbol = [":=", ">=", "<=", "<>"].contains(two) ? two : text(start..<start + 1)
                guard symbol.count == 2 || "+-*/><=(),:;".contains(symbol) else { throw ExpressionFault(.unexpected(symbol), at: start) }
                place += symbol.count
                kind = .symbol(symbol)
            }
            tokens.append(Token(kind: kind, place: start, range: start..<place))
        }
        tokens.append(Token(kind: .end, place: scalars.count, range: scalars.count..<scalars.count))
    }

    private func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }

    private var token: Token { tokens[next] }

    private mutating func take(_ symbol: String) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        next += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard token.kind == .name(word) else { return false }
        next += 1
        return true
    }

    private func unexpected() -> ExpressionFault {
        token.kind == .end
            ? ExpressionFault(.unfinished, at: token.place) : ExpressionFault(.unexpected(text(token.range)), at: token.place)
    }

    mutating func statements() throws(ExpressionFault) -> (outputs: [String], nodes: [Expression.Node], results: [Int]) {
        var outputs: [String] = []
        var results: [Int] = []
        while token.kind != .end {
            if take(";") { continue }
            let start = token.place
            var name: String?
            var isLine = true
            if case .name(let word) = token.kind, next + 1 < tokens.count {
                if tokens[next + 1].kind == .symbol(":=") { (name, isLine) = (word, false) }
                if tokens[next + 1].kind == .symbol(":") { name = word }
                if name != nil { next += 2 }
            }
            let node = try any()
            guard token.kind == .end || token.kind == .symbol(";") else { throw unexpected() }
            if let name {
                guard names[name] == nil, Self.columns[name] == nil, Self.functions[name] == nil else {
                    throw ExpressionFault(.nameTaken(name), at: start)
                }
                names[name] = node
            }
            if isLine {
                outputs.append(name ?? text(start..<token.place).filter { !$0.isWhitespace })
                results.append(node)
            }
        }
        guard !results.isEmpty else { throw ExpressionFault(.empty, at: 0) }
        return (outputs, nodes, results)
    }

    /// The same part of a formula is computed once.
    private mutating func node(_ node: Expression.Node) throws(ExpressionFault) -> Int {
        if let place = known[node] { return place }
        guard nodes.count < Expression.maximumNodes else { throw ExpressionFault(.tooComplex, at: token.place) }
        nodes.append(node)
        known[node] = nodes.count - 1
        return nodes.count - 1
    }

    private mutating func any() throws(ExpressionFault) -> Int {
        var left = try both()
        while take(word: "OR") { left = try node(.binary(.or, left, try both())) }
        return left
    }

    private mutating func both() throws(ExpressionFault) -> Int {
        var left = try comparison()
        while take(word: "AND") { left = try node(.binary(.and, left, try comparison())) }
        return left
    }

    private mutating func comparison() throws(ExpressionFault) -> Int {
        let left = try sum()
        guard case .symbol(let symbol) = token.kind, [">", "<", ">=", "<=", "=", "<>"].contains(symbol),
            let comparing = Expression.Operator(rawValue: symbol)
        else { return left }
        next += 1
        return try node(.binary(comparing, left, try sum()))
    }

    private mutating func sum() throws(ExpressionFault) -> Int {
        var left = try product()
        while true {
            if take("+") {
                left = try node(.binary(.add, left, try product()))
            } else if take("-") {
                left = try node(.binary(.subtract, left, try product()))
            } else {
                return left
            }
        }
    }

    private mutating func product() throws(ExpressionFault) -> Int {
        var left = try signed()
        while true {
            if take("*") {
                left = try node(.binary(.multiply, left, try signed()))
            } else if take("/") {
                left = try node(.binary(.divide, left, try signed()))
            } else {
                return left
            }
        }
    }

    /// Every nesting comes through here.
    private mutating func signed() throws(ExpressionFault) -> Int {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Expression.maximumDepth else { throw ExpressionFault(.tooDeep, at: token.place) }
        if take("-") { return try node(.negated(try signed())) }
        if take("+") { return try signed() }
        if take(word: "NOT") { return try node(.not(try signed())) }
        return try atom()
    }

    private mutating func atom() throws(ExpressionFault) -> Int {
        switch token.kind {
        case .number(let value):
            next += 1
            return try node(.number(value))
        case .symbol("("):
            next += 1
            let inner = try any()
            guard take(")") else { throw unexpected() }
            return inner
        case .name(let name):
            if let function = Self.functions[name], tokens[next + 1].kind == .symbol("(") { return try call(name, function) }
            guard let place = names[name] else {
                guard let column = Self.columns[name] else { throw ExpressionFault(.unknownName(name), at: token.place) }
                next += 1
                return try node(.column(column))
            }
            next += 1
            return place
        case .symbol, .end: throw unexpected()
        }
    }

    private mutating func call(_ name: String, _ function: Function) throws(ExpressionFault) -> Int {
        let start = token.place
        next += 2
        var arguments: [Int] = []
        if !take(")") {
            repeat { arguments.append(try any()) } while take(",")
            guard take(")") else { throw unexpected() }
        }
        guard arguments.count == function.arguments else { throw ExpressionFault(.arguments(name, function.arguments), at: start) }
        func window(_ place: Int, from least: Double = 1) throws(ExpressionFault) -> Int {
            guard case .number(let value) = nodes[arguments[place]], (least...10_000).contains(value), value == value.rounded() else {
                throw ExpressionFault(.window(name), at: start)
            }
            return Int(value)
        }
        switch function {
        case .window(let kind): return try node(.windowed(kind, arguments[0], period: try window(1)))
        case .reference: return try node(.shifted(arguments[0], by: try window(1, from: 0)))
        case .exponential: return try node(.smoothed(arguments[0], weight: 2 / Double(try window(1) + 1)))
        case .smoothing:
            let (period, weight) = (try window(1), try window(2))
            guard weight <= period else { throw ExpressionFault(.window(name), at: start) }
            return try node(.smoothed(arguments[0], weight: Double(weight) / Double(period)))
        case .map(let kind): return try node(.mapped(kind, arguments[0]))
        case .binary(let kind): return try node(.binary(kind, arguments[0], arguments[1]))
        case .choice: return try node(.choice(arguments[0], arguments[1], arguments[2]))
        case .crosses: return try node(.crosses(arguments[0], arguments[1]))
        case .count:
            let truth = try node(.not(try node(.not(arguments[0]))))
            return try node(.windowed(.sum, truth, period: try window(1)))
        case .sinceTrue: return try node(.sinceTrue(arguments[0]))
        }
    }

    private enum Function {
        case window(Expression.Window), reference, exponential, smoothing, map(Expression.Map), binary(Expression.Operator), choice, crosses
        case count, sinceTrue

        var arguments: Int {
            switch self {
            case .map, .sinceTrue: 1
            case .window, .reference, .exponential, .binary, .crosses, .count: 2
            case .smoothing, .choice: 3
            }
        }
    }

    private static let columns: [String: Expression.Column] = [
        "OPEN": .open, "O": .open, "HIGH": .high, "H": .high, "LOW": .low, "L": .low, "CLOSE": .close, "C": .close, "VOL": .volume,
        "V": .volume,
    ]

    private static let functions: [String: Function] = [
        "MA": .window(.mean), "SUM": .window(.sum), "HHV": .window(.highest), "LLV": .window(.lowest), "STD": .window(.sample),
        "STDP": .window(.population), "AVEDEV": .window(.deviation), "WMA": .window(.weighted), "REF": .reference, "EMA": .exponential,
        "SMA": .smoothing, "ABS": .map(.absolute), "SQRT": .map(.root), "LN": .map(.logarithm), "EXP": .map(.exponential),
        "FLOOR": .map(.floor), "CEILING": .map(.ceiling), "MAX": .binary(.maximum), "MIN": .binary(.minimum), "IF": .choice,
        "CROSS": .crosses, "COUNT": .count, "BARSLAST": .sinceTrue,
    ]
}
