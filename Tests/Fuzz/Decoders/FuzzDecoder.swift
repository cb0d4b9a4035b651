/// A property that hostile bytes broke. A trap is found as well, without it.
struct FuzzFault: Error {
    var text: String
    init(_ text: String) { self.text = text }
}

/// Every decoder that reads bytes of somebody else. `check` may refuse the bytes in any way the decoder has; it throws only where the
/// decoder contradicts itself. The fuzzer and the test of the kept corpus run the same code (issue list: B-10, B-12, C-1, C-7).
enum FuzzDecoder: String, CaseIterable, Sendable {
    case protobuf, websocket, socketio, http, json, inflate, decimal, journal, recordings, feed

    func check(_ input: [UInt8]) throws {
        switch self {
        case .protobuf: try ProtobufFuzz.check(input)
        case .websocket: try WebSocketFuzz.check(input)
        case .socketio: try SocketIOFuzz.check(input)
        case .http: try HTTPFuzz.check(input)
        case .json: try JSONFuzz.check(input)
        case .inflate: try InflateFuzz.check(input)
        case .decimal: try DecimalFuzz.check(input)
        case .journal: try JournalFuzz.check(input)
        case .recordings: try RecordingsFuzz.check(input)
        case .feed: try FeedFuzz.check(input)
        }
    }
}

/// Cuts bytes into pieces whose lengths they choose themselves: a stream arrives cut anywhere.
func pieces(_ input: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    guard let seed = input.first else { return [] }
    var rest = input.dropFirst()
    var state = UInt32(seed) &* 2_654_435_761 | 1
    var result: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
        state = state &* 1_664_525 &+ 1_013_904_223
        let length = seed == 0 ? rest.count : min(rest.count, Int(state >> 24) % 40 + 1)
        result.append(rest.prefix(length))
        rest = rest.dropFirst(length)
    }
    return result
}
