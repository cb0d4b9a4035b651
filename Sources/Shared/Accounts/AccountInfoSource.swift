import HTTP
public import Streams
public import Texts

/// Account info, one flight at a time: it carries the quote nodes and the quote credential (A-12, B-13).
public actor AccountInfoSource {
    private let credentials: Credentials
    private let clock: MonotonicClock
    private let policy: CredentialPolicy
    private let flight = SingleFlight<String, AccountInfo>()
    /// Of that sign-in; another one's counts for nothing.
    private var newest: (info: AccountInfo, at: MonotonicInstant, session: String)?

    public init(credentials: Credentials, clock: MonotonicClock, policy: CredentialPolicy = .init()) {
        self.credentials = credentials
        self.clock = clock
        self.policy = policy
    }

    /// What the server says now; callers at the same time share one request.
    public func fetch() async throws(Failure) -> AccountInfo {
        guard let session = await credentials.session else { throw Failure(await credentials.signOutReason?.code ?? .authSignedOut) }
        let info: AccountInfo
        do {
            info = try await flight.run(session) { [credentials] in try await credentials.call(AccountEndpoints.account, .init()) }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.requestCancelled)
        }
        // What comes after a sign-out is dropped.
        guard await credentials.session == session else { throw Failure(.authSignedOut) }
        newest = (info, clock.now(), session)
        return info
    }

    /// The newest one known of this sign-in, fetched where there is none.
    public func info() async throws(Failure) -> AccountInfo {
        if let newest = await held() { return newest.info }
        return try await fetch()
    }

    /// A quote credential, what is left of its life, and the whole of it; `forced` or nearly over: a fresh one. One that is still
    /// valid outlives a failed renewal.
    public func quoteCredential(forced: Bool) async throws(Failure) -> (value: String, left: Duration, lifetime: Duration) {
        let known = await held().map { (value: $0.info.quoteCredential, left: left($0), lifetime: life($0.info)) }
        if !forced, let known, known.left >= policy.renewalMargin(lifetime: known.lifetime) { return known }
        do throws(Failure) {
            let info = try await fetch()
            return (info.quoteCredential, life(info), life(info))
        } catch {
            guard !forced, let known, known.left > .zero, await credentials.session != nil else { throw error }
            return known
        }
    }

    private func held() async -> (info: AccountInfo, at: MonotonicInstant, session: String)? {
        let session = await credentials.session
        return newest?.session == session ? newest : nil
    }

    /// A life that was not said is the default.
    private func life(_ info: AccountInfo) -> Duration { info.quoteExpiresIn > 0 ? .seconds(info.quoteExpiresIn) : policy.defaultLifetime }

    private func left(_ held: (info: AccountInfo, at: MonotonicInstant, session: String)) -> Duration {
        life(held.info) - held.at.duration(to: clock.now())
    }
}
