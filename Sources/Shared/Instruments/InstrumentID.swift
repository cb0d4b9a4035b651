/// An instrument's number in the symbol database: given there, never reused, never derived from a code (H-5). Zero is no instrument.
public struct InstrumentID: Hashable, Comparable, Sendable, RawRepresentable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
    /// Simulated instruments have this id or a higher one; a symbol database has none of them.
    public static let firstSimulated = InstrumentID(0xF000_0000)
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
