import HTTP
import Streams
import Texts

extension CredentialPair {
    /// What a sign-in gave; a life that is not said is the default.
    init(_ grant: SessionGrant, _ policy: CredentialPolicy, at now: MonotonicInstant) {
        self.init(
            access: grant.access, refresh: grant.refresh, lifetime: Lifetime(length: grant.lifetime ?? policy.defaultLifetime, now: now),
            generation: grant.generation)
    }
}

extension SessionGrant {
    /// Nil where none was said; ten years at most, so that no number of a server's overflows a clock.
    var lifetime: Duration? { expiresIn > 0 ? .seconds(min(expiresIn, 10 * 365 * 86_400)) : nil }
}

extension RenewalAnswer {
    /// What the answer to a renewal says. Only a server that says so in its own words signs out: a 401 of something in between, a
    /// hotel's gate for one, does not.
    init(_ response: HTTPResponse) {
        guard (200...299).contains(response.status) else {
            guard let failure = Failure(errorBody: response.body) else {
                let failure = APIClient.failure(of: response)
                self = .failed(failure.code == .authInvalid ? Failure(.serverUnavailable) : failure)
                return
            }
            switch failure.code {
            case .authRefreshInvalid, .authRefreshReused, .authFrozen, .authSignedOutElsewhere, .authInvalid, .authExpired:
                self = .refused(failure.code)
            default: self = .failed(failure)
            }
            return
        }
        do throws(Failure) {
            let grant: SessionGrant = try APIClient.output(of: response)
            guard !grant.access.isEmpty else { throw Failure(.serverUnavailable) }
            self = .renewed(
                access: grant.access, refresh: grant.refresh.isEmpty ? nil : grant.refresh, lifetime: grant.lifetime, left: nil,
                generation: grant.generation)
        } catch {
            self = .failed(error)
        }
    }
}

extension HTTPFailure {
    /// Only a broken connection is worth a repetition.
    var breakKind: RequestBreak {
        switch self {
        case .offline, .untrusted, .badURL: .offline
        case .timedOut, .tooLarge, .cancelled: .timedOut
        case .connectionLost: .lost
        }
    }
}
