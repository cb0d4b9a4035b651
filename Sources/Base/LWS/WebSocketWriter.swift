import Transport

/// XORs `bytes[from...]` with the mask (RFC 6455 §5.3), starting at that byte of the mask; returns the offset to go on with.
func applyMask(_ mask: UInt32, offset: Int, to bytes: inout [UInt8], from: Int) -> Int {
    let key = (
        UInt8(truncatingIfNeeded: mask >> 24), UInt8(truncatingIfNeeded: mask >> 16), UInt8(truncatingIfNeeded: mask >> 8),
        UInt8(truncatingIfNeeded: mask)
    )
    var at = offset
    for index in from..<bytes.count {
        let part =
            switch at {
            case 0: key.0
            case 1: key.1
            case 2: key.2
            default: key.3
            }
        bytes[index] ^= part
        at = (at + 1) & 3
    }
    return at
}

/// Frames to send. One frame a message.
enum WebSocketFrame {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// 1005: a close frame without a code.
    case close(WebSocketClosure)

    /// Payload bytes before compression; what the outgoing bound counts.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes), .ping(let bytes), .pong(let bytes): bytes.count
        case .close(let closure): 2 + closure.reason.utf8.count
        }
    }

    /// Appends the frame. `mask`: nil from a server, a fresh random number from a client.
    func append(to out: inout [UInt8], mask: UInt32?, deflater: Deflater? = nil, windowBits: Int = 15) {
        switch self {
        case .text(let text): Self.data(0x81, Array(text.utf8), &out, mask) { deflater?.deflate($0, windowBits: windowBits) }
        case .binary(let bytes): Self.data(0x82, bytes, &out, mask) { deflater?.deflate($0, windowBits: windowBits) }
        case .ping(let bytes): Self.put(0x89, bytes, &out, mask)
        case .pong(let bytes): Self.put(0x8A, bytes, &out, mask)
        case .close(let closure): Self.put(0x88, closure.payload, &out, mask)
        }
    }

    private static func data(
        _ first: UInt8, _ payload: [UInt8], _ out: inout [UInt8], _ mask: UInt32?, _ deflate: ([UInt8]) -> [UInt8]?
    ) {
        if payload.count >= Deflater.worthwhile, let packed = deflate(payload), packed.count < payload.count {
            put(first | 0x40, packed, &out, mask)
        } else {
            put(first, payload, &out, mask)
        }
    }

    private static func put(_ first: UInt8, _ payload: [UInt8], _ out: inout [UInt8], _ mask: UInt32?) {
        let bit: UInt8 = mask == nil ? 0 : 0x80
        out.append(first)
        switch payload.count {
        case ..<126: out.append(bit | UInt8(payload.count))
        case ..<65_536:
            out.append(bit | 126)
            out.append(UInt8(payload.count >> 8))
            out.append(UInt8(payload.count & 0xFF))
        default:
            out.append(bit | 127)
            for shift in stride(from: 56, through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: payload.count >> shift)) }
        }
        if let mask { for shift in stride(from: UInt32(24), through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: mask >> shift)) } }
        let start = out.count
        out.append(contentsOf: payload)
        if let mask { _ = applyMask(mask, offset: 0, to: &out, from: start) }
    }
}

extension WebSocketClosure {
    /// What may be sent for this: a code that must not travel becomes 1000, 1005 stays "no code", the reason is cut to what fits.
    var sendable: Self {
        if code == 1005 { return .init(code: 1005) }
        var cut = ""
        for character in reason {
            guard cut.utf8.count + String(character).utf8.count <= 123 else { break }
            cut.append(character)
        }
        return .init(code: Self.mayTravel(code) ? code : 1000, reason: cut)
    }

    fileprivate var payload: [UInt8] {
        let sent = sendable
        if sent.code == 1005 { return [] }
        return [UInt8(sent.code >> 8), UInt8(sent.code & 0xFF)] + Array(sent.reason.utf8)
    }
}
