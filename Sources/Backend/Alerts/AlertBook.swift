public import Accounts
public import Feeds
public import Instruments
import Messages
public import Streams

/// One alert as it is judged.
public struct Alert: Hashable, Sendable {
    public var id: Int64
    public var account: String
    public var symbol: String
    /// Nil: not listed any more, never fires.
    public var instrument: InstrumentID?
    public var condition: AlertCondition
    /// As the condition scales it; above zero, or 0 beside a formula.
    public var threshold: Int64
    /// Of `when` alone.
    public var formula: AlertFormula?
    public var repeats: Bool
    public var isArmed: Bool
    /// Figures up to this market time do not count, nor bars that ended by then: when it was made, fired, was armed again or judged last.
    public var since: MarketInstant

    public init(
        id: Int64, account: String, symbol: String, instrument: InstrumentID?, condition: AlertCondition, threshold: Int64,
        formula: AlertFormula? = nil, repeats: Bool, isArmed: Bool = true, since: MarketInstant
    ) {
        precondition((condition == .when) == (formula != nil), "an alert on a figure and an expression at once")
        self.id = id
        self.account = account
        self.symbol = symbol
        self.instrument = instrument
        self.condition = condition
        self.threshold = threshold
        self.formula = formula
        self.repeats = repeats
        self.isArmed = isArmed
        self.since = since
    }
}

/// What a piece of news did to the alerts.
public enum AlertNews: Hashable, Sendable {
    /// `figure`: what met it, of a change in percent the price, of an expression the close of its bar; `time`: the figure's own, or the
    /// bar's end.
    case fired(Alert, figure: Int64, time: MarketInstant, source: AlertSource)
    case rearmed(alert: Int64, time: MarketInstant)
    /// A bar that ended then did not make an expression fire.
    case judged(alert: Int64, time: MarketInstant, isTrue: Bool)
}

/// Where a figure comes from; `recordedOn` as in quotes.
public struct AlertSource: Hashable, Sendable {
    public var provenance: String
    public var recordedOn: Int32

    public init(provenance: String, recordedOn: Int32) {
        self.provenance = provenance
        self.recordedOn = recordedOn
    }
}

/// All alerts, judged with what the feed says (F-5). A value; an event of an instrument without alerts costs one look-up.
///
/// A figure counts where it is in the update itself (F-9), is newer than the alert, is of this moment and was told while the instrument
/// traded: halted, closed or old figures fire nothing. A figure that is beyond already when the alert is made fires with the next update.
public struct AlertBook: Sendable {
    public static let mostPerAccount = 200
    /// On expressions: each bar costs work.
    static let mostFormulasPerAccount = 20
    static let mostFormulas = 2_000

    private var alerts: [Int64: Alert] = [:]
    private var byAccount: [String: Set<Int64>] = [:]
    private var watches: [InstrumentID: AlertWatch] = [:]
    private var formulas = FormulaBook()

    public init() {}

    public subscript(id: Int64) -> Alert? { alerts[id] }

    public func count(of account: String) -> Int { byAccount[account]?.count ?? 0 }

    /// The account's, oldest first.
    public func alerts(of account: String) -> [Alert] { (byAccount[account] ?? []).sorted().compactMap { alerts[$0] } }

    /// `standing`: what is known of the instrument now, for the first alert on it.
    public mutating func add(_ alert: Alert, standing: AlertStanding = .init()) {
        precondition(alerts[alert.id] == nil, "alert \(alert.id) came twice")
        alerts[alert.id] = alert
        byAccount[alert.account, default: []].insert(alert.id)
        guard let instrument = alert.instrument else { return }
        if let key = alert.formulaKey { return formulas.insert(alert.id, key) }
        watches[instrument, default: AlertWatch(standing)].insert(alert)
    }

    /// False: the account has no such alert.
    public mutating func remove(_ id: Int64, of account: String) -> Bool {
        guard let alert = alerts[id], alert.account == account else { return false }
        forget(alert)
        return true
    }

    private mutating func forget(_ alert: Alert) {
        alerts[alert.id] = nil
        byAccount[alert.account]?.remove(alert.id)
        if byAccount[alert.account]?.isEmpty == true { byAccount[alert.account] = nil }
        guard let instrument = alert.instrument else { return }
        if let key = alert.formulaKey { return formulas.remove(alert.id, key) }
        watches[instrument]?.remove(alert)
        if watches[instrument]?.isEmpty == true { watches[instrument] = nil }
    }

