/// An error everywhere it is seen: a stable code with named arguments, one list for wire, HTTP and `--json`.
/// The words come from the catalogues. Arguments never hold a token, a password or an account number.
public struct Failure: Error, Hashable, Sendable {
    public var code: ErrorCode
    /// Name and value in the order the text uses them.
    public var arguments: [Argument]

    public struct Argument: Hashable, Sendable {
        public var name: String
        public var value: String
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(_ code: ErrorCode, _ arguments: Argument...) {
        self.code = code
        self.arguments = arguments
    }

    public init(_ code: ErrorCode, arguments: [Argument]) {
        self.code = code
        self.arguments = arguments
    }
}

/// The stable name of an error, e.g. `order.lot`. Unknown codes from a newer server survive a round trip.
public struct ErrorCode: Hashable, Sendable, RawRepresentable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }
}
