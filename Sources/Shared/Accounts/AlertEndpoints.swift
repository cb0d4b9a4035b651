public import HTTP
public import Texts
import Watchlists

/// Alerts on the server (F-5). Thresholds and values are decimal text, times RFC 3339 in UTC.
public enum AlertEndpoints {
    public static let list = Endpoint<Empty, AlertList>(.get, "/gateway/v1/alerts", authentication: .bearer(.watchlist))
    /// One that is there already is answered as it stands, so that the same request may be sent again.
    public static let add = Endpoint<AlertInput, AlertInfo>(
        .post, "/gateway/v1/alerts", authentication: .bearer(.watchlist), isReplaySafe: true)
    public static let remove = Endpoint<AlertReference, Empty>(
        .delete, "/gateway/v1/alerts/{id}", authentication: .bearer(.watchlist), isReplaySafe: true)
    /// Waits up to `wait` seconds for one that is newer than `after`.
    public static let firings = Endpoint<FiringsInput, AlertFirings>(
        .get, "/gateway/v1/alerts/firings", authentication: .bearer(.watchlist), timeout: .seconds(FiringsInput.longestWait + 15))
    public static let acknowledge = Endpoint<FiringMark, FiringMark>(
        .put, "/gateway/v1/alerts/firings/acknowledged", authentication: .bearer(.watchlist), isReplaySafe: true)
}

/// What an alert waits for: a figure at or beyond the value, or a formula that becomes true.
public enum AlertCondition: String, Hashable, Sendable, CaseIterable {
    /// The last price, at or above, at or below.
    case above, below
    /// Its change from the previous close in percent: at least so much up, at least so much down.
    case up, down
    /// Traded on the trading day.
    case volume
    case bidAbove = "bid-above"
    case bidBelow = "bid-below"
    case askAbove = "ask-above"
    case askBelow = "ask-below"
    /// An expression over finished bars.
    case when
}

/// Of the bars an expression is judged over.
public enum AlertPeriod: String, Hashable, Sendable, CaseIterable {
    case minute1 = "1m"
    case minute3 = "3m"
    case minute5 = "5m"
    case minute15 = "15m"
    case minute30 = "30m"
    case minute60 = "60m"
    case day, week, month, quarter, year
}

public struct AlertInput: JSONCodable, Hashable {
    public var symbol: String
    public var condition: AlertCondition
    /// Above zero, in its shortest form: a price, percent or a quantity. Of `when` the expression.
    public var value: String
    /// Of `when` alone.
    public var period: AlertPeriod?
    /// Fires again each time its condition becomes true after it was false; else once.
    public var repeats: Bool

    /// Bytes of an expression.
    public static let mostBytes = 1_024

    public init(symbol: String, condition: AlertCondition, value: String, period: AlertPeriod? = nil, repeats: Bool) {
        self.symbol = symbol
        self.condition = condition
        self.value = value
        self.period = period
        self.repeats = repeats
    }

    public init(json: JSONValue) throws(Failure) {
        symbol = try json.string("symbol", limit: 64)
        guard Watchlist.isSymbol(symbol) else { throw .invalid("symbol") }
        (condition, value, period) = try json.condition()
        repeats = try json.flag("repeats")
    }

    public var json: JSONValue { .object(members) }

    fileprivate var members: [JSONValue.Member] {
        [
            .init("symbol", .string(symbol)), .init("condition", .string(condition.rawValue)), .init("value", .string(value)),
        ] + (period.map { [.init("period", .string($0.rawValue))] } ?? []) + [.init("repeats", .bool(repeats))]
    }
}

/// One alert of an account.
public struct AlertInfo: JSONCodable, Hashable {
    public var id: Int64
    public var alert: AlertInput
    public var state: State

    public enum State: String, Hashable, Sendable {
        case armed
        /// A repeating one that fired; armed again once its condition was false.
        case resting
        /// Its instrument is not listed any more: it never fires.
        case gone
    }

    public init(id: Int64, alert: AlertInput, state: State) {
        self.id = id
        self.alert = alert
        self.state = state
    }

    public init(json: JSONValue) throws(Failure) {
        id = try json.integer("id")
        alert = try AlertInput(json: json)
        guard let state = State(rawValue: try json.string("state", limit: 16)) else { throw .invalid("state") }
        self.state = state
    }

    public var json: JSONValue { .object([.init("id", .int(id))] + alert.members + [.init("state", .string(state.rawValue))]) }
}

public struct AlertReference: JSONCodable, Hashable {
    public var id: Int64
    public init(id: Int64) { self.id = id }
    public init(json: JSONValue) throws(Failure) { id = try json.integer("id") }
    /// Text: it travels in a path.
    public var json: JSONValue { .object([.init("id", .string(String(id)))]) }
}

public struct AlertList: JSONCodable, Hashable {
    public var alerts: [AlertInfo]
    public init(alerts: [AlertInfo]) { self.alerts = alerts }

