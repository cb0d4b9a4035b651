/// JSON without loss: numbers stay the text they were, so no money ever passes through a Double (C-6).
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number exactly as written, e.g. `1e3` or `0.10`.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in order; names are unique.
    case object([Member])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: JSONValue
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
}
