import HTTP
public import Streams
public import Texts

/// Account info, one flight at a time: it carries the quote nodes and the quote credential (A-12, B-13).
public actor AccountInfoSource {
    private let credentials: Credentials
    private let clock: MonotonicClock
    private var flight: Task<Result<AccountInfo, Failure>, Never>?
    private var newest: (info: AccountInfo, at: MonotonicInstant)?

    public init(credentials: Credentials, clock: MonotonicClock) {
        self.credentials = credentials
        self.clock = clock
    }

    /// What the server says now; callers at the same time share one request.
    public func fetch() async throws(Failure) -> AccountInfo {
        if let flight { return try await flight.value.get() }
        let credentials = credentials
        let task = Task { () -> Result<AccountInfo, Failure> in
            do throws(Failure) { return .success(try await credentials.call(AccountEndpoints.account, .init())) } catch {
                return .failure(error)
            }
        }
        flight = task
        let result = await task.value
        flight = nil
        if case .success(let info) = result { newest = (info, clock.now()) }
        return try result.get()
    }

    /// The newest one known, fetched where there is none.
    public func info() async throws(Failure) -> AccountInfo {
        if let newest { return newest.info }
        return try await fetch()
    }

    /// A quote credential, what is left of its life, and the whole of it; `forced` or nearly over: a fresh one.
    public func quoteCredential(forced: Bool) async throws(Failure) -> (value: String, left: Duration, lifetime: Duration) {
        if !forced, let newest {
            let lifetime = Duration.seconds(newest.info.quoteExpiresIn)
            let left = lifetime - newest.at.duration(to: clock.now())
            if left >= CredentialPolicy().renewalMargin(lifetime: lifetime) { return (newest.info.quoteCredential, left, lifetime) }
        }
        let info = try await fetch()
        return (info.quoteCredential, .seconds(info.quoteExpiresIn), .seconds(info.quoteExpiresIn))
    }
}
