public import HTTP

/// One packet of socket.io-protocol 5, its attachments in place.
public struct SocketIOPacket: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// The payload is an object; nil where there is none.
        case connect(JSONValue?)
        case disconnect
        /// `id`: the sender asks for an acknowledgement under that number (0 is one).
        case event(name: String, arguments: [SocketIOValue], id: UInt64?)
        case acknowledgement(id: UInt64, arguments: [SocketIOValue])
        /// An object with `message` and perhaps `data`, or a text.
        case connectError(JSONValue)
    }

    /// Begins with `/`; the root namespace is `/`.
    public var namespace: String
    public var content: Content

    public init(namespace: String, content: Content) {
        self.namespace = namespace
        self.content = content
    }

    /// Names of local life-cycle news that a peer must not forge.
    public static let reservedEventNames: Set<String> = [
        "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener",
    ]

    /// Longest namespace taken, in bytes.
    public static let maximumNamespaceLength = 256
}

/// Why bytes are no packet, or a packet cannot be sent.
public enum SocketIOFault: Error, Hashable, Sendable {
    case emptyPacket
    case unknownType
    case badNamespace
    case badAttachmentCount
    case tooManyAttachments
    case badAcknowledgementID
    case badPayload
    case reservedEventName
    case badPlaceholder
    /// A text packet came while attachments were awaited.
    case attachmentMissing
    /// A binary frame came that nothing announced.
    case strayBinary
    case tooLarge
    /// An Engine.IO packet that the peer must not send here.
    case unexpectedEnginePacket
}

/// What a peer may send at most.
public struct SocketIOLimits: Hashable, Sendable {
    /// Bytes of one packet: its text with Engine.IO's digit, and all its attachments.
    public var maximumPayload: Int
    /// Binary attachments of one packet.
    public var maximumAttachments: Int
    public var maximumDepth: Int

    public init(maximumPayload: Int = 1_000_000, maximumAttachments: Int = 10, maximumDepth: Int = 64) {
        self.maximumPayload = maximumPayload
        self.maximumAttachments = maximumAttachments
        self.maximumDepth = maximumDepth
    }
}
