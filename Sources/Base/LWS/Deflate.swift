import CWebSockets

/// Undoes permessage-deflate (RFC 7692 §7.2.2). Takes memory (about 40 KiB) from the first compressed message on.
final class Inflater {
    enum Fault: Error { case tooLong, broken }
    private var stream = z_stream()
    private var hasBegun = false
    /// Whether the window lives on between messages; else one inflater serves any number of connections.
    private let keepsContext: Bool

    init(keepsContext: Bool = true) { self.keepsContext = keepsContext }

    deinit { if hasBegun { inflateEnd(&stream) } }

    /// False when memory is short.
    private func begin() -> Bool {
        if hasBegun { return keepsContext || inflateReset(&stream) == Z_OK }
        hasBegun = causeway_inflate_begin(&stream) == Z_OK
        return hasBegun
    }

    /// The message's bytes, at most `limit` of them.
    func inflate(_ packed: [UInt8], limit: Int) -> Result<[UInt8], Fault> {
        guard begin() else { return .failure(.broken) }
        var input = packed + [0x00, 0x00, 0xFF, 0xFF]
        var out: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        let pieceSize = piece.count
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(input.count)
            while true {
                let (code, made) = piece.withUnsafeMutableBufferPointer { piece in
                    stream.next_out = piece.baseAddress
                    stream.avail_out = UInt32(pieceSize)
                    let code = CWebSockets.inflate(&stream, Z_SYNC_FLUSH)
                    return (code, pieceSize - Int(stream.avail_out))
                }
                out.append(contentsOf: piece[..<made])
                if out.count > limit { return .failure(.tooLong) }
                switch code {
                case Z_STREAM_END:
                    // A final block inside a message is legal; what follows begins a new stream on the same window.
                    guard causeway_inflate_go_on(&stream) == Z_OK else { return .failure(.broken) }
                    if stream.avail_in <= 4 { return .success(out) }
                case Z_OK:
                    if stream.avail_in == 0 && causeway_inflate_is_between_blocks(&stream) != 0 { return .success(out) }
                    // A message that was cut short ends inside a block: half of it is nothing.
                    guard stream.avail_in > 0 || stream.avail_out == 0 else { return .failure(.broken) }
                default: return .failure(.broken)
                }
            }
        }
    }
}

/// Makes permessage-deflate messages, each on its own (no context takeover), so that a connection costs nothing while it rests.
final class Deflater {
    /// Shorter messages are sent as they are.
    static let worthwhile = 256
    /// Windows (log2 of bytes) that a peer may hold us to; zlib makes no raw stream of 8.
    static let windowBits = 9...15

    /// One for each size of window in use.
    private var streams: [Int: Stream] = [:]

    /// Nil when memory is short.
    init?() {
        guard let stream = Stream(windowBits: 15) else { return nil }
        streams[15] = stream
    }

    /// Nil: the library failed; send the message uncompressed.
    func deflate(_ plain: [UInt8], windowBits: Int = 15) -> [UInt8]? {
        if streams[windowBits] == nil { streams[windowBits] = Stream(windowBits: windowBits) }
        return streams[windowBits]?.deflate(plain)
    }

    private final class Stream {
        private var stream = z_stream()

        init?(windowBits: Int) {
            guard Deflater.windowBits.contains(windowBits), causeway_deflate_begin(&stream, Int32(windowBits)) == Z_OK else { return nil }
        }

        deinit { deflateEnd(&stream) }

        func deflate(_ plain: [UInt8]) -> [UInt8]? {
            guard deflateReset(&stream) == Z_OK else { return nil }
            var input = plain
            let room = Int(deflateBound(&stream, UInt(plain.count))) + 16
            var out = [UInt8](repeating: 0, count: room)
            let made: Int? = input.withUnsafeMutableBufferPointer { input in
                out.withUnsafeMutableBufferPointer { out in
                    stream.next_in = input.baseAddress
                    stream.avail_in = UInt32(input.count)
                    stream.next_out = out.baseAddress
                    stream.avail_out = UInt32(room)
                    guard CWebSockets.deflate(&stream, Z_SYNC_FLUSH) == Z_OK, stream.avail_in == 0, stream.avail_out > 0 else { return nil }
                    return room - Int(stream.avail_out)
                }
            }
            guard let made, made >= 4 else { return nil }
            // The trailing 00 00 FF FF is not sent (RFC 7692 §7.2.1).
            return Array(out[..<(made - 4)])
        }
    }
}
