import HTTP

/// Puts packets together from the frames of one connection, in order. After a fault the connection is of no more use.
public struct SocketIODecoder: Sendable {
    private let limits: SocketIOLimits
    private var partial: Partial?

    /// A packet whose attachments have not all come.
    private struct Partial: Sendable {
        var header: Header
        var payload: JSONValue
        var attachments: [[UInt8]] = []
        /// What the rest of its attachments may still come to.
        var room: Int
    }

    private struct Header: Sendable {
        var type: Int
        var attachmentCount = 0
        var namespace = "/"
        var id: UInt64?
    }

    public init(limits: SocketIOLimits = .init()) { self.limits = limits }

    /// True between a packet with attachments and the last of these.
    public var isAssembling: Bool { partial != nil }

    /// A text packet without Engine.IO's `4`. Nil: its attachments are still to come.
    public mutating func decode(_ text: some StringProtocol) throws(SocketIOFault) -> SocketIOPacket? {
        guard partial == nil else { throw .attachmentMissing }
        let bytes = Array(text.utf8)
        // With Engine.IO's digit before it.
        guard bytes.count < limits.maximumPayload else { throw .tooLarge }
        var index = 0
        let header = try header(bytes, &index)
        let payload = try payload(bytes[index...])
        guard header.type >= 5 else { return try Self.packet(header, payload) { SocketIOValue($0) } }
        guard let payload else { throw .badPayload }
        partial = Partial(header: header, payload: payload, room: limits.maximumPayload - bytes.count - 1)
        return try completed()
    }

    /// A binary frame. Nil: more attachments are to come.
    public mutating func decode(_ attachment: [UInt8]) throws(SocketIOFault) -> SocketIOPacket? {
        guard let room = partial?.room else { throw .strayBinary }
        guard attachment.count <= room else { throw .tooLarge }
        partial?.room = room - attachment.count
        partial?.attachments.append(attachment)
        return try completed()
    }

    private mutating func completed() throws(SocketIOFault) -> SocketIOPacket? {
        guard let whole = partial, whole.attachments.count == whole.header.attachmentCount else { return nil }
        partial = nil
        return try Self.packet(whole.header, whole.payload) { json throws(SocketIOFault) in try Self.fill(json, whole.attachments) }
    }

    private func header(_ bytes: [UInt8], _ index: inout Int) throws(SocketIOFault) -> Header {
        guard let first = bytes.first else { throw .emptyPacket }
        guard (UInt8(ascii: "0")...UInt8(ascii: "6")).contains(first) else { throw .unknownType }
        index = 1
        var header = Header(type: Int(first - UInt8(ascii: "0")))
        if header.type >= 5 {
            guard let count = Self.number(bytes, &index), index < bytes.count, bytes[index] == UInt8(ascii: "-") else {
                throw .badAttachmentCount
            }
            index += 1
            guard count <= UInt64(limits.maximumAttachments) else { throw .tooManyAttachments }
            header.attachmentCount = Int(count)
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: "/") { header.namespace = try namespace(bytes, &index) }
        if index < bytes.count, Self.isDigit(bytes[index]) {
            guard let id = Self.number(bytes, &index), id <= UInt64(Int64.max) else { throw .badAcknowledgementID }
            header.id = id
        }
        return header
    }

    /// An old client's `?query` is cut off: it may hold a credential and never names a namespace.
    private func namespace(_ bytes: [UInt8], _ index: inout Int) throws(SocketIOFault) -> String {
        let end = bytes[index...].firstIndex(of: UInt8(ascii: ",")) ?? bytes.count
        let whole = bytes[index..<end]
        index = min(end + 1, bytes.count)
        let name = String(decoding: whole.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        guard SocketIOPacket.isValid(namespace: name) else { throw .badNamespace }
        return name
    }

    private func payload(_ bytes: ArraySlice<UInt8>) throws(SocketIOFault) -> JSONValue? {
        guard !bytes.isEmpty else { return nil }
        do throws(JSONError) {
            return try JSONValue(parsing: Array(bytes), limits: .init(bytes: limits.maximumPayload, depth: limits.maximumDepth))
        } catch {
            throw .badPayload
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Nil where there is no digit or the number does not fit.
    private static func number(_ bytes: [UInt8], _ index: inout Int) -> UInt64? {
        let start = index
        while index < bytes.count, isDigit(bytes[index]) { index += 1 }
        return UInt64(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private static func packet(
        _ header: Header, _ payload: JSONValue?, _ value: (JSONValue) throws(SocketIOFault) -> SocketIOValue
    ) throws(SocketIOFault) -> SocketIOPacket {
        switch (header.type, payload) {
        case (0, nil), (0, .object):
            guard header.id == nil else { throw .badAcknowledgementID }
            return .init(namespace: header.namespace, content: .connect(payload))
        case (1, nil):
            guard header.id == nil else { throw .badAcknowledgementID }
            return .init(namespace: header.namespace, content: .disconnect)
        case (2, .array(let elements)), (5, .array(let elements)):
            guard case .string(let name) = elements.first else { throw .badPayload }
            guard !SocketIOPacket.reservedEventNames.contains(name) else { throw .reservedEventName }
            let arguments = try values(elements.dropFirst(), value)
            return .init(namespace: header.namespace, content: .event(name: name, arguments: arguments, id: header.id))
        case (3, .array(let elements)), (6, .array(let elements)):
            guard let id = header.id else { throw .badAcknowledgementID }
            return .init(namespace: header.namespace, content: .acknowledgement(id: id, arguments: try values(elements[...], value)))
        case (4, .object(_)?), (4, .string(_)?):
            guard header.id == nil, let payload else { throw .badAcknowledgementID }
            return .init(namespace: header.namespace, content: .connectError(payload))
        default: throw .badPayload
        }
    }

    private static func values(
        _ elements: ArraySlice<JSONValue>, _ value: (JSONValue) throws(SocketIOFault) -> SocketIOValue
    ) throws(SocketIOFault) -> [SocketIOValue] {
        var values: [SocketIOValue] = []
        for element in elements { values.append(try value(element)) }
        return values
    }

    /// Puts the attachments in the places of their placeholders.
    private static func fill(_ json: JSONValue, _ attachments: [[UInt8]]) throws(SocketIOFault) -> SocketIOValue {
        switch json {
        case .array(let elements):
            return .array(try values(elements[...]) { element throws(SocketIOFault) in try fill(element, attachments) })
        case .object(let members):
            if json["_placeholder"] == .bool(true) {
                guard let number = json["num"]?.intValue, attachments.indices.contains(number) else { throw .badPlaceholder }
                return .binary(attachments[number])
            }
            var filled: [SocketIOValue.Member] = []
            for member in members { filled.append(.init(member.name, try fill(member.value, attachments))) }
            return .object(filled)
        default: return SocketIOValue(json)
        }
    }
}
