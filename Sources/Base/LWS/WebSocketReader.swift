import Transport

/// What came in over an open WebSocket.
enum WebSocketArrival: Hashable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    /// The peer's close frame; nothing after it counts.
    case close(WebSocketClosure)
    /// The peer broke the protocol: fail the connection with this code. Nothing after it counts.
    case failure(WebSocketClosure)
}

/// Which end of the connection this is: a server demands masked frames, a client refuses them (RFC 6455 §5.1).
enum WebSocketSide { case client, server }

/// Reads frames from bytes cut anywhere and gives whole messages. Strict RFC 6455 (minimal lengths, reserved bits and opcodes, UTF-8
/// over fragments, close codes) and RFC 7692; never holds more than `maximumMessageSize` and one control frame.
struct WebSocketReader {
    let side: WebSocketSide
    let maximumMessageSize: Int
    private let inflater: Inflater?

    private var header: [UInt8] = []
    /// Set while a frame's payload is being read.
    private var frame: Frame?
    private var control: [UInt8] = []
    private var message: Assembly?
    private var ended = false

    private struct Frame {
        var opcode: UInt8
        var isFinal: Bool
        var remaining: Int
        var mask: UInt32
        var maskOffset = 0
        var isControl: Bool { opcode >= 8 }
    }

    private struct Assembly {
        var isText: Bool
        var isCompressed: Bool
        var bytes: [UInt8] = []
        var utf8 = UTF8Check()
    }

    init(side: WebSocketSide, maximumMessageSize: Int, inflater: Inflater? = nil) {
        self.side = side
        self.maximumMessageSize = maximumMessageSize
        self.inflater = inflater
        header.reserveCapacity(14)
    }

    /// Appends what these bytes complete to `arrivals`.
    mutating func read(_ bytes: UnsafeRawBufferPointer, into arrivals: inout [WebSocketArrival]) {
        var at = 0
        while at < bytes.count && !ended {
            if frame == nil {
                header.append(bytes[at])
                at += 1
                if header.count == 2, let fault = faultInStart() { return fail(fault, &arrivals) }
                guard header.count == headerLength else { continue }
                if let fault = beginFrame() { return fail(fault, &arrivals) }
            } else {
                at += take(UnsafeRawBufferPointer(rebasing: bytes[at...]), &arrivals)
            }
            if !ended, frame?.remaining == 0 { endFrame(&arrivals) }
        }
    }

    private mutating func fail(_ closure: WebSocketClosure, _ arrivals: inout [WebSocketArrival]) {
        ended = true
        message = nil
        arrivals.append(.failure(closure))
    }

    // MARK: Header

