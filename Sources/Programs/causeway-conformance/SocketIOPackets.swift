import HTTP
import Transport

/// Decodes the packet vectors: frames of one connection without Engine.IO's `4`, a verdict and what is read.
enum SocketIOPackets {
    /// True: the file has the layout of packet vectors.
    static func recognises(_ json: JSONValue) -> Bool { json["cases"]?[0]?["frames_after_engineio_4"] != nil }

    /// Nil: the case passes; else what was got.
    static func failure(of test: JSONValue) -> String? {
        do {
            let verdict = test["verdict"]?.stringValue ?? ""
            switch (verdict, try read(test["frames_after_engineio_4"]?.arrayValue ?? [])) {
            case ("accept", .success(let packets)):
                let expected = test["expect"]?.arrayValue ?? []
                guard matches(.array(expected), .array(packets.map(script))) else {
                    return JSONValue.array(packets.map(script)).serialized()
                }
                return try rewrittenDiffers(packets)
            case ("reject", .failure), ("reject-or-string", .failure), ("either", _): return nil
            case ("accept", .failure(let fault)): return "refused: \(fault)"
            case (_, .success(let packets)): return JSONValue.array(packets.map(script)).serialized()
            case (_, .failure(let fault)): return "verdict \(verdict) is unknown; refused: \(fault)"
            }
        } catch {
            return "\(error)"
        }
    }

    private static func read(_ frames: [JSONValue]) throws -> Result<[SocketIOPacket], SocketIOFault> {
        var decoder = SocketIODecoder()
        var packets: [SocketIOPacket] = []
        for frame in frames {
            let bytes = try frame["b"]?.stringValue.map(hexBytes)
            do throws(SocketIOFault) {
                if let bytes {
                    if let packet = try decoder.decode(bytes) { packets.append(packet) }
                } else if let packet = try decoder.decode(frame.stringValue ?? "") {
                    packets.append(packet)
                }
            } catch {
                return .failure(error)
            }
        }
        return .success(packets)
    }

    /// What was read is written and read again.
    private static func rewrittenDiffers(_ packets: [SocketIOPacket]) throws -> String? {
        for packet in packets {
            let (text, attachments) = try packet.encoded()
            let frames = [JSONValue.string(text)] + attachments.map { ["b": .string(hexText($0))] }
            guard case .success([packet]) = try read(frames) else { return "written again: \(text)" }
        }
        return nil
    }

    /// The vectors' form of a packet.
    private static func script(_ packet: SocketIOPacket) -> JSONValue {
        let (type, id, data): (Int, UInt64?, JSONValue?) =
            switch packet.content {
            case .connect(let payload): (0, nil, payload)
            case .disconnect: (1, nil, nil)
            case .event(let name, let arguments, let id): (2, id, .array([.string(name)] + arguments.map(script)))
            case .acknowledgement(let id, let arguments): (3, id, .array(arguments.map(script)))
            case .connectError(let payload): (4, nil, payload)
            }
        var members: [JSONValue.Member] = [.init("type", .int(type)), .init("nsp", .string(packet.namespace))]
        if let id { members.append(.init("id", .int(id))) }
        if let data { members.append(.init("data", data)) }
        return .object(members)
    }

    private static func script(_ value: SocketIOValue) -> JSONValue {
        switch value {
        case .binary(let bytes): ["$hex": .string(hexText(bytes))]
        case .array(let elements): .array(elements.map(script))
        case .object(let members): .object(members.map { .init($0.name, script($0.value)) })
        case .null, .bool, .number, .string: value.json ?? .null
        }
    }
}
