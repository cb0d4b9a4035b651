import HTTP
import Messages
import Transport
import WireCodec

@testable import LWS

/// The first byte chooses the message type. What is read is written, read and written again: the same bytes both times.
enum ProtobufFuzz {
    static func check(_ input: [UInt8]) throws {
        guard let choice = input.first else { return }
        let type = MessageTypes.all[Int(choice) % MessageTypes.all.count]
        try roundTrip(type, Array(input.dropFirst()))
    }

    private static func roundTrip<M: Message>(_ type: M.Type, _ bytes: [UInt8]) throws {
        let limits = WireLimits(bytes: 1 << 20, depth: 100, elements: 1 << 12)
        let message: M
        do throws(WireError) { message = try M(serializedBytes: bytes, limits: limits) } catch { return }
        // A re-encoding may be longer than the limit (a packed list of negative numbers sent as short ones is not, a repeated tag is).
        let wide = WireLimits(bytes: 16 << 20, depth: 100, elements: 1 << 20)
        let written = try message.serializedBytes(limits: wide)
        let again = try M(serializedBytes: written, limits: wide)
        guard try again.serializedBytes(limits: wide) == written else { throw FuzzFault("\(type) is written in two ways") }
        var writer = WireWriter(capacity: 0)
        message.write(to: &writer)
        let lent = try writer.finish(limit: wide.bytes) { span in span.withUnsafeBytes { [UInt8]($0) } }
        guard lent == written else { throw FuzzFault("\(type) is written in another way into a small writer") }
    }
}

/// The first byte chooses side and deflate, the second how the rest is cut. Cut or whole, the arrivals are the same.
enum WebSocketFuzz {
    static let limit = 1 << 16

    static func check(_ input: [UInt8]) throws {
        guard input.count >= 2 else { return }
        let whole = arrivals(input[0], [input[2...]])
        let cut = arrivals(input[0], pieces(input[1...]))
        guard whole == cut else { throw FuzzFault("arrivals depend on how the bytes are cut: \(whole) \(cut)") }
        for arrival in whole {
            switch arrival {
            case .message(.text(let text)) where text.utf8.count > limit: throw FuzzFault("a message beyond the limit")
            case .message(.binary(let bytes)) where bytes.count > limit: throw FuzzFault("a message beyond the limit")
            case .ping(let bytes) where bytes.count > 125: throw FuzzFault("a long ping")
            case .pong(let bytes) where bytes.count > 125: throw FuzzFault("a long pong")
            default: continue
            }
        }
    }

    private static func arrivals(_ choice: UInt8, _ pieces: [ArraySlice<UInt8>]) -> [WebSocketArrival] {
        var reader = WebSocketReader(
            side: choice & 1 == 0 ? .server : .client, maximumMessageSize: limit, inflater: choice & 2 == 0 ? nil : Inflater())
        var arrivals: [WebSocketArrival] = []
        for piece in pieces { piece.withUnsafeBytes { reader.read($0, into: &arrivals) } }
        return arrivals
    }
}

/// Messages after another, each with a length byte: of one connection, whose window lives on between them, and of many that share an
/// inflater, where none may be seen in another.
enum InflateFuzz {
    static let limit = 1 << 16

    static func check(_ input: [UInt8]) throws {
        guard let deflater = Deflater() else { return }
        let shared = Inflater(keepsContext: false)
        var own: Inflater? = Inflater()
        var rest = input[...]
        while let length = rest.popFirst() {
            let message = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(Int(length))
            let alone = Inflater(keepsContext: false).inflate(message, limit: limit)
            guard shared.inflate(message, limit: limit) == alone else { throw FuzzFault("a shared inflater remembers") }
            // A connection ends with its first fault.
            guard case .success(let plain)? = own?.inflate(message, limit: limit) else {
                own = nil
                continue
            }
            guard plain.count <= limit else { throw FuzzFault("more than the limit") }
            guard let packed = deflater.deflate(plain) else { throw FuzzFault("not packed again") }
            guard shared.inflate(packed, limit: limit) == .success(plain) else { throw FuzzFault("packed into something else") }
        }
    }
}

/// The first byte says how the rest is cut. Cut or whole, the requests are the same.
enum HTTPFuzz {
    static func check(_ input: [UInt8]) throws {
        guard !input.isEmpty else { return }
        let whole = requests([input[1...]])
        let cut = requests(pieces(input[...]))
        guard whole == cut else { throw FuzzFault("requests depend on how the bytes are cut: \(whole) \(cut)") }
    }

    private static func requests(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var reader = HTTPRequestReader(headerLimit: 4096, bodyLimit: 4096)
        var found: [String] = []
        for piece in pieces {
            piece.withUnsafeBytes { reader.feed($0) }
            do {
                while let event = try reader.next() {
                    // Whether to ask for a body depends on whether it is there already.
                    if case .request(let head, let body) = event { found.append("\(head) \(body)") }
                }
            } catch {
                return found + ["refused"]
            }
        }
        return found
    }
}

/// What parses is written as text that parses to the same.
enum JSONFuzz {
    static func check(_ input: [UInt8]) throws {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: input) } catch { return }
        let text = value.serialized()
        let again = try JSONValue(parsing: text)
        guard again == value, again.serialized() == text else { throw FuzzFault("\(text) means something else") }
        guard let input = String(validating: input, as: UTF8.self) else { throw FuzzFault("JSON that is not UTF-8") }
        guard try JSONValue(parsing: input) == value else { throw FuzzFault("text and bytes differ") }
    }
}

/// Frames of one connection: a kind byte (even text, odd binary), two length bytes, the frame.
enum SocketIOFuzz {
    static func check(_ input: [UInt8]) throws {
        var decoder = SocketIODecoder()
        var rest = input[...]
        do {
            while rest.count >= 3 {
                let head = Array(rest.prefix(3))
                rest = rest.dropFirst(3)
                let frame = Array(rest.prefix(Int(head[1]) << 8 | Int(head[2])))
                rest = rest.dropFirst(frame.count)
                guard let packet = try packet(head[0], frame, &decoder) else { continue }
                try again(packet)
            }
        } catch is SocketIOFault { return }
    }

    private static func packet(_ kind: UInt8, _ frame: [UInt8], _ decoder: inout SocketIODecoder) throws -> SocketIOPacket? {
        guard kind & 1 == 0 else { return try decoder.decode(frame) }
        let outer = try EngineIOPacket(String(decoding: frame, as: UTF8.self))
        guard try EngineIOPacket(outer.text) == outer else { throw FuzzFault("Engine.IO packet is written as another") }
        guard case .message(let text) = outer else { return nil }
        return try decoder.decode(text)
    }

    private static func again(_ packet: SocketIOPacket) throws {
        let frames: (text: String, attachments: [[UInt8]])
        do { frames = try packet.encoded() } catch SocketIOFault.badPlaceholder {
            // Plain data that looks like a placeholder may come, but is never sent: the peer would take it for an attachment.
            return
        } catch { throw FuzzFault("\(packet) was read but cannot be written: \(error)") }
        var decoder = SocketIODecoder()
        var found = try decoder.decode(frames.text)
        for attachment in frames.attachments { found = try decoder.decode(attachment) }
        guard found == packet, !decoder.isAssembling else { throw FuzzFault("\(packet) is written as another") }
    }
}
