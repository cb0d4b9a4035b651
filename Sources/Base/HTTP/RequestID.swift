/// Names one request in answers and in the log. A client's own is taken where it is short and plain, so that it cannot write into the log.
public enum RequestID {
    public static let field = "x-request-id"

    /// The client's, if it is 1 to 64 of letters, digits, `-` and `_`; else one made up of 64 random bits.
    public static func of(_ headers: HTTPFields) -> String {
        if let own = headers[field], isPlain(own) { return own }
        return make()
    }

    public static func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    static func isPlain(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95 }
    }
}
