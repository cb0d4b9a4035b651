public import Diagnostics
import Dispatch
public import Exact
public import Feeds
import Instruments
public import Journal
public import Messages
public import Streams
import Synchronization
public import Texts
import WireCodec

/// What became of a command, durable when it is told.
public struct CommandResult: Hashable, Sendable {
    /// The order as it stands; absent where none was made or found.
    public var order: Order?
    /// Why it was refused; the same for ever for the same command id (C-4).
    public var failure: Failure?
    /// Books as of (C-9).
    public var sequence: UInt64

    public init(order: Order?, failure: Failure?, sequence: UInt64) {
        self.order = order
        self.failure = failure
        self.sequence = sequence
    }

    static func refused(_ failure: Failure, _ sequence: UInt64 = 0) -> CommandResult {
        CommandResult(order: nil, failure: failure, sequence: sequence)
    }
}

/// The paper exchange (N): one sequencer decides, the journal makes it durable, then it is told. Nobody hears of a change, and no
/// query sees one, before it is on the disk.
public final class Exchange: Sendable {
    private struct Core {
        var books: Books
        var standing = Standing.sound
    }

    /// How the books stand to the journal.
    private enum Standing {
        case sound
        /// Something was decided that could not be kept: they have to be made anew.
        case ahead(Failure)
        /// As they are on the disk, where there is no room: nothing is decided until there is.
        case halted(Failure)
    }

    private let core: Mutex<Core>
    /// Apart from the core, so that telling never waits for deciding.
    private let subscribers = Mutex<[@Sendable (_ tradingAccount: String, _ events: [AccountEvent]) -> Void]>([])
    private let sequencer = DispatchQueue(label: "causeway.exchange", qos: .userInitiated)
    private let journal: Journal
    private let reached: Atomic<UInt64>
    private let rules: ExchangeRules
    private let clock: MarketClock
    private let log: Log

    /// Opens the journal in `folder`, or makes it unless it `mustExist`, and rebuilds the books from it.
    public convenience init(
        folder: FileFolder, rules: ExchangeRules, clock: MarketClock, mustExist: Bool = false, log: Log = .none
    ) throws(Failure) {
        try self.init(try ExchangeContents(folder: folder, rules: rules, mustExist: mustExist), clock: clock, log: log)
    }

    /// Goes on from what was found in a journal's folder.
    public init(_ contents: ExchangeContents, clock: MarketClock, log: Log = .none) throws(Failure) {
        rules = contents.books.rules
        self.clock = clock
        self.log = log
        let path = contents.path
        do throws(JournalError) {
            journal = try Journal(contents.journal) { log.write($0, in: path) }
        } catch { throw error.failure(in: path) }
        core = Mutex(Core(books: contents.books))
        reached = Atomic(contents.journal.position.sequence)
    }

    /// The sequence of the last record known to be durable; may lag behind the journal.
    public var journalled: UInt64 { reached.load(ordering: .relaxed) }

    /// Every trading account there is.
    public var tradingAccounts: [String] { core.withLock { Array($0.books.accounts.keys) } }

    // MARK: Commands

    /// Makes a trading account with its paper money; one that is there already is left as it is.
    public func openAccount(_ id: String, counter: TradingCounter, funds: [Money], baseCurrency: Currency = .hkd) async throws(Failure) {
        var request = OpenTradingAccount()
        request.tradingAccount = id
        request.counter = counter.rawValue
        request.baseCurrency = baseCurrency.code
        request.funds = funds.map { money in
            var line = FundsLine()
            line.currency = money.currency.code
            line.cash = money.micros
            return line
        }
        let command = request
        let result: Result<Bool, Failure> = await decide { books in
            books.accounts[id] == nil ? nil : .success(true)
        } decision: { books, now in
            switch books.open(command, at: now) {
            case .success(let record): (record, .success(true))
            case .failure(let failure): (nil, .failure(failure))
            }
        } failed: {
            .failure($0)
        }
        _ = try result.get()
    }

