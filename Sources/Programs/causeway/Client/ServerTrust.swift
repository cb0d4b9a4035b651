import Diagnostics
import Glibc
import HTTP
import LWS
import Streams
import Texts
import Transport

extension ErrorCode {
    /// No authority in use vouches for the certificate, and nobody accepted it yet: `server`, `fingerprint`.
    static let certificateUnknown = ErrorCode("connection.certificate-unknown")
    /// Another certificate than the one accepted: `server`, `fingerprint`, `known`.
    static let certificateChanged = ErrorCode("connection.certificate-changed")
    /// Another certificate than the one named: `server`, `fingerprint`, `named`.
    static let certificateOther = ErrorCode("connection.certificate-other")
    /// The certificate is not valid today: `server`, `from`, `until` (days).
    static let certificateDates = ErrorCode("connection.certificate-dates")
}

/// Finds out which certificate a command's connections must show: `--ca`, what the user says now, what was accepted before, or the user
/// asked on the terminal (O-3). All connections of the command are then held to the answer.
struct ServerTrust {
    private let invocation: Invocation
    private let authorities: String?
    private let wish: TrustWish
    private let known: String

    /// - Throws: usage errors.
    init(_ invocation: Invocation, _ folders: Folders) throws(Failure) {
        self.invocation = invocation
        authorities = invocation["ca"]
        known = folders.config + "/known-servers"
        switch invocation["trust"] {
        case nil: wish = .none
        case _ where authorities != nil: throw Usage.conflict("ca", "trust")
        case "authorities": wish = .authorities
        case let text?:
            guard let fingerprint = CertificateFingerprint(text) else { throw Usage.invalid("--trust", text, .fingerprint) }
            wish = .accept(fingerprint)
        }
    }

    /// Shakes hands with a server on TLS, sends nothing, and decides.
    ///
    /// A server that cannot be reached is not judged: the connections of the command, should they come about after all, are held to what
    /// was accepted before, else to the system's authorities.
    func judge(_ url: String, by client: LWSClient) async throws(Failure) -> TLSTrust {
        if let authorities { return .authorities(file: authorities) }
        guard let server = Self.name(url) else {
            guard wish == .none else { throw Usage.plainTrust(url) }
            return .system
        }
        var servers = try KnownServers(path: known)
        let before = servers[server]
        let offered: OfferedCertificate
        do throws(WebSocketDialFailure) { offered = try await client.certificate(of: "wss://" + server) } catch {
            if case .untrusted = error { throw Failure(.connectionUntrusted) }
            guard wish == .none else { throw Failure(.connectionNotConnected) }
            return before.map { .pinned(sha256: $0.key) } ?? .system
        }
        let decision = TrustDecision(
            known: before?.fingerprint, wish: wish, offered: offered, canAsk: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
            now: WallClock.live.now() / 1_000_000_000)
        switch decision {
        case .byAuthorities:
            if before != nil { try servers.set(nil, for: server) }
            return .system
        case .byFingerprint: break
        case .ask where !ask(server, offered.fingerprint): throw Failure(.connectionUntrusted)
        case .ask, .accept: try servers.set(.init(fingerprint: offered.fingerprint, key: offered.key), for: server)
        case .refuse(let reason): throw Self.failure(reason, server, offered)
        }
        return .pinned(sha256: offered.key)
    }

    /// `HOST:PORT` of an `https://` address; nil: not on TLS.
    static func name(_ url: String) -> String? {
        guard url.hasPrefix("https://") else { return nil }
        let authority = String(url.dropFirst(8).prefix { $0 != "/" })
        let hasPort = authority.last != "]" && authority.contains(":")
        return hasPort ? authority : authority + ":443"
    }

    static func failure(_ reason: TrustDecision.Refusal, _ server: String, _ offered: OfferedCertificate) -> Failure {
        let shown = offered.fingerprint.description
        return switch reason {
        case .unknown: Failure(.certificateUnknown, .init("server", server), .init("fingerprint", shown))
        case .changed(let known):
            Failure(.certificateChanged, .init("server", server), .init("fingerprint", shown), .init("known", known.description))
        case .other(let named):
            Failure(.certificateOther, .init("server", server), .init("fingerprint", shown), .init("named", named.description))
        case .notVouched: Failure(.connectionUntrusted)
        case .outOfDate:
            Failure(
                .certificateDates, .init("server", server), .init("from", day(offered.validFrom)), .init("until", day(offered.validUntil)))
        }
    }

    private static func day(_ seconds: Int64) -> String {
        TradingDay(daysSince1970: Int(seconds / 86_400))?.description ?? "\(seconds)"
    }

    private func ask(_ server: String, _ fingerprint: CertificateFingerprint) -> Bool {
        let language = invocation.language
        let question = "\(Text.trustShown(server: server).words(in: language))\n  \(fingerprint)\n\(Text.trustAsk.words(in: language))"
        let bytes = Array(question.utf8)
        _ = write(STDERR_FILENO, bytes, bytes.count)
        // A terminal gives a line at once.
        var answer = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &answer, answer.count)
        let text = String(decoding: answer.prefix(max(0, count)), as: UTF8.self).lowercased()
        return ["y", "yes"].contains(text.filter { !$0.isWhitespace })
    }
}
