import Bars
import Exact
import HTTP
import Instruments
import Messages
import Streams
import Texts
import Transport
import WireCodec

/// What a subscription is to: (instrument, kind, depth).
struct TopicKey: Hashable, Sendable {
    var instrument: UInt32
    var kind: QuoteKind
    var depth: UInt32
}

/// One client's connection as a value: messages, time and answers go in, effects come out.
struct QuoteSession: Sendable {
    enum Event: Sendable {
        case message(WebSocketMessage)
        /// The answer to `authorize`; `until`: when its credential ends, where that ends the connection.
        case authorized(Result<Principal, Failure>, until: MonotonicInstant? = nil)
        /// The sign-in of that device has ended.
        case revoked(account: String, device: String)
        case tick
    }

    enum Effect: Hashable, Sendable {
        case reply(QuoteMessageType, sequence: UInt64, payload: [UInt8])
        case push(QuoteMessageType, payload: [UInt8])
        case authorize(credential: String)
        case subscribe(TopicKey)
        case unsubscribe(TopicKey)
        case close(QuoteClosure)
    }

    /// What a session may look at.
    struct View {
        var board: QuoteBoard
        var clock: MarketClockReading
        var limits: QuoteLimits
    }

    private enum State: Sendable {
        case fresh
        case authorizing(sequence: UInt64, login: QuoteLogin)
        case ready(account: String, device: String, until: MonotonicInstant?)
        case closed
    }

    static let protocolVersion: UInt32 = 1

    private var state = State.fresh
    private(set) var topics: Set<TopicKey> = []
    private let opened: MonotonicInstant
    private var heard: MonotonicInstant

    init(at now: MonotonicInstant) {
        opened = now
        heard = now
    }

    /// Until when something has to be heard.
    func deadline(_ limits: QuoteLimits) -> MonotonicInstant {
        switch state {
        case .ready(_, _, let until): min(heard.advanced(by: limits.idle), until ?? heard.advanced(by: limits.idle))
        case .fresh, .authorizing: opened.advanced(by: limits.login)
        case .closed: opened
        }
    }

    var isReady: Bool { if case .ready = state { true } else { false } }

    /// The credential whose judgement is awaited.
    var credential: String? { if case .authorizing(_, let login) = state { login.credential } else { nil } }

    func belongs(to account: String, _ device: String) -> Bool {
        if case .ready(account, device, _) = state { true } else { false }
    }

    mutating func handle(_ event: Event, _ view: View, at now: MonotonicInstant) -> [Effect] {
        switch (state, event) {
        case (.closed, _): return []
        case (_, .message(.text)): return close(.notBinary)
        case (_, .message(.binary(let bytes))):
            heard = now
            guard let envelope = try? QuoteEnvelope(serializedBytes: bytes) else { return close(.badEnvelope) }
            return request(envelope, view)
        case (.authorizing(let sequence, let login), .authorized(let result, let until)):
            return authorized(result, until, sequence, login, view)
        case (.fresh, .authorized), (.ready, .authorized): return []  // an answer to a login that is over
        case (.ready, .revoked(let account, let device)): return belongs(to: account, device) ? close(.revoked) : []
        case (.fresh, .revoked), (.authorizing, .revoked): return []  // who it is is not known yet
        case (.ready(_, _, let until?), .tick) where until <= now: return close(.expired)
        case (.ready, .tick): return heard.duration(to: now) >= view.limits.idle ? close(.idle) : []
        case (.fresh, .tick), (.authorizing, .tick): return opened.duration(to: now) >= view.limits.login ? close(.loginMissing) : []
        }
    }

    private mutating func close(_ closure: QuoteClosure) -> [Effect] {
        state = .closed
        return topics.map { .unsubscribe($0) } + [.close(closure)]
    }

