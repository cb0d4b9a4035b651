/// A structured log line's level.
public enum LogLevel: Int, Hashable, Comparable, Sendable {
    case debug, info, warning, error
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Port: structured log. Fields never hold a secret.
public struct Log: Sendable {
    public var write: @Sendable (_ level: LogLevel, _ event: String, _ fields: [(name: String, value: String)]) -> Void
    public init(write: @escaping @Sendable (_ level: LogLevel, _ event: String, _ fields: [(name: String, value: String)]) -> Void) {
        self.write = write
    }

    /// Writes nothing.
    public static let none = Log { _, _, _ in }
}
