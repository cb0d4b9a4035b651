/// SHA-256 over a certificate's DER form, as `openssl x509 -fingerprint -sha256` shows it.
public struct CertificateFingerprint: Hashable, Sendable, CustomStringConvertible {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// Nil: not 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// 64 hexadecimal digits of either case, with or without a colon after every second, with or without `sha256:` before them.
    public init?(_ text: String) {
        var rest = Substring(text.lowercased())
        if rest.hasPrefix("sha256:") { rest = rest.dropFirst(7) }
        let digits = Array(rest.utf8)
        let hasColons = digits.count == 95
        guard hasColons || digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: hasColons ? 3 : 2) {
            guard let high = Self.nibble(digits[start]), let low = Self.nibble(digits[start + 1]) else { return nil }
            if hasColons, start + 2 < digits.count, digits[start + 2] != 58 { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    private static func nibble(_ character: UInt8) -> UInt8? {
        switch character {
        case 48...57: character - 48
        case 97...102: character - 87
        default: nil
        }
    }

    /// `sha256:AB:CD:…`.
    public var description: String {
        "sha256:"
            + bytes.map { String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true) }
            .joined(separator: ":")
    }
}

/// What a server showed in a handshake that proved its key, and what the authorities in use say of it.
public struct OfferedCertificate: Hashable, Sendable {
    public var fingerprint: CertificateFingerprint
    /// SHA-256 of its public key, base64: what `TLSTrust.pinned` takes.
    public var key: String
    /// An authority in use vouches for it under the name that was asked.
    public var isVouched: Bool
    /// Seconds since 1970, both included.
    public var validFrom: Int64
    public var validUntil: Int64

    public init(fingerprint: CertificateFingerprint, key: String, isVouched: Bool, validFrom: Int64, validUntil: Int64) {
        self.fingerprint = fingerprint
        self.key = key
        self.isVouched = isVouched
        self.validFrom = validFrom
        self.validUntil = validUntil
    }
}

/// What the user says about a server's certificate.
public enum TrustWish: Hashable, Sendable {
    case none
    /// Accept this one, instead of whatever was accepted before.
    case accept(CertificateFingerprint)
    /// Forget what was accepted; the authorities count again.
    case authorities
}

/// Whether a server may be spoken to (O-3). A fingerprint takes the place of the authorities and of the name in the certificate; its
/// dates count all the same.
public enum TrustDecision: Hashable, Sendable {
    /// By the authorities; what was accepted before is forgotten where there is something.
    case byAuthorities
    /// By the fingerprint accepted before.
    case byFingerprint
    /// By this fingerprint, which is to be kept.
    case accept
    /// The user is to compare the fingerprint.
    case ask
    case refuse(Refusal)

    public enum Refusal: Hashable, Sendable {
        /// Seen for the first time, and nobody to ask.
        case unknown
        /// Another than the one accepted before.
        case changed(known: CertificateFingerprint)
        /// Another than the one the user named.
        case other(named: CertificateFingerprint)
        /// No authority vouches for it, and the user wants one to.
        case notVouched
        /// Not valid yet or any more.
        case outOfDate
    }

    /// - Parameter now: seconds since 1970.
    public init(
        known: CertificateFingerprint?, wish: TrustWish, offered: OfferedCertificate, canAsk: Bool, now: Int64
    ) {
        let isCurrent = (offered.validFrom...max(offered.validFrom, offered.validUntil)).contains(now)
        switch (wish, known) {
        case (.authorities, _): self = offered.isVouched ? .byAuthorities : .refuse(.notVouched)
        case (.accept(let named), _) where named != offered.fingerprint: self = .refuse(.other(named: named))
        case (.none, let known?) where known != offered.fingerprint: self = .refuse(.changed(known: known))
        case (.none, nil) where offered.isVouched: self = .byAuthorities
        case _ where !isCurrent: self = .refuse(.outOfDate)
        case (.accept(let named), let known): self = named == known ? .byFingerprint : .accept
        case (.none, .some): self = .byFingerprint
        case (.none, nil): self = canAsk ? .ask : .refuse(.unknown)
        }
    }
}