    private var headerLength: Int {
        guard header.count >= 2 else { return 2 }
        let extended =
            switch header[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        return 2 + extended + (header[1] & 0x80 != 0 ? 4 : 0)
    }

    /// What the first two bytes already show to be wrong.
    private func faultInStart() -> WebSocketClosure? {
        let opcode = header[0] & 0x0F
        let isFinal = header[0] & 0x80 != 0
        let length = header[1] & 0x7F
        let isFirst = opcode == 1 || opcode == 2
        if header[0] & 0x30 != 0 { return .protocolError("reserved bit set") }
        if header[0] & 0x40 != 0 && (inflater == nil || !isFirst) { return .protocolError("RSV1 set") }
        switch opcode {
        case 0 where message == nil: return .protocolError("continuation of nothing")
        case 1, 2: if message != nil { return .protocolError("message inside a message") }
        case 3...7, 11...15: return .protocolError("reserved opcode")
        case 8, 9, 10: if !isFinal || length > 125 { return .protocolError("control frame too long or fragmented") }
        default: break
        }
        if (header[1] & 0x80 != 0) != (side == .server) { return .protocolError(side == .server ? "frame not masked" : "frame masked") }
        return nil
    }

    private mutating func beginFrame() -> WebSocketClosure? {
        var length = UInt64(header[1] & 0x7F)
        var at = 2
        if length >= 126 {
            let size = length == 126 ? 2 : 8
            length = header[2..<2 + size].reduce(0) { $0 << 8 | UInt64($1) }
            at += size
            if length < (size == 2 ? 126 : 65_536) { return .protocolError("length not minimal") }
            if length >> 63 != 0 { return .protocolError("length beyond 63 bits") }
        }
        var mask: UInt32 = 0
        if side == .server { for index in at..<at + 4 { mask = mask << 8 | UInt32(header[index]) } }
        let opcode = header[0] & 0x0F
        if opcode < 8 {
            let room = maximumMessageSize - (message?.bytes.count ?? 0)
            if length > UInt64(max(0, room)) { return .tooBig }
            if message == nil { message = Assembly(isText: opcode == 1, isCompressed: header[0] & 0x40 != 0) }
        }
        frame = Frame(opcode: opcode, isFinal: header[0] & 0x80 != 0, remaining: Int(length), mask: mask)
        header.removeAll(keepingCapacity: true)
        return nil
    }

    // MARK: Payload

    /// Takes payload bytes of the frame at hand; returns how many.
    private mutating func take(_ bytes: UnsafeRawBufferPointer, _ arrivals: inout [WebSocketArrival]) -> Int {
        guard var current = frame else { return 0 }
        let count = min(current.remaining, bytes.count)
        let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        current.remaining -= count
        if current.isControl {
            Self.append(piece, to: &control, unmasking: &current, side)
            frame = current
            return count
        }
        frame = current
        guard var assembly = message.take() else { preconditionFailure("data frame without a message: \(current)") }
        let before = assembly.bytes.count
        Self.append(piece, to: &assembly.bytes, unmasking: &current, side)
        frame = current
        let isValid = !assembly.isText || assembly.isCompressed || assembly.utf8.accept(assembly.bytes[before...])
        message = assembly
        if !isValid { fail(.notUTF8, &arrivals) }
        return count
    }

    private static func append(
        _ piece: UnsafeRawBufferPointer, to target: inout [UInt8], unmasking frame: inout Frame, _ side: WebSocketSide
    ) {
        let start = target.count
        target.append(contentsOf: piece)
        guard side == .server else { return }
        frame.maskOffset = applyMask(frame.mask, offset: frame.maskOffset, to: &target, from: start)
    }

    private mutating func endFrame(_ arrivals: inout [WebSocketArrival]) {
        guard let current = frame else { return }
        frame = nil
        switch current.opcode {
        case 8:
            ended = true
            arrivals.append(Self.closeArrival(control))
        case 9: arrivals.append(.ping(control))
        case 10: arrivals.append(.pong(control))
        default: if current.isFinal { endMessage(&arrivals) }
        }
        if current.isControl { control.removeAll() }
    }

    private mutating func endMessage(_ arrivals: inout [WebSocketArrival]) {
        guard var whole = message.take() else { return }
        if whole.isCompressed {
            guard let inflater else { preconditionFailure("compressed message without an inflater") }
            switch inflater.inflate(whole.bytes, limit: maximumMessageSize) {
            case .success(let bytes): whole.bytes = bytes
            case .failure(.tooLong): return fail(.tooBig, &arrivals)
            case .failure(.broken): return fail(.init(code: 1007, reason: "bad deflate data"), &arrivals)
            }
            if whole.isText, !whole.utf8.accept(whole.bytes) { return fail(.notUTF8, &arrivals) }
        }
        guard whole.isText else { return arrivals.append(.message(.binary(whole.bytes))) }
        guard whole.utf8.isWhole else { return fail(.notUTF8, &arrivals) }
        arrivals.append(.message(.text(String(decoding: whole.bytes, as: UTF8.self))))
    }

    private static func closeArrival(_ payload: [UInt8]) -> WebSocketArrival {
        if payload.isEmpty { return .close(.init(code: 1005)) }
        guard payload.count >= 2 else { return .failure(.protocolError("close payload of one byte")) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard WebSocketClosure.mayTravel(code) else { return .failure(.protocolError("close code \(code)")) }
        var check = UTF8Check()
        guard check.accept(payload[2...]), check.isWhole else { return .failure(.notUTF8) }
        return .close(.init(code: code, reason: String(decoding: payload[2...], as: UTF8.self)))
    }
}

extension WebSocketClosure {
    static func protocolError(_ reason: String) -> Self { .init(code: 1002, reason: reason) }
    static let notUTF8 = Self(code: 1007, reason: "not UTF-8")
    static let tooBig = Self(code: 1009, reason: "message too big")
    static let lost = Self(code: 1006)

    /// Codes that may stand in a close frame (RFC 6455 §7.4, IANA registry).
    static func mayTravel(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