    private mutating func request(_ envelope: QuoteEnvelope, _ view: View) -> [Effect] {
        switch envelope.type {
        case .login:
            guard let login = try? QuoteLogin(serializedBytes: envelope.payload) else { return close(.badPayload) }
            return self.login(login, envelope.sequence, view)
        case .heartbeat, .subscribe, .unsubscribe, .snapshotQuery, .bookQuery, .ticksQuery, .barsQuery, .rankingQuery, .brokersQuery:
            guard isReady else { return [refusal(envelope.sequence, Failure(.connectionNotConnected))] }
            return (try? answer(envelope, view)) ?? close(.badPayload)
        case .unspecified, .loginReply, .heartbeatReply, .errorReply, .clockChanged, .feedChanged, .subscriptionReply, .snapshotPush,
            .quotePush,
            .bookPush, .tickPush, .barPush, .snapshotReply, .bookReply, .ticksReply, .barsReply, .rankingReply, .brokersReply,
            .instrumentRows, .UNRECOGNIZED:
            return [refusal(envelope.sequence, Failure(.requestUnknown))]
        }
    }

    private mutating func login(_ login: QuoteLogin, _ sequence: UInt64, _ view: View) -> [Effect] {
        switch state {
        case .ready: return [loginReply(.alreadyLoggedIn, sequence, view)]
        case .authorizing: return [refusal(sequence, .invalid("login"))]
        case .closed: return []
        case .fresh:
            guard login.protocol.minimum <= Self.protocolVersion, Self.protocolVersion <= login.protocol.maximum else {
                return [loginReply(.updateNeeded, sequence, view)] + close(.loginFailed)
            }
            state = .authorizing(sequence: sequence, login: login)
            return [.authorize(credential: login.credential)]
        }
    }

    private mutating func authorized(
        _ result: Result<Principal, Failure>, _ until: MonotonicInstant?, _ sequence: UInt64, _ login: QuoteLogin, _ view: View
    ) -> [Effect] {
        switch result {
        case .failure(let failure):
            let code: LoginCode = failure.code == .authExpired ? .credentialExpired : .credentialInvalid
            return [loginReply(code, sequence, view, failure)] + close(.loginFailed)
        case .success(let principal):
            guard principal.scopes.contains(.quotes) else {
                return [loginReply(.credentialInvalid, sequence, view, Failure(.authScope, .init("scope", "quotes")))] + close(.loginFailed)
            }
            state = .ready(account: principal.accountID, device: principal.deviceID, until: until)
            var effects = [loginReply(.ok, sequence, view)]
            if login.symbolsVersion != view.board.facts.instruments.version { effects += rows(view.board.facts.instruments) }
            return effects
        }
    }

    private func rows(_ table: InstrumentTable) -> [Effect] {
        stride(from: 0, to: table.all.count, by: 500).map { start in
            var rows = InstrumentRows()
            rows.symbolsVersion = table.version
            rows.total = UInt32(table.all.count)
            rows.rows = table.all[start..<min(start + 500, table.all.count)].map(\.row)
            return .push(.instrumentRows, payload: serialized(rows))
        }
    }

    private func loginReply(_ code: LoginCode, _ sequence: UInt64, _ view: View, _ failure: Failure? = nil) -> Effect {
        var reply = QuoteLoginReply()
        reply.code = code
        reply.supported.minimum = Self.protocolVersion
        reply.supported.maximum = Self.protocolVersion
        if let failure { reply.error = failure.info }
        if code == .ok || code == .alreadyLoggedIn {
            reply.protocol = Self.protocolVersion
            reply.clock = view.clock.info
            reply.symbolsVersion = view.board.facts.instruments.version
            reply.marketDate = view.board.marketDate.yyyymmdd
            reply.feed = view.board.feed
            reply.unfed = view.board.unfed
        }
        return .reply(.loginReply, sequence: sequence, payload: serialized(reply))
    }

    private func refusal(_ sequence: UInt64, _ failure: Failure) -> Effect {
        .reply(.errorReply, sequence: sequence, payload: serialized(failure.info))
    }

