public import HTTP
public import Texts

/// The business gateway's addresses beside account info. Prices are decimal text, times RFC 3339 in UTC, days `2026-11-30`.
public enum GatewayEndpoints {
    public static let lastPrice = Endpoint<SymbolInput, LastPriceInfo>(
        .get, "/gateway/v1/last-price", authentication: .bearer(.quotes))
    /// No instruments where `since` names the version served.
    public static let symbols = Endpoint<SinceInput, SymbolTable>(.get, "/gateway/v1/symbols", authentication: .bearer(.quotes))
    /// Which rows the symbol database holds; no blocks where `since` names its version.
    public static let symbolRelease = Endpoint<SinceInput, SymbolReleaseInfo>(
        .get, "/gateway/v1/symbols/release", authentication: .bearer(.quotes))
    public static let symbolBlock = Endpoint<SymbolBlockInput, SymbolBlockRows>(
        .get, "/gateway/v1/symbols/blocks/{number}", authentication: .bearer(.quotes))
    public static let rates = Endpoint<Empty, ExchangeRates>(.get, "/gateway/v1/fx", authentication: .bearer(.quotes))
    public static let startUp = Endpoint<Empty, StartUpInfo>(.get, "/gateway/v1/start-up", authentication: .bearer(.account))
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

/// A last price with what it is worth: its time, and the recording's day where it comes from one.
public struct LastPriceInfo: JSONCodable, Hashable {
    public var symbol: String
    public var price: String
    public var currency: String
    public var time: String
    /// `recorded`, `derived`, `simulated`, `live` or `delayed`.
    public var provenance: String
    public var recordedOn: String?

    public init(symbol: String, price: String, currency: String, time: String, provenance: String, recordedOn: String?) {
        self.symbol = symbol
        self.price = price
        self.currency = currency
        self.time = time
        self.provenance = provenance
        self.recordedOn = recordedOn
    }

    public init(json: JSONValue) throws(Failure) {
        symbol = try json.string("symbol", limit: 64)
        price = try json.string("price", limit: 64)
        currency = try json.string("currency", limit: 3)
        time = try json.string("time", limit: 64)
        provenance = try json.string("provenance", limit: 32)
        recordedOn = try json.optionalString("recordedOn", limit: 10)
    }

    public var json: JSONValue {
        .object(
            [
                .init("symbol", .string(symbol)), .init("price", .string(price)), .init("currency", .string(currency)),
                .init("time", .string(time)), .init("provenance", .string(provenance)),
            ] + (recordedOn.map { [.init("recordedOn", .string($0))] } ?? []))
    }
}

/// The instruments of one version of the table.
public struct SymbolTable: JSONCodable, Hashable {
    public var version: Int64
    public var instruments: [Listing]

    /// `lot` is decimal text; `decimals` are those prices are shown with.
    public struct Listing: JSONCodable, Hashable {
        public var id: Int64
        public var symbol: String
        public var market: String
        public var kind: String
        public var currency: String
        public var english: String
        public var simplified: String
        public var traditional: String
        public var lot: String
        public var multiplier: Int64
        public var decimals: Int64

        public init(
            id: Int64, symbol: String, market: String, kind: String, currency: String, english: String, simplified: String,
            traditional: String, lot: String, multiplier: Int64, decimals: Int64
        ) {
            self.id = id
            self.symbol = symbol
            self.market = market
            self.kind = kind
            self.currency = currency
            self.english = english
            self.simplified = simplified
            self.traditional = traditional
            self.lot = lot
            self.multiplier = multiplier
            self.decimals = decimals
        }

        public init(json: JSONValue) throws(Failure) {
            id = try json.integer("id")
            symbol = try json.string("symbol", limit: 64)
            market = try json.string("market", limit: 16)
            kind = try json.string("kind", limit: 16)
            currency = try json.string("currency", limit: 3)
            let name = try json.member("name")
            english = try name.string("en", limit: 256)
            simplified = try name.string("zh-Hans", limit: 256)
            traditional = try name.string("zh-Hant", limit: 256)
            lot = try json.string("lot", limit: 64)
            multiplier = try json.integer("multiplier")
            decimals = try json.integer("decimals")
        }

        public var json: JSONValue {
            .object([
                .init("id", .int(id)), .init("symbol", .string(symbol)), .init("market", .string(market)), .init("kind", .string(kind)),
                .init("currency", .string(currency)),
                .init(
                    "name",
                    .object([
                        .init("en", .string(english)), .init("zh-Hans", .string(simplified)), .init("zh-Hant", .string(traditional)),
                    ])),
                .init("lot", .string(lot)), .init("multiplier", .int(multiplier)), .init("decimals", .int(decimals)),
            ])
        }
    }

    public init(version: Int64, instruments: [Listing]) {
        self.version = version
        self.instruments = instruments
    }

    public init(json: JSONValue) throws(Failure) {
        version = try json.integer("version")
        instruments = try json.elements("instruments").map { value throws(Failure) in try Listing(json: value) }
    }

    public var json: JSONValue { .object([.init("version", .int(version)), .init("instruments", .array(instruments.map(\.json)))]) }
}

/// Units of `quote` for one of `base`, as decimal text, and the day the rate was fixed on (YYYY-MM-DD).
public struct ExchangeRates: JSONCodable, Hashable {
    public var rates: [Entry]

    public struct Entry: Hashable, Sendable {
        public var base: String
        public var quote: String
        public var rate: String
        public var fixedOn: String
        public init(base: String, quote: String, rate: String, fixedOn: String) {
            self.base = base
            self.quote = quote
            self.rate = rate
            self.fixedOn = fixedOn
        }
    }

    public init(rates: [Entry]) { self.rates = rates }

    public init(json: JSONValue) throws(Failure) {
        rates = try json.elements("rates", limit: 1000).map { value throws(Failure) in
            Entry(
                base: try value.string("base", limit: 3), quote: try value.string("quote", limit: 3),
                rate: try value.string("rate", limit: 64), fixedOn: try value.string("fixedOn", limit: 10))
        }
    }

    public var json: JSONValue {
        .object([
            .init(
                "rates",
                .array(
                    rates.map {
                        .object([
                            .init("base", .string($0.base)), .init("quote", .string($0.quote)), .init("rate", .string($0.rate)),
                            .init("fixedOn", .string($0.fixedOn)),
                        ])
                    }))
        ])
    }
}

/// What a client asks first (B-13). `speed`: times of real time, as decimal text; `epoch` changes when market time jumps.
public struct StartUpInfo: JSONCodable, Hashable {
    public var symbolsVersion: Int64
    public var marketDate: String
    public var time: String
    public var speed: String
    public var epoch: Int64

    public init(symbolsVersion: Int64, marketDate: String, time: String, speed: String, epoch: Int64) {
        self.symbolsVersion = symbolsVersion
        self.marketDate = marketDate
        self.time = time
        self.speed = speed
        self.epoch = epoch
    }

    public init(json: JSONValue) throws(Failure) {
        symbolsVersion = try json.integer("symbolsVersion")
        marketDate = try json.string("marketDate", limit: 10)
        let clock = try json.member("clock")
        time = try clock.string("time", limit: 64)
        speed = try clock.string("speed", limit: 64)
        epoch = try clock.integer("epoch")
    }

    public var json: JSONValue {
        .object([
            .init("symbolsVersion", .int(symbolsVersion)), .init("marketDate", .string(marketDate)),
            .init("clock", .object([.init("time", .string(time)), .init("speed", .string(speed)), .init("epoch", .int(epoch))])),
        ])
    }
}
