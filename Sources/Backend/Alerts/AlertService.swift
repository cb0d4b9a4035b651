import Accounts
public import Diagnostics
import Exact
public import Feeds
public import HTTP
public import Instruments
public import Messages
public import Persistence
public import Streams
import Synchronization
public import Texts

/// What the alerts ask of the other services.
public struct AlertSources: Sendable {
    public var instruments: InstrumentTable
    public var marketDate: TradingDay
    public var marketClock: MarketClock
    /// The newest known of an instrument.
    public var quote: @Sendable (InstrumentID) -> Quote?
    public var bars: AlertBars

    public init(
        instruments: InstrumentTable, marketDate: TradingDay, marketClock: MarketClock,
        quote: @escaping @Sendable (InstrumentID) -> Quote?, bars: AlertBars
    ) {
        self.instruments = instruments
        self.marketDate = marketDate
        self.marketClock = marketClock
        self.quote = quote
        self.bars = bars
    }
}

/// Alerts that survive a restart and fire once (F-5): what the book finds is kept before anyone is told. Feed it with `handle`; market time
/// may be marked as reached only as far as `handle` says that everything is kept.
public final class AlertService: Sendable {
    private let store: AlertStore
    private let sources: AlertSources
    private let log: Log
    private let thread = WorkThread(name: "alerts", capacity: 1_024)
    private let waiters: AlertWaiters
    private let state: Mutex<State>

    private struct State: Sendable {
        var book = AlertBook()
        /// Found and not kept yet, in order.
        var pending: [AlertChange] = []
        var isFailing = false
        var isFull = false
        /// The clock whose finished bars are to be judged, and the feed's number it came with; nil: nothing is due.
        var look: (time: MarketInstant, sequence: UInt64)?

        /// The first clock of what is due, until it was looked at.
        mutating func note(_ events: [FeedEvent]) {
            guard look == nil, let last = events.last else { return }
            let clock = events.lazy.reversed().compactMap { if case .clock(let reading) = $0.body { reading.time } else { nil } }.first
            guard let clock, book.isDue(at: clock) else { return }
            look = (clock, last.sequence)
        }
    }

    /// Beyond so much that cannot be kept nothing more is looked for, which is said in the log.
    private static let mostPending = 10_000
    /// Most firings of one answer.
    static let mostFirings = 200

    /// Takes up what is kept.
    public init(store: AlertStore, sources: AlertSources, clock: MonotonicClock, log: Log = .none) throws(Failure) {
        self.store = store
        self.sources = sources
        self.log = log
        waiters = AlertWaiters(clock: clock)
        let records: [AlertRecord]
        do throws(StoreError) { records = try store.alerts() } catch { throw Failure(error) }
        var state = State()
        if !records.isEmpty {
            let listed = sources.instruments.all.filter { $0.isListed(on: sources.marketDate) }
            let bySymbol = Dictionary(listed.map { ($0.symbol, $0.id) }) { first, _ in first }
            for record in records {
                state.book.add(try Alert(record, bySymbol[record.symbol]))
            }
        }
        self.state = Mutex(state)
    }

    /// Judges events and keeps what they did. False: some of it could not be kept yet; the next call tries again.
    public func handle(_ events: [FeedEvent]) async -> Bool {
        let (hasPending, isOver) = state.withLock { state in
            let wasFull = state.isFull
            state.isFull = state.pending.count >= Self.mostPending
            if !state.isFull {
                for event in events {
                    for news in state.book.handle(event) { state.pending.append(AlertChange(news)) }
                }
                state.note(events)
            }
            return (!state.pending.isEmpty, state.isFull && !wasFull)
        }
        if isOver { log.write(.error, "alerts.missed", [("waiting", "\(Self.mostPending)")]) }
        let isJudged = await judgeBars()
        return hasPending || isJudged ? await keep() : true
    }

    /// Judges the bars that are over; true: there is something to keep. What cannot be judged yet is with the next events.
    private func judgeBars() async -> Bool {
        guard let look = state.withLock({ $0.look }) else { return false }
        do throws(Failure) {
            return try await thread.run { () throws(Failure) in self.judgeBars(at: look.time, through: look.sequence) }
        } catch { return false }
    }

    /// On the alerts' own thread.
    private func judgeBars(at now: MarketInstant, through sequence: UInt64) -> Bool {
        for (key, alerts) in state.withLock({ $0.book.due(at: now) }) {
            guard let instrument = sources.instruments[key.instrument] else { preconditionFailure("an alert on no instrument") }
            let settled = FormulaBook.settled(at: now)
            let period = key.period.barPeriod
            guard let bars = sources.bars.finished(instrument, period, at: settled, through: sequence) else { return hasPending }
            let next = sources.bars.nextEnd(instrument, period, anchor: bars.anchor, after: settled)
            let found = FormulaVerdicts(bars, of: alerts, next: next ?? now.advanced(by: .seconds(3_600)))
            state.withLock { state in
                for news in state.book.judge(key, found) { state.pending.append(AlertChange(news)) }
            }
        }
        state.withLock { $0.look = nil }
        return hasPending
    }

