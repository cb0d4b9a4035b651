import Foundation
import HTTP
import LWS
import Testing
import Texts

@testable import causeway

/// O-3: what the client keeps of certificates its user accepted.
@Suite struct KnownServersTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/causeway-known-\(UUID().uuidString)"
    private var path: String { folder + "/known-servers" }
    private let key = String(repeating: "k", count: 44)

    private func fingerprint(_ byte: UInt8) throws -> CertificateFingerprint {
        try #require(CertificateFingerprint(bytes: [UInt8](repeating: byte, count: 32)))
    }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("O-3 accepted certificates are kept, one a server, for their owner only") func keeps() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var servers = try KnownServers(path: path)
        #expect(servers.entries.isEmpty)
        try servers.set(.init(fingerprint: try fingerprint(1), key: key), for: "desk.example:7701")
        try servers.set(.init(fingerprint: try fingerprint(2), key: key), for: "[::1]:443")
        try servers.set(.init(fingerprint: try fingerprint(3), key: key), for: "desk.example:7701")
        #expect(try KnownServers(path: path).entries == servers.entries)
        #expect(servers["desk.example:7701"]?.fingerprint == (try fingerprint(3)) && servers["desk.example:443"] == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try servers.set(nil, for: "desk.example:7701")
        #expect(try KnownServers(path: path).entries.keys.sorted() == ["[::1]:443"])
    }

    @Test("O-3 a damaged or newer file is told and left as it is") func damaged() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let good = "a:1 \(try fingerprint(1)) \(key)\n"
        for (text, code) in [
            ("", ErrorCode.dataCorrupt), ("known-servers 2\n", .dataNewer), ("else\n" + good, .dataCorrupt),
            ("known-servers 1\na:1\n", .dataCorrupt), ("known-servers 1\na:1 sha256:00 \(key)\n", .dataCorrupt),
            ("known-servers 1\na:1 \(try fingerprint(1)) short\n", .dataCorrupt), ("known-servers 1\n" + good + good, .dataCorrupt),
        ] {
            try write(text)
            #expect(throws: Failure(code, .init("path", path)), "\(text)") { try KnownServers(path: path) }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
        try write("known-servers 1\n" + good)
        #expect(try KnownServers(path: path)["a:1"]?.key == key)
    }

    @Test("O-3 there is a bound; what is beyond is not kept") func bounded() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let print = try fingerprint(1)
        try write("known-servers 1\n" + (0..<KnownServers.most).map { "a:\($0 + 1) \(print) \(key)\n" }.joined())
        var servers = try KnownServers(path: path)
        #expect(throws: Failure.self) { try servers.set(.init(fingerprint: print, key: key), for: "b:1") }
        #expect(servers["b:1"] == nil && servers.entries.count == KnownServers.most)
        try servers.set(.init(fingerprint: try fingerprint(2), key: key), for: "a:1")
    }

    @Test("O-3 a server is its host and port") func names() {
        #expect(ServerTrust.name("https://desk.example") == "desk.example:443")
        #expect(ServerTrust.name("https://desk.example:7701") == "desk.example:7701")
        #expect(ServerTrust.name("https://[::1]") == "[::1]:443" && ServerTrust.name("https://[::1]:1") == "[::1]:1")
        #expect(ServerTrust.name("http://127.0.0.1:7701") == nil)
    }

    @Test("O-3 Q-4 each refusal says which certificate was shown, in every language", arguments: Language.allCases)
    func says(language: Language) throws {
        let (shown, before) = (try fingerprint(1), try fingerprint(2))
        let offered = OfferedCertificate(fingerprint: shown, key: key, isVouched: false, validFrom: 86_400, validUntil: 172_800)
        func text(_ reason: TrustDecision.Refusal) -> String {
            let failure = ServerTrust.failure(reason, "desk.example:443", offered)
            #expect(ExitStatus(failure.code) == .noConnection)
            return failure.text(in: language)
        }
        #expect(text(.unknown).contains("desk.example:443") && text(.unknown).contains("--trust \(shown)"))
        #expect(text(.changed(known: before)).contains("\(before)") && text(.changed(known: before)).contains("--trust \(shown)"))
        #expect(text(.other(named: before)).contains("\(before)") && text(.other(named: before)).contains("\(shown)"))
        #expect(text(.outOfDate).contains("1970-01-02") && text(.outOfDate).contains("1970-01-03"))
        #expect(!text(.notVouched).isEmpty)
    }

    @Test("O-3 --trust takes a fingerprint or `authorities`, and not with --ca") func options() throws {
        let parser = Parser(commands: Commands.all)
        let folders = try Folders(profile: nil, environment: ["HOME": folder])
        func trust(_ words: String...) throws -> ServerTrust? {
            guard case .invoke(let invocation) = try parser.parse(["quote", "700.HK"] + words) else { return nil }
            return try ServerTrust(invocation, folders)
        }
        _ = try trust()
        _ = try trust("--trust", "\(try fingerprint(1))")
        _ = try trust("--trust", "authorities")
        _ = try trust("--ca", "file")
        #expect(throws: Usage.invalid("--trust", "sha256:12", .fingerprint)) { try trust("--trust", "sha256:12") }
        #expect(throws: Usage.conflict("ca", "trust")) { try trust("--trust", "authorities", "--ca", "file") }
    }

    @Test("O-3 --trust for a server in the clear is a usage error") func plain() async throws {
        let parser = Parser(commands: Commands.all)
        guard case .invoke(let invocation) = try parser.parse(["whoami", "--trust", "authorities"]) else { return }
        let trust = try ServerTrust(invocation, try Folders(profile: nil, environment: ["HOME": folder]))
        let client = try LWSClient()
        let url = "http://127.0.0.1:7701"
        await #expect(throws: Usage.plainTrust(url)) { try await trust.judge(url, by: client) }
        await client.stop()
    }
}