    private mutating func answer(_ envelope: QuoteEnvelope, _ view: View) throws(WireError) -> [Effect] {
        let sequence = envelope.sequence
        let payload = envelope.payload
        switch envelope.type {
        case .heartbeat:
            let heartbeat = try QuoteHeartbeat(serializedBytes: payload)
            return [.reply(.heartbeatReply, sequence: sequence, payload: serialized(heartbeat))]
        case .subscribe: return subscribe(try SubscriptionRequest(serializedBytes: payload), sequence, view)
        case .unsubscribe: return unsubscribe(try SubscriptionRequest(serializedBytes: payload), sequence)
        case .snapshotQuery, .bookQuery, .brokersQuery:
            let query = try InstrumentsQuery(serializedBytes: payload)
            guard query.instruments.count <= view.limits.instruments else { return [refusal(sequence, .invalid("instruments"))] }
            if let unknown = query.instruments.first(where: { view.board.facts.instruments[InstrumentID($0)] == nil }) {
                return [refusal(sequence, Failure(.symbolUnknown, .init("symbol", "\(unknown)")))]
            }
            if envelope.type == .snapshotQuery {
                var batch = QuoteBatch()
                batch.quotes = query.instruments.compactMap { view.board.quote($0) }
                return [.reply(.snapshotReply, sequence: sequence, payload: serialized(batch))]
            }
            if envelope.type == .brokersQuery {
                var batch = BrokerQueueBatch()
                batch.queues = query.instruments.compactMap { view.board.brokers($0) }
                return [.reply(.brokersReply, sequence: sequence, payload: serialized(batch))]
            }
            var batch = BookBatch()
            batch.books = query.instruments.compactMap { view.board.book($0, depth: query.depth) }
            return [.reply(.bookReply, sequence: sequence, payload: serialized(batch))]
        case .ticksQuery:
            let query = try TicksQuery(serializedBytes: payload)
            guard view.board.facts.instruments[InstrumentID(query.instrument)] != nil else {
                return [refusal(sequence, Failure(.symbolUnknown, .init("symbol", "\(query.instrument)")))]
            }
            var batch = TickBatch()
            batch.ticks = view.board.lastTicks(query.instrument, count: min(Int(query.count), QuoteBoard.tickCapacity))
            return [.reply(.ticksReply, sequence: sequence, payload: serialized(batch))]
        case .rankingQuery:
            guard let ranking = Ranking(try RankingQuery(serializedBytes: payload)) else { return [refusal(sequence, .invalid("ranking"))] }
            var batch = QuoteBatch()
            batch.quotes = view.board.ranked(ranking)
            return [.reply(.rankingReply, sequence: sequence, payload: serialized(batch))]
        case .barsQuery: return [bars(try BarsQuery(serializedBytes: payload), sequence, view)]
        case .unspecified, .login, .loginReply, .heartbeatReply, .errorReply, .clockChanged, .feedChanged, .subscriptionReply,
            .snapshotPush, .quotePush,
            .bookPush, .tickPush, .barPush, .snapshotReply, .bookReply, .ticksReply, .barsReply, .rankingReply, .brokersReply,
            .instrumentRows, .UNRECOGNIZED:
            preconditionFailure("\(envelope.type) is no request of a session")
        }
    }

    private func bars(_ query: BarsQuery, _ sequence: UInt64, _ view: View) -> Effect {
        guard let instrument = view.board.facts.instruments[InstrumentID(query.instrument)] else {
            return refusal(sequence, Failure(.symbolUnknown, .init("symbol", "\(query.instrument)")))
        }
        guard query.count > 0, query.count <= view.limits.bars else { return refusal(sequence, .invalid("count")) }
        switch query.period {
        case .unspecified, .UNRECOGNIZED: return refusal(sequence, .invalid("period"))
        case .minute1, .minute3, .minute5, .minute15, .minute30, .minute60, .day, .week, .month, .quarter, .year: break
        }
        let adjustment: PriceAdjustment
        switch query.adjustment {
        case .none: adjustment = .none
        case .forward: adjustment = .forward
        case .backward: adjustment = .backward
        case .UNRECOGNIZED: return refusal(sequence, .invalid("adjustment"))
        }
        do throws(ArithmeticError) {
            let batch = try view.board.bars(instrument, query.period, count: Int(query.count), adjustment)
            return .reply(.barsReply, sequence: sequence, payload: serialized(batch))
        } catch { return refusal(sequence, Failure(.barsNotAdjustable, .init("symbol", instrument.symbol))) }
    }

