/// Why a bus is not usable, as `word.…` of the catalogues names it; what it says itself is in `said`.
enum BusFault: Error, Hashable, Sendable {
    /// Its address is none of a socket of this machine.
    case address
    /// The system's reason.
    case system(String)
    /// It closed the connection.
    case closed
    /// It takes no sign-in of this user.
    case rejected
    /// What it sends is not D-Bus.
    case garbled
    /// A message or all of what it sends is longer than is read.
    case tooMuch
    case noAnswer
    /// It answers with an error of its own.
    case said(String)
}

/// Writes values one after the other, little endian, each at a multiple of its size (D-Bus Specification 0.43, "Marshaling").
struct BusWriter {
    private(set) var bytes: [UInt8] = []

    mutating func align(_ size: Int) { while bytes.count % size != 0 { bytes.append(0) } }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: UInt32) {
        align(4)
        for shift: UInt32 in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// A string or an object's path.
    mutating func string(_ text: String) {
        number(UInt32(text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    mutating func signature(_ text: StaticString) {
        bytes.append(UInt8(text.utf8CodeUnitCount))
        text.withUTF8Buffer { bytes += $0 }
        bytes.append(0)
    }

    /// An array of what is at multiples of eight.
    mutating func array(_ elements: (inout BusWriter) -> Void) {
        number(0)
        let place = bytes.count - 4
        align(8)
        let start = bytes.count
        elements(&self)
        let length = UInt32(bytes.count - start)
        for (offset, shift) in [0, 8, 16, 24].enumerated() { bytes[place + offset] = UInt8(truncatingIfNeeded: length >> UInt32(shift)) }
    }
}

/// A method that is called.
struct BusCall {
    /// Of the bus itself: from then on the connection has a name.
    static let hello = BusCall("org.freedesktop.DBus", "/org/freedesktop/DBus", "Hello")

    private let service: String
    private let path: String
    private let member: String
    private let signature: StaticString?
    private let body: BusWriter

    init(_ service: String, _ path: String, _ member: String, _ signature: StaticString? = nil, _ body: BusWriter = BusWriter()) {
        (self.service, self.path, self.member, self.signature, self.body) = (service, path, member, signature, body)
    }

    /// "Message Format". The interface is called as the service is.
    func bytes(serial: UInt32) -> [UInt8] {
        var writer = BusWriter()
        // Little endian, a call, no flags, version 1.
        for byte: UInt8 in [UInt8(ascii: "l"), 1, 0, 1] { writer.byte(byte) }
        writer.number(UInt32(body.bytes.count))
        writer.number(serial)
        writer.array { fields in
            for (code, type, text) in [(1, "o", path), (2, "s", service), (3, "s", member), (6, "s", service)]
                as [(UInt8, StaticString, String)]
            {
                fields.align(8)
                fields.byte(code)
                fields.signature(type)
                fields.string(text)
            }
            guard let signature else { return }
            fields.align(8)
            fields.byte(8)
            fields.signature("g")
            fields.signature(signature)
        }
        writer.align(8)
        return writer.bytes + body.bytes
    }
}

/// An answer to a call.
struct BusAnswer: Hashable {
    var serial: UInt32
    /// Of an error its name.
    var error: String?
    var signature = ""
    var body: BusReader

    /// What an error says: its text, else its name.
    var reason: String {
        var reader = body
        guard signature.hasPrefix("s"), let text = try? reader.string(), !text.isEmpty else { return error ?? "" }
        return text
    }

    /// - Throws: `garbled` where it is something else.
    func number() throws(BusFault) -> UInt32 {
        var reader = body
        guard signature == "u" else { throw .garbled }
        return try reader.number()
    }

    func strings() throws(BusFault) -> [String] {
        var reader = body
        guard signature == "as" else { throw .garbled }
        let end = try reader.arrayEnd()
        var texts: [String] = []
        while reader.place < end { texts.append(try reader.string()) }
        guard reader.place == end else { throw .garbled }
        return texts
    }
}
