/// Swift names for names of the schema, by SwiftProtobuf's rules, so that its users feel at home.
enum Names {
    /// `device_id` → `deviceID`, `BAR_1M` → `bar1M`.
    static func lowerCamel(_ name: String) -> String {
        let words = words(name)
        return (words.first ?? "") + words.dropFirst().map(capitalized).joined()
    }

    /// `body` → `Body`.
    static func upperCamel(_ name: String) -> String { words(name).map(capitalized).joined() }

    private static let abbreviations: Set<String> = ["url", "http", "https", "id"]

    private static func capitalized(_ word: String) -> String {
        abbreviations.contains(word) ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
    }

    private enum Kind { case digit, upper, lower, gap }

    /// The words of a name, in lower case: cut at `_`, around digits, and before a capital that follows a small letter.
    private static func words(_ name: String) -> [String] {
        var words: [String] = []
        var last = Kind.gap
        for character in name {
            let kind: Kind = character == "_" ? .gap : character.isNumber ? .digit : character.isUppercase ? .upper : .lower
            defer { last = kind }
            if kind == .gap { continue }
            let joins = kind == last || (last == .upper && kind == .lower)
            if joins, let word = words.popLast() {
                words.append(word + character.lowercased())
            } else {
                words.append(character.lowercased())
            }
        }
        return words
    }

    /// `ORDER_SIDE_BUY` of `OrderSide` → `buy`; the prefix stays where a digit or nothing would be left.
    static func enumCase(_ value: String, of enumName: String) -> String {
        var rest = Substring(value)
        for character in enumName where character != "_" {
            while rest.first == "_" { rest.removeFirst() }
            guard let first = rest.first, first.lowercased() == character.lowercased() else { return lowerCamel(value) }
            rest.removeFirst()
        }
        while rest.first == "_" { rest.removeFirst() }
        guard let first = rest.first, !first.isNumber else { return lowerCamel(value) }
        return lowerCamel(String(rest))
    }

    private static let keywords: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
        "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static let takenFields: Set<String> = [
        "unknownFields", "hashValue", "description", "debugDescription", "init", "self", "serializedBytes", "merge", "write",
    ]

    /// A field's property; names the message needs itself get `_p`.
    static func field(_ name: String) -> String {
        let camel = lowerCamel(name)
        return takenFields.contains(camel) ? camel + "_p" : camel
    }

    private static let takenTypes: Set<String> = [
        "Any", "Bool", "Boxed", "Dictionary", "Double", "Float", "Hashable", "Int", "Int32", "Int64", "Message", "Optional", "ProtoEnum",
        "Protocol", "RawSpan", "Self", "Sendable", "String", "Type", "UInt32", "UInt64", "UInt8", "UnknownFields", "WireCursor",
        "WireError", "WireWriter",
    ]

    static func message(_ name: String) -> String { takenTypes.contains(name) ? name + "Message" : name }

    static func enumeration(_ name: String) -> String { takenTypes.contains(name) ? name + "Enum" : name }

    /// The prefix of a file's types: the `swift_prefix` option, else the package, e.g. `Causeway_V1_`.
    static func prefix(of file: FileDescriptor) -> String {
        if let prefix = file.options.swiftPrefix { return prefix }
        return file.package.split(separator: ".").map { upperCamel(String($0)) + "_" }.joined()
    }
}
