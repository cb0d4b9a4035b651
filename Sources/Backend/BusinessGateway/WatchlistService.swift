import Accounts
public import HTTP
public import Persistence
public import Texts
import Watchlists

extension ErrorCode {
    /// A copy was written by a clock that is more than a day ahead: it would win over everything.
    public static let watchlistClock = ErrorCode("watchlist.clock")
}

/// Keeps and merges the watchlists of accounts (F-3).
public final class WatchlistService: Sendable {
    private let store: WatchlistStore
    private let now: @Sendable () -> Int64
    /// One merge at a time.
    private let thread = WorkThread(name: "watchlists", capacity: 256)

    /// Milliseconds by which a device's clock may be ahead.
    private static let skew: Int64 = 86_400_000

    /// `now`: milliseconds since 1970.
    public init(store: WatchlistStore, now: @escaping @Sendable () -> Int64) {
        self.store = store
        self.now = now
    }

    public func addRoutes(to router: inout Router) {
        router.serve(WatchlistEndpoints.get) { context, _ throws(Failure) in
            let account = try context.caller().accountID
            return try await self.thread.run { () throws(Failure) in try self.kept(account) }
        }
        router.serve(WatchlistEndpoints.merge) { context, copy throws(Failure) in
            let account = try context.caller().accountID
            return try await self.thread.run { () throws(Failure) in try self.merge(copy, of: account) }
        }
    }

    private func merge(_ copy: Watchlist, of account: String) throws(Failure) -> Watchlist {
        let now = now()
        guard copy.entries.values.allSatisfy({ $0.stamp.time <= now + Self.skew }) else { throw Failure(.watchlistClock) }
        let known = try kept(account)
        var both = known.merged(copy)
        both.forgetOld(now: now)
        try both.checkSize()
        guard both != known else { return both }
        do throws(StoreError) { try store.save(account, both.json.serializedBytes()) } catch { throw failure(error) }
        return both
    }

    private func kept(_ account: String) throws(Failure) -> Watchlist {
        let bytes: [UInt8]?
        do throws(StoreError) { bytes = try store.load(account) } catch { throw failure(error) }
        guard let bytes else { return Watchlist() }
        guard let value = try? JSONValue(parsing: bytes), let list = try? Watchlist(json: value) else {
            throw Failure(.dataCorrupt, .init("path", "accounts.sqlite: watchlist"))
        }
        return list
    }

    private func failure(_ error: StoreError) -> Failure {
        switch error {
        case .full: Failure(.storageFull)
        case .taken: Failure(.authInvalid)
        case .corrupt(let reason): Failure(.dataCorrupt, .init("path", reason))
        case .newer(let found, let known):
            Failure(.dataNewer, .init("path", "accounts.sqlite"), .init("found", String(found)), .init("supported", String(known)))
        case .failed(let reason): Failure(.storageFailed, .init("reason", reason))
        }
    }
}
