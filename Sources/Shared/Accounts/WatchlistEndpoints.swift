public import HTTP
public import Watchlists

/// Watchlists that all devices of an account share (F-3).
public enum WatchlistEndpoints {
    public static let get = Endpoint<Empty, Watchlist>(.get, "/gateway/v1/watchlists", authentication: .bearer(.watchlist))
    /// Merging the same copy again changes nothing.
    public static let merge = Endpoint<Watchlist, Watchlist>(
        .put, "/gateway/v1/watchlists", authentication: .bearer(.watchlist), isReplaySafe: true)
}