    /// Places an order; returns when the outcome is durable. Order of calls on one thread = order of execution.
    public func place(_ command: PlaceOrder) async -> CommandResult {
        await withCheckedContinuation { continuation in place(command) { continuation.resume(returning: $0) } }
    }

    public func cancel(_ command: CancelOrder) async -> CommandResult {
        await withCheckedContinuation { continuation in cancel(command) { continuation.resume(returning: $0) } }
    }

    /// Takes its place in the order at once; `completion` comes on the journal's thread.
    public func place(_ command: PlaceOrder, _ completion: @escaping @Sendable (CommandResult) -> Void) {
        decide(known: { $0.known(command) }, { $0.place(command, at: $1) }, failed: { .refused($0) }, completion)
    }

    public func cancel(_ command: CancelOrder, _ completion: @escaping @Sendable (CommandResult) -> Void) {
        decide(known: { $0.known(command) }, { $0.cancel(command, at: $1) }, failed: { .refused($0) }, completion)
    }

    /// What the feed says, in order. Bars and FX do not matter here.
    public func feed(_ events: [FeedEvent]) async {
        await withCheckedContinuation { continuation in
            sequencer.async {
                for event in events { self.take(event) }
                continuation.resume()
            }
        }
    }

    // MARK: Queries, each "books as of" a sequence (C-9)

    /// The order a command id made, if any. After ready(epoch) the answer is final (C-9).
    public func order(_ account: String, byCommandID id: [UInt8]) async throws(Failure) -> OrderList {
        try await query(account) { book in
            var list = OrderList()
            list.orders = CommandKey(id).flatMap { book.placed[$0] }.flatMap { book.orders[$0]?.order }.map { [$0] } ?? []
            list.sequence = book.sequence
            return list
        }
    }

    public func positions(_ account: String) async throws(Failure) -> PositionList {
        try await query(account) { book in
            var list = PositionList()
            list.positions = book.positions.values.sorted { $0.instrument < $1.instrument }.map { position in
                var shown = position
                shown.sellable = max(0, position.quantity - book.offered(position.instrument))
                return shown
            }
            list.sequence = book.sequence
            return list
        }
    }

    public func funds(_ account: String) async throws(Failure) -> FundsReply {
        let instruments = rules.facts.instruments
        return try await query(account) { book in
            var reply = FundsReply()
            reply.tradingAccount = account
            reply.lines = book.funds(instruments)
            reply.sequence = book.sequence
            reply.baseCurrency = book.opened.baseCurrency
            return reply
        }
    }

    /// Everything after `sequence`, in order; `complete` false where older events are no longer kept, they are too many for one answer or
    /// `sequence` is beyond the books: query afresh.
    public func since(_ account: String, _ sequence: UInt64) async throws(Failure) -> SinceReply {
        try await query(account) { book in
            var reply = SinceReply()
            reply.sequence = book.sequence
            guard sequence < book.sequence else {
                reply.complete = sequence == book.sequence
                return reply
            }
            let first = book.recent.firstIndex { $0.sequence > sequence } ?? book.recent.endIndex
            let events = book.recent[first...]
            reply.complete = events.count <= ExchangeLimits.sinceEvents && events.first?.sequence == sequence + 1
            if reply.complete { reply.events = Array(events) }
            return reply
        }
    }

    public func sequence(_ account: String) async throws(Failure) -> UInt64 { try await query(account) { $0.sequence } }

    /// Called on the journal's thread with each account's durable changes, in order; must not block.
    public func subscribe(_ receive: @escaping @Sendable (_ tradingAccount: String, _ events: [AccountEvent]) -> Void) {
        subscribers.withLock { $0.append(receive) }
    }

