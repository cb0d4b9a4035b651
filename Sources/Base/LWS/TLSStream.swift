import CWebSockets
import HTTP
import Transport

/// Why TLS did not come about or broke.
struct TLSFault: Error {
    var isAboutTrust: Bool
    var reason: String
    var failure: WebSocketDialFailure { isAboutTrust ? .untrusted(reason) : .network(reason) }
}

/// Whom a client believes; shared by its connections, for reading the system's authorities takes tens of milliseconds.
final class TLSAuthorities {
    fileprivate let context: OpaquePointer

    init(_ trust: TLSTrust) throws(TLSFault) {
        guard let made = causeway_tls_context() else { throw TLSFault(isAboutTrust: false, reason: "OpenSSL made no context") }
        context = made
        let isLoaded =
            switch trust {
            case .system: SSL_CTX_set_default_verify_paths(made) == 1
            case .authorities(let file): SSL_CTX_load_verify_file(made, file) == 1
            case .pinned: true
            }
        if case .pinned = trust {
            SSL_CTX_set_verify(made, SSL_VERIFY_NONE, nil)
        } else {
            SSL_CTX_set_verify(made, SSL_VERIFY_PEER, nil)
        }
        guard isLoaded else {
            ERR_clear_error()
            throw TLSFault(isAboutTrust: true, reason: "the authorities' file cannot be used")
        }
    }

    deinit { SSL_CTX_free(context) }
}

/// A client's TLS over bytes that others carry. libwebsockets 4.1 does not begin TLS on a raw client connection, and knows neither
/// pinned keys nor certificates for numeric addresses.
final class TLSStream {
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let trust: TLSTrust
    private var isSecure = false
    /// The peer said goodbye.
    private(set) var hasEnded = false

    /// - Parameter isInspection: whoever the peer is, the handshake goes on, so that `certificate` can tell.
    init(
        _ authorities: TLSAuthorities, host: String, isNumeric: Bool, trust: TLSTrust, isInspection: Bool = false
    ) throws(TLSFault) {
        guard let ssl = SSL_new(authorities.context), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            throw TLSFault(isAboutTrust: false, reason: "out of memory")
        }
        self.ssl = ssl
        self.input = input
        self.output = output
        self.trust = trust
        // The stream owns both ends from here on.
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        guard causeway_tls_expect(ssl, host, isNumeric ? 1 : 0) == 1 else { throw TLSFault(isAboutTrust: false, reason: "bad host name") }
        if isInspection { SSL_set_verify(ssl, SSL_VERIFY_NONE, nil) }
    }

    deinit { SSL_free(ssl) }

    /// Ciphertext from the peer.
    func feed(_ bytes: UnsafeRawBufferPointer) { _ = BIO_write(input, bytes.baseAddress, Int32(bytes.count)) }

    /// Whether ciphertext waits to be sent.
    var hasOutput: Bool { BIO_ctrl_pending(output) > 0 }

    /// True once the peer is known and believed.
    func handshake() throws(TLSFault) -> Bool {
        if isSecure { return true }
        ERR_clear_error()
        let code = SSL_do_handshake(ssl)
        guard code == 1 else {
            let error = SSL_get_error(ssl, code)
            if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return false }
            throw fault()
        }
        if case .pinned(let sha256) = trust { try comparePin(sha256) }
        isSecure = true
        return true
    }

    private func comparePin(_ sha256: String) throws(TLSFault) {
        let key = try certificate().key
        let (shown, wanted) = (Array(key.utf8), Array(sha256.utf8))
        guard shown.count == wanted.count, CRYPTO_memcmp(shown, wanted, shown.count) == 0 else {
            throw TLSFault(isAboutTrust: true, reason: "the server's key is not the pinned one; it shows \(key)")
        }
    }

    /// What the peer showed; after the handshake only.
    func certificate() throws(TLSFault) -> OfferedCertificate {
        var shown = causeway_certificate()
        guard causeway_describe_peer(ssl, &shown) == 1, let fingerprint = CertificateFingerprint(bytes: shown.fingerprintBytes) else {
            throw TLSFault(isAboutTrust: true, reason: "the server shows no certificate")
        }
        return OfferedCertificate(
            fingerprint: fingerprint, key: base64(shown.keyBytes), isVouched: SSL_get_verify_result(ssl) == Int(X509_V_OK),
            validFrom: shown.from, validUntil: shown.until)
    }

    /// The next plaintext; nil: more ciphertext is needed.
    func read() throws(TLSFault) -> [UInt8]? {
        var plain = [UInt8](repeating: 0, count: 16 << 10)
        ERR_clear_error()
        let count = SSL_read(ssl, &plain, Int32(plain.count))
        if count > 0 { return Array(plain.prefix(Int(count))) }
        switch SSL_get_error(ssl, count) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return nil
        case SSL_ERROR_ZERO_RETURN:
            hasEnded = true
            return nil
        default: throw fault()
        }
    }

    /// Plaintext for the peer; its ciphertext waits in `drain`.
    func write(_ plain: ArraySlice<UInt8>) throws(TLSFault) {
        guard !plain.isEmpty else { return }
        ERR_clear_error()
        let count = plain.withUnsafeBytes { SSL_write(ssl, $0.baseAddress, Int32($0.count)) }
        guard count == plain.count else { throw fault() }
    }

    func drain(into out: inout [UInt8]) {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while hasOutput {
            let count = BIO_read(output, &piece, Int32(piece.count))
            guard count > 0 else { return }
            out.append(contentsOf: piece.prefix(Int(count)))
        }
    }

    private func fault() -> TLSFault {
        let verdict = SSL_get_verify_result(ssl)
        if verdict != Int(X509_V_OK), SSL_get_verify_mode(ssl) != SSL_VERIFY_NONE, let text = X509_verify_cert_error_string(verdict) {
            return TLSFault(isAboutTrust: true, reason: "certificate: " + String(cString: text))
        }
        let text = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) }
        return TLSFault(isAboutTrust: false, reason: "TLS: " + (text ?? "broken"))
    }
}

extension causeway_certificate {
    var fingerprintBytes: [UInt8] { withUnsafeBytes(of: fingerprint) { Array($0) } }
    var keyBytes: [UInt8] { withUnsafeBytes(of: key) { Array($0) } }
}