    /// The reply first, then the whole of each new topic, then pushes: what follows builds on what was sent.
    private mutating func subscribe(_ request: SubscriptionRequest, _ sequence: UInt64, _ view: View) -> [Effect] {
        var reply = SubscriptionReply()
        var effects: [Effect] = []
        var wholes: [Effect] = []
        for topic in request.topics {
            let key = TopicKey(instrument: topic.instrument, kind: topic.kind, depth: topic.kind == .book ? topic.depth : 0)
            if let failure = refused(key, view) {
                var refusal = TopicFailure()
                refusal.topic = topic
                refusal.error = failure.info
                reply.failures.append(refusal)
            } else if topics.insert(key).inserted {
                effects.append(.subscribe(key))
                if let (lane, payload) = Self.whole(key, view.board) { wholes.append(.push(lane.type, payload: payload)) }
            }
        }
        return [.reply(.subscriptionReply, sequence: sequence, payload: serialized(reply))] + effects + wholes
    }

    private func refused(_ key: TopicKey, _ view: View) -> Failure? {
        guard view.board.facts.instruments[InstrumentID(key.instrument)] != nil else {
            return Failure(.symbolUnknown, .init("symbol", "\(key.instrument)"))
        }
        switch key.kind {
        case .snapshot, .book, .ticks, .bar1M: break
        case .unspecified, .UNRECOGNIZED: return .invalid("kind")
        }
        guard topics.count < view.limits.topics || topics.contains(key) else {
            return .invalid("topics")
        }
        return nil
    }

    private mutating func unsubscribe(_ request: SubscriptionRequest, _ sequence: UInt64) -> [Effect] {
        var effects: [Effect] = [.reply(.subscriptionReply, sequence: sequence, payload: serialized(SubscriptionReply()))]
        for topic in request.topics {
            let key = TopicKey(instrument: topic.instrument, kind: topic.kind, depth: topic.kind == .book ? topic.depth : 0)
            if topics.remove(key) != nil { effects.append(.unsubscribe(key)) }
        }
        return effects
    }

    /// A topic's newest whole state as elements of its batch; nil where nothing is known yet. Ticks have no whole. `since`: of minutes all
    /// from that start on.
    static func whole(_ key: TopicKey, _ board: QuoteBoard, since: Int64 = .max) -> (PushLane, [UInt8])? {
        switch key.kind {
        case .snapshot:
            guard let quote = board.quote(key.instrument) else { return nil }
            var batch = QuoteBatch()
            batch.quotes = [quote]
            return (.snapshot, serialized(batch))
        case .book:
            guard let book = board.book(key.instrument, depth: key.depth) else { return nil }
            var batch = BookBatch()
            batch.books = [book]
            return (.book, serialized(batch))
        case .bar1M:
            var batch = BarBatch()
            batch.bars = board.minutes(key.instrument, since: since)
            guard !batch.bars.isEmpty else { return nil }
            return (.bar, serialized(batch))
        case .ticks, .unspecified, .UNRECOGNIZED: return nil
        }
    }
}

/// Encodes what we made ourselves: it cannot be too large or too deep, the limits above see to that.
func serialized(_ message: some Message) -> [UInt8] {
    do { return try message.serializedBytes(limits: .init(bytes: 64 << 20)) } catch {
        preconditionFailure("\(type(of: message)) does not encode: \(error)")
    }
}

extension Failure {
    var info: ErrorInfo {
        var info = ErrorInfo()
        info.code = code.rawValue
        info.arguments = arguments.map {
            var argument = Messages.Argument()
            argument.name = $0.name
            argument.value = $0.value
            return argument
        }
        return info
    }
}

extension MarketClockReading {
    var info: MarketClockInfo {
        var info = MarketClockInfo()
        info.timeNs = time.nanoseconds
        info.speedMicros = speedMicros
        info.epoch = epoch
        return info
    }
}

extension ErrorCode {
    /// Its splits and dividends lead to prices that do not fit: `symbol`.
    static let barsNotAdjustable = ErrorCode("bars.not-adjustable")
}
