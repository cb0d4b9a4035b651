import Accounts
public import Diagnostics
public import Exchange
import HTTP
import Instruments
public import Messages
public import Streams
public import Texts
public import Transport
import WireCodec

extension ErrorCode {
    /// No trading session: log in to trade first.
    static let tradeNotLoggedIn = ErrorCode("trade.not-logged-in")
    /// The trading session is another device's now, or has ended.
    static let tradeSessionInvalid = ErrorCode("trade.session-invalid")
    /// A login within a second of the last.
    static let tradeTooFrequent = ErrorCode("trade.too-frequent")
    /// The trading account is not the caller's, or not of this counter.
    static let tradeAccountUnknown = ErrorCode("trade.account-unknown")
}

/// The trade gateway (B-4): Socket.IO namespaces `/auth`, `/securities`, `/futures` in front of the exchange. Requests of one connection are
/// taken one after another; what an older connection of a process had sent is finished before its successor is told it is ready (C-9).
public actor TradeGateway {
    private let venue: TradingVenue
    private let authority: GatewayAuthority
    private let store: TradingSessionStore
    private let clock: MonotonicClock
    private let marketClock: MarketClock
    private let log: Log
    private var book: GatewayBook
    private var encoder = EnvelopeEncoder()
    private var sockets: [String: SocketIOSession] = [:]
    /// Requests under way on a link, and who waits for their end.
    private var underWay: [String: Int] = [:]
    private var waiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    private var isDraining = false

    /// `firstEpoch`: above every epoch this gateway has ever said; milliseconds since 1970 at the start will do.
    public init(
        venue: TradingVenue, authority: GatewayAuthority, store: TradingSessionStore, clock: MonotonicClock, marketClock: MarketClock,
        firstEpoch: UInt64, log: Log = .none
    ) throws(Failure) {
        self.venue = venue
        self.authority = authority
        self.store = store
        self.clock = clock
        self.marketClock = marketClock
        self.log = log
        book = GatewayBook(sessions: try store.load(), firstEpoch: firstEpoch)
    }

    public static let policy = SocketIOServerPolicy(namespaces: ["/auth", "/securities", "/futures"])

    /// For the Socket.IO server that carries this gateway.
    public nonisolated var handlers: SocketIOServerHandlers {
        SocketIOServerHandlers(
            connect: { session, namespace, payload in await self.admit(session, namespace, payload) },
            connected: { session, namespace in await self.joined(session, namespace) },
            event: { session, namespace, name, arguments, _ in await self.event(session, namespace, name, arguments) },
            disconnected: { session, namespace, _ in await self.left(session, namespace) },
            closed: { session, _ in await self.gone(session) })
    }

    // MARK: In and out of namespaces

    private func admit(_ session: SocketIOSession, _ namespace: String, _ payload: JSONValue?) -> SocketIOAdmission {
        if namespace == "/auth" {
            authenticate(session, payload)
            return .accept(payload: nil)
        }
        guard let link = book.links[session.id], case .success = check(link.token) else {
            return .refuse(message: ErrorCode.authInvalid.rawValue, data: nil)
        }
        return .accept(payload: nil)
    }

    /// The answer goes out as event `auth` once the namespace is joined.
    private func authenticate(_ session: SocketIOSession, _ payload: JSONValue?) {
        sockets[session.id] = session
        guard let token = payload?["token"]?.stringValue, case .success(let principal) = authority.verify(token) else { return }
        let process = payload?["process"]?.stringValue ?? ""
        book.authenticated(
            session.id,
            GatewayBook.Link(
                account: principal.accountID, device: principal.deviceID, platform: principal.platform, process: String(process.prefix(64)),
                token: token))
    }

    private func joined(_ session: SocketIOSession, _ namespace: String) async {
        guard let counter = TradingCounter(namespace: namespace) else { return sayAuth(session) }
        guard let (older, epoch) = book.joined(session.id, counter), let link = book.links[session.id] else { return }
        for other in older {
            await finished(other)
            sockets[other]?.close(WebSocketClosure(code: 4000, reason: "superseded"))
        }
        var ready = Ready()
        ready.epoch = epoch
        ready.protocol.minimum = 1
        ready.protocol.maximum = 1
        let reading = marketClock.reading()
        ready.clock.timeNs = reading.time.nanoseconds
        ready.clock.speedMicros = reading.speedMicros
        ready.clock.epoch = reading.epoch
        if let account = authority.tradingAccount(link.account, counter) {
            var sequence = AccountSequence()
            sequence.tradingAccount = account
            do {
                try await venue.open(account, counter)
                sequence.sequence = try await venue.sequence(account)
            } catch {
                // Without its books a counter is never ready; the client comes back.
                log.write(.error, "trade.account-unavailable", [("code", error.code.rawValue)])
                return session.close(WebSocketClosure(code: 1013, reason: "unavailable"))
            }
            ready.accounts = [sequence]
        }
        push(.ready, .ready(ready), to: [session.id], counter, account: ready.accounts.first?.tradingAccount ?? "", sequence: 0)
    }

    private func sayAuth(_ session: SocketIOSession, _ failure: Failure? = nil) {
        let isIn = book.links[session.id] != nil
        let code = failure?.code ?? (isIn ? nil : .authInvalid)
        session.emit(
            namespace: "/auth", name: "auth", arguments: [SocketIOValue(.object([.init("code", .string(code?.rawValue ?? "ok"))]))])
    }

    private func renew(_ session: SocketIOSession, _ arguments: [SocketIOValue]) {
        guard let token = arguments.first?["token"]?.stringValue else { return sayAuth(session, .invalid("token")) }
        switch authority.verify(token) {
        case .success(let principal):
            guard let link = book.links[session.id], link.account == principal.accountID, link.device == principal.deviceID else {
                return sayAuth(session, Failure(.authInvalid))
            }
            book.renewed(session.id, token: token)
            sayAuth(session)
        case .failure(let failure): sayAuth(session, failure)
        }
    }

    private func left(_ session: SocketIOSession, _ namespace: String) {
        if let counter = TradingCounter(namespace: namespace) { book.left(session.id, counter) } else { book.gone(session.id) }
    }

    private func gone(_ session: SocketIOSession) {
        book.gone(session.id)
        sockets[session.id] = nil
    }

    /// A credential that has run out does not end a live connection; one that was revoked does.
    private func check(_ token: String) -> Result<Void, Failure> {
        switch authority.verify(token) {
        case .success: .success(())
        case .failure(let failure): failure.code == .authExpired ? .success(()) : .failure(failure)
        }
    }

    // MARK: Requests

    private func finished(_ link: String) async {
        while underWay[link] != nil { await withCheckedContinuation { waiters[link, default: []].append($0) } }
    }

    /// Takes no more requests; returns when those under way are answered.
    public func drain() async {
        isDraining = true
        for link in Array(underWay.keys) { await finished(link) }
    }

    private func event(_ session: SocketIOSession, _ namespace: String, _ name: String, _ arguments: [SocketIOValue]) async {
        if namespace == "/auth" {
            if name == "renew" { renew(session, arguments) }
            return
        }
        guard name == "request", let counter = TradingCounter(namespace: namespace), let bytes = arguments.first?.binaryValue,
            let request = try? TradeEnvelope(serializedBytes: bytes), !request.requestID.isEmpty, request.requestID.utf8.count <= 64
        else {
            // Nobody to answer: the request has no id that could be read.
            log.write(.warning, "trade.malformed", [("namespace", namespace)])
            return session.close(WebSocketClosure(code: 4400, reason: "malformed request"))
        }
        underWay[session.id, default: 0] += 1
        let answer = await answer(session.id, counter, request)
        record(session.id, counter, request, answer)
        underWay[session.id] = underWay[session.id].flatMap { $0 > 1 ? $0 - 1 : nil }
        if underWay[session.id] == nil { waiters.removeValue(forKey: session.id)?.forEach { $0.resume() } }
        reply(session, counter, request, answer)
    }

    private struct Answer {
        var payload = TradePayload.none
        var failure: Failure?
        var account = ""
    }

    private func reply(_ session: SocketIOSession, _ counter: TradingCounter, _ request: TradeEnvelope, _ answer: Answer) {
        if emit(request, answer, to: session, counter) { return }
        switch request.type {
        case .orders, .orderByCommand, .fills, .positions, .funds, .since:
            // Larger than a packet may be: who asked is told, and can ask for less.
            let refusal = Answer(failure: Failure(.requestTooLarge), account: answer.account)
            if emit(request, refusal, to: session, counter) { return }
        // Never a refusal of what may have been done: a command's outcome is found by a query on the next connection.
        default: break
        }
        session.close(WebSocketClosure(code: 1011))
    }

    /// Bytes of a reply's envelope; the packet's text, which names the event and the namespace, has the rest of what a packet may be.
    private static let mostReply = policy.limits.maximumPayload - 256

    /// False: it cannot be sent as it is. A client takes no more in a message than we do.
    private func emit(_ request: TradeEnvelope, _ answer: Answer, to session: SocketIOSession, _ counter: TradingCounter) -> Bool {
        var envelope = TradeEnvelope()
        envelope.requestID = request.requestID
        envelope.type = request.type
        envelope.tradingAccount = answer.account
        if let failure = answer.failure {
            envelope.returnCode = failure.code.rawValue
            envelope.arguments = failure.arguments.map { argument in
                var message = Argument()
                message.name = argument.name
                message.value = argument.value
                return message
            }
        }
        guard let bytes = try? encoder.encode(envelope, answer.payload), bytes.count <= Self.mostReply else { return false }
        switch session.emit(namespace: counter.namespace, name: "reply", arguments: [.binary(bytes)]) {
        case .invalid: return false
        // Not connected: gone meanwhile.
        case .sent, .notConnected, .acknowledged, .timedOut, .lost: return true
        }
    }

    /// The audit log: logins and order commands by id, with their outcome; never what is in them.
    private func record(_ id: String, _ counter: TradingCounter, _ request: TradeEnvelope, _ answer: Answer) {
        let event: String
        var fields: [(name: String, value: String)] = []
        switch request.type {
        case .login: event = "audit.trade-login"
        case .logout: event = "audit.trade-logout"
        case .place:
            event = "audit.order-place"
            fields = [("command", Self.hex((try? PlaceOrder(serializedBytes: request.payload))?.commandID))]
        case .cancel:
            event = "audit.order-cancel"
            fields = [("command", Self.hex((try? CancelOrder(serializedBytes: request.payload))?.commandID))]
        default: return
        }
        if case .command(let reply) = answer.payload, reply.order.orderID != 0 {
            fields.append(("order", String(reply.order.orderID)))
        }
        let device = book.links[id]?.device ?? ""
        log.write(
            .info, event,
            [("account", answer.account), ("counter", counter.rawValue), ("device", device)] + fields
                + [("code", answer.failure?.code.rawValue ?? "ok")])
    }

    private static func hex(_ bytes: [UInt8]?) -> String {
        (bytes ?? []).prefix(32).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func answer(_ id: String, _ counter: TradingCounter, _ request: TradeEnvelope) async -> Answer {
        if isDraining { return Answer(failure: Failure(.serverUnavailable)) }
        guard let link = book.links[id], !link.isClosedToCommands else { return Answer(failure: Failure(.connectionLost)) }
        if case .failure(let failure) = check(link.token) { return Answer(failure: failure) }
        guard let account = authority.tradingAccount(link.account, counter) else { return Answer(failure: Failure(.tradeAccountUnknown)) }
        do {
            switch request.type {
            case .login: return try await login(id, counter, account, TradeLogin(serializedBytes: request.payload))
            case .ready, .duplicateLogin, .disconnected, .orderPush, .fillPush, .positionPush, .fundsPush, .unspecified, .UNRECOGNIZED:
                return Answer(failure: Failure(.requestUnknown))
            default: break
            }
            guard !request.sessionID.isEmpty else {
                return Answer(failure: Failure(.tradeNotLoggedIn, .init("counter", counter.rawValue)), account: account)
            }
            guard book.isIn(id, tradingAccount: account, digest: authority.digest(request.sessionID)) else {
                return Answer(failure: Failure(.tradeSessionInvalid, .init("counter", counter.rawValue)), account: account)
            }
            return try await inSession(request, account)
        } catch is WireError {
            return Answer(failure: .invalid("payload"), account: account)
        } catch {
            return Answer(failure: error as? Failure ?? Failure(.serverUnavailable), account: account)
        }
    }

    private func inSession(_ request: TradeEnvelope, _ account: String) async throws -> Answer {
        /// The payload's own trading account must be the session's.
        func own(_ named: String) throws { if named != account { throw Failure(.tradeAccountUnknown) } }
        let bytes = request.payload
        switch request.type {
        case .heartbeat:
            try own(AccountHeartbeat(serializedBytes: bytes).tradingAccount)
            return Answer(payload: .echo(bytes), account: account)
        case .logout:
            try own(TradeLogout(serializedBytes: bytes).tradingAccount)
            try changeSessions { $0.loggedOut(tradingAccount: account) }
            return Answer(account: account)
        case .place:
            let order = try PlaceOrder(serializedBytes: bytes)
            try own(order.tradingAccount)
            return command(try await venue.place(order), account)
        case .cancel:
            let order = try CancelOrder(serializedBytes: bytes)
            try own(order.tradingAccount)
            return command(try await venue.cancel(order), account)
        case .orders:
            let query = try OrdersQuery(serializedBytes: bytes)
            try own(query.tradingAccount)
            return Answer(payload: .orders(try await venue.orders(query)), account: account)
        case .orderByCommand:
            let query = try OrderByCommand(serializedBytes: bytes)
            try own(query.tradingAccount)
            return Answer(payload: .orders(try await venue.orderByCommand(query)), account: account)
        case .fills:
            let query = try FillsQuery(serializedBytes: bytes)
            try own(query.tradingAccount)
            return Answer(payload: .fills(try await venue.fills(query)), account: account)
        case .positions:
            try own(AccountQuery(serializedBytes: bytes).tradingAccount)
            return Answer(payload: .positions(try await venue.positions(account)), account: account)
        case .funds:
            try own(AccountQuery(serializedBytes: bytes).tradingAccount)
            return Answer(payload: .funds(try await venue.funds(account)), account: account)
        case .since:
            let query = try SinceQuery(serializedBytes: bytes)
            try own(query.tradingAccount)
            return Answer(payload: .since(try await venue.since(query)), account: account)
        default: return Answer(failure: Failure(.requestUnknown), account: account)
        }
    }

    private func command(_ order: Order, _ account: String) -> Answer {
        var reply = CommandReply()
        reply.order = order
        reply.sequence = order.sequence
        return Answer(payload: .command(reply), account: account)
    }

    // MARK: Trade login

    private func login(_ id: String, _ counter: TradingCounter, _ account: String, _ login: TradeLogin) async throws -> Answer {
        guard login.tradingAccount.isEmpty || login.tradingAccount == account else {
            return Answer(failure: Failure(.tradeAccountUnknown))
        }
        var reply = TradeLoginReply()
        guard book.admitsLogin(account, at: clock.now()), let link = book.links[id] else {
            reply.code = .tooFrequent
            return Answer(payload: .login(reply), failure: Failure(.tradeTooFrequent), account: account)
        }
        var failure: Failure?
        switch try await authority.verifyPassword(link.account, login.password).get() {
        case .right:
            let session = authority.makeSessionID()
            let putOut = try changeSessions {
                $0.loggedIn(id, counter, tradingAccount: account, digest: authority.digest(session))
            }
            tell(putOut, counter, account, session, link)
            reply.code = .ok
            reply.sessionID = session
            reply.sequence = try await venue.sequence(account)
        case .wrong(let triesLeft):
            reply.code = .wrongPassword
            reply.triesLeft = UInt32(triesLeft)
            failure = Failure(ErrorCode("trade.wrong-password"), .init("left", String(triesLeft)))
        case .locked(let seconds):
            reply.code = .locked
            reply.lockedUntilSeconds = seconds
            failure = Failure(ErrorCode("trade.locked"), .init("seconds", String(seconds)))
        }
        return Answer(payload: .login(reply), failure: failure, account: account)
    }

    /// Another device is in: each counter says so in its own words (D-5).
    private func tell(_ links: [String], _ counter: TradingCounter, _ account: String, _ session: String, _ newcomer: GatewayBook.Link) {
        var news = SessionNews()
        news.tradingAccount = account
        switch counter {
        case .securities:
            news.sessionID = session
            news.platform = newcomer.platform
            news.deviceID = newcomer.device
            push(.duplicateLogin, .news(news), to: links, counter, account: account, sequence: 0)
        case .futures:
            // Names who is put out: counts only for that platform and device.
            for id in links {
                guard let link = book.links[id] else { continue }
                news.platform = link.platform
                news.deviceID = link.device
                push(.disconnected, .news(news), to: [id], counter, account: account, sequence: 0)
            }
        }
    }

    /// Changes who is in and writes it down; where it cannot be written nothing has changed.
    private func changeSessions<Result>(_ change: (inout GatewayBook) -> Result) throws(Failure) -> Result {
        let before = book
        let result = change(&book)
        do throws(Failure) { try save() } catch {
            book = before
            throw error
        }
        return result
    }

    /// A device was signed out: its trading sessions end and its connections with a revoked credential are closed.
    public func revoked(account: String, device: String) {
        do throws(Failure) {
            for id in try changeSessions({ $0.revoked(account: account, device: device) }) {
                guard let link = book.links[id], case .failure = check(link.token) else { continue }
                sockets[id]?.close(WebSocketClosure(code: 4401, reason: "signed out"))
            }
        } catch {
            log.write(.error, "trade.sessions-not-saved", [("code", error.code.rawValue)])
        }
    }

    private func save() throws(Failure) { try store.save(book.sessions.values.sorted { $0.tradingAccount < $1.tradingAccount }) }

    // MARK: Pushes

    /// An event of a trading account, in sequence: goes to every connection of its trading session (C-5).
    public func deliver(_ event: AccountEvent, of account: String, on counter: TradingCounter) {
        let links = book.listeners(tradingAccount: account, counter)
        guard !links.isEmpty else { return }
        switch event.body {
        case .order(let order): push(.orderPush, .order(order), to: links, counter, account: account, sequence: event.sequence)
        case .fill(let fill): push(.fillPush, .fill(fill), to: links, counter, account: account, sequence: event.sequence)
        case .position(let position):
            push(.positionPush, .position(position), to: links, counter, account: account, sequence: event.sequence)
        case .funds(let funds): push(.fundsPush, .funds(funds), to: links, counter, account: account, sequence: event.sequence)
        case nil: break
        }
    }

    private func push(
        _ type: TradeMessageType, _ payload: TradePayload, to links: [String], _ counter: TradingCounter, account: String, sequence: UInt64
    ) {
        var envelope = TradeEnvelope()
        envelope.type = type
        envelope.tradingAccount = account
        envelope.accountSequence = sequence
        guard let bytes = try? encoder.encode(envelope, payload) else { preconditionFailure("a push of ours does not fit: \(type)") }
        for id in links { sockets[id]?.emit(namespace: counter.namespace, name: "push", arguments: [.binary(bytes)]) }
    }
}
