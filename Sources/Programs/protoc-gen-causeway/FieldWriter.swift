/// One field of a message, and the Swift it turns into.
struct Field {
    var descriptor: FieldDescriptor
    var type: FieldType
    /// Documentation lines.
    var comment: [String]
    var shape: Shape
    /// The property, and the same escaped where it is a keyword.
    var name: String
    var escaped: String

    enum Shape {
        /// Stored as it is; zero means absent.
        case plain
        /// A scalar with presence: bit of `_presence`.
        case optional(bit: Int)
        /// A sub-message, on the heap where it would contain its parent.
        case message(boxed: Bool)
        case repeated(packed: Bool)
        case map(key: FieldType, value: FieldType)
        case oneof(name: String, type: String)
    }

    var upperName: String { name.prefix(1).uppercased() + name.dropFirst() }
    func tag(_ wire: UInt32) -> UInt32 { descriptor.number << 3 | wire }
    var tag: UInt32 { tag(type.wire) }

    /// Stored properties and accessors.
    func declaration(_ access: String) -> [String] {
        let inlinable = access.isEmpty ? "" : "@inlinable "
        let usable = access.isEmpty ? "fileprivate" : "@usableFromInline internal"
        switch shape {
        case .plain: return comment + ["\(access)var \(escaped): \(type.swift) = \(type.zero)"]
        case .repeated: return comment + ["\(access)var \(escaped): [\(type.swift)] = []"]
        case .map(let key, let value): return comment + ["\(access)var \(escaped): [\(key.swift): \(value.swift)] = [:]"]
        case .optional(let bit):
            let mask = Self.mask(bit)
            return ["\(usable) var _\(name): \(type.swift) = \(type.zero)"] + comment + [
                "\(inlinable)\(access)var \(escaped): \(type.swift) {",
                "    get { _\(name) }",
                "    set {",
                "        _\(name) = newValue",
                "        _presence |= \(mask)",
                "    }",
                "}",
                "/// Whether `\(name)` is there.",
                "\(inlinable)\(access)var has\(upperName): Bool { _presence & \(mask) != 0 }",
                "/// Makes `\(name)` absent.",
                "\(inlinable)\(access)mutating func clear\(upperName)() {",
                "    _\(name) = \(type.zero)",
                "    _presence &= ~\(mask)",
                "}",
            ]
        case .message(let boxed):
            let stored = boxed ? "Boxed<\(type.swift)>" : type.swift
            return ["\(usable) var _\(name): \(stored)?"] + comment + [
                "\(inlinable)\(access)var \(escaped): \(type.swift) {",
                "    get { _\(name)\(boxed ? "?.value" : "") ?? \(type.zero) }",
                "    set { _\(name) = \(boxed ? "Boxed(newValue)" : "newValue") }",
                "}",
                "/// Whether `\(name)` is there.",
                "\(inlinable)\(access)var has\(upperName): Bool { _\(name) != nil }",
                "/// Makes `\(name)` absent.",
                "\(inlinable)\(access)mutating func clear\(upperName)() { _\(name) = nil }",
            ]
        case .oneof(let oneof, _):
            return comment + [
                "\(access)var \(escaped): \(type.swift) {",
                "    get {",
                "        if case .\(escaped)(let value)? = \(oneof) { return value }",
                "        return \(type.zero)",
                "    }",
                "    set { \(oneof) = .\(escaped)(newValue) }",
                "}",
            ]
        }
    }

    /// Whether one value of it has a bounded size, so that it is read and written without the cursor and the writer.
    var isScalar: Bool {
        switch shape {
        case .plain, .optional, .oneof: type.kind != .text && type.kind != .message
        case .message, .repeated, .map: false
        }
    }

    /// The most bytes a scalar takes, tag included.
    var scalarSize: Int {
        let bits = UInt32.bitWidth - tag.leadingZeroBitCount
        return (bits + 6) / 7 + (type.width ?? (type.kind == .bool ? 1 : type.swift == "UInt32" || type.method == "sint32" ? 5 : 10))
    }

    /// One case of the decoder's switch.
    struct Arm {
        var tag: UInt32
        var body: [String]
    }

