extension JSONValue {
    /// Without white space; members in their order, numbers as they are.
    public func serialized() -> String {
        var writer = JSONWriter(indent: nil)
        writer.write(self, level: 0)
        return writer.text
    }

    public func serializedBytes() -> [UInt8] { Array(serialized().utf8) }

    /// Two spaces a level, one member a line, no newline at the end.
    public func pretty() -> String {
        var writer = JSONWriter(indent: 2)
        writer.write(self, level: 0)
        return writer.text
    }

    /// A text as a JSON string with its quotes.
    public static func quoted(_ text: String) -> String {
        var writer = JSONWriter(indent: nil)
        writer.write(text)
        return writer.text
    }
}

struct JSONWriter {
    let indent: Int?
    var text = ""

    init(indent: Int?) { self.indent = indent }

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): write(string)
        case .array(let elements):
            list("[", "]", elements, level: level) { writer, element in writer.write(element, level: level + 1) }
        case .object(let members):
            list("{", "}", members, level: level) { writer, member in
                writer.write(member.name)
                writer.text += writer.indent == nil ? ":" : ": "
                writer.write(member.value, level: level + 1)
            }
        }
    }

    private mutating func list<Element>(
        _ open: String, _ close: String, _ elements: [Element], level: Int, _ body: (inout JSONWriter, Element) -> Void
    ) {
        text += open
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            newLine(level + 1)
            body(&self, element)
        }
        if !elements.isEmpty { newLine(level) }
        text += close
    }

    private mutating func newLine(_ level: Int) {
        guard let indent else { return }
        text += "\n" + String(repeating: " ", count: indent * level)
    }

    mutating func write(_ string: String) {
        text += "\""
        if string.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) {
            for scalar in string.unicodeScalars { write(scalar) }
        } else {
            text += string
        }
        text += "\""
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\u{0}"..<" ":
            let digits = String(scalar.value, radix: 16)
            text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
    }
}