    private var hasPending: Bool { state.withLock { !$0.pending.isEmpty } }

    private func keep() async -> Bool {
        let pending = state.withLock { $0.pending }
        let store = store
        do throws(Failure) {
            let kept = try await thread.run { () throws(Failure) in
                do throws(StoreError) { return try store.keep(pending) } catch { throw Failure(error) }
            }
            state.withLock { state in
                state.pending.removeFirst(pending.count)
                state.isFailing = false
            }
            if !kept.isEmpty { waiters.tell(Set(kept.map(\.account))) }
            return true
        } catch {
            let isNews = state.withLock { state in
                defer { state.isFailing = true }
                return !state.isFailing
            }
            if isNews { log.write(.warning, "alerts.not-kept", [("code", error.code.rawValue)]) }
            return false
        }
    }

    /// A device's sign-in has ended.
    public func revoked(account: String, device: String) { waiters.revoked(account: account, device: device) }

    /// How many wait for a firing.
    package var waiting: Int { waiters.count }

    /// Nobody waits any more.
    public func close() { waiters.close() }

    // MARK: Accounts

    public func addRoutes(to router: inout Router) {
        router.serve(AlertEndpoints.list) { context, _ throws(Failure) in self.list(of: try context.caller().accountID) }
        router.serve(AlertEndpoints.add) { context, input throws(Failure) in
            let account = try context.caller().accountID
            return try await self.thread.run { () throws(Failure) in try self.add(input, of: account) }
        }
        router.serve(AlertEndpoints.remove) { context, input throws(Failure) in
            let account = try context.caller().accountID
            try await self.thread.run { () throws(Failure) in try self.remove(input.id, of: account) }
            return Empty()
        }
        router.serve(AlertEndpoints.firings) { context, input throws(Failure) in
            try await self.firings(input, of: try context.caller())
        }
        router.serve(AlertEndpoints.acknowledge) { context, input throws(Failure) in
            let account = try context.caller().accountID
            let store = self.store
            return try await self.thread.run { () throws(Failure) in
                do throws(StoreError) { return FiringMark(number: try store.acknowledge(account, input.number)) } catch {
                    throw Failure(error)
                }
            }
        }
    }

    private func list(of account: String) -> AlertList { AlertList(alerts: state.withLock { $0.book.alerts(of: account) }.map(\.info)) }

    /// On the alerts' own thread: one at a time.
    private func add(_ input: AlertInput, of account: String) throws(Failure) -> AlertInfo {
        let threshold = try input.condition.threshold(input.value)
        let formula: AlertFormula? = if let period = input.period { try AlertFormula(input.value, period) } else { nil }
        // Where there is a price it would be true, and so never become true.
        if let formula, !formula.isCondition {
            throw Failure(.alertFormulaNoCondition, .init("formula", String(formula.text.prefix(60))))
        }
        let instrument = try sources.instruments.resolve(input.symbol, on: sources.marketDate).get()
        guard instrument.isListed(on: sources.marketDate) else { throw Failure(.alertDelisted, .init("symbol", instrument.symbol)) }
        if !instrument.isTradable, input.condition == .volume || input.condition.isOfBook {
            throw Failure(.alertNotQuoted, .init("symbol", instrument.symbol))
        }
        let (known, formulas) = state.withLock { ($0.book.alerts(of: account), $0.book.formulaCount) }
        if let same = known.first(where: {
            $0.instrument == instrument.id && $0.condition == input.condition && $0.threshold == threshold && $0.formula == formula
                && $0.repeats == input.repeats
        }) {
            return same.info
        }
        guard known.count < AlertBook.mostPerAccount else { throw Failure(.alertFull, .init("limit", String(AlertBook.mostPerAccount))) }
        var alert = Alert(
            id: 0, account: account, symbol: instrument.symbol, instrument: instrument.id, condition: input.condition,
            threshold: threshold, formula: formula, repeats: input.repeats, since: sources.marketClock.now)
        if let formula {
            guard known.count(where: { $0.formula != nil }) < AlertBook.mostFormulasPerAccount else {
                throw Failure(.alertFormulaFull, .init("limit", String(AlertBook.mostFormulasPerAccount)))
            }
            guard formulas < AlertBook.mostFormulas else { throw Failure(.serverFull) }
            // What is true already has to become false first: a cross of an hour ago is no news.
            let bars = sources.bars.finished(instrument, formula.period.barPeriod, at: alert.since)
            alert.isArmed = bars?.truths(formula).last != true
        }
        do throws(StoreError) { alert.id = try store.add(AlertRecord(alert)) } catch { throw Failure(error) }
        let standing = sources.quote(instrument.id).map(AlertStanding.init) ?? AlertStanding()
        state.withLock { $0.book.add(alert, standing: standing) }
        return alert.info
    }

