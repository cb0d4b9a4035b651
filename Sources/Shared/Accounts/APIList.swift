public import HTTP
public import Texts
import Watchlists

/// One address of the HTTP API as `docs/api.md` shows it. The examples are made by the types that travel, so they cannot drift.
public struct APIEntry: Sendable {
    public var method: HTTPMethod
    public var path: String
    public var authentication: EndpointAuthentication
    public var isReplaySafe: Bool
    public var summary: String
    /// Beyond those every address may give.
    public var errors: [ErrorCode]
    /// Nil: no members.
    public var input: JSONValue?
    /// JSON, or plain text.
    public var output: String

    public var endpoint: String { method.rawValue + " " + path }

    init<Input, Output>(
        _ endpoint: Endpoint<Input, Output>, _ summary: String, _ input: Input, _ output: Output, errors: [ErrorCode] = []
    ) {
        (method, path, authentication, isReplaySafe) = (endpoint.method, endpoint.path, endpoint.authentication, endpoint.isReplaySafe)
        self.summary = summary
        self.errors = errors
        let value = input.json
        if value.members?.isEmpty == false { self.input = value }
        self.output = output.json.serialized()
    }

    init(_ path: String, _ authentication: EndpointAuthentication, _ summary: String, _ output: String) {
        (method, self.path, self.authentication, isReplaySafe) = (.get, path, authentication, true)
        self.summary = summary
        errors = []
        input = nil
        self.output = output
    }
}

/// Every address a server serves; a server whose routes are others does not start.
public enum APIList {
    private static let device = DeviceInfo(id: String(repeating: "0", count: 31) + "1", platform: "linux", name: "desk")
    private static let signIn = SignInInput(name: "mei", password: "…", device: device)
    private static let grant = SessionGrant(account: "c2VjcmV0", name: "mei", access: "…", refresh: "…", expiresIn: 7200, generation: 1)

    public static let all: [APIEntry] = accounts + gateway + alerts + watchlists + operation

    private static let accounts = [
        APIEntry(
            AccountEndpoints.register, "Makes an account with paper money and signs the device in. `device.id`: 32 hexadecimal digits.",
            signIn,
            grant, errors: [.requestInvalid, .authNameTaken, .authNameInvalid, .authPasswordShort]),
        APIEntry(
            AccountEndpoints.signIn, "Signs a device in. Unknown names and wrong passwords get the same answer.", signIn, grant,
            errors: [.authWrongPassword, .authFrozen]),
        APIEntry(
            AccountEndpoints.refresh, "Gives the next pair of credentials. The same device may ask again within 30 s.",
            RefreshInput(refresh: "…", deviceID: device.id), grant, errors: [.authRefreshInvalid, .authRefreshReused, .authFrozen]),
        APIEntry(AccountEndpoints.signOut, "Ends the caller's sign-in.", Empty(), Empty()),
        APIEntry(
            AccountEndpoints.devices, "The sign-ins of the account. `signedInAt`: milliseconds since 1970.", Empty(),
            DeviceList(devices: [.init(id: "ZmFtaWx5", name: "desk", platform: "linux", signedInAt: 1_796_000_000_000, isCurrent: true)])),
        APIEntry(
            AccountEndpoints.removeDevice, "Ends another sign-in.", DeviceReference(id: "ZmFtaWx5"), Empty(), errors: [.requestUnknown]),
        APIEntry(
            AccountEndpoints.account, "Who is signed in, the trading accounts, where quotes and trade are, and the quote credential.",
            Empty(),
            AccountInfo(
                account: "c2VjcmV0", name: "mei", baseCurrency: "HKD", tradingAccounts: [.init(id: "Sc2VjcmV0", counter: "securities")],
                quoteCredential: "…", quoteExpiresIn: 7200, quoteNodes: [.init(market: "*", url: "ws://127.0.0.1:7701/quotes")],
                tradeURL: "http://127.0.0.1:7701")),
    ]

    private static let gateway = [
        APIEntry(
            GatewayEndpoints.lastPrice, "The last trade's price. `recordedOn` is absent where no recording is behind it.",
            SymbolInput(symbol: "700.HK"),
            LastPriceInfo(
                symbol: "700.HK", price: "367.6", currency: "HKD", time: "2026-11-30T02:00:03.000Z", provenance: "derived",
                recordedOn: "2022-04-13"), errors: [.symbolUnknown, ErrorCode("price.unknown")]),
        APIEntry(
            GatewayEndpoints.symbols, "The instruments; none where `since` names the version served.", SinceInput(since: 6),
            SymbolTable(
                version: 7,
                instruments: [
                    .init(
                        id: 1, symbol: "700.HK", market: "XHKG", kind: "stock", currency: "HKD", english: "Tencent Holdings Limited",
                        simplified: "腾讯控股", traditional: "騰訊控股", lot: "100", multiplier: 1, decimals: 2)
                ])),
        APIEntry(
            GatewayEndpoints.symbolRelease,
            "Which rows the symbol database holds: by id in blocks of 512, each with the SHA-256 of its lines. No blocks where `since` names "
                + "its version; else a client fetches those that differ from its own. `hash` is the SHA-256 of the lines `version V`, "
                + "`timestamp T`, `rows N` and one a block (number, blank, hash), each with its line feed.",
            SinceInput(since: 2_026_010_501),
            SymbolReleaseInfo(
                version: 2_026_032_301, timestamp: "2026-03-23T00:00:00Z", rows: 1, hash: "9f…", blocks: [.init(number: 0, hash: "3a…")]),
            errors: [ErrorCode("symbols.none")]),
        APIEntry(
            GatewayEndpoints.symbolBlock, "The rows of a block, by id, fields between tabs.", SymbolBlockInput(number: 0),
            SymbolBlockRows(version: 2_026_032_301, rows: ["1\tXHKG\t00700\t700.HK\t…"]), errors: [ErrorCode("symbols.none")]),
        APIEntry(
            GatewayEndpoints.rates, "Reference rates: units of `quote` for one of `base`, fixed on that day. Not dealing rates.", Empty(),
            ExchangeRates(rates: [.init(base: "USD", quote: "HKD", rate: "7.845685643", fixedOn: "2026-10-30")])),
        APIEntry(
            GatewayEndpoints.startUp, "What a client asks first. `speed`: times of real time.", Empty(),
            StartUpInfo(symbolsVersion: 7, marketDate: "2026-11-30", time: "2026-11-30T02:00:00.000Z", speed: "1", epoch: 1)),
    ]

