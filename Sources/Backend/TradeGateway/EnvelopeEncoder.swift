import Messages
import WireCodec

/// What a reply or push carries, not yet encoded.
enum TradePayload: Hashable, Sendable {
    case none
    /// Sent back as it came.
    case echo([UInt8])
    case ready(Ready)
    case login(TradeLoginReply)
    case news(SessionNews)
    case command(CommandReply)
    case orders(OrderList)
    case fills(FillList)
    case positions(PositionList)
    case since(SinceReply)
    case order(Order)
    case fill(Fill)
    case position(Position)
    case funds(FundsReply)
}

/// Encodes a TradeEnvelope and the message in it at once, into room that is used again: the payload is written where it stands in the
/// envelope, never into bytes of its own.
struct EnvelopeEncoder: ~Copyable, Sendable {
    private var writer = WireWriter(capacity: Self.room)

    private static let room = 1_024
    /// What a long list took is not kept.
    private static let mostKept = 64 << 10
    /// `TradeEnvelope.payload`, field 3.
    private static let payload: UInt32 = 3 << 3 | 2

    /// `envelope` without a payload; `payload` goes between the fields before and after it, so that all stand in number order.
    mutating func encode(_ envelope: TradeEnvelope, _ payload: TradePayload) throws(WireError) -> [UInt8] {
        assert(envelope.payload.isEmpty, "two payloads")
        var head = TradeEnvelope()
        (head.requestID, head.type) = (envelope.requestID, envelope.type)
        var tail = envelope
        (tail.requestID, tail.type) = ("", .unspecified)
        head.write(to: &writer)
        put(payload)
        tail.write(to: &writer)
        // Empty after a throw too.
        let bytes = try writer.finish()
        if bytes.count > Self.mostKept { writer = WireWriter(capacity: Self.room) }
        return bytes
    }

    private mutating func put(_ payload: TradePayload) {
        switch payload {
        case .none: break
        case .echo(let bytes): if !bytes.isEmpty { writer.bytes(Self.payload, bytes) }
        case .ready(let message): writer.payload(Self.payload, message)
        case .login(let message): writer.payload(Self.payload, message)
        case .news(let message): writer.payload(Self.payload, message)
        case .command(let message): writer.payload(Self.payload, message)
        case .orders(let message): writer.payload(Self.payload, message)
        case .fills(let message): writer.payload(Self.payload, message)
        case .positions(let message): writer.payload(Self.payload, message)
        case .since(let message): writer.payload(Self.payload, message)
        case .order(let message): writer.payload(Self.payload, message)
        case .fill(let message): writer.payload(Self.payload, message)
        case .position(let message): writer.payload(Self.payload, message)
        case .funds(let message): writer.payload(Self.payload, message)
        }
    }
}