    public init(json: JSONValue) throws(Failure) {
        alerts = try json.elements("alerts", limit: 10_000).map { value throws(Failure) in try AlertInfo(json: value) }
    }

    public var json: JSONValue { .object([.init("alerts", .array(alerts.map(\.json)))]) }
}

public struct FiringsInput: JSONCodable, Hashable {
    /// Only those numbered above it; nil: above what the account acknowledged.
    public var after: Int64?
    /// Seconds to wait for one, 0 to `longestWait`.
    public var wait: Int64

    public static let longestWait: Int64 = 30

    public init(after: Int64? = nil, wait: Int64 = 0) {
        self.after = after
        self.wait = wait
    }

    public init(json: JSONValue) throws(Failure) {
        after = try json.optionalInteger("after")
        wait = try json.optionalInteger("wait") ?? 0
        guard 0...Self.longestWait ~= wait else { throw .invalid("wait") }
        if let after, after < 0 { throw .invalid("after") }
    }

    public var json: JSONValue {
        .object((after.map { [.init("after", .int($0))] } ?? []) + (wait == 0 ? [] : [.init("wait", .int(wait))]))
    }
}

/// That an alert fired. `number` counts the account's firings from 1, without gaps: each is told with the same one however often.
public struct AlertFiring: JSONCodable, Hashable {
    public var number: Int64
    public var alert: Int64
    public var symbol: String
    public var condition: AlertCondition
    public var value: String
    /// Of `when` alone.
    public var period: AlertPeriod?
    /// The figure that met it; of a change in percent the price, of an expression the close of the bar.
    public var figure: String
    /// Market time; of an expression when its bar ended.
    public var time: String
    /// `recorded`, `derived`, `simulated`, `live` or `delayed`.
    public var provenance: String
    public var recordedOn: String?

    public init(
        number: Int64, alert: Int64, symbol: String, condition: AlertCondition, value: String, period: AlertPeriod? = nil,
        figure: String, time: String, provenance: String, recordedOn: String?
    ) {
        self.number = number
        self.alert = alert
        self.symbol = symbol
        self.condition = condition
        self.value = value
        self.period = period
        self.figure = figure
        self.time = time
        self.provenance = provenance
        self.recordedOn = recordedOn
    }

    public init(json: JSONValue) throws(Failure) {
        number = try json.integer("number")
        alert = try json.integer("alert")
        symbol = try json.string("symbol", limit: 64)
        (condition, value, period) = try json.condition()
        figure = try json.string("figure", limit: 64)
        time = try json.string("time", limit: 64)
        provenance = try json.string("provenance", limit: 32)
        recordedOn = try json.optionalString("recordedOn", limit: 10)
    }

    public var json: JSONValue {
        .object(
            [
                .init("number", .int(number)), .init("alert", .int(alert)), .init("symbol", .string(symbol)),
                .init("condition", .string(condition.rawValue)), .init("value", .string(value)),
            ] + (period.map { [.init("period", .string($0.rawValue))] } ?? []) + [
                .init("figure", .string(figure)), .init("time", .string(time)), .init("provenance", .string(provenance)),
            ] + (recordedOn.map { [.init("recordedOn", .string($0))] } ?? []))
    }
}

/// Firings, oldest first.
public struct AlertFirings: JSONCodable, Hashable {
    public var firings: [AlertFiring]
    /// How many between what was asked for and the first of these are not kept any more.
    public var missed: Int64

    public init(firings: [AlertFiring], missed: Int64) {
        self.firings = firings
        self.missed = missed
    }

    public init(json: JSONValue) throws(Failure) {
        firings = try json.elements("firings", limit: 10_000).map { value throws(Failure) in try AlertFiring(json: value) }
        missed = try json.integer("missed")
    }

    public var json: JSONValue { .object([.init("firings", .array(firings.map(\.json))), .init("missed", .int(missed))]) }
}

/// The account has taken note of every firing up to this number.
public struct FiringMark: JSONCodable, Hashable {
    public var number: Int64
    public init(number: Int64) { self.number = number }

    public init(json: JSONValue) throws(Failure) {
        number = try json.integer("number")
        guard number >= 0 else { throw .invalid("number") }
    }

    public var json: JSONValue { .object([.init("number", .int(number))]) }
}

extension JSONValue {
    /// With its value; a period where there is an expression, and nowhere else.
    fileprivate func condition() throws(Failure) -> (AlertCondition, value: String, AlertPeriod?) {
        guard let condition = AlertCondition(rawValue: try string("condition", limit: 16)) else { throw .invalid("condition") }
        let value = try string("value", limit: condition == .when ? AlertInput.mostBytes : 64)
        let name = try optionalString("period", limit: 16)
        let period = name.flatMap { AlertPeriod(rawValue: $0) }
        guard (period != nil) == (condition == .when), (name != nil) == (period != nil) else { throw .invalid("period") }
        return (condition, value, period)
    }
}
