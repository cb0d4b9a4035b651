/// Turns one schema file into one Swift file.
struct Generator {
    let schema: Schema
    let file: FileDescriptor
    /// `public ` or nothing.
    let access: String

    init(_ file: FileDescriptor, _ schema: Schema, isPublic: Bool) {
        self.file = file
        self.schema = schema
        access = isPublic ? "public " : ""
    }

    func generate() throws(SchemaError) -> String {
        guard file.syntax == "proto3" else { throw SchemaError(text: "\(file.name): only proto3 is supported") }
        let prefix = Names.prefix(of: file)
        let scope = file.package.isEmpty ? "" : file.package + "."
        var lines = [
            "// swift-format-ignore-file",
            "// Generated from \(file.name) by protoc-gen-causeway. Change the schema and run `make proto`.",
            "\(access)import WireCodec",
        ]
        for (index, value) in file.enums.enumerated() {
            lines.append("")
            lines += enumeration(value, prefix + Names.enumeration(value.name), [5, Int32(index)])
        }
        for (index, message) in file.messages.enumerated() {
            lines.append("")
            lines += try self.message(message, prefix + Names.message(message.name), scope + message.name, [4, Int32(index)])
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func comment(_ path: [Int32]) -> [String] {
        guard let text = file.source.comments[path] else { return [] }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(" ") ? $0.dropFirst() : $0 }
            .reversed().drop { $0.isEmpty }.reversed()
            .map { $0.isEmpty ? "///" : "/// " + $0 }
    }

    private func enumeration(_ value: EnumDescriptor, _ name: String, _ path: [Int32]) -> [String] {
        var cases: [(name: String, number: Int32)] = []
        var body: [String] = []
        for (index, item) in value.values.enumerated() {
            let caseName = Names.escaped(Names.enumCase(item.name, of: value.name))
            body += comment(path + [2, Int32(index)])
            if let first = cases.first(where: { $0.number == item.number }) {
                body.append("\(access)static let \(caseName) = Self.\(first.name)")
            } else {
                body.append("case \(caseName)")
                cases.append((caseName, item.number))
            }
        }
        let zero: String = cases.first(where: { $0.number == 0 }).map(\.name) ?? "UNRECOGNIZED(0)"
        body += ["/// A number of a newer schema.", "case UNRECOGNIZED(Int)", ""]
        body += ["\(access)init() { self = .\(zero) }", "\(access)init(rawValue: Int) {", "    switch rawValue {"]
        body += cases.map { "    case \($0.number): self = .\($0.name)" }
        body += ["    default: self = .UNRECOGNIZED(rawValue)", "    }", "}", "\(access)var rawValue: Int {", "    switch self {"]
        body += cases.map { "    case .\($0.name): \($0.number)" }
        body += ["    case .UNRECOGNIZED(let number): number", "    }", "}"]
        body += ["\(access)static let allCases: [\(name)] = [\(cases.map { ".\($0.name)" }.joined(separator: ", "))]"]
        return comment(path) + ["\(access)enum \(Names.lastPart(name)): ProtoEnum {"] + indented(body) + ["}"]
    }

    private func message(_ message: MessageDescriptor, _ name: String, _ fullName: String, _ path: [Int32]) throws(SchemaError) -> [String]
    {
        let fields = try self.fields(message, fullName, path)
        var body: [String] = []
        for field in fields { body += field.declaration(access) }
        let optionals = fields.count { if case .optional = $0.shape { true } else { false } }
        guard optionals <= 64 else { throw SchemaError(text: "\(fullName): more than 64 optional fields") }
        if optionals > 0 {
            let usable = access.isEmpty ? "fileprivate" : "@usableFromInline internal"
            body.append("\(usable) var _presence: \(optionals > 32 ? "UInt64" : "UInt32") = 0")
        }
        body += oneofs(message, fields)
        body += ["\(access)var unknownFields = UnknownFields()", "", "\(access)init() {}", ""]
        body.append("\(access)static let protoMessageName = \"\(fullName)\"")
        body += codec(fields)
        for (index, nested) in message.enums.enumerated() {
            body += [""] + enumeration(nested, name + "." + Names.enumeration(nested.name), path + [4, Int32(index)])
        }
        for (index, nested) in message.messages.enumerated() where !nested.options.isMapEntry {
            body += [""]
            body += try self.message(
                nested, name + "." + Names.message(nested.name), fullName + "." + nested.name, path + [3, Int32(index)])
        }
        return comment(path) + ["\(access)struct \(Names.lastPart(name)): Message {"] + indented(body) + ["}"]
    }

    private func fields(_ message: MessageDescriptor, _ fullName: String, _ path: [Int32]) throws(SchemaError) -> [Field] {
        var fields: [Field] = []
        var bits = 0
        for (index, descriptor) in message.fields.enumerated() {
            let type = try FieldType(descriptor, schema)
            let shape: Field.Shape
            if let entry = schema.mapEntry(descriptor), let key = entry.fields.first, let value = entry.fields.last {
                shape = .map(key: try FieldType(key, schema), value: try FieldType(value, schema))
            } else if descriptor.isRepeated {
                shape = .repeated(packed: type.kind != .message && type.kind != .text && descriptor.options.packed != false)
            } else if let oneof = descriptor.oneof, !descriptor.isOptional {
                let name = message.oneofs[oneof].name
                shape = .oneof(name: Names.field(name), type: "OneOf_" + Names.upperCamel(name))
            } else if type.kind == .message {
                shape = .message(boxed: schema.reaches(descriptor.typeName, "." + fullName))
            } else if descriptor.isOptional {
                shape = .optional(bit: bits)
                bits += 1
            } else {
                shape = .plain
            }
            let name = Names.field(descriptor.name)
            fields.append(
                Field(
                    descriptor: descriptor, type: type, comment: comment(path + [2, Int32(index)]), shape: shape, name: name,
                    escaped: Names.escaped(name)))
        }
        return fields
    }

    /// The property and the enumeration of each oneof.
    private func oneofs(_ message: MessageDescriptor, _ fields: [Field]) -> [String] {
        var lines: [String] = []
        for (index, oneof) in message.oneofs.enumerated() {
            let members = fields.filter { $0.descriptor.oneof == index && !$0.descriptor.isOptional }
            guard !members.isEmpty else { continue }
            let name = Names.field(oneof.name)
            let type = "OneOf_" + Names.upperCamel(oneof.name)
            // A member that holds this message again must live on the heap.
            let indirect = members.contains { member in
                member.type.kind == .message && holdsItself(member.descriptor.typeName)
            }
            lines += ["/// At most one of these.", "\(access)var \(Names.escaped(name)): \(type)?"]
            lines.append("\(access)\(indirect ? "indirect " : "")enum \(type): Hashable, Sendable {")
            lines += members.map { "    case \($0.escaped)(\($0.type.swift))" }
            lines.append("}")
        }
        return lines
    }

    private func holdsItself(_ typeName: String) -> Bool {
        (schema.types[typeName]?.holds ?? []).contains { schema.reaches($0, typeName) }
    }

    private func codec(_ fields: [Field]) -> [String] { decoder(fields) + [""] + encoder(fields) }

    /// Scalars are read by a copy of the cursor's position, presence is gathered beside it: both stay in registers, and are put back
    /// before anything else looks.
    private func decoder(_ fields: [Field]) -> [String] {
        let hasPresence = fields.contains { if case .optional = $0.shape { true } else { false } }
        var body = ["", "\(access)mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {"]
        body.append("    var scan = cursor.scan")
        if hasPresence { body.append("    var presence = _presence") }
        body += ["    while true {", "        let start = scan.offset", "        let tag = try scan.tag(bytes)", "        switch tag {"]
        body += ["        case 0:", "            cursor.scan = scan"]
        if hasPresence { body.append("            _presence = presence") }
        body.append("            return")
        for arm in fields.flatMap(\.decoding) { body += ["        case \(arm.tag):"] + arm.body.map { "            " + $0 } }
        body += ["        default:", "            cursor.scan = scan"]
        body += ["            try cursor.unknown(bytes, tag, from: start, into: &unknownFields)", "            scan = cursor.scan"]
        return body + ["        }", "    }", "}"]
    }

    /// Scalars in a row share one reservation.
    private func encoder(_ fields: [Field]) -> [String] {
        var body = ["\(access)func write(to writer: inout WireWriter) {"]
        var run: [Field] = []
        func closeRun() -> [String] {
            guard !run.isEmpty else { return [] }
            let most = run.reduce(0) { $0 + $1.scalarSize }
            let lines = ["    do {", "        var run = writer.run(\(most))"] + run.flatMap { indented(indented($0.encoding)) }
            run = []
            return lines + ["        writer.end(run)", "    }"]
        }
        for field in fields.sorted(by: { $0.descriptor.number < $1.descriptor.number }) {
            if field.isScalar {
                run.append(field)
            } else {
                body += closeRun() + indented(field.encoding)
            }
        }
        return body + closeRun() + ["    writer.unknown(unknownFields)", "}"]
    }

    private func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "    " + $0 } }
}

extension Names {
    static func lastPart(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
}
