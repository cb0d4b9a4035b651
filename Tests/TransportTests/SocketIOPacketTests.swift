import Foundation
import HTTP
import Streams
import Testing
import Transport

struct SocketIOPacketTests {
    private func decode(_ text: String) throws -> SocketIOPacket? {
        var decoder = SocketIODecoder()
        return try decoder.decode(text)
    }

    // C-2
    @Test(arguments: UInt64(0)..<200)
    func `what is written is read the same`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let packet = SocketIOPacket.random(&random)
        let (text, attachments) = try packet.encoded()
        var decoder = SocketIODecoder()
        var read = try decoder.decode(text)
        for attachment in attachments {
            #expect(read == nil)
            read = try decoder.decode(attachment)
        }
        #expect(read == packet)
        #expect(!decoder.isAssembling)
    }

    @Test func `a packet that announces no attachment is whole at once`() throws {
        #expect(try decode("50-[\"a\",{\"x\":1}]")?.content == .event(name: "a", arguments: [.object([.init("x", .number("1"))])], id: nil))
        #expect(throws: SocketIOFault.badAttachmentCount) { try decode("5-[\"a\"]") }
        #expect(throws: SocketIOFault.badAttachmentCount) { try decode("5[\"a\"]") }
        #expect(throws: SocketIOFault.badPlaceholder) { try decode("50-[\"a\",{\"_placeholder\":true,\"num\":0}]") }
    }

    // SIO-5: a credential in the query is neither kept nor makes a namespace.
    @Test func `a query on the namespace is cut off`() throws {
        #expect(try decode("0/trade?token=abc,") == .init(namespace: "/trade", content: .connect(nil)))
        #expect(throws: SocketIOFault.badNamespace) { try SocketIOPacket(namespace: "/trade?x=1", content: .connect(nil)).encoded() }
        #expect(throws: SocketIOFault.badNamespace) { try decode("0/" + String(repeating: "n", count: 300) + ",") }
    }

    // SIO-7
    @Test func `reserved names neither come in nor go out`() {
        for name in SocketIOPacket.reservedEventNames {
            #expect(throws: SocketIOFault.reservedEventName) { try decode("2[\"\(name)\"]") }
            #expect(throws: SocketIOFault.reservedEventName) {
                try SocketIOPacket(namespace: "/", content: .event(name: name, arguments: [], id: nil)).encoded()
            }
        }
    }

    @Test func `bounds hold both ways`() throws {
        let many = SocketIOPacket(
            namespace: "/", content: .event(name: "a", arguments: Array(repeating: .binary([0]), count: 11), id: nil))
        #expect(throws: SocketIOFault.tooManyAttachments) { try many.encoded() }
        let large = SocketIOPacket(
            namespace: "/", content: .event(name: "a", arguments: [.binary(Array(repeating: 0, count: 65))], id: nil))
        #expect(throws: SocketIOFault.tooLarge) { try large.encoded(limits: .init(maximumPayload: 64)) }
        var decoder = SocketIODecoder(limits: .init(maximumPayload: 64))
        #expect(try decoder.decode("51-[\"a\",{\"_placeholder\":true,\"num\":0}]") == nil)
        #expect(throws: SocketIOFault.tooLarge) { try decoder.decode([UInt8](repeating: 0, count: 65)) }
        let forged = SocketIOValue.object([.init("_placeholder", .bool(true)), .init("num", .number("0"))])
        let packet = SocketIOPacket(namespace: "/", content: .event(name: "a", arguments: [forged, .binary([1])], id: nil))
        #expect(throws: SocketIOFault.badPlaceholder) { try packet.encoded() }
    }

    // B-10: ten attachments as large as one may be are not one packet.
    @Test func `a packet as a whole is bounded`() throws {
        let limits = SocketIOLimits(maximumPayload: 200)
        func packet(_ sizes: Int...) -> SocketIOPacket {
            let pieces = sizes.map { SocketIOValue.binary([UInt8](repeating: 7, count: $0)) }
            return SocketIOPacket(namespace: "/", content: .event(name: "a", arguments: pieces, id: nil))
        }
        let text = try packet(1, 1).encoded(limits: limits).text
        // With Engine.IO's digit.
        let room = 200 - text.utf8.count - 1
        let (_, fitting) = try packet(100, room - 100).encoded(limits: limits)
        #expect(throws: SocketIOFault.tooLarge) { try packet(100, room - 99).encoded(limits: limits) }
        var decoder = SocketIODecoder(limits: limits)
        for round in 0..<2 {
            #expect(try decoder.decode(text) == nil)
            #expect(try decoder.decode(fitting[0]) == nil)
            #expect(try decoder.decode(fitting[1]) == packet(100, room - 100), "round \(round)")
        }
        #expect(try decoder.decode(text) == nil)
        #expect(try decoder.decode(fitting[0]) == nil)
        #expect(throws: SocketIOFault.tooLarge) { try decoder.decode(fitting[1] + [0]) }
    }

    // B-10: an announcement is believed only as attachments come.
    @Test func `announced attachments reserve nothing`() throws {
        let before = try reservedBytes()
        var decoders = (0..<64).map { _ in SocketIODecoder(limits: .init(maximumAttachments: .max)) }
        for index in decoders.indices { #expect(try decoders[index].decode("51000000000-[\"a\"]") == nil) }
        #expect(try reservedBytes() - before < 1 << 38)
        #expect(throws: SocketIOFault.tooManyAttachments) { try decode("51000000000-[\"a\"]") }
        #expect(throws: SocketIOFault.badAttachmentCount) { try decode("5" + String(repeating: "9", count: 40) + "-[\"a\"]") }
        withExtendedLifetime(decoders) {}
    }

    // C-2: ids from 0 to what an Int64 holds.
    @Test func `acknowledgement ids are bounded`() throws {
        for id in [0, UInt64(Int64.max)] {
            #expect(try decode("3\(id)[]")?.content == .acknowledgement(id: id, arguments: []))
            #expect(try decode("2\(id)[\"a\"]")?.content == .event(name: "a", arguments: [], id: id))
        }
        for id in ["", "9223372036854775808", String(repeating: "9", count: 40)] {
            #expect(throws: SocketIOFault.badAcknowledgementID) { try decode("3\(id)[]") }
        }
    }

    @Test func `a digit with a combining mark is text like any other`() throws {
        #expect(try EngineIOPacket("4\u{301}x") == .message("\u{301}x"))
        #expect(throws: SocketIOFault.emptyPacket) { try EngineIOPacket("") }
    }

    // B-2
    @Test func `a server's times are obeyed; an interval of nought counts as unknown; absurd ones end the link`() {
        func deadline(_ interval: String, _ timeout: String) -> Int64? {
            var session = SocketIOClientSession()
            let now = MonotonicInstant(nanoseconds: 0)
            _ = session.handle(.connect(namespace: "/", payload: nil), at: now)
            let open = WebSocketMessage.text("0{\"sid\":\"x\",\"pingInterval\":\(interval),\"pingTimeout\":\(timeout)}")
            _ = session.handle(.received(dial: 1, open), at: now)
            return session.nextDeadline.map { $0.nanoseconds / 1_000_000 }
        }
        #expect(deadline("300", "200") == 500)
        #expect(deadline("0", "200") == 25_200)
        for bad in ["-1", "1e30", "1.5", "\"300\"", "null", "86400001"] { #expect(deadline(bad, "200") == nil) }
        #expect(deadline("300", "0") == nil)
    }

    // B-10: whatever comes, the machines neither trap nor say anything twice.
    @Test(arguments: UInt64(0)..<200)
    func `random frames leave the sessions whole`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var client = SocketIOClientSession()
        var server = SocketIOServerSession(policy: .init(namespaces: ["/", "/a"]), sessionID: "s")
        var now = MonotonicInstant(nanoseconds: 0)
        var clientNews = client.handle(.connect(namespace: "/a", payload: nil), at: now) + client.handle(.opened(dial: 1), at: now)
        var serverNews = server.handle(.opened, at: now)
        clientNews += client.handle(.received(dial: 1, .text(#"0{"sid":"x","pingInterval":1000,"pingTimeout":1000}"#)), at: now)
        var asked: UInt64 = 0
        for _ in 0..<60 {
            now = now.advanced(by: .milliseconds(Int.random(in: 0...200, using: &random)))
            let message = WebSocketMessage.random(&random)
            clientNews += client.handle(.received(dial: 1, message), at: now) + client.handle(.clock, at: now)
            serverNews += server.handle(.received(message), at: now) + server.handle(.clock, at: now)
            asked += 1
            let emit = SocketIOEmit(
                id: .init(asked), namespace: "/a", name: "e", arguments: [], acknowledgementTimeout: .milliseconds(Int(asked) * 7))
            clientNews += client.handle(.emit(emit), at: now)
            serverNews += server.handle(.emit(emit), at: now)
            for effect in serverNews.suffix(4) {
                guard case .report(.joining(let name, _, let attempt)) = effect else { continue }
                serverNews += server.handle(.decided(namespace: name, attempt: attempt, sessionID: "n", .accept(payload: nil)), at: now)
            }
        }
        clientNews += client.handle(.close, at: now)
        serverNews += server.handle(.close(.init(code: 1001)), at: now)
        #expect(clientNews.filter { if case .report(.closed) = $0 { true } else { false } }.count == 1)
        #expect(serverNews.filter { if case .report(.closed) = $0 { true } else { false } }.count == 1)
        let clientOutcomes = clientNews.compactMap { if case .outcome(let id, _) = $0 { id.number } else { nil } }
        let serverOutcomes = serverNews.compactMap { if case .outcome(let id, _) = $0 { id.number } else { nil } }
        #expect(clientOutcomes.sorted() == Array(1...asked))
        #expect(serverOutcomes.sorted() == Array(1...asked))
        #expect(client.nextDeadline == nil && server.nextDeadline == nil)
        #expect(client.awaitedCount == 0 && server.awaitedCount == 0)
    }
}

extension SocketIOValue {
    static func random(depth: Int, binaries: inout Int, _ random: inout SeededRandom) -> SocketIOValue {
        switch Int.random(in: 0...(depth == 0 ? 4 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(["0", "-1.50", "1e400", "9007199254740993"].randomElement(using: &random) ?? "0")
        case 3: return .string(["", "a,b", "腾讯", "\"\\", "/trade,1", "4"].randomElement(using: &random) ?? "")
        case 4:
            guard binaries < 10 else { return .null }
            binaries += 1
            return .binary((0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        case 5:
            var elements: [SocketIOValue] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                elements.append(.random(depth: depth - 1, binaries: &binaries, &random))
            }
            return .array(elements)
        default:
            var members: [Member] = []
            for index in 0..<Int.random(in: 0...3, using: &random) {
                members.append(.init("k\(index)", .random(depth: depth - 1, binaries: &binaries, &random)))
            }
            return .object(members)
        }
    }
}

extension SocketIOPacket {
    static func random(_ random: inout SeededRandom) -> SocketIOPacket {
        let namespace = ["/", "/trade", "/trade/hk", "/1"].randomElement(using: &random) ?? "/"
        var binaries = 0
        var arguments: [SocketIOValue] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) { arguments.append(.random(depth: 3, binaries: &binaries, &random)) }
        let id: UInt64 = [0, 1, 12, UInt64(Int64.max)].randomElement(using: &random) ?? 0
        let content: Content =
            switch Int.random(in: 0...5, using: &random) {
            case 0: .connect(Bool.random(using: &random) ? nil : ["token": "T,1"])
            case 1: .disconnect
            case 2: .connectError(["message": "no"])
            case 3: .acknowledgement(id: id, arguments: arguments)
            case 4: .event(name: "a", arguments: arguments, id: id)
            default: .event(name: "place,", arguments: arguments, id: nil)
            }
        return .init(namespace: namespace, content: content)
    }
}

extension WebSocketMessage {
    /// Mostly what could be meant, now and then what could not.
    static func random(_ random: inout SeededRandom) -> WebSocketMessage {
        let texts = [
            "2", "3", "6", "40/a,{\"sid\":\"x\"}", "40", "42/a,[\"e\",1]", "42/a,0[\"e\"]", "43/a,0[]", "43/a,1[1]", "43/a,5[]", "41/a,",
            "44/a,{\"message\":\"no\"}", "451-/a,[\"e\",{\"_placeholder\":true,\"num\":0}]", "40/b,",
        ]
        switch Int.random(in: 0...40, using: &random) {
        case 0:
            return .text(["1", "5", "4", "", "0{}", "42{}", "9", "42/a,[\"disconnect\"]", "4\u{0}"].randomElement(using: &random) ?? "")
        case 1: return .binary([1, 2])
        default: return .text(texts.randomElement(using: &random) ?? "2")
        }
    }
}

/// Bytes of private memory that this process has reserved, touched or not.
private func reservedBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
    return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
}
