import Streams
import HTTP
import Testing
import Transport

@testable import LWS

/// The bytes in pieces of random size.
private func cut(_ bytes: [UInt8], _ random: inout SeededRandom) -> [[UInt8]] {
    var out: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 1...40, using: &random))
        out.append(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
    }
    return out
}

@Suite struct ReaderProperties {
    private func read(_ pieces: [[UInt8]], _ side: WebSocketSide, deflated: Bool = false) -> [WebSocketArrival] {
        var reader = WebSocketReader(side: side, maximumMessageSize: 10_000, inflater: deflated ? Inflater() : nil)
        var arrivals: [WebSocketArrival] = []
        for piece in pieces { piece.withUnsafeBytes { reader.read($0, into: &arrivals) } }
        return arrivals
    }

    // What is written is read, however it is cut; compressed or not, either way round.
    @Test(arguments: UInt64(0)..<200) func framesSurvive(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let isServer = Bool.random(using: &random)
        let deflater = Bool.random(using: &random) ? Deflater() : nil
        var bytes: [UInt8] = []
        var wanted: [WebSocketArrival] = []
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let size = [0, 1, 125, 126, 300, 4000].randomElement(using: &random) ?? 0
            let payload = (0..<size).map { _ in UInt8.random(in: 97...100, using: &random) }
            let mask: UInt32? = isServer ? UInt32.random(in: 0 ... .max, using: &random) : nil
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                WebSocketFrame.text(String(decoding: payload, as: UTF8.self)).append(to: &bytes, mask: mask, deflater: deflater)
                wanted.append(.message(.text(String(decoding: payload, as: UTF8.self))))
            case 1:
                WebSocketFrame.binary(payload).append(to: &bytes, mask: mask, deflater: deflater)
                wanted.append(.message(.binary(payload)))
            case 2:
                WebSocketFrame.ping(Array(payload.prefix(125))).append(to: &bytes, mask: mask)
                wanted.append(.ping(Array(payload.prefix(125))))
            default:
                WebSocketFrame.pong(Array(payload.prefix(125))).append(to: &bytes, mask: mask)
                wanted.append(.pong(Array(payload.prefix(125))))
            }
        }
        WebSocketFrame.close(.init(code: 1005)).append(to: &bytes, mask: isServer ? 7 : nil)
        wanted.append(.close(.init(code: 1005)))
        #expect(read(cut(bytes, &random), isServer ? .server : .client, deflated: deflater != nil) == wanted)
    }

    // Rubbish never crashes, gives the same whole and cut, and nothing comes after the end.
    @Test(arguments: UInt64(0)..<200) func rubbishIsJudgedAlikeHoweverCut(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let starts: [UInt8] = [0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0xC1]
        var bytes: [UInt8] = []
        for _ in 0..<20 {
            bytes.append(starts.randomElement(using: &random) ?? 0)
            bytes.append(UInt8.random(in: 0...6, using: &random))
            bytes += (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        for deflated in [false, true] {
            let whole = read([bytes], .client, deflated: deflated)
            #expect(whole == read(cut(bytes, &random), .client, deflated: deflated))
            for (index, arrival) in whole.enumerated() {
                switch arrival {
                case .close, .failure: #expect(index == whole.count - 1)
                case .message, .ping, .pong: break
                }
            }
        }
    }

    // B-10: one inflater serves all connections of a server: what one sends, rubbish too, is nothing to another.
    @Test(arguments: UInt64(0)..<200) func connectionsShareAnInflater(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let shared = Inflater(keepsContext: false)
        let deflater = try #require(Deflater())
        for _ in 0..<8 {
            let plain = (0..<Int.random(in: 0...2000, using: &random)).map { _ in UInt8.random(in: 97...100, using: &random) }
            let packed = try #require(deflater.deflate(plain))
            if Bool.random(using: &random) {
                _ = shared.inflate(packed.map { $0 ^ UInt8.random(in: 0...3, using: &random) }, limit: 1000)
            }
            #expect(try shared.inflate(packed, limit: 2000).get() == plain)
        }
    }

    @Test(arguments: UInt64(0)..<200) func utf8IsCheckedLikeTheStandardLibrary(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            if Int.random(in: 0..<8, using: &random) == 0 {
                bytes.append(UInt8.random(in: 0...255, using: &random))
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) {
                bytes += Array(String(scalar).utf8)
            }
        }
        var check = UTF8Check()
        let isValid = cut(bytes, &random).allSatisfy { check.accept($0) } && check.isWhole
        #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil))
    }

    // Requests are found alike however they are cut, and rubbish among them ends the stream with a refusal at the same place.
    @Test(arguments: UInt64(0)..<200) func requestsSurvive(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var text = ""
        for number in 0..<Int.random(in: 1...4, using: &random) {
            let body = String(repeating: "b", count: Int.random(in: 0...50, using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: text += "GET /\(number)?q HTTP/1.1\r\nHost: a\r\n\r\n"
            case 1: text += "\r\nPOST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            case 2:
                text += "POST /\(number) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                text += body.isEmpty ? "0\r\n\r\n" : "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
            case 3: text += "PUT /\(number) HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy"
            default: text += "GET /%41\(number) HTTP/1.0\r\n\r\n"
            }
        }
        func outcome(_ pieces: [[UInt8]]) -> ([HTTPRequestReader.Event], HTTPRefusal?) {
            var reader = HTTPRequestReader(headerLimit: 1000, bodyLimit: 1000)
            var events: [HTTPRequestReader.Event] = []
            do {
                for piece in pieces {
                    piece.withUnsafeBytes { reader.feed($0) }
                    while let event = try reader.next() { events.append(event) }
                }
                return (events, nil)
            } catch {
                return (events, error)
            }
        }
        let bytes = Array(text.utf8)
        let (events, refusal) = outcome([bytes])
        let (cutEvents, cutRefusal) = outcome(cut(bytes, &random))
        #expect(events == cutEvents && refusal == cutRefusal)
    }
}

@Suite struct AddressCountTests {
    @Test("O-3: connections count by IPv4 address or IPv6 /64; this machine's own do not")
    func keys() {
        var counts = AddressCounts(most: 2, countsLoopback: false)
        func taken(_ addresses: String...) -> [Bool] { addresses.map { counts.add($0) } }
        #expect(taken("10.0.0.1", "::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2") == [true, true, false, true])
        let news = [counts.isNews("10.0.0.1"), counts.isNews("10.0.0.1")]
        #expect(news == [true, false])
        #expect(taken("2001:db8:0:1::5", "2001:db8:0:1:ffff::6", "2001:db8:0:1::7", "2001:db8:0:2::5") == [true, true, false, true])
        #expect(taken("fe80::1%eth0", "") == [true, true])
        #expect(taken("127.0.0.1", "127.0.0.1", "127.0.0.1", "::1", "::1", "::1") == Array(repeating: true, count: 6))
        counts.remove("127.0.0.1")
        counts.remove("10.0.0.1")
        #expect(taken("10.0.0.1", "10.0.0.1") == [true, false])
        for _ in 0..<2 { counts.remove("10.0.0.1") }
        let again = counts.isNews("10.0.0.1")
        #expect(again)
    }
}
