/// Reads values one after the other. Whatever the bytes are, it reads inside of them or says that they are garbled.
struct BusReader: Hashable {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private(set) var place = 0

    init(_ bytes: [UInt8], isBigEndian: Bool) { (self.bytes, self.isBigEndian) = (bytes, isBigEndian) }

    mutating func align(_ size: Int) throws(BusFault) {
        let next = (place + size - 1) / size * size
        guard next <= bytes.count else { throw .garbled }
        place = next
    }

    mutating func byte() throws(BusFault) -> UInt8 {
        guard place < bytes.count else { throw .garbled }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number() throws(BusFault) -> UInt32 {
        try align(4)
        let four = try take(4)
        return (isBigEndian ? Array(four) : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func string() throws(BusFault) -> String { try text(Int(try number())) }

    mutating func signature() throws(BusFault) -> String { try text(Int(try byte())) }

    /// Where the array ends that begins here.
    mutating func arrayEnd() throws(BusFault) -> Int {
        let length = Int(try number())
        guard length <= bytes.count - place else { throw .garbled }
        return place + length
    }

    /// Goes past a value of a plain type; there is no other in a header.
    mutating func skip(_ type: String) throws(BusFault) {
        switch type {
        case "y": _ = try byte()
        case "n", "q":
            try align(2)
            _ = try take(2)
        case "b", "i", "u", "h": _ = try number()
        case "x", "t", "d":
            try align(8)
            _ = try take(8)
        case "s", "o": _ = try string()
        case "g": _ = try signature()
        default: throw .garbled
        }
    }

    private mutating func take(_ count: Int) throws(BusFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw .garbled }
        defer { place += count }
        return bytes[place..<place + count]
    }

    /// With the zero behind it.
    private mutating func text(_ count: Int) throws(BusFault) -> String {
        let letters = try take(count)
        guard try byte() == 0, let text = String(validating: letters, as: UTF8.self) else { throw .garbled }
        return text
    }
}

/// What a bus sent and was not read yet. Bounded: a message that announces more than is taken is a fault before it is there.
struct BusInbox {
    /// Bytes of a message. A desktop's answers have some hundred.
    static let mostOfMessage = 65_536

    private var bytes: [UInt8] = []

    mutating func feed(_ piece: ArraySlice<UInt8>) { bytes += piece }

    /// The line of the handshake that ends first; nil: none is whole yet.
    mutating func line() throws(BusFault) -> String? {
        guard let end = bytes.firstIndex(of: 10) else {
            if bytes.count > 1_024 { throw .tooMuch }
            return nil
        }
        guard end <= 1_024 else { throw .tooMuch }
        let line = String(decoding: bytes[..<end].prefix { $0 != 13 }, as: UTF8.self)
        bytes.removeFirst(end + 1)
        return line
    }

    /// The next answer; what else a bus sends, signals and calls, is passed over. Nil: none is whole yet.
    mutating func answer() throws(BusFault) -> BusAnswer? {
        while let (message, isBigEndian) = try message() {
            if let answer = try Self.answer(message, isBigEndian) { return answer }
        }
        return nil
    }

    /// The bytes of a whole message, which are taken out.
    private mutating func message() throws(BusFault) -> (bytes: [UInt8], isBigEndian: Bool)? {
        guard let order = bytes.first else { return nil }
        guard order == UInt8(ascii: "l") || order == UInt8(ascii: "B") else { throw .garbled }
        guard bytes.count >= 16 else { return nil }
        let isBigEndian = order == UInt8(ascii: "B")
        guard bytes[3] == 1 else { throw .garbled }
        var reader = BusReader(Array(bytes[4..<16]), isBigEndian: isBigEndian)
        let (body, _, fields) = (Int(try reader.number()), try reader.number(), Int(try reader.number()))
        guard body <= Self.mostOfMessage, fields <= Self.mostOfMessage else { throw .tooMuch }
        let length = (16 + fields + 7) / 8 * 8 + body
        guard length <= Self.mostOfMessage else { throw .tooMuch }
        guard bytes.count >= length else { return nil }
        defer { bytes.removeFirst(length) }
        return (Array(bytes[..<length]), isBigEndian)
    }

    /// "Message Format"; nil of what is no answer.
    private static func answer(_ bytes: [UInt8], _ isBigEndian: Bool) throws(BusFault) -> BusAnswer? {
        let type = bytes[1]
        guard type == 2 || type == 3 else { return nil }
        var reader = BusReader(bytes, isBigEndian: isBigEndian)
        try reader.skip("t")
        try reader.skip("u")
        let end = try reader.arrayEnd()
        var (serial, error, signature): (UInt32?, String?, String) = (nil, nil, "")
        while reader.place < end {
            try reader.align(8)
            let code = try reader.byte()
            let form = try reader.signature()
            switch (code, form) {
            case (4, "s"): error = try reader.string()
            case (5, "u"): serial = try reader.number()
            case (8, "g"): signature = try reader.signature()
            default: try reader.skip(form)
            }
        }
        guard reader.place == end, let serial, (error != nil) == (type == 3) else { throw .garbled }
        try reader.align(8)
        let body = BusReader(Array(bytes[reader.place...]), isBigEndian: isBigEndian)
        return BusAnswer(serial: serial, error: error, signature: signature, body: body)
    }
}
