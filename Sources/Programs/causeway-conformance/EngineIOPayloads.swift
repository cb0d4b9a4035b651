import HTTP
import Transport

/// Runs the Engine.IO payload vectors through the product's decoder. The vectors are bodies of long polling, which joins packets with U+001E;
/// on a WebSocket each packet is one text message, so a body stands for that many messages.
enum EngineIOPayloads {
    /// True: the file has the layout of payload vectors.
    static func recognises(_ json: JSONValue) -> Bool { json["cases"]?[0]?["body"] != nil }

    /// Nil: the case passes; else what was got.
    static func failure(of test: JSONValue) -> String? {
        let body = test["body"]?.stringValue ?? ""
        let messages = body.split(separator: "\u{1E}", omittingEmptySubsequences: false).map(String.init)
        let outcome = read(messages)
        switch (test["verdict"]?.stringValue ?? "", outcome) {
        case ("accept", .success(let packets)), ("accept-or-limit", .success(let packets)):
            let expected = (test["expect"]?.arrayValue ?? []).map(parsingOpen)
            let got = JSONValue.array(packets.map(script))
            guard matches(.array(expected), got) else { return got.serialized() }
            return packets.map(\.text) == messages || packets.contains(where: isOpen) ? nil : "written again: \(packets.map(\.text))"
        case ("either", _): return nil
        case ("reject", .failure): return nil
        case ("reject", .success(let packets)): return socketIORefuses(packets) ? nil : JSONValue.array(packets.map(script)).serialized()
        case ("accept", .failure(let fault)), ("accept-or-limit", .failure(let fault)): return "refused: \(fault)"
        case (let verdict, _): return "verdict \(verdict) is unknown"
        }
    }

    private static func read(_ messages: [String]) -> Result<[EngineIOPacket], SocketIOFault> {
        do throws(SocketIOFault) {
            var packets: [EngineIOPacket] = []
            for message in messages { packets.append(try EngineIOPacket(message)) }
            return .success(packets)
        } catch {
            return .failure(error)
        }
    }

    /// Whether the layer above refuses one of the messages: no half event is delivered.
    private static func socketIORefuses(_ packets: [EngineIOPacket]) -> Bool {
        var decoder = SocketIODecoder()
        do throws(SocketIOFault) {
            for case .message(let text) in packets { _ = try decoder.decode(text) }
            return false
        } catch {
            return true
        }
    }

    private static func isOpen(_ packet: EngineIOPacket) -> Bool { if case .open = packet { true } else { false } }

    /// The vectors give an opening packet's JSON as text.
    private static func parsingOpen(_ expected: JSONValue) -> JSONValue {
        guard expected["type"]?.stringValue == "open", let text = expected["data"]?.stringValue,
            let json = try? JSONValue(parsing: text)
        else { return expected }
        return ["type": "open", "data": json]
    }

    /// The vectors' form of a packet.
    private static func script(_ packet: EngineIOPacket) -> JSONValue {
        let (type, data): (String, JSONValue?) =
            switch packet {
            case .open(let json): ("open", json)
            case .close: ("close", nil)
            case .ping(let text): ("ping", text.isEmpty ? nil : .string(text))
            case .pong(let text): ("pong", text.isEmpty ? nil : .string(text))
            case .message(let text): ("message", text.isEmpty ? nil : .string(text))
            case .upgrade: ("upgrade", nil)
            case .noop: ("noop", nil)
            }
        var members: [JSONValue.Member] = [.init("type", .string(type))]
        if let data { members.append(.init("data", data)) }
        return .object(members)
    }
}