    /// What one event did, in order.
    public mutating func handle(_ event: FeedEvent) -> [AlertNews] {
        switch event.body {
        case .quote(let quote):
            guard let place = watches.index(forKey: InstrumentID(quote.instrument)) else { return [] }
            let found = watches.values[place].meet(quote, at: event.time)
            return found.isEmpty ? [] : settle(found, quote)
        case .phase(let id, let phase):
            guard let place = watches.index(forKey: id) else { return [] }
            watches.values[place].standing.phase = phase
            return []
        case .book, .trade, .bar, .fx, .clock, .past, .feed, .refused: return []
        }
    }

    // MARK: Expressions

    /// On expressions, of instruments that are listed.
    var formulaCount: Int { formulas.count }

    func isDue(at now: MarketInstant) -> Bool { formulas.isDue(at: now) }

    /// Whose bars have to be looked at when the market's clock says `now`, with the alerts on them.
    func due(at now: MarketInstant) -> [(key: FormulaBook.Key, alerts: [Alert])] {
        formulas.due(at: now).map { key in (key, formulas.alerts(key).compactMap { alerts[$0] }) }
    }

    /// Takes in what was found; of alerts that are gone meanwhile nothing. What fires goes from false, or not judged yet, to true: a bar is
    /// judged once, whatever a late trade makes of it.
    mutating func judge(_ key: FormulaBook.Key, _ found: FormulaVerdicts) -> [AlertNews] {
        formulas.looked(key, next: found.next)
        var news: [AlertNews] = []
        for (id, verdicts) in found.verdicts.sorted(by: { $0.key < $1.key }) {
            guard var alert = alerts[id] else { continue }
            var isEnded = false
            for (place, verdict) in verdicts.enumerated() where verdict.end > alert.since && !isEnded {
                let isNews = alert.isArmed == verdict.isTrue
                alert.since = verdict.end
                if isNews, verdict.isTrue {
                    news.append(.fired(alert, figure: verdict.close, time: verdict.end, source: verdict.source))
                    isEnded = !alert.repeats
                } else if isNews || place == verdicts.count - 1 {
                    news.append(.judged(alert: id, time: verdict.end, isTrue: verdict.isTrue))
                }
                alert.isArmed = !verdict.isTrue
            }
            if isEnded { forget(alert) } else { alerts[id] = alert }
        }
        return news
    }

    private mutating func settle(_ found: [AlertWatch.Finding], _ quote: Quote) -> [AlertNews] {
        var news: [AlertNews] = []
        // Forgotten last: until what repeats is back in its ladder, a watch may look as if nothing needed it.
        var ended: [Alert] = []
        for finding in found {
            for rung in finding.rearmed {
                alerts[rung.alert]?.isArmed = true
                alerts[rung.alert]?.since = finding.time
                news.append(.rearmed(alert: rung.alert, time: finding.time))
            }
            let source = AlertSource(provenance: finding.isOfBook ? quote.bookSource : quote.source, recordedOn: quote.recordedOn)
            for rung in finding.met {
                guard var alert = alerts[rung.alert] else { continue }
                news.append(.fired(alert, figure: finding.figure, time: finding.time, source: source))
                guard alert.repeats, let instrument = alert.instrument else {
                    ended.append(alert)
                    continue
                }
                (alert.isArmed, alert.since) = (false, finding.time)
                alerts[alert.id] = alert
                watches[instrument]?.insert(alert)
            }
        }
        ended.forEach { forget($0) }
        return news
    }
}

extension Alert {
    /// Where an expression's bars are; nil where there is none, or no instrument.
    var formulaKey: FormulaBook.Key? {
        guard let formula, let instrument else { return nil }
        return FormulaBook.Key(instrument: instrument, period: formula.period)
    }
}

extension Quote {
    fileprivate var source: String { provenance.word }
    fileprivate var bookSource: String { (bookProvenance == .unspecified ? provenance : bookProvenance).word }
}

extension Provenance {
    var word: String {
        switch self {
        case .live: "live"
        case .delayed: "delayed"
        case .recorded: "recorded"
        case .derived: "derived"
        case .simulated, .unspecified, .UNRECOGNIZED: "simulated"
        }
    }
}
