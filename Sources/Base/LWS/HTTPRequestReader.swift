import HTTP

/// Reads requests from bytes cut anywhere. Never holds more than a header, a body and one read beyond it.
struct HTTPRequestReader {
    private let headerLimit: Int
    private let bodyLimit: Int
    private var buffer: [UInt8] = []
    /// How far `buffer` has been searched for the blank line.
    private var searched = 0
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var chunk: ChunkState = .size

    private enum ChunkState: Hashable {
        case size
        case data(Int)
        case dataEnd
        case trailer
    }

    enum Event: Hashable {
        /// The header is whole and the peer waits for `100 Continue` before it sends the body.
        case wantsContinue
        case request(HTTPRequestHead, body: [UInt8])
    }

    init(headerLimit: Int, bodyLimit: Int) {
        self.headerLimit = headerLimit
        self.bodyLimit = bodyLimit
    }

    /// Whether a request has begun and is not whole.
    var isMidway: Bool { head != nil || !buffer.isEmpty }
    var hasHead: Bool { head != nil }
    var bufferedBytes: Int { buffer.count }

    mutating func feed(_ bytes: UnsafeRawBufferPointer) { buffer.append(contentsOf: bytes) }

    /// What follows the last request: the first bytes of a WebSocket.
    mutating func takeRest() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    /// The next event in the bytes fed so far; nil: more are needed.
    mutating func next() throws(HTTPRefusal) -> Event? {
        if head == nil {
            guard let parsed = try readHead() else { return nil }
            head = parsed
            body = []
            chunk = .size
            if case .length(let count) = parsed.body, count > bodyLimit { throw .init(413, "body too large") }
            if parsed.expectsContinue, parsed.body != .none, buffer.isEmpty { return .wantsContinue }
        }
        guard let whole = head, try readBody(whole.body) else { return nil }
        head = nil
        defer { body = [] }
        return .request(whole, body: body)
    }

    private mutating func readHead() throws(HTTPRefusal) -> HTTPRequestHead? {
        // An empty line before a request line is tolerated (RFC 9112 §2.2).
        if searched == 0 { while buffer.starts(with: [0x0D, 0x0A]) { buffer.removeFirst(2) } }
        if buffer == [0x0D] { return nil }
        var at = max(0, searched - 3)
        while at + 3 < buffer.count {
            if buffer[at] == 0x0D, buffer[at + 1] == 0x0A, buffer[at + 2] == 0x0D, buffer[at + 3] == 0x0A {
                if at > headerLimit { break }
                let head = try HTTPRequestHead(buffer[..<at])
                buffer.removeFirst(at + 4)
                searched = 0
                return head
            }
            at += 1
        }
        searched = buffer.count
        guard buffer.count <= headerLimit else { throw .init(431, "header too large") }
        return nil
    }

    /// Whether the body is whole.
    private mutating func readBody(_ kind: HTTPRequestHead.Body) throws(HTTPRefusal) -> Bool {
        switch kind {
        case .none: return true
        case .length(let count):
            let taken = min(count - body.count, buffer.count)
            body.append(contentsOf: buffer[..<taken])
            buffer.removeFirst(taken)
            return body.count == count
        case .chunked:
            while try stepChunk() { if chunk == .size && lastChunkRead { return true } }
            return false
        }
    }

    private var lastChunkRead = false

    /// Takes one element of a chunked body; false: more bytes are needed.
    private mutating func stepChunk() throws(HTTPRefusal) -> Bool {
        lastChunkRead = false
        switch chunk {
        case .size:
            guard let line = try takeLine() else { return false }
            let digits = line.prefix { HTTPRequestHead.hexDigit($0) != nil }
            let rest = line[digits.endIndex...]
            guard (1...8).contains(digits.count), rest.isEmpty || rest.first == UInt8(ascii: ";") else { throw .init(400, "chunk size") }
            let size = digits.reduce(0) { $0 << 4 | Int(HTTPRequestHead.hexDigit($1) ?? 0) }
            guard body.count + size <= bodyLimit else { throw .init(413, "body too large") }
            chunk = size == 0 ? .trailer : .data(size)
        case .data(let missing):
            let taken = min(missing, buffer.count)
            guard taken > 0 else { return false }
            body.append(contentsOf: buffer[..<taken])
            buffer.removeFirst(taken)
            chunk = taken == missing ? .dataEnd : .data(missing - taken)
        case .dataEnd:
            guard buffer.count >= 2 else { return false }
            guard buffer[0] == 0x0D, buffer[1] == 0x0A else { throw .init(400, "chunk end") }
            buffer.removeFirst(2)
            chunk = .size
        case .trailer:
            guard let line = try takeLine() else { return false }
            if line.isEmpty {
                chunk = .size
                lastChunkRead = true
            }
        }
        return true
    }

    private mutating func takeLine() throws(HTTPRefusal) -> ArraySlice<UInt8>? {
        guard let end = buffer.firstIndex(of: 0x0A) else {
            guard buffer.count <= 1024 else { throw .init(400, "chunk line too long") }
            return nil
        }
        guard end > 0, end <= 1024, buffer[end - 1] == 0x0D else { throw .init(400, "chunk line") }
        defer { buffer.removeFirst(end + 1) }
        return buffer[..<(end - 1)]
    }
}