    /// The arms of the decoder's switch. Scalars are read by `scan`; whatever else works on the cursor, which goes on where `scan` was.
    var decoding: [Arm] {
        let source = isScalar ? "scan" : "cursor"
        let read = "try \(source).\(type.method)(bytes)"
        var arms: [Arm]
        switch shape {
        case .plain: arms = [Arm(tag: tag, body: ["\(escaped) = \(read)"])]
        case .optional(let bit): arms = [Arm(tag: tag, body: ["_\(name) = \(read)", "presence |= \(Self.mask(bit))"])]
        case .message: arms = [Arm(tag: tag, body: ["try cursor.message(bytes, into: &_\(name))"])]
        case .oneof(let oneof, _) where type.kind == .message:
            arms = [
                Arm(
                    tag: tag,
                    body: [
                        "var value = \(type.zero)", "if case .\(escaped)(let old)? = \(oneof) { value = old }",
                        "try cursor.message(bytes, into: &value)", "\(oneof) = .\(escaped)(value)",
                    ])
            ]
        case .oneof(let oneof, _): arms = [Arm(tag: tag, body: ["\(oneof) = .\(escaped)(\(read))"])]
        case .repeated where type.kind == .message:
            arms = [Arm(tag: tag, body: ["try cursor.message(bytes, appendTo: &\(escaped))"])]
        case .repeated where type.kind == .text:
            arms = [Arm(tag: tag, body: ["try cursor.countElement()", "\(escaped).append(\(read))"])]
        case .repeated:
            let width = type.width.map { ", width: \($0)" } ?? ""
            arms = [
                Arm(tag: tag, body: ["\(escaped).append(\(read))"]),
                Arm(
                    tag: tag(2),
                    body: [
                        "let outer = try cursor.enterPacked(bytes\(width))", "while cursor.isInside { \(escaped).append(\(read)) }",
                        "cursor.leavePacked(outer)",
                    ]),
            ]
        case .map(let key, let value): arms = [Arm(tag: tag(2), body: mapDecoding(key, value))]
        }
        guard !isScalar else { return arms }
        return arms.map { Arm(tag: $0.tag, body: ["cursor.scan = scan"] + $0.body + ["scan = cursor.scan"]) }
    }

    private static func mask(_ bit: Int) -> String { "0x" + String(UInt64(1) << UInt64(bit), radix: 16) }

    private func mapDecoding(_ key: FieldType, _ value: FieldType) -> [String] {
        let readValue =
            value.kind == .message ? "try cursor.message(bytes, into: &value)" : "value = try cursor.\(value.method)(bytes)"
        return [
            "try cursor.countElement()",
            "let outer = try cursor.enter(bytes)",
            "var key: \(key.swift) = \(key.zero)",
            "var value: \(value.swift) = \(value.zero)",
            "while true {",
            "    let tag = try cursor.tag(bytes)",
            "    if tag == 0 { break }",
            "    switch tag {",
            "    case \(1 << 3 | key.wire): key = try cursor.\(key.method)(bytes)",
            "    case \(2 << 3 | value.wire): \(readValue)",
            "    default: try cursor.skip(bytes, tag)",
            "    }",
            "}",
            "cursor.leave(outer)",
            "\(escaped)[key] = value",
        ]
    }

    /// The encoder's statements; members of a oneof are written by their oneof's number order like any field.
    var encoding: [String] {
        let sink = isScalar ? "run" : "writer"
        switch shape {
        case .plain: return ["if \(type.isSet(escaped)) { \(sink).\(type.method)(\(tag), \(escaped)) }"]
        case .optional: return ["if has\(upperName) { \(sink).\(type.method)(\(tag), _\(name)) }"]
        case .message(let boxed): return ["if let value = _\(name) { writer.message(\(tag), value\(boxed ? ".value" : "")) }"]
        case .oneof(let oneof, _):
            return ["if case .\(escaped)(let value)? = \(oneof) { \(sink).\(type.method)(\(tag), value) }"]
        case .repeated(packed: false): return ["for value in \(escaped) { writer.\(type.method)(\(tag), value) }"]
        case .repeated:
            return [
                "if !\(escaped).isEmpty {",
                "    let start = writer.open(\(tag(2)))",
                "    for value in \(escaped) { writer.\(type.method)(value) }",
                "    writer.close(start)",
                "}",
            ]
        case .map(let key, let value):
            let order = key.kind == .bool ? "!$0.key && $1.key" : "$0.key < $1.key"
            return [
                "for (key, value) in \(escaped).sorted(by: { \(order) }) {",
                "    let start = writer.open(\(tag(2)))",
                "    writer.\(key.method)(\(1 << 3 | key.wire), key)",
                "    writer.\(value.method)(\(2 << 3 | value.wire), value)",
                "    writer.close(start)",
                "}",
            ]
        }
    }
}