    /// Finishes what was begun, writes a snapshot and closes the journal.
    public func stop() {
        sequencer.sync {
            journal.drain()
            let state = core.withLock { core -> ExchangeSnapshot? in
                if case .sound = core.standing { core.books.snapshot } else { nil }
            }
            do {
                if let state { try journal.writeSnapshot(try state.serializedBytes(), at: journal.position) }
            } catch { log.write(.warning, "exchange.snapshot-failed", [("reason", "\(error)")]) }
            journal.close()
        }
    }

    /// The journalled state's canonical bytes, for comparison.
    package func canonicalBytes() throws -> [UInt8] { try core.withLock { $0.books.snapshot }.serializedBytes() }
}

// MARK: The sequencer

extension Exchange {
    /// `known`: what can be told without deciding anything, also while nothing can be kept.
    private func decide<T: Sendable>(
        known: @escaping @Sendable (Books) -> T?,
        _ decision: @escaping @Sendable (inout Books, MarketInstant) -> (record: JournalRecord?, result: T),
        failed: @escaping @Sendable (Failure) -> T, _ completion: @escaping @Sendable (T) -> Void
    ) {
        sequencer.async {
            let answer: T
            switch self.mend() {
            case .sound:
                let now = self.clock.now
                let (expiry, made) = self.core.withLock { core in (core.books.advance(to: now), decision(&core.books, now)) }
                if let expiry { self.keep(expiry) { _ in } }
                return self.keep(made.record) { failure in completion(failure.map(failed) ?? made.result) }
            case .halted(let failure): answer = self.core.withLock { known($0.books) } ?? failed(failure)
            case .ahead(let failure): answer = failed(failure)
            }
            self.journal.enqueue([]) { _ in completion(answer) }
        }
    }

    private func decide<T: Sendable>(
        known: @escaping @Sendable (Books) -> T?,
        decision: @escaping @Sendable (inout Books, MarketInstant) -> (record: JournalRecord?, result: T),
        failed: @escaping @Sendable (Failure) -> T
    ) async -> T {
        await withCheckedContinuation { continuation in
            decide(known: known, decision, failed: failed) { continuation.resume(returning: $0) }
        }
    }

    func query<T: Sendable>(_ account: String, _ read: @escaping @Sendable (AccountBook) -> T) async throws(Failure) -> T {
        let answer: @Sendable (Books) -> Result<T, Failure> = { books in
            books.accounts[account].map { .success(read($0)) } ?? .failure(Failure(.orderAccount))
        }
        let result = await decide(known: answer) { books, _ in
            (nil, answer(books))
        } failed: {
            .failure($0)
        }
        return try result.get()
    }

    private func take(_ event: FeedEvent) {
        if case .clock = event.body { _ = mend() }
        let records: [JournalRecord?] = core.withLock { core in
            guard case .sound = core.standing else {
                core.books.feed.take(event.body)
                return []
            }
            let expiry = core.books.advance(to: event.time)
            switch event.body {
            case .book(let book): return [expiry, core.books.show(book, at: event.time)]
            case .trade(let tick): return [expiry, core.books.trade(tick, at: event.time)]
            case .quote(let quote): return [expiry, core.books.quote(quote, at: event.time)]
            case .phase:
                core.books.feed.take(event.body)
                return [expiry]
            case .clock, .bar, .fx, .past, .feed, .refused: return [expiry]
            }
        }
        for case let record? in records { keep(record) { _ in } }
    }

    /// Journals, then publishes, then tells. Without a record it waits its turn, so that nothing is told that is not durable.
    private func keep(_ record: JournalRecord?, _ told: @escaping @Sendable (Failure?) -> Void) {
        let payload: [[UInt8]]
        do {
            payload = try record.map { [try $0.serializedBytes()] } ?? []
        } catch {
            log.write(.error, "exchange.record-too-large", [])
            return lost(record, .failed(reason: "\(error)"), told)
        }
        journal.enqueue(payload) { [self] result in
            switch result {
            case .success(let position):
                reached.store(position.sequence, ordering: .relaxed)
                if let record { publish(record) }
                told(nil)
            case .failure(let error): lost(record, error, told)
            }
        }
    }

