import CWebSockets
import Glibc
import HTTP

/// A server's certificate with its chain and key, read and found to belong together.
final class TLSIdentity: Sendable {
    let fingerprint: CertificateFingerprint
    /// Seconds since 1970, both included.
    let validFrom: Int64
    let validUntil: Int64
    /// Of OpenSSL's context that holds it; never changed after `init`.
    private let address: UInt

    /// - Throws: `.badCertificate` with the reason.
    init(_ files: LWSServerConfiguration.TLSFiles) throws(LWSFailure) {
        for path in [files.certificate, files.key] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw .badCertificate("\(path): \(errorText(errno))") }
            close(descriptor)
        }
        ERR_clear_error()
        guard let context = causeway_identity(files.certificate, files.key) else {
            let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) } ?? "cannot be used"
            ERR_clear_error()
            throw .badCertificate("\(files.certificate), \(files.key): \(reason)")
        }
        address = UInt(bitPattern: context)
        var facts = causeway_certificate()
        guard causeway_describe(SSL_CTX_get0_certificate(context), &facts) == 1,
            let fingerprint = CertificateFingerprint(bytes: facts.fingerprintBytes)
        else {
            SSL_CTX_free(context)
            throw .badCertificate("\(files.certificate): not readable")
        }
        self.fingerprint = fingerprint
        (validFrom, validUntil) = (facts.from, facts.until)
    }

    deinit { SSL_CTX_free(context) }

    fileprivate var context: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// - Parameter now: seconds since 1970.
    func isValid(at now: Int64) -> Bool { validFrom <= now && now <= validUntil }
}

/// What a server shows in new handshakes. Service thread only, after `init`.
final class TLSDisplay {
    private let slot: UnsafeMutablePointer<causeway_identity_slot>
    /// Kept alive as long as it is shown.
    private var identity: TLSIdentity

    init(_ identity: TLSIdentity) {
        self.identity = identity
        slot = .allocate(capacity: 1)
        slot.initialize(to: causeway_identity_slot(current: identity.context))
    }

    /// From now on in every handshake of that server's context.
    func show(in server: OpaquePointer) { causeway_show_identities_of(server, slot) }

    func replace(with next: TLSIdentity) {
        slot.pointee.current = next.context
        identity = next
    }

    deinit { slot.deallocate() }
}
