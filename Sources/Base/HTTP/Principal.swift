/// What a caller may do. One list for HTTP, trade gateway, H5 pages, operator and command line (O-3).
public enum Scope: String, Hashable, Sendable, CaseIterable {
    case account, quotes, trade, tradeRead, watchlist, operate
}

/// Who asks: established by a credential, handed to every handler.
public struct Principal: Hashable, Sendable {
    public var accountID: String
    public var deviceID: String
    public var platform: String
    public var scopes: Set<Scope>

    public init(accountID: String, deviceID: String, platform: String, scopes: Set<Scope>) {
        self.accountID = accountID
        self.deviceID = deviceID
        self.platform = platform
        self.scopes = scopes
    }
}