    private static let alert = AlertInput(symbol: "700.HK", condition: .above, value: "450", repeats: false)

    private static let alerts = [
        APIEntry(
            AlertEndpoints.list, "The account's alerts. `state`: `armed`, `resting` (true, armed again once false), `gone` (not listed).",
            Empty(), AlertList(alerts: [.init(id: 1, alert: alert, state: .armed)])),
        APIEntry(
            AlertEndpoints.add,
            "Adds an alert, 200 at most. `condition`: `above`, `below` (last price), `up`, `down` (percent from the previous close), "
                + "`volume`, `bid-above`, `bid-below`, `ask-above`, `ask-below`; `value` above zero, in its shortest form. "
                + "A figure that is beyond already fires with the next update. `when`: `value` is an expression of 1,024 bytes at most and "
                + "`period` that of its bars (`1m`, `3m`, `5m`, `15m`, `30m`, `60m`, `day`, `week`, `month`, `quarter`, `year`); it fires at "
                + "the end of a bar for which its last line is true and was not for the bar judged before; 20 at most. The same alert again "
                + "is answered as it stands.",
            alert, AlertInfo(id: 1, alert: alert, state: .armed),
            errors: [
                .symbolUnknown, ErrorCode("alert.value"), ErrorCode("alert.full"), ErrorCode("alert.delisted"),
                ErrorCode("alert.not-quoted"), ErrorCode("alert.formula"), ErrorCode("alert.formula-no-condition"),
                ErrorCode("alert.formula-heavy"),
                ErrorCode("alert.formula-full"),
            ]),
        APIEntry(AlertEndpoints.remove, "Removes an alert.", AlertReference(id: 1), Empty(), errors: [ErrorCode("alert.unknown")]),
        APIEntry(
            AlertEndpoints.firings,
            "Firings numbered above `after` (absent: above what was acknowledged), oldest first, 200 at most; where there are none, waits "
                + "`wait` seconds (0 to 30) for one. Numbers have no gaps: `missed` of them are not kept any more. `figure`: what met the "
                + "value; of a change in percent the price, of an expression the close of its bar. `time`: the figure's, or when the bar ended.",
            FiringsInput(after: 6, wait: 30),
            AlertFirings(
                firings: [
                    .init(
                        number: 7, alert: 1, symbol: "700.HK", condition: .above, value: "450", figure: "450.2",
                        time: "2026-11-30T02:00:03.000Z", provenance: "derived", recordedOn: "2022-04-13"),
                    .init(
                        number: 8, alert: 2, symbol: "700.HK", condition: .when, value: "CROSS(CLOSE,MA(CLOSE,20))", period: .minute5,
                        figure: "451", time: "2026-11-30T02:05:00.000Z", provenance: "derived", recordedOn: "2022-04-13"),
                ], missed: 0)),
        APIEntry(
            AlertEndpoints.acknowledge, "Takes note of every firing up to `number`, on all devices. Never goes back.",
            FiringMark(number: 7), FiringMark(number: 7)),
    ]

    private static let watchlists: [APIEntry] = {
        var list = Watchlist()
        let stamp = WatchlistStamp(time: 1_796_000_000_000, device: "00000001")
        list.merge(Watchlist(entries: [.init(group: "main", symbol: "700.HK"): .init(stamp: stamp, position: 1, isPinned: true)]))
        return [
            APIEntry(
                WatchlistEndpoints.get,
                "The account's watchlists: groups (entries without `symbol`) and the symbols in them, what was removed too. `time`: "
                    + "milliseconds since 1970.", Empty(), list),
            APIEntry(
                WatchlistEndpoints.merge,
                "Merges a copy into what is kept and answers with both: of each entry the one with the later `time` (then the greater "
                    + "`device`) holds. 300 symbols and 20 groups at most; the 150 newest removals are remembered for 180 days.",
                list, list, errors: [ErrorCode("watchlist.full"), ErrorCode("watchlist.clock")]),
        ]
    }()

    private static let operation = [
        APIEntry("/healthz", .none, "The process lives.", "ok"),
        APIEntry(
            "/readyz", .none,
            "200 where orders and quotes can be served now, else 503 with the reasons: `draining`, `starting`, `journal`, `store`, `feed`. While it drains or starts, connections are refused with 503 and `Retry-After`.",
            "ready"),
        APIEntry("/metrics", .loopbackOr(.operate), "Prometheus text.", "causeway_connections 3"),
    ]
}
