import HTTP
import Testing

// O-3: trust on first use, as a decision.
@Suite struct ServerTrustTests {
    private let first = fingerprint(1)
    private let second = fingerprint(2)

    private static func fingerprint(_ byte: UInt8) -> CertificateFingerprint {
        guard let made = CertificateFingerprint(bytes: [UInt8](repeating: byte, count: 32)) else { preconditionFailure("32 bytes") }
        return made
    }

    private func decision(
        known: CertificateFingerprint? = nil, wish: TrustWish = .none, vouched: Bool = false, canAsk: Bool = false, now: Int64 = 150
    ) -> TrustDecision {
        let offered = OfferedCertificate(fingerprint: first, key: "k", isVouched: vouched, validFrom: 100, validUntil: 200)
        return TrustDecision(known: known, wish: wish, offered: offered, canAsk: canAsk, now: now)
    }

    @Test("O-3 the first time the user is asked, or it is refused where nobody can be") func firstUse() {
        #expect(decision(canAsk: true) == .ask)
        #expect(decision() == .refuse(.unknown))
        #expect(decision(vouched: true) == .byAuthorities)
        #expect(decision(wish: .accept(first)) == .accept)
        #expect(decision(wish: .accept(first), vouched: true) == .accept)
        #expect(decision(wish: .accept(second), canAsk: true) == .refuse(.other(named: second)))
    }

    @Test("O-3 what was accepted goes on; another is refused and never asked about") func later() {
        #expect(decision(known: first) == .byFingerprint)
        #expect(decision(known: first, wish: .accept(first)) == .byFingerprint)
        for (vouched, canAsk) in [(false, false), (false, true), (true, false), (true, true)] {
            #expect(decision(known: second, vouched: vouched, canAsk: canAsk) == .refuse(.changed(known: second)))
        }
        #expect(decision(known: second, wish: .accept(first)) == .accept)
        #expect(decision(known: first, wish: .accept(second), canAsk: true) == .refuse(.other(named: second)))
    }

    @Test("O-3 the authorities count again where the user says so, and only where one vouches") func authorities() {
        #expect(decision(known: second, wish: .authorities, vouched: true) == .byAuthorities)
        #expect(decision(known: first, wish: .authorities, canAsk: true) == .refuse(.notVouched))
    }

    @Test("O-3 a fingerprint does not make an expired certificate good") func dates() {
        for now: Int64 in [99, 201] {
            #expect(decision(known: first, now: now) == .refuse(.outOfDate))
            #expect(decision(wish: .accept(first), now: now) == .refuse(.outOfDate))
            #expect(decision(canAsk: true, now: now) == .refuse(.outOfDate))
            // That it is another one weighs more.
            #expect(decision(known: second, now: now) == .refuse(.changed(known: second)))
        }
        #expect(decision(known: first, now: 100) == .byFingerprint && decision(known: first, now: 200) == .byFingerprint)
    }

    @Test("O-3 fingerprints are read as openssl and this program write them") func texts() {
        let bytes = (0..<32).map { UInt8($0 * 8) }
        let text = CertificateFingerprint(bytes: bytes)?.description ?? ""
        #expect(text.hasPrefix("sha256:00:08:10:18:") && text.hasSuffix(":F0:F8") && text.count == 102)
        let plain = String(text.dropFirst(7))
        for form in [text, plain, text.lowercased(), plain.filter { $0 != ":" }, "SHA256:" + plain] {
            #expect(CertificateFingerprint(form)?.bytes == bytes, "\(form)")
        }
        for bad in [
            "", "sha256:", "sha256:AB", String(text.dropLast()), text + "0", plain.replacing(":", with: "-"), "sha1:" + plain,
            plain.replacing("08", with: "0G"), plain.replacing("08", with: "＋8"),
        ] {
            #expect(CertificateFingerprint(bad) == nil, "\(bad)")
        }
        #expect(CertificateFingerprint(bytes: [1]) == nil)
    }
}
