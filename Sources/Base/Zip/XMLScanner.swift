/// What is wrong with an XML text, and at which byte.
public struct XMLFault: Error, Hashable, Sendable {
    public var byte: Int
    public var reason: String
}

/// Reads the XML of office files forwards, one event at a time: elements, attributes, text, the five named entities and numbered ones.
/// No document type (so nothing expands), no other encoding than UTF-8, depth bounded.
public struct XMLScanner {
    public enum Event: Hashable, Sendable {
        /// Names without their prefix.
        case start(name: String, attributes: [String: String])
        case end(name: String)
        case text(String)
    }

    private let bytes: [UInt8]
    private var place = 0
    private var open: [String] = []
    private var pendingEnd: String?
    private var hasRoot = false

    public static let maximumDepth = 64

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// Nil at the end of a document whose elements are all closed.
    public mutating func next() throws(XMLFault) -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return .end(name: name)
        }
        while place < bytes.count {
            if bytes[place] != 60 {
                let text = try text()
                if !open.isEmpty { return .text(text) }
                guard text.allSatisfy(\.isWhitespace) else { throw fault("text outside the document") }
                continue
            }
            switch place + 1 < bytes.count ? bytes[place + 1] : 0 {
            case 63: try skip(past: "?>")
            case 33 where starts("<!--"): try skip(past: "-->")
            case 33: throw fault("a document type or CDATA, which is not read")
            case 47: return try closing()
            default: return try opening()
            }
        }
        guard open.isEmpty, hasRoot else { throw fault("the document ends early") }
        return nil
    }

    private func fault(_ reason: String) -> XMLFault { XMLFault(byte: place, reason: reason) }

    private func starts(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count - place >= count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[place..<(place + count)]) }
    }

    private mutating func skip(past text: StaticString) throws(XMLFault) {
        while place < bytes.count {
            if starts(text) {
                place += text.utf8CodeUnitCount
                return
            }
            place += 1
        }
        throw fault("the document ends early")
    }

    private mutating func text() throws(XMLFault) -> String {
        let start = place
        while place < bytes.count, bytes[place] != 60 { place += 1 }
        return try decoded(bytes[start..<place])
    }

    private func decoded(_ raw: ArraySlice<UInt8>) throws(XMLFault) -> String {
        guard let whole = String(validating: raw, as: UTF8.self) else { throw fault("not UTF-8") }
        guard raw.contains(38) else { return whole }
        var result = ""
        var rest = Substring(whole)
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            rest = rest[mark...].dropFirst()
            guard let end = rest.prefix(12).firstIndex(of: ";"), let letter = Self.entity(rest[..<end]) else {
                throw fault("an unknown entity")
            }
            result.unicodeScalars.append(letter)
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static func entity(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let value = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return value.flatMap(Unicode.Scalar.init)
        }
    }

    private mutating func name() throws(XMLFault) -> String {
        let start = place
        while place < bytes.count, bytes[place] > 32, ![47, 62, 61, 60, 34, 39].contains(bytes[place]) { place += 1 }
        guard place > start, place - start <= 128 else { throw fault("no name where one belongs") }
        guard let whole = String(validating: bytes[start..<place], as: UTF8.self) else { throw fault("not UTF-8") }
        return whole.lastIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? whole
    }

    private mutating func blanks() {
        while place < bytes.count, [32, 9, 10, 13].contains(bytes[place]) { place += 1 }
    }

    private mutating func opening() throws(XMLFault) -> Event {
        place += 1
        let name = try name()
        guard !(open.isEmpty && hasRoot) else { throw fault("a second document") }
        hasRoot = true
        var attributes: [String: String] = [:]
        while true {
            blanks()
            guard place < bytes.count else { throw fault("the document ends early") }
            if bytes[place] == 62 {
                place += 1
                guard open.count < Self.maximumDepth else { throw fault("too deep") }
                open.append(name)
                return .start(name: name, attributes: attributes)
            }
            if bytes[place] == 47 {
                guard place + 1 < bytes.count, bytes[place + 1] == 62 else { throw fault("a / out of place") }
                place += 2
                pendingEnd = name
                return .start(name: name, attributes: attributes)
            }
            guard attributes.count < 64 else { throw fault("too many attributes") }
            let key = try self.name()
            blanks()
            guard place < bytes.count, bytes[place] == 61 else { throw fault("an attribute without =") }
            place += 1
            blanks()
            guard place < bytes.count, bytes[place] == 34 || bytes[place] == 39 else { throw fault("an attribute without quotes") }
            let quote = bytes[place]
            place += 1
            let start = place
            while place < bytes.count, bytes[place] != quote, bytes[place] != 60 { place += 1 }
            guard place < bytes.count, bytes[place] == quote else { throw fault("an attribute that does not end") }
            attributes[key] = try decoded(bytes[start..<place])
            place += 1
        }
    }

    private mutating func closing() throws(XMLFault) -> Event {
        place += 2
        let name = try name()
        blanks()
        guard place < bytes.count, bytes[place] == 62 else { throw fault("a closing tag that does not end") }
        place += 1
        guard open.popLast() == name else { throw fault("</\(name.prefix(40))> closes another element") }
        return .end(name: name)
    }
}