    private func remove(_ id: Int64, of account: String) throws(Failure) {
        let wasKept: Bool
        do throws(StoreError) { wasKept = try store.remove(id, account) } catch { throw Failure(error) }
        _ = state.withLock { $0.book.remove(id, of: account) }
        // One that fired a moment ago is gone too.
        guard wasKept else { throw Failure(.alertUnknown, .init("id", String(id))) }
    }

    private func firings(_ input: FiringsInput, of caller: Principal) async throws(Failure) -> AlertFirings {
        guard input.wait > 0 else { return try await read(input, caller.accountID) }
        // Entered before the first look, so that nothing comes unseen between look and wait.
        let place = try waiters.enter(caller.accountID, device: caller.deviceID)
        defer { waiters.leave(place) }
        let first = try await read(input, caller.accountID)
        guard first.firings.isEmpty else { return first }
        try await waiters.wait(place, atMost: .seconds(input.wait))
        return try await read(input, caller.accountID)
    }

    private func read(_ input: FiringsInput, _ account: String) async throws(Failure) -> AlertFirings {
        let store = store
        return try await thread.run { () throws(Failure) in
            do throws(StoreError) {
                let after = if let after = input.after { after } else { try store.acknowledged(account) }
                let found = try store.firings(account, after, Self.mostFirings)
                return try AlertFirings(
                    firings: found.map { record throws(StoreError) in try AlertFiring(record) },
                    missed: found.first.map { $0.number - after - 1 } ?? 0)
            } catch { throw Failure(error) }
        }
    }
}

extension Alert {
    fileprivate var info: AlertInfo {
        AlertInfo(
            id: id,
            alert: AlertInput(
                symbol: symbol, condition: condition, value: formula?.text ?? condition.text(threshold: threshold),
                period: formula?.period, repeats: repeats),
            state: instrument == nil ? .gone : isArmed ? .armed : .resting)
    }
}

extension Alert {
    /// As it is kept.
    fileprivate init(_ record: AlertRecord, _ instrument: InstrumentID?) throws(Failure) {
        let damage = Failure(.dataCorrupt, .init("path", "accounts.sqlite: alert \(record.id)"))
        guard let condition = AlertCondition(rawValue: record.condition), (condition == .when) == (record.formula != nil) else {
            throw damage
        }
        var formula: AlertFormula?
        if let kept = record.formula {
            guard let period = AlertPeriod(rawValue: kept.period), let known = try? AlertFormula(kept.text, period) else { throw damage }
            formula = known
        }
        self.init(
            id: record.id, account: record.account, symbol: record.symbol, instrument: instrument, condition: condition,
            threshold: record.threshold, formula: formula, repeats: record.repeats, isArmed: record.isArmed,
            since: MarketInstant(nanoseconds: record.since))
    }
}

extension FormulaRecord {
    fileprivate init(_ formula: AlertFormula) { self.init(text: formula.text, period: formula.period.rawValue) }
}

extension AlertRecord {
    fileprivate init(_ alert: Alert) {
        self.init(
            account: alert.account, symbol: alert.symbol, condition: alert.condition.rawValue, threshold: alert.threshold,
            formula: alert.formula.map(FormulaRecord.init), repeats: alert.repeats, isArmed: alert.isArmed, since: alert.since.nanoseconds)
    }
}

extension AlertChange {
    fileprivate init(_ news: AlertNews) {
        switch news {
        case .rearmed(let alert, let time): self = .rearmed(alert: alert, time: time.nanoseconds)
        case .judged(let alert, let time, let isTrue): self = .judged(alert: alert, time: time.nanoseconds, isTrue: isTrue)
        case .fired(let alert, let figure, let time, let source):
            self = .fired(
                FiringRecord(
                    account: alert.account, alert: alert.id, symbol: alert.symbol, condition: alert.condition.rawValue,
                    threshold: alert.threshold, formula: alert.formula.map(FormulaRecord.init), value: figure, time: time.nanoseconds,
                    provenance: source.provenance,
                    recordedOn: Int64(source.recordedOn)))
        }
    }
}

extension AlertFiring {
    fileprivate init(_ record: FiringRecord) throws(StoreError) {
        let period = record.formula.flatMap { AlertPeriod(rawValue: $0.period) }
        guard let condition = AlertCondition(rawValue: record.condition), (condition == .when) == (period != nil) else {
            throw .corrupt("a condition that is none in table firing")
        }
        let day = Int32(exactly: record.recordedOn).flatMap { TradingDay(yyyymmdd: $0) }
        self.init(
            number: record.number, alert: record.alert, symbol: record.symbol, condition: condition,
            value: record.formula?.text ?? condition.text(threshold: record.threshold), period: period,
            figure: condition.text(threshold: record.value),
            time: utcStamp(nanoseconds: record.time), provenance: record.provenance, recordedOn: day?.description)
    }
}
