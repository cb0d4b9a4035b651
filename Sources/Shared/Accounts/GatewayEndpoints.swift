public import HTTP
public import Texts

/// The business gateway's addresses beside account info. Prices are decimal text, times RFC 3339 in UTC, days `2026-11-30`.
public enum GatewayEndpoints {
    /// `{symbol, price, currency, time, provenance, recordedOn?}`
    public static let lastPrice = Endpoint<SymbolInput, JSONValue>(
        .get, "/gateway/v1/last-price", authentication: .bearer(.quotes))
    /// `{version, instruments: [{id, symbol, market, kind, currency, name: {en, zh-Hans, zh-Hant}, lot, multiplier, decimals}]}`;
    /// no instruments where `since` names the version served.
    public static let symbols = Endpoint<SinceInput, JSONValue>(.get, "/gateway/v1/symbols", authentication: .bearer(.quotes))
    /// `{rates: [{base, quote, rate}]}`
    public static let rates = Endpoint<Empty, JSONValue>(.get, "/gateway/v1/fx", authentication: .bearer(.quotes))
    /// `{symbolsVersion, marketDate, clock: {time, speed, epoch}}`; `speed` in times of real time, as decimal text.
    public static let startUp = Endpoint<Empty, JSONValue>(.get, "/gateway/v1/start-up", authentication: .bearer(.account))
}

public struct SymbolInput: JSONCodable, Hashable {
    public var symbol: String
    public init(symbol: String) { self.symbol = symbol }
    public init(json: JSONValue) throws(Failure) { symbol = try json.string("symbol", limit: 64) }
    public var json: JSONValue { .object([.init("symbol", .string(symbol))]) }
}

public struct SinceInput: JSONCodable, Hashable {
    /// The version the caller has; nil asks for everything.
    public var since: Int64?
    public init(since: Int64?) { self.since = since }
    public init(json: JSONValue) throws(Failure) { since = try json.optionalInteger("since") }
    public var json: JSONValue { .object(since.map { [.init("since", .int($0))] } ?? []) }
}
