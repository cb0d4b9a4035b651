import Accounts
import Diagnostics
import Foundation
import HTTP
import Persistence
import Testing
import TradeGateway
import Transport
import Watchlists

@testable import Alerts
@testable import AuthCentre
@testable import Exchange
@testable import Feeds
@testable import LWS
@testable import QuoteServer
@testable import Server

/// The page of limits says what the code does (O-3).
@Suite struct LimitsTests {
    /// Name, value, what happens beyond, where.
    private typealias Row = (String, String, String, String)

    @Test("O-3: docs/limits.md has every limit with the code's own value")
    func page() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/limits.md").standardized
        // What follows is of a client: Tests/causewayTests/ClientLimitsTests.swift.
        let page = try String(contentsOf: file, encoding: .utf8)
        let end = page.range(of: "## Of a client")?.lowerBound ?? page.endIndex
        let shown = page[..<end].split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("---") }
        let wanted = (listener + rates + credentials + quotes + trade + exchange + alerts).map {
            "| \($0.0) | \($0.1) | \($0.2) | \($0.3) |"
        }
        #expect(shown.dropFirst().map(String.init) == wanted)
    }

    private var listener: [Row] {
        let limits = LWSServerConfiguration.Limits()
        return [
            (
                "connections", "\(number(limits.connections)), or the limit of open files less \(Descriptors.reserve)", "closed at once",
                "`LWSServerConfiguration`"
            ),
            (
                "connections of one IPv4 address or IPv6 /64", number(limits.connectionsPerAddress) + loopback(limits.countsLoopback),
                "closed at once", "`LWSServerConfiguration`"
            ),
            ("header", bytes(limits.headerBytes), "431", "`LWSServerConfiguration`"),
            ("fields of a header", number(HTTPRequestHead.mostFields), "431", "`HTTPRequestHead`"),
            ("time for a header", time(limits.headerDeadline), "408; silent from the start: closed", "`LWSServerConfiguration`"),
            ("body", bytes(limits.bodyBytes), "413", "`LWSServerConfiguration`"),
            ("body of JSON", bytes(Router.bodyLimit), "413", "`Router`"),
            ("depth of JSON", number(Router.jsonDepth), "400", "`Router`"),
            ("time for a body", time(limits.bodyDeadline), "408", "`LWSServerConfiguration`"),
            ("between two requests", time(limits.idleDeadline), "closed", "`LWSServerConfiguration`"),
            ("time for an answer, and for the peer to take it", time(limits.answerDeadline), "503; closed", "`LWSServerConfiguration`"),
            ("commands under way at the end", time(CausewayServer.commandTime), "their outcome is found out by query", "`CausewayServer`"),
            ("connections at the end", time(limits.drainDeadline), "dropped", "`LWSServerConfiguration`"),
        ]
    }

    private var alerts: [Row] {
        [
            ("alerts of an account", number(AlertBook.mostPerAccount), "`alert.full`", "`AlertBook`"),
            (
                "of them on expressions", number(AlertBook.mostFormulasPerAccount), "`alert.formula-full`", "`AlertBook`"
            ),
            ("alerts on expressions of a server", number(AlertBook.mostFormulas), "503", "`AlertBook`"),
            ("bytes of an alert's expression", number(AlertInput.mostBytes), "`alert.formula`", "`AlertInput`"),
            (
                "bars an expression is judged over, and may need", number(AlertFormula.mostBars), "`alert.formula-heavy`",
                "`AlertFormula`"
            ),
            ("steps of an expression for a bar", number(AlertFormula.mostSteps), "`alert.formula-heavy`", "`AlertFormula`"),
            ("firings kept of an account", number(Int(AlertStore.firingsKept)), "forgotten, and counted as missed", "`AlertStore`"),
            ("who waits for firings, of an account", number(AlertWaiters.mostPerAccount), "503", "`AlertWaiters`"),
            ("who waits for firings", number(AlertWaiters.most), "503", "`AlertWaiters`"),
            ("symbols in an account's watchlists", number(Watchlist.mostSymbols), "`watchlist.full`", "`Watchlist`"),
            ("groups of an account's watchlists", number(Watchlist.mostGroups), "`watchlist.full`", "`Watchlist`"),
            (
                "removals from watchlists remembered", "\(Watchlist.mostRemoved), for \(Watchlist.removedKept / 86_400_000) days",
                "forgotten: a device that was away longer may bring one back", "`Watchlist`"
            ),
        ]
    }

    private var rates: [Row] {
        let policy = RatePolicy()
        let refused = "429 with `Retry-After`"
        return [
            ("requests without credential, by address", rate(policy.anonymous) + loopback(policy.countsLoopback), refused, "`RatePolicy`"),
            ("reads, by account", rate(policy.reads), refused, "`RatePolicy`"),
            ("changes, by account", rate(policy.changes), refused, "`RatePolicy`"),
            ("upgrades, by address", rate(policy.upgrades) + loopback(policy.countsLoopback), refused, "`RatePolicy`"),
            ("buckets of a class", number(RateTable(policy.reads).maximumKeys), "newcomers share one", "`RateTable`"),
        ]
    }

    private var credentials: [Row] {
        let policy = AuthPolicy()
        func tries(_ limiter: AttemptLimiter) -> String {
            "\(limiter.capacity), one more each \(time(.milliseconds(limiter.drain)))"
        }
        return [
            ("sign-ins and registrations, by name", tries(.byName), "429 with `Retry-After`", "`AttemptLimiter`"),
            ("sign-ins and registrations, by address, loopback too", tries(.byAddress), "429 with `Retry-After`", "`AttemptLimiter`"),
            ("names and addresses kept", number(AttemptLimiter.byName.maximumKeys), "forgotten", "`AttemptLimiter`"),
            (
                "wrong trading passwords", number(policy.tradingTries), "locked for \(time(.milliseconds(policy.tradingLock)))",
                "`AuthPolicy`"
            ),
            ("sign-ins of an account that live at once", number(policy.families), "the oldest ends", "`AuthPolicy`"),
        ]
    }

    private var quotes: [Row] {
        let limits = QuoteLimits.standard
        let slow = QuoteClosure.slow.frame.code
        return [
            ("quote connections", number(limits.connections), "503", "`QuoteLimits`"),
            ("topics of a connection", number(limits.topics), "refused", "`QuoteLimits`"),
            ("instruments of a query", number(limits.instruments), "refused", "`QuoteLimits`"),
            ("bars of an answer", number(limits.bars), "refused", "`QuoteLimits`"),
            ("message of a quote client", bytes(limits.messageBytes), "closed with 1009", "`QuoteLimits`"),
            (
                "messages of a quote client that wait", number(limits.pending), "closed with \(QuoteClosure.flood.frame.code)",
                "`QuoteLimits`"
            ),
            (
                "bytes under way before conflation, and until", "\(bytes(limits.queueHigh)), \(bytes(limits.queueLow))",
                "only the newest state is sent", "`QuoteLimits`"
            ),
            ("bytes under way at all", bytes(limits.queueMost), "closed with \(slow)", "`QuoteLimits`"),
            ("time in conflation", time(limits.slow), "closed with \(slow)", "`QuoteLimits`"),
            ("time for a quote login", time(limits.login), "closed with \(QuoteClosure.loginMissing.frame.code)", "`QuoteLimits`"),
            ("silence of a quote client", time(limits.idle), "closed with \(QuoteClosure.idle.frame.code)", "`QuoteLimits`"),
            (
                "life of a connection to a quote node", "that of the credential shown, \(AuthPolicy().quoteLife / 3_600_000) h at most",
                "closed with \(QuoteClosure.expired.frame.code)", "`QuotePermit`"
            ),
            (
                "live price away from the last one", "\(PriceJump.far.numerator)/\(PriceJump.far.denominator) of it, up or down",
                "held until \(PriceJump.enough - 1) more within \(PriceJump.near.numerator)/\(PriceJump.near.denominator) say so, or \(PriceJump.run) in a row on one side, else quarantined",
                "`PriceJump`"
            ),
        ]
    }

    private var trade: [Row] {
        let policy = TradeGateway.policy
        return [
            ("trade connections", number(policy.maximumSessions), "503", "`SocketIOServerPolicy`"),
            (
                "packet of a trade client, with all its attachments", bytes(policy.limits.maximumPayload), "closed with 1009",
                "`SocketIOLimits`"
            ),
            ("attachments of a packet", number(policy.limits.maximumAttachments), "closed with 1002", "`SocketIOLimits`"),
            ("depth of a packet", number(policy.limits.maximumDepth), "closed with 1002", "`SocketIOLimits`"),
            ("acknowledgements awaited", number(policy.maximumAwaited), "the event is not sent", "`SocketIOServerPolicy`"),
            ("events of a trade client that wait", number(policy.maximumQueuedNews), "closed with 1013", "`SocketIOServerPolicy`"),
            ("bytes under way to a trade client", bytes(policy.maximumQueuedBytes), "closed with 1013", "`SocketIOServerPolicy`"),
            ("time for a namespace", time(policy.connectTimeout), "closed", "`SocketIOServerPolicy`"),
        ]
    }

    private var exchange: [Row] {
        [
            ("working orders of an account", number(ExchangeLimits.workingOrders), "refused", "`ExchangeLimits`"),
            (
                "quantity of an order",
                "\(number(Int(ExchangeLimits.lots))) board lots (Hong Kong), \(number(Int(ExchangeLimits.shares))) shares, \(number(Int(ExchangeLimits.contracts))) contracts",
                "refused", "`ExchangeLimits`"
            ),
            ("events kept for `since`", number(ExchangeLimits.recentEvents), "the whole state is sent", "`ExchangeLimits`"),
            ("rows of a page", number(ExchangeLimits.pageRows), "`more` is set", "`ExchangeLimits`"),
        ]
    }

    // MARK: Values as the page writes them

    private func number(_ value: Int) -> String {
        let digits = String(value)
        return digits.enumerated().reduce("") { text, digit in
            text + (digit.offset > 0 && (digits.count - digit.offset) % 3 == 0 ? "," : "") + String(digit.element)
        }
    }

    private func bytes(_ value: Int) -> String {
        if value % (1 << 20) == 0 { return "\(value >> 20) MiB" }
        return value % (1 << 10) == 0 ? "\(value >> 10) KiB" : number(value) + " bytes"
    }

    private func time(_ value: Duration) -> String {
        let seconds = value.components.seconds
        return seconds >= 120 && seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private func rate(_ limit: RateLimit) -> String { "\(limit.burst) at once, then \(limit.perSecond) a second" }
    private func loopback(_ counts: Bool) -> String { counts ? "" : "; loopback does not count" }
}
