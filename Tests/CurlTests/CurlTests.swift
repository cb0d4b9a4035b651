import Foundation
import HTTP
import LWS
import Streams
import Synchronization
import Testing
import Transport

@testable import Curl

private func fixture(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)").path
}

@Suite(.timeLimit(.minutes(5))) struct CurlTests {
    private func server(tls: Bool = false, _ http: @escaping HTTPHandler) throws -> LWSServer {
        let files = LWSServerConfiguration.TLSFiles(certificate: fixture("tls/server.pem"), key: fixture("tls/server.key"))
        return try LWSServer(
            LWSServerConfiguration(port: 0, tls: tls ? files : nil, http: http) { _ in .refuse(HTTPResponse(status: 404)) })
    }

    private func failure(_ request: HTTPRequest, _ configuration: CurlClient.Configuration = .init()) async -> HTTPFailure? {
        do {
            _ = try await CurlClient(configuration).client.perform(request)
            return nil
        } catch {
            return error
        }
    }

    // B-12
    @Test(arguments: ["GET", "POST", "PUT", "DELETE"]) func carriesMethodHeadersAndBody(_ method: String) async throws {
        let server = try server { request in
            var answer = HTTPResponse(status: 418, headers: ["X-Method": request.method, "X-Path": request.path + "?" + request.query])
            answer.headers.append("X-Seen", request.headers["x-mine"] ?? "")
            answer.body = request.body
            return answer
        }
        let body: [UInt8] = method == "GET" ? [] : [0, 1, 2, 255]
        let answer = try await CurlClient().client.perform(
            HTTPRequest(method: method, url: "http://127.0.0.1:\(server.port)/a%20b?c=d", headers: ["X-Mine": "é"], body: body))
        #expect(answer.status == 418 && answer.headers["x-method"] == method && answer.headers["x-path"] == "/a b?c=d")
        #expect(answer.headers["x-seen"] == "é" && answer.body == body)
        await server.stop()
    }

    @Test func usesConnectionsAgainAndFollowsNoRedirect() async throws {
        // One connection at a time: a second would be turned away.
        var configuration = LWSServerConfiguration(
            port: 0, http: { _ in HTTPResponse(status: 302, headers: ["Location": "http://127.0.0.1:1/"]) }
        ) { _ in .refuse(HTTPResponse(status: 404)) }
        configuration.limits.connections = 1
        let server = try LWSServer(configuration)
        let curl = CurlClient(.init(threads: 1))
        for _ in 0..<3 {
            #expect(try await curl.client.perform(HTTPRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/")).status == 302)
        }
        await curl.stop()
        await server.stop()
    }

    @Test func classifiesFailures() async throws {
        #expect(await failure(HTTPRequest(method: "GET", url: "ftp://x/")).map { if case .badURL = $0 { true } else { false } } == true)
        #expect(
            await failure(HTTPRequest(method: "GET", url: "http://u:p@x/")).map { if case .badURL = $0 { true } else { false } } == true)
        #expect(
            await failure(HTTPRequest(method: "GET", url: "http://127.0.0.1:1/")).map { if case .offline = $0 { true } else { false } }
                == true)
        #expect(
            await failure(HTTPRequest(method: "GET", url: "http://a.invalid/")).map { if case .offline = $0 { true } else { false } }
                == true)
        let server = try server { _ in
            try? await Task.sleep(for: .seconds(20))
            return HTTPResponse(status: 200)
        }
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(await failure(HTTPRequest(method: "GET", url: url, timeout: .milliseconds(200))) == .timedOut)
        await server.stop()
    }

    // B-12: compressed answers arrive unpacked, and the bound counts what they unpack to.
    @Test func unpacksAnswers() async throws {
        let packed: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x00, 0x80,
            0x88, 0xf9, 0xe5, 0x11, 0x00, 0x00, 0x00,
        ]
        let asked = Mutex<String?>(nil)
        let server = try server { request in
            asked.withLock { $0 = request.headers["accept-encoding"] }
            return HTTPResponse(status: 200, headers: ["Content-Encoding": "gzip"], body: packed)
        }
        let request = HTTPRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/")
        #expect(try await CurlClient().client.perform(request).body == Array("hello hello hello".utf8))
        #expect(asked.withLock { $0 }?.contains("gzip") == true)
        #expect(await failure(request, .init(maximumResponseBytes: 16)) == .tooLarge)
        await server.stop()
    }

    @Test func boundsAnswers() async throws {
        let server = try server { _ in HTTPResponse(status: 200, body: [UInt8](repeating: 1, count: 100_000)) }
        let url = "http://127.0.0.1:\(server.port)/"
        #expect(await failure(HTTPRequest(method: "GET", url: url), .init(maximumResponseBytes: 99_999)) == .tooLarge)
        #expect(await failure(HTTPRequest(method: "GET", url: url), .init(maximumResponseBytes: 100_000)) == nil)
        await server.stop()
    }

    @Test func endsWithItsTask() async throws {
        let entered = AsyncStream.makeStream(of: Void.self)
        let server = try server { _ in
            entered.continuation.yield()
            try? await Task.sleep(for: .seconds(20))
            return HTTPResponse(status: 200)
        }
        let url = "http://127.0.0.1:\(server.port)/"
        let curl = CurlClient()
        let task = Task { () -> HTTPFailure? in
            do {
                _ = try await curl.client.perform(HTTPRequest(method: "GET", url: url))
                return nil
            } catch {
                return error as? HTTPFailure
            }
        }
        for await _ in entered.stream { break }
        task.cancel()
        #expect(await task.value == .cancelled)
        await curl.stop()
        #expect(await failure(HTTPRequest(method: "GET", url: "http://127.0.0.1:1/")) != .cancelled)
        await server.stop()
    }

    // O-3
    @Test func judgesCertificates() async throws {
        let server = try server(tls: true) { _ in HTTPResponse(status: 200) }
        let pin = try String(contentsOfFile: fixture("tls/server.pin"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let wrong = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
        for host in ["127.0.0.1", "localhost"] {
            let request = HTTPRequest(method: "GET", url: "https://\(host):\(server.port)/")
            #expect(await failure(request, .init(trust: .authorities(file: fixture("tls/ca.pem")))) == nil)
            #expect(await failure(request, .init(trust: .pinned(sha256: pin))) == nil)
            for trust in [
                TLSTrust.system, .authorities(file: fixture("tls/other-ca.pem")), .authorities(file: "/nowhere"), .pinned(sha256: wrong),
            ] {
                let failure = await failure(request, .init(trust: trust))
                #expect(failure.map { if case .untrusted = $0 { true } else { false } } == true, "\(trust) \(String(describing: failure))")
            }
        }
        await server.stop()
    }
}
