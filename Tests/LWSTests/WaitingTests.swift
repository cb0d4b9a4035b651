import HTTP
import Testing
import Transport

@testable import LWS

/// What a silent loop owes (O-3).
@Suite(.timeLimit(.minutes(2))) struct WaitingTests {
    /// Sets deadlines one after the other, each by a job of its own on a loop where nothing else happens; how many microseconds after
    /// its job the last of them rang.
    private func ringing(_ loop: ServiceLoop, _ deadlines: [Duration]) async -> Int64? {
        let rung = AsyncStream.makeStream(of: Int64.self)
        for (index, deadline) in deadlines.enumerated() {
            await withCheckedContinuation { continuation in
                loop.submit { core in
                    let begin = core.now
                    let alarm = Alarm(core: core, id: loop.newID()) {
                        if index == deadlines.count - 1 { rung.continuation.yield(core.now - begin) }
                    }
                    core.add(alarm)
                    alarm.setDeadline(deadline)
                    continuation.resume()
                }
            }
        }
        return await rung.stream.first { _ in true }
    }

    // A loop may arm its timer before the job ran, or not at all for a deadline nearer than the one it knows; nothing comes to repair it.
    @Test func aJobsDeadlineRingsOnASilentLoop() async throws {
        let loop = try ServiceLoop(name: "waiting", timeout: .seconds(2), tls: false) { _ throws(LWSFailure) in }
        let alone = try #require(await ringing(loop, [.milliseconds(60)]))
        #expect((60_000..<5_000_000).contains(alone))
        let nearer = try #require(await ringing(loop, [.seconds(100), .milliseconds(3_000), .milliseconds(60)]))
        #expect((60_000..<2_500_000).contains(nearer))
        let later = try #require(await ringing(loop, [.milliseconds(40), .milliseconds(120)]))
        #expect((120_000..<5_000_000).contains(later))
        loop.submit { $0.end() }
        await loop.waitUntilFinished()
    }

    // Nothing but the deadline makes a round here.
    @Test func silentPeersAreDroppedInTime() async throws {
        var configuration = LWSServerConfiguration(
            port: 0, http: { _ in HTTPResponse(status: 200) }, webSocket: { _ in .refuse(HTTPResponse(status: 403)) })
        configuration.limits.headerDeadline = .milliseconds(50)
        let server = try LWSServer(configuration)
        let port = server.port
        let heard = try await onThread { try (0..<20).map { _ in try RawSocket(port: port) }.map { try $0.hearToEnd() } }
        #expect(heard == Array(repeating: [], count: 20))
        await server.stop()
    }

    // A context that ends with and without connections, in the middle of a request and after one, leaves nothing that trips the next.
    @Test func endsWhole() async throws {
        for round in 0..<40 {
            let server = try LWSServer(
                LWSServerConfiguration(
                    port: 0, http: { _ in HTTPResponse(status: 204) }, webSocket: { _ in .refuse(HTTPResponse(status: 403)) }))
            let port = server.port
            if round % 4 > 0 {
                let head = try await onThread {
                    let peer = try RawSocket(port: port)
                    try peer.say("GET / HTTP/1.1\r\nHost: x\r\n" + (round % 4 > 1 ? "\r\n" : ""))
                    return round % 4 > 2 ? try peer.hearHead() : ""
                }
                #expect(round % 4 < 3 || head.hasPrefix("HTTP/1.1 204 "))
            }
            await server.stop()
        }
    }

    // What waits for a peer that reads nothing can be seen (`causeway_queued_bytes`), and is gone with it.
    @Test func tellsWhatIsQueued() async throws {
        let flooded = AsyncStream.makeStream(of: Void.self)
        let closed = AsyncStream.makeStream(of: Void.self)
        let configuration = LWSServerConfiguration(port: 0, http: { _ in HTTPResponse(status: 200) }) { _ in
            .accept(WebSocketAcceptOptions(maximumQueuedBytes: 64 << 20)) { socket in
                { event in
                    if case .closed = event { closed.continuation.yield() }
                    guard case .message = event else { return }
                    for _ in 0..<200 { _ = socket.send(.binary([UInt8](repeating: 1, count: 100_000))) }
                    flooded.continuation.yield()
                }
            }
        }
        let server = try LWSServer(configuration)
        #expect(await server.queuedBytes() == .init())
        var peers: [RawSocket] = []
        for _ in 0..<2 {
            let peer = try RawSocket(port: server.port, receiveBuffer: 4096)
            try peer.say("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n")
            try peer.say("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
            try peer.say(masked(0x81, Array("go".utf8)))
            _ = await flooded.stream.first { _ in true }
            peers.append(peer)
        }
        let queued = await server.queuedBytes()
        // The kernel takes a few megabytes of the 40.
        #expect((10_000_000...20_100_000).contains(queued.largest))
        #expect((20_000_000...40_200_000).contains(queued.total) && queued.largest < queued.total)
        peers = []
        for _ in 0..<2 { _ = await closed.stream.first { _ in true } }
        #expect(await server.queuedBytes() == .init())
        await server.stop()
        #expect(await server.queuedBytes() == .init())
    }
}
