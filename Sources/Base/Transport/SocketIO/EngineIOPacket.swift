public import HTTP
import Streams

/// One text packet of engine.io-protocol 4 on a WebSocket; a binary frame is a binary message and has no type.
public enum EngineIOPacket: Hashable, Sendable {
    case open(JSONValue)
    case close
    case ping(String)
    case pong(String)
    case message(String)
    case upgrade
    case noop

    public init(_ text: String, maximumDepth: Int = 64) throws(SocketIOFault) {
        guard let type = text.utf8.first else { throw .emptyPacket }
        let rest = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
        switch type {
        case UInt8(ascii: "0"):
            do throws(JSONError) {
                self = .open(try JSONValue(parsing: rest, limits: .init(bytes: 65_536, depth: maximumDepth)))
            } catch {
                throw .badPayload
            }
        case UInt8(ascii: "1"): self = .close
        case UInt8(ascii: "2"): self = .ping(rest)
        case UInt8(ascii: "3"): self = .pong(rest)
        case UInt8(ascii: "4"): self = .message(rest)
        case UInt8(ascii: "5"): self = .upgrade
        case UInt8(ascii: "6"): self = .noop
        default: throw .unknownType
        }
    }

    public var text: String {
        switch self {
        case .open(let value): "0" + value.serialized()
        case .close: "1"
        case .ping(let data): "2" + data
        case .pong(let data): "3" + data
        case .message(let data): "4" + data
        case .upgrade: "5"
        case .noop: "6"
        }
    }
}

/// What the server says when an Engine.IO connection opens.
public struct EngineIOHandshake: Hashable, Sendable {
    public var sessionID: String
    public var pingInterval: Duration
    public var pingTimeout: Duration
    /// Most bytes of a frame that the server takes; nil where it does not say.
    public var maximumPayload: Int?

    public init(sessionID: String, pingInterval: Duration, pingTimeout: Duration, maximumPayload: Int?) {
        self.sessionID = sessionID
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.maximumPayload = maximumPayload
    }

    /// Times up to one day: more would switch the watch over the link off. An interval of 0 cannot be kept; python-engineio says it where
    /// it pings more than once a second (it cuts off to whole seconds), so it counts as unknown and the protocol's usual 25 s stand for it.
    init(_ json: JSONValue) throws(SocketIOFault) {
        let day = 86_400_000
        guard let sessionID = json["sid"]?.stringValue, let interval = json["pingInterval"]?.intValue, (0...day).contains(interval),
            let timeout = json["pingTimeout"]?.intValue, (1...day).contains(timeout)
        else { throw .badPayload }
        let payload = json["maxPayload"]?.intValue
        if let payload, payload < 1 { throw .badPayload }
        self.init(
            sessionID: sessionID, pingInterval: .milliseconds(interval == 0 ? 25_000 : interval), pingTimeout: .milliseconds(timeout),
            maximumPayload: payload)
    }

    var json: JSONValue {
        [
            "sid": .string(sessionID), "upgrades": [], "pingInterval": .int(pingInterval.nanoseconds / 1_000_000),
            "pingTimeout": .int(pingTimeout.nanoseconds / 1_000_000), "maxPayload": .int(maximumPayload ?? 1_000_000),
        ]
    }
}

/// Why a dial to `/socket.io/` cannot be served, with Engine.IO's own code.
public struct EngineIORefusal: Hashable, Sendable {
    public var status: Int
    public var code: Int
    public var message: String

    public static let unknownTransport = EngineIORefusal(status: 400, code: 0, message: "Transport unknown: only websocket is served")
    public static let unknownSession = EngineIORefusal(status: 400, code: 1, message: "Session ID unknown")
    public static let badRequest = EngineIORefusal(status: 400, code: 3, message: "Bad request")
    public static let unsupportedVersion = EngineIORefusal(status: 400, code: 5, message: "Unsupported protocol version")
    public static let full = EngineIORefusal(status: 503, code: 4, message: "Too many sessions")

    /// The dial's query judged; nil: it can be served. A session id is never known, for without polling nothing is upgraded.
    public static func judge(query: String) -> EngineIORefusal? {
        var values: [String: String] = [:]
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            values[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        guard values["transport"] == "websocket" else { return .unknownTransport }
        guard values["sid"] == nil else { return .unknownSession }
        guard values["EIO"] == "4" else { return .unsupportedVersion }
        return nil
    }

    public var response: HTTPResponse {
        let body: JSONValue = ["code": .int(code), "message": .string(message)]
        return HTTPResponse(status: status, headers: ["content-type": "application/json"], body: body.serializedBytes())
    }

    /// Reads a refused dial's answer; nil where it is not Engine.IO's.
    init?(status: Int, body: [UInt8]) {
        guard let json = try? JSONValue(parsing: body, limits: .init(bytes: 65_536)), let code = json["code"]?.intValue else { return nil }
        self.init(status: status, code: code, message: json["message"]?.stringValue ?? "")
    }

    init(status: Int, code: Int, message: String) {
        self.status = status
        self.code = code
        self.message = message
    }
}
