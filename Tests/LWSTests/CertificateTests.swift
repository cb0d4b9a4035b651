import Diagnostics
import Foundation
import HTTP
import Synchronization
import Testing
import Transport

@testable import LWS

/// A server on TLS whose certificate and key stand in a folder of their own and can be replaced.
private final class Served {
    let folder = FileManager.default.temporaryDirectory.appending(path: "causeway-tls-\(UUID().uuidString)")
    let server: LWSServer
    let files: LWSServerConfiguration.TLSFiles
    let told: Told

    init(_ certificate: String, _ key: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        files = .init(certificate: folder.appending(path: "cert.pem").path, key: folder.appending(path: "key.pem").path)
        let told = Told()
        self.told = told
        try Self.put(certificate, key, files)
        server = try LWSServer(
            LWSServerConfiguration(
                port: 0, tls: files, http: { _ in HTTPResponse(status: 200) },
                webSocket: { _ in
                    .accept(WebSocketAcceptOptions()) { socket in
                        { event in if case .message(let message) = event { _ = socket.send(message) } }
                    }
                },
                log: Log { _, event, fields in told.add(event, fields.map { "\($0.name)=\($0.value)" }) }))
    }

    func put(_ certificate: String, _ key: String) throws { try Self.put(certificate, key, files) }

    private static func put(_ certificate: String, _ key: String, _ files: LWSServerConfiguration.TLSFiles) throws {
        try Data(contentsOf: fixture("tls/" + certificate)).write(to: URL(fileURLWithPath: files.certificate))
        try Data(contentsOf: fixture("tls/" + key)).write(to: URL(fileURLWithPath: files.key))
    }

    func shown(_ client: LWSClient, host: String = "127.0.0.1") async throws -> OfferedCertificate {
        try await client.certificate(of: "wss://\(host):\(server.port)/")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}

// O-3: what a client can find out before it trusts, and a server's change of certificate.
@Suite(.timeLimit(.minutes(5))) struct CertificateTests {
    private let ofServer = "AF:C7:AF:5C:47:CC:B1:3F:C1:88:70:D5:3F:E8:42:A7:6A:AB:3C:70:A4:5B:3C:2D:F5:A8:A1:17:95:5B:FF:8D"

    @Test("O-3 a certificate is looked at with a handshake only") func looks() async throws {
        let served = try Served("server.pem", "server.key")
        let client = try LWSClient()
        let pin = try String(contentsOf: fixture("tls/server.pin"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        for host in ["127.0.0.1", "localhost"] {
            let shown = try await served.shown(client, host: host)
            #expect(shown.fingerprint == CertificateFingerprint(ofServer) && shown.fingerprint == served.server.certificate)
            #expect(shown.key == pin && !shown.isVouched)
            #expect(shown.validFrom == 1_796_014_910 && shown.validUntil == 4_949_614_910)
        }
        await served.server.stop()
        await #expect(throws: WebSocketDialFailure.self) { try await served.shown(client) }
        await #expect(throws: WebSocketDialFailure.badURL("expected wss://HOST[:PORT]")) {
            try await client.certificate(of: "ws://127.0.0.1:1/")
        }
        await client.stop()
        await #expect(throws: WebSocketDialFailure.network("client stopped")) { try await served.shown(client) }
    }

    @Test("O-3 a server that is silent or speaks no TLS is told apart from one that is not trusted") func noTLS() async throws {
        let client = try LWSClient()
        let silent = try RawListener()
        await #expect(throws: WebSocketDialFailure.timedOut) {
            try await client.certificate(of: "wss://127.0.0.1:\(silent.port)/", timeout: .milliseconds(200))
        }
        let plain = try RawListener()
        async let said: Void = onThread {
            let peer = try plain.take()
            try peer.say("HTTP/1.1 400 Bad Request\r\n\r\n")
            _ = try peer.hear()
        }
        do throws(WebSocketDialFailure) {
            _ = try await client.certificate(of: "wss://127.0.0.1:\(plain.port)/")
            Issue.record("no TLS there")
        } catch {
            #expect({ if case .network = error { true } else { false } }(), "\(error)")
        }
        try await said
        await client.stop()
    }

    // Another kind of key: with both in place the old one would go on being chosen.
    @Test("O-3 a new certificate is shown in new handshakes; what stands goes on") func reloads() async throws {
        let served = try Served("server.pem", "server.key")
        let client = try LWSClient()
        let events = Events()
        var request = WebSocketDialRequest(url: "wss://127.0.0.1:\(served.server.port)/")
        request.trust = .pinned(sha256: try await served.shown(client).key)
        let socket = client.dialer.dial(request, events.receive)
        _ = await events.collect { if case .opened = $0 { true } else { false } }
        try served.put("self.pem", "self.key")
        let next = try await served.server.reloadCertificate()
        #expect(try await served.shown(client).fingerprint == next && next != served.server.certificate)
        #expect(served.told.events.last == "server.certificate-reloaded certificate=\(next)")
        #expect(socket.send(.text("still here")))
        let seen = await events.collect { if case .message = $0 { true } else { false } }
        #expect(seen.messages == [.text("still here")])
        // The old pin holds for nobody any more.
        let refused = Events()
        _ = client.dialer.dial(request, refused.receive)
        let failure = await refused.collect { _ in false }.failure
        #expect(failure.map { if case .untrusted = $0 { true } else { false } } == true, "\(String(describing: failure))")
        // And back.
        try served.put("server.pem", "server.key")
        try await served.server.reloadCertificate()
        #expect(try await served.shown(client).fingerprint == served.server.certificate)
        await client.stop()
        await served.server.stop()
    }

    @Test("O-3 a pair that does not do is refused with its reason, and the old one stays") func refuses() async throws {
        let served = try Served("server.pem", "server.key")
        let client = try LWSClient()
        func refused(_ reason: String, now: Int64? = nil) async throws {
            await #expect(throws: LWSFailure.self) { try await served.server.reloadCertificate(now: now) }
            let line = served.told.events.last ?? ""
            #expect(line.hasPrefix("server.certificate-refused ") && line.contains(reason), "\(line)")
            #expect(try await served.shown(client).fingerprint == served.server.certificate)
        }
        try served.put("self.pem", "server.key")
        try await refused("key")
        try served.put("server.key", "server.key")
        try await refused("no start line")
        try FileManager.default.removeItem(atPath: served.files.key)
        try await refused("No such file")
        try served.put("self.pem", "self.key")
        try await refused("not valid today", now: 0)
        try await refused("not valid today", now: 9_000_000_000)
        try await served.server.reloadCertificate(now: 1_800_000_000)
        await served.server.stop()
        await #expect(throws: LWSFailure.unavailable("the server has ended")) { try await served.server.reloadCertificate() }
        await client.stop()
        let plain = try LWSServer(
            LWSServerConfiguration(port: 0, http: { _ in HTTPResponse(status: 200) }) { _ in .refuse(HTTPResponse(status: 404)) })
        #expect(plain.certificate == nil)
        await #expect(throws: LWSFailure.unavailable("no TLS")) { try await plain.reloadCertificate() }
        await plain.stop()
    }
}

private final class Told: Sendable {
    private let lines = Mutex<[String]>([])
    var events: [String] { lines.withLock { $0 } }
    func add(_ event: String, _ fields: [String]) { lines.withLock { $0.append(([event] + fields).joined(separator: " ")) } }
}