    private func publish(_ record: JournalRecord) {
        let subscribers = subscribers.withLock { $0 }
        var groups: [(account: String, events: [AccountEvent])] = []
        for change in record.changes {
            if groups.last?.account != change.tradingAccount { groups.append((change.tradingAccount, [])) }
            groups[groups.count - 1].events.append(change.event)
        }
        for group in groups { for receive in subscribers { receive(group.account, group.events) } }
    }

    /// The books ran ahead of a journal that could not follow: they are made anew from what is durable.
    private func lost(_ record: JournalRecord?, _ error: JournalError, _ told: @escaping @Sendable (Failure?) -> Void) {
        let failure = Self.failure(error)
        guard error != .closed else { return told(failure) }
        let first = core.withLock { core in
            if let record { core.books.feed.giveBack(record) }
            guard case .sound = core.standing else { return false }
            core.standing = .ahead(failure)
            return true
        }
        if first {
            log.write(.error, "exchange.journal-failed", [("reason", "\(error)")])
            sequencer.async { _ = self.mend() }
        }
        told(failure)
    }

    /// Makes the books anew where they ran ahead, and goes on where there is room again.
    private func mend() -> Standing {
        var standing = core.withLock { $0.standing }
        if case .sound = standing { return standing }
        do throws(JournalError) {
            if case .ahead(let failure) = standing {
                journal.drain()
                var books = try Books.rebuild(journal, rules).books
                standing = .halted(failure)
                core.withLock { core in
                    books.feed = core.books.feed
                    books.feed.keepPlaces { books.owner[$0] != nil }
                    core.books = books
                    core.standing = standing
                }
            }
            try journal.resume()
            standing = .sound
            log.write(.info, "exchange.recovered", [])
        } catch {
            if case .ahead = standing { standing = .ahead(Self.failure(error)) } else { standing = .halted(Self.failure(error)) }
        }
        core.withLock { $0.standing = standing }
        return standing
    }

    private static func failure(_ error: JournalError) -> Failure { error == .halted ? Failure(.storageFull) : error.failure(in: "") }
}

extension Log {
    fileprivate func write(_ notice: JournalNotice, in folder: String) {
        switch notice {
        case .setAside(let file, let offset, let bytes, let copy):
            write(
                .warning, "journal.tail-set-aside",
                [("file", "\(folder)/\(file)"), ("offset", "\(offset)"), ("bytes", "\(bytes)"), ("copy", copy)])
        case .markLags(let file, let reason):
            write(.warning, "journal.mark-not-written", [("file", "\(folder)/\(file)"), ("reason", reason)])
        case .markMissing(let file): write(.warning, "journal.mark-missing", [("file", "\(folder)/\(file)")])
        }
    }
}

extension JournalError {
    func failure(in path: String) -> Failure {
        switch self {
        case .full, .halted: Failure(.storageFull)
        case .failed(let reason): Failure(.storageFailed, .init("reason", reason))
        case .corrupt(let file, let offset): Failure(.dataCorrupt, .init("path", "\(path)/\(file)"), .init("offset", "\(offset)"))
        case .incomplete(let file, let offset, let missing, let witness):
            Failure(
                .dataIncomplete, .init("path", "\(path)/\(file)"), .init("offset", "\(offset)"), .init("missing", "\(missing)"),
                .init("witness", witness.contains("/") ? witness : "\(path)/\(witness)"))
        case .absent: Failure(.dataJournalMissing, .init("path", path))
        case .newer(let file): Failure(.dataNewer, .init("path", "\(path)/\(file)"))
        case .tooLarge: Failure(.requestTooLarge)
        case .closed: Failure(.serverUnavailable)
        }
    }
}
