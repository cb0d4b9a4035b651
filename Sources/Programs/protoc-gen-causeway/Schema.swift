/// Why a schema cannot become Swift.
struct SchemaError: Error {
    var text: String
}

/// All types of a run, by their full schema name.
struct Schema {
    /// A message or an enumeration.
    struct TypeEntry {
        var swiftName: String
        var message: MessageDescriptor?
        /// Schema names of the messages its fields hold singly: what decides whether it would contain itself.
        var holds: [String] = []
    }

    private(set) var types: [String: TypeEntry] = [:]

    init(_ files: [FileDescriptor]) {
        for file in files {
            let prefix = Names.prefix(of: file)
            let scope = file.package.isEmpty ? "" : "." + file.package
            for message in file.messages { add(message, scope, prefix) }
            for enumeration in file.enums {
                types[scope + "." + enumeration.name] = TypeEntry(swiftName: prefix + Names.enumeration(enumeration.name))
            }
        }
    }

    private mutating func add(_ message: MessageDescriptor, _ scope: String, _ prefix: String) {
        let name = scope + "." + message.name
        let swiftName = prefix + Names.message(message.name)
        let holds = message.fields.filter { $0.type == 11 && !$0.isRepeated }.map(\.typeName)
        types[name] = TypeEntry(swiftName: swiftName, message: message, holds: holds)
        for nested in message.messages { add(nested, name, swiftName + ".") }
        for nested in message.enums {
            types[name + "." + nested.name] = TypeEntry(swiftName: swiftName + "." + Names.enumeration(nested.name))
        }
    }

    func swiftName(_ name: String) throws(SchemaError) -> String {
        guard let entry = types[name] else { throw SchemaError(text: "unknown type \(name)") }
        return entry.swiftName
    }

    /// The entry message of a map field, else nil.
    func mapEntry(_ field: FieldDescriptor) -> MessageDescriptor? {
        guard field.isRepeated, field.type == 11, let message = types[field.typeName]?.message else { return nil }
        return message.options.isMapEntry ? message : nil
    }

    /// Whether a value of `from` would, held inline, contain a value of `target`.
    func reaches(_ from: String, _ target: String) -> Bool {
        var seen: Set<String> = []
        var open = [from]
        while let name = open.popLast() {
            if name == target { return true }
            guard seen.insert(name).inserted else { continue }
            open += types[name]?.holds ?? []
        }
        return false
    }
}

/// How a scalar or composite type looks in Swift and on the wire.
struct FieldType {
    var swift: String
    var zero: String
    /// The reader and writer method, named as the schema names the type.
    var method: String
    var wire: UInt32
    var kind: Kind

    enum Kind { case number, bool, text, enumeration, message }

    /// Width of an element where it is fixed.
    var width: Int? { wire == 1 ? 8 : wire == 5 ? 4 : nil }

    private static let scalars: [Int32: (String, String, UInt32)] = [
        1: ("Double", "double", 1), 2: ("Float", "float", 5), 3: ("Int64", "int64", 0), 4: ("UInt64", "uint64", 0),
        5: ("Int32", "int32", 0), 6: ("UInt64", "fixed64", 1), 7: ("UInt32", "fixed32", 5), 13: ("UInt32", "uint32", 0),
        15: ("Int32", "sfixed32", 5), 16: ("Int64", "sfixed64", 1), 17: ("Int32", "sint32", 0), 18: ("Int64", "sint64", 0),
    ]

    init(_ field: FieldDescriptor, _ schema: Schema) throws(SchemaError) {
        switch field.type {
        case 8: self.init(swift: "Bool", zero: "false", method: "bool", wire: 0, kind: .bool)
        case 9: self.init(swift: "String", zero: "\"\"", method: "string", wire: 2, kind: .text)
        case 12: self.init(swift: "[UInt8]", zero: "[]", method: "bytes", wire: 2, kind: .text)
        case 11:
            let name = try schema.swiftName(field.typeName)
            self.init(swift: name, zero: "\(name)()", method: "message", wire: 2, kind: .message)
        case 14:
            let name = try schema.swiftName(field.typeName)
            self.init(swift: name, zero: "\(name)()", method: "enumeration", wire: 0, kind: .enumeration)
        default:
            guard let (swift, method, wire) = Self.scalars[field.type] else {
                throw SchemaError(text: "\(field.name): groups are not supported")
            }
            self.init(swift: swift, zero: "0", method: method, wire: wire, kind: .number)
        }
    }

    private init(swift: String, zero: String, method: String, wire: UInt32, kind: Kind) {
        self.swift = swift
        self.zero = zero
        self.method = method
        self.wire = wire
        self.kind = kind
    }

    /// The condition under which a field without presence is written.
    func isSet(_ value: String) -> String {
        switch kind {
        case .bool: value
        case .text: "!\(value).isEmpty"
        case .enumeration: "\(value).rawValue != 0"
        case .number where swift == "Double" || swift == "Float": "\(value).bitPattern != 0"
        default: "\(value) != 0"
        }
    }
}
