import Accounts
import Diagnostics
import HTTP
import Instruments
import Sealed
import Streams
import Texts
import Watchlists

/// What the watchlist commands stand on: this device's copy, and the server's where it can be reached (F-3).
struct WatchlistClient: Sendable {
    var language: Language
    var writer: WatchlistWriter
    /// What was typed, as a symbol.
    var symbol: @Sendable (_ text: String) async throws -> String
    /// This device's copy, of this account.
    var load: @Sendable () throws(Failure) -> Watchlist
    var keep: @Sendable (Watchlist) throws(Failure) -> Void
    /// The server's copy merged with this one.
    var merge: @Sendable (Watchlist) async throws(Failure) -> Watchlist

    typealias Opener = @Sendable (Invocation) async throws -> WatchlistClient
}

extension WatchlistClient {
    /// Edits this device's copy first, then brings both together. Without the server the edit stays here until a later command.
    /// - Returns: whether the server has it.
    func edit(_ change: (inout Watchlist) throws -> Void) async throws -> (list: Watchlist, isSynced: Bool) {
        var list = try load()
        try change(&list)
        list.forgetOld(now: writer.now)
        try keep(list)
        do throws(Failure) {
            let both = try await merge(list)
            try keep(both)
            return (both, true)
        } catch {
            guard [.connectionNotConnected, .connectionLost, .connectionTimedOut, .serverUnavailable].contains(error.code) else {
                throw error
            }
            return (list, false)
        }
    }
}

extension LiveClient {
    /// The name of this device's copy among the secrets of the profile: sealed, and forgotten with the sign-in.
    static let watchlistItem = "watchlist"

    func watchlists(_ invocation: Invocation) async -> WatchlistClient {
        let context = context(invocation)
        let (store, credentials) = (store, credentials)
        let account = await credentials.account?.account ?? ""
        return WatchlistClient(
            language: invocation.language,
            writer: WatchlistWriter(now: WallClock.live.now() / 1_000_000, device: String(device.id.prefix(8))),
            symbol: { text in
                do {
                    return try await context.instrument(text).symbol
                } catch let failure as Failure where failure.code == .connectionNotConnected {
                    // Without a server: what this program knows itself, as of today.
                    guard let facts = await context.facts(), let catalogue = context.catalogue(),
                        let today = TradingDay(TimeFormat.hongKong.date(WallClock.live.now()))
                    else { throw failure }
                    return try catalogue.resolve(text, in: facts.instruments, on: today, invocation.language).symbol
                }
            },
            load: { () throws(Failure) in
                let bytes: [UInt8]?
                do throws(SealedError) { bytes = try store.read(Self.watchlistItem) } catch { throw Failure(error, Self.watchlistItem) }
                guard let bytes, let value = try? JSONValue(parsing: bytes), value["account"]?.stringValue == account else {
                    return Watchlist()
                }
                return try Watchlist(json: value)
            },
            keep: { list throws(Failure) in
                let members = [JSONValue.Member("account", .string(account))] + (list.json.members ?? [])
                do throws(SealedError) { try store.write(Self.watchlistItem, JSONValue.object(members).serializedBytes()) } catch {
                    throw Failure(error, Self.watchlistItem)
                }
            },
            merge: { list throws(Failure) in try await credentials.call(WatchlistEndpoints.merge, list) })
    }
}
