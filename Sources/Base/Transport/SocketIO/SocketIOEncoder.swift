import HTTP

extension SocketIOPacket {
    /// The packet as Socket.IO text (without Engine.IO's `4`) and the binary frames that follow it.
    public func encoded(limits: SocketIOLimits = .init()) throws(SocketIOFault) -> (text: String, attachments: [[UInt8]]) {
        guard Self.isValid(namespace: namespace) else { throw .badNamespace }
        let prefix = namespace == "/" ? "" : namespace + ","
        switch content {
        case .connect(let payload):
            if let payload, payload.members == nil { throw .badPayload }
            return ("0" + prefix + (payload?.serialized() ?? ""), [])
        case .disconnect: return ("1" + prefix, [])
        case .event(let name, let arguments, let id):
            guard !Self.reservedEventNames.contains(name) else { throw .reservedEventName }
            let number = id.map { String($0) } ?? ""
            return try Self.encode("2", "5", prefix + number, name, arguments, limits)
        case .acknowledgement(let id, let arguments): return try Self.encode("3", "6", prefix + String(id), nil, arguments, limits)
        case .connectError(let payload):
            guard payload.members != nil || payload.stringValue != nil else { throw .badPayload }
            return ("4" + prefix + payload.serialized(), [])
        }
    }

    static func isValid(namespace: String) -> Bool {
        namespace.utf8.first == UInt8(ascii: "/") && namespace.utf8.count <= maximumNamespaceLength
            && !namespace.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "?") || $0 < 0x20 }
    }

    private static func encode(
        _ plain: String, _ binary: String, _ prefix: String, _ name: String?, _ arguments: [SocketIOValue], _ limits: SocketIOLimits
    ) throws(SocketIOFault) -> (text: String, attachments: [[UInt8]]) {
        var attachments: [[UInt8]] = []
        var text = prefix + "["
        if let name { text += JSONValue.quoted(name) }
        for (index, argument) in arguments.enumerated() {
            if index > 0 || name != nil { text += "," }
            try write(argument, to: &text, &attachments, depth: 2, limits)
        }
        text += "]"
        guard attachments.count <= limits.maximumAttachments else { throw .tooManyAttachments }
        text = (attachments.isEmpty ? plain : binary + String(attachments.count) + "-") + text
        let size = attachments.reduce(text.utf8.count + 1) { $0 + $1.count }
        guard size <= limits.maximumPayload else { throw .tooLarge }
        return (text, attachments)
    }

    private static func write(
        _ value: SocketIOValue, to text: inout String, _ attachments: inout [[UInt8]], depth: Int, _ limits: SocketIOLimits
    ) throws(SocketIOFault) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): text += JSONValue.quoted(string)
        case .array(let elements):
            guard depth <= limits.maximumDepth else { throw .badPayload }
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                try write(element, to: &text, &attachments, depth: depth + 1, limits)
            }
            text += "]"
        case .object(let members):
            guard depth <= limits.maximumDepth else { throw .badPayload }
            // An object of ours that reads as a placeholder would be taken for an attachment.
            guard !members.contains(where: { $0.name == "_placeholder" }) else { throw .badPlaceholder }
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                text += JSONValue.quoted(member.name) + ":"
                try write(member.value, to: &text, &attachments, depth: depth + 1, limits)
            }
            text += "}"
        case .binary(let bytes):
            text += "{\"_placeholder\":true,\"num\":\(attachments.count)}"
            attachments.append(bytes)
        }
    }
}
