/// An alert as it is kept (F-5). What it watches for is text and number of the part that judges it; here they are only kept.
public struct AlertRecord: Hashable, Sendable {
    /// Given by the store, never used twice.
    public var id: Int64
    public var account: String
    public var symbol: String
    public var condition: String
    /// Scaled as the condition says; 0 beside a formula.
    public var threshold: Int64
    /// What is asked of bars instead of a figure; with the period of those bars.
    public var formula: FormulaRecord?
    public var repeats: Bool
    /// Whether its condition was false since it fired last, or, of a formula, when it was judged last.
    public var isArmed: Bool
    /// Market time, nanoseconds since 1970: prices up to this one do not count, nor bars that ended by then.
    public var since: Int64

    public init(
        id: Int64 = 0, account: String, symbol: String, condition: String, threshold: Int64, formula: FormulaRecord? = nil,
        repeats: Bool, isArmed: Bool = true, since: Int64
    ) {
        self.id = id
        self.account = account
        self.symbol = symbol
        self.condition = condition
        self.threshold = threshold
        self.formula = formula
        self.repeats = repeats
        self.isArmed = isArmed
        self.since = since
    }
}

/// An expression over bars, as text, and the name of their period.
public struct FormulaRecord: Hashable, Sendable {
    public var text: String
    public var period: String

    public init(text: String, period: String) {
        self.text = text
        self.period = period
    }
}

/// That an alert fired: kept before anyone is told.
public struct FiringRecord: Hashable, Sendable {
    public var account: String
    /// Of the account's firings, from 1, without gaps; given by the store.
    public var number: Int64
    public var alert: Int64
    public var symbol: String
    public var condition: String
    public var threshold: Int64
    public var formula: FormulaRecord?
    /// What the market said, scaled as the threshold; of a change in percent the price, of a formula the close of its bar.
    public var value: Int64
    /// Market time, nanoseconds since 1970.
    public var time: Int64
    public var provenance: String
    /// The day of the recording as year × 10,000 + month × 100 + day; 0: none.
    public var recordedOn: Int64

    public init(
        account: String, number: Int64 = 0, alert: Int64, symbol: String, condition: String, threshold: Int64,
        formula: FormulaRecord? = nil, value: Int64, time: Int64, provenance: String, recordedOn: Int64
    ) {
        self.account = account
        self.number = number
        self.alert = alert
        self.symbol = symbol
        self.condition = condition
        self.threshold = threshold
        self.formula = formula
        self.value = value
        self.time = time
        self.provenance = provenance
        self.recordedOn = recordedOn
    }
}

/// What a piece of the market's news changed, in order.
public enum AlertChange: Hashable, Sendable {
    /// An alert that fires once is gone with it; a repeating one rests. Nothing where the alert is not there any more, or, for a repeating
    /// one, rests already: the same firing kept twice is kept once.
    case fired(FiringRecord)
    /// `time`: figures up to this one do not count.
    case rearmed(alert: Int64, time: Int64)
    /// Of a formula: a bar that ended at `time` was judged and did not make it fire. Armed where the condition was false.
    case judged(alert: Int64, time: Int64, isTrue: Bool)
}

/// Port: alerts and their firings. Everything a call changes is durable when it returns, all of it or nothing.
public struct AlertStore: Sendable {
    /// Firings kept of one account; older ones are forgotten.
    public static let firingsKept: Int64 = 1_000

    public var alerts: @Sendable () throws(StoreError) -> [AlertRecord]
    /// The id it was given. `taken`: no such account.
    public var add: @Sendable (AlertRecord) throws(StoreError) -> Int64
    /// False: the account has no such alert.
    public var remove: @Sendable (_ id: Int64, _ account: String) throws(StoreError) -> Bool
    /// The firings that were new, with their numbers.
    public var keep: @Sendable ([AlertChange]) throws(StoreError) -> [FiringRecord]
    /// Those numbered above `after`, oldest first.
    public var firings: @Sendable (_ account: String, _ after: Int64, _ count: Int) throws(StoreError) -> [FiringRecord]
    /// The highest number the account has taken note of; 0: none.
    public var acknowledged: @Sendable (_ account: String) throws(StoreError) -> Int64
    /// Never goes back, nor beyond the newest; what holds then.
    public var acknowledge: @Sendable (_ account: String, _ number: Int64) throws(StoreError) -> Int64

    public init(
        alerts: @escaping @Sendable () throws(StoreError) -> [AlertRecord],
        add: @escaping @Sendable (AlertRecord) throws(StoreError) -> Int64,
        remove: @escaping @Sendable (_ id: Int64, _ account: String) throws(StoreError) -> Bool,
        keep: @escaping @Sendable ([AlertChange]) throws(StoreError) -> [FiringRecord],
        firings: @escaping @Sendable (_ account: String, _ after: Int64, _ count: Int) throws(StoreError) -> [FiringRecord],
        acknowledged: @escaping @Sendable (_ account: String) throws(StoreError) -> Int64,
        acknowledge: @escaping @Sendable (_ account: String, _ number: Int64) throws(StoreError) -> Int64
    ) {
        self.alerts = alerts
        self.add = add
        self.remove = remove
        self.keep = keep
        self.firings = firings
        self.acknowledged = acknowledged
        self.acknowledge = acknowledge
    }
}
