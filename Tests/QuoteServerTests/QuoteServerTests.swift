import Bars
import Diagnostics
import Exact
import Feeds
import HTTP
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import Texts
import Transport
import WireCodec

@testable import QuoteServer

struct QuoteSessionTests {
    @Test func loginIsJudgedThenAnswered() throws {  // B-3, Q-1, H-5
        var bench = try Bench()
        #expect(try bench.send(.login, login()) == [.authorize(credential: "good")])
        let effects = bench.send(.authorized(.success(principal)))
        let answer = try reply(effects, .loginReply, as: QuoteLoginReply.self)
        #expect(answer.code == .ok && answer.protocol == 1 && answer.marketDate == 20_261_130 && answer.clock.epoch == 3)
        #expect(answer.symbolsVersion == bench.board.facts.instruments.version)
        guard case .push(.instrumentRows, let payload)? = effects.last else {
            Issue.record("no rows for a client with another table")
            return
        }
        #expect(try InstrumentRows(serializedBytes: payload).rows.count == bench.board.facts.instruments.all.count)
        #expect(try reply(bench.send(.login, login()), .loginReply, as: QuoteLoginReply.self).code == .alreadyLoggedIn)
    }

    @Test func aConnectionEndsWithItsCredentialWhereThatIsAllThatIsKnown() throws {
        var bench = try Bench()
        _ = try bench.send(.login, login(symbols: bench.board.facts.instruments.version))
        let end = MonotonicInstant(nanoseconds: 30_000_000_000)
        _ = bench.send(.authorized(.success(principal), until: end))
        #expect(bench.session.deadline(bench.limits) == end)
        bench.now = MonotonicInstant(nanoseconds: 29_999_999_999)
        // Messages prolong nothing.
        _ = try bench.send(.heartbeat, QuoteHeartbeat())
        #expect(bench.send(.tick).isEmpty && bench.session.deadline(bench.limits) == end)
        bench.now = end
        #expect(bench.send(.tick) == [.close(.expired)])
        #expect(QuoteClosure.expired.frame.code == 4401)
    }

    @Test func aClientWithTheSameTableGetsNoRows() throws {
        var bench = try Bench()
        _ = try bench.send(.login, login(symbols: bench.board.facts.instruments.version))
        #expect(bench.send(.authorized(.success(principal))).count == 1)
    }

    @Test(arguments: [(ErrorCode.authExpired, LoginCode.credentialExpired), (.authInvalid, .credentialInvalid)])
    func aBadCredentialEndsTheConnection(code: ErrorCode, expected: LoginCode) throws {  // B-3
        var bench = try Bench()
        _ = try bench.send(.login, login())
        let effects = bench.send(.authorized(.failure(Failure(code))))
        #expect(try reply(effects, .loginReply, as: QuoteLoginReply.self).code == expected)
        #expect(effects.last == .close(.loginFailed))
        #expect(bench.send(.tick).isEmpty)
    }

    @Test func anotherVersionIsToldToUpdate() throws {
        var bench = try Bench()
        let effects = try bench.send(.login, login(2...5))
        let answer = try reply(effects, .loginReply, as: QuoteLoginReply.self)
        #expect(answer.code == .updateNeeded && answer.supported.maximum == 1)
        #expect(effects.last == .close(.loginFailed))
    }

    @Test func nothingIsServedBeforeLogin() throws {  // B-6
        var bench = try Bench()
        let answer = try reply(bench.send(.subscribe, subscription([(tencent, .snapshot, 0)])), .errorReply, as: ErrorInfo.self)
        #expect(answer.code == "connection.not-connected")
        #expect(bench.session.topics.isEmpty)
    }

    @Test func aSubscriptionBringsTheWholeFirst() throws {  // F-1
        var bench = try Bench()
        try bench.logIn()
        try bench.play(until: hongKong(10, 0))
        let effects = try bench.send(
            .subscribe, subscription([(tencent, .snapshot, 0), (tencent, .book, 5), (999, .ticks, 0), (tencent, .unspecified, 0)]))
        let answer = try reply(effects, .subscriptionReply, as: SubscriptionReply.self)
        #expect(answer.failures.map(\.error.code) == ["symbol.unknown", "request.invalid"])
        let types = effects.compactMap { if case .push(let type, _) = $0 { type } else { nil } }
        #expect(types == [.snapshotPush, .bookPush])
        for case .push(.bookPush, let payload) in effects {
            let book = try #require(BookBatch(serializedBytes: payload).books.first)
            #expect(book.bids.count == 5 && book.asks.count == 5 && book.provenance == .simulated)
        }
        for case .push(.snapshotPush, let payload) in effects {
            let quote = try #require(QuoteBatch(serializedBytes: payload).quotes.first)
            #expect(quote.hasLast && quote.hasPreviousClose && quote.recordedOn == 20_220_413 && quote.provenance == .derived)
        }
        // The same again is no new subscription.
        #expect(try bench.send(.subscribe, subscription([(tencent, .snapshot, 0)])).count == 1)
        #expect(
            try bench.send(.unsubscribe, subscription([(tencent, .book, 5)])).last
                == .unsubscribe(.init(instrument: tencent, kind: .book, depth: 5)))
    }

    @Test func topicsAreBounded() throws {
        var bench = try Bench()
        bench.limits.topics = 2
        try bench.logIn()
        let effects = try bench.send(.subscribe, subscription([(1, .snapshot, 0), (2, .snapshot, 0), (10, .snapshot, 0)]))
        #expect(try reply(effects, .subscriptionReply, as: SubscriptionReply.self).failures.count == 1)
        #expect(bench.session.topics.count == 2)
    }

    @Test func barsComeInEveryPeriod() throws {  // G-1
        var bench = try Bench()
        try bench.logIn()
        try bench.play(until: hongKong(11, 0))
        func bars(_ instrument: UInt32, _ period: BarPeriod, _ count: UInt32) throws -> [Bar] {
            var query = BarsQuery()
            (query.instrument, query.period, query.count) = (instrument, period, count)
            return try reply(bench.send(.barsQuery, query), .barsReply, as: BarBatch.self).bars
        }
        let minutes = try bars(tencent, .minute1, 90)
        #expect(minutes.count == 90 && zip(minutes, minutes.dropFirst()).allSatisfy { $0.startNs < $1.startNs })
        #expect(minutes.last?.startNs == hongKong(10, 59).nanoseconds || minutes.last?.startNs == hongKong(11, 0).nanoseconds)
        #expect(minutes.first?.provenance == .recorded)
        let days = try bars(tencent, .day, 3)
        #expect(days.map(\.tradingDay) == [20_261_126, 20_261_127, 20_261_130])
        let today = try #require(days.last)
        let own = minutes.filter { $0.tradingDay == 20_261_130 } + (try bars(tencent, .minute1, 400).filter { $0.tradingDay == 20_261_130 })
        #expect(own.map(\.high).max() == today.high && own.map(\.low).min() == today.low)
        #expect(try bars(tencent, .minute1, 400).filter { $0.tradingDay == 20_261_130 }.reduce(0) { $0 + $1.volume } == today.volume)
        for (period, minutes) in [(BarPeriod.minute3, 3), (.minute5, 5), (.minute15, 15), (.minute30, 30), (.minute60, 60)] {
            let longer = try bars(tencent, period, 400).filter { $0.tradingDay == 20_261_130 }
            #expect(longer.reduce(0) { $0 + $1.volume } == today.volume, "\(period)")
            #expect(longer.contains { $0.startNs == hongKong(9, 30).nanoseconds })
            #expect(longer.count <= 100 / minutes + 2)
        }
        #expect(try bars(tencent, .week, 2).count == 2)
        #expect(try bars(10, .day, 2).map(\.recordedOn) == [20_130_227, 20_130_228])
        #expect(try bars(21, .minute60, 3).last?.startNs == hongKong(11, 0).nanoseconds || bars(21, .minute60, 3).count == 3)
        var query = BarsQuery()
        query.instrument = tencent
        query.period = .day
        #expect(try reply(bench.send(.barsQuery, query), .errorReply, as: ErrorInfo.self).code == "request.invalid")
    }

    /// A week of two recordings is one bar of each: prices of different years never make one high and low.
    @Test func noLongBarMixesRecordings() throws {  // C-8, G-1
        var bench = try Bench()
        try bench.play(until: hongKong(11, 0))
        let calendar = bench.board.facts.calendar
        for instrument in bench.board.facts.instruments.all {
            let days = bench.board.bars(instrument, .day, count: 5_000)
            for period in [BarPeriod.week, .month, .quarter, .year] {
                let long = bench.board.bars(instrument, period, count: 5_000)
                #expect(long.reduce(Int128(0)) { $0 + Int128($1.volume) } == days.reduce(Int128(0)) { $0 + Int128($1.volume) })
                for bar in long {
                    let own = days.filter { $0.startNs >= bar.startNs && $0.tradingDay <= bar.tradingDay }
                    #expect(own.map(\.high).max() == bar.high && own.map(\.low).min() == bar.low)
                    #expect(own.last?.recordedOn == bar.recordedOn)
                    let joins = zip(own, own.dropFirst()).allSatisfy { $1.goesOn(from: $0, of: instrument, calendar: calendar) }
                    #expect(joins, "\(instrument.symbol) \(period) \(bar.tradingDay)")
                }
            }
        }
        let tencent = try #require(bench.board.facts.instruments[InstrumentID(tencent)])
        let weeks = bench.board.bars(tencent, .week, count: 3)
        #expect(weeks.map(\.tradingDay) == [20_261_125, 20_261_127, 20_261_130])
        #expect(weeks.map(\.recordedOn) == [20_211_231, 20_220_412, 20_220_413])
    }

    @Test func queriesAnswerFromTheBoard() throws {
        var bench = try Bench()
        try bench.logIn()
        try bench.play(until: hongKong(10, 0))
        var query = InstrumentsQuery()
        query.instruments = [tencent, 10]
        let quotes = try reply(bench.send(.snapshotQuery, query), .snapshotReply, as: QuoteBatch.self).quotes
        #expect(quotes.map(\.instrument) == [1, 10])
        #expect(quotes.last?.hasLast == false && quotes.last?.hasPreviousClose == true && quotes.last?.phase == .closed)
        #expect(try reply(bench.send(.bookQuery, query), .bookReply, as: BookBatch.self).books.count == 1)
        var ticks = TicksQuery()
        (ticks.instrument, ticks.count) = (tencent, 5)
        #expect(try reply(bench.send(.ticksQuery, ticks), .ticksReply, as: TickBatch.self).ticks.count == 5)
    }

    @Test func garbageClosesWithItsOwnCode() throws {  // B-10
        var bench = try Bench()
        #expect(bench.send(.message(.text("hello"))) == [.close(.notBinary)])
        bench = try Bench()
        #expect(bench.send(.message(.binary([0xFF, 0xFF, 0xFF]))) == [.close(.badEnvelope)])
        bench = try Bench()
        try bench.logIn()
        _ = try bench.send(.subscribe, subscription([(tencent, .snapshot, 0)]))
        var envelope = QuoteEnvelope()
        envelope.type = .barsQuery
        envelope.payload = [0x0A, 0x7F]
        let effects = bench.send(.message(.binary(try envelope.serializedBytes())))
        #expect(effects == [.unsubscribe(.init(instrument: tencent, kind: .snapshot, depth: 0)), .close(.badPayload)])
    }

    @Test(arguments: UInt64(0)..<200)
    func anyBytesAreAnsweredOrClose(seed: UInt64) throws {  // B-10
        var random = SeededRandom(seed: seed)
        var bench = try Bench()
        if seed % 2 == 0 { try bench.logIn() }
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            var envelope = QuoteEnvelope()
            envelope.type = QuoteMessageType(rawValue: Int.random(in: 0..<420, using: &random))
            envelope.payload = bytes
            let whole = seed % 3 == 0 ? bytes : try envelope.serializedBytes()
            for effect in bench.send(.message(.binary(whole))) {
                if case .push = effect { Issue.record("garbage was pushed to") }
            }
        }
    }

    @Test func silenceEndsTheConnection() throws {  // B-2
        var bench = try Bench()
        bench.now = .init(nanoseconds: 10_000_000_000)
        #expect(bench.send(.tick) == [.close(.loginMissing)])
        bench = try Bench()
        try bench.logIn()
        bench.now = .init(nanoseconds: 39_000_000_000)
        #expect(bench.send(.tick).isEmpty)
        var heartbeat = QuoteHeartbeat()
        heartbeat.sentNs = 5
        #expect(try reply(bench.send(.heartbeat, heartbeat), .heartbeatReply, as: QuoteHeartbeat.self).sentNs == 5)
        bench.now = .init(nanoseconds: 78_999_999_999)
        #expect(bench.send(.tick).isEmpty)
        bench.now = .init(nanoseconds: 79_000_000_000)
        #expect(bench.send(.tick) == [.close(.idle)])
    }
}

/// A socket whose other end is this test.
final class TestSocket: Sendable {
    let sent = Mutex<[QuoteEnvelope]>([])
    let closed = Mutex<WebSocketClosure?>(nil)
    let queued = Mutex(0)
    let changed: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init() { (changed, change) = AsyncStream.makeStream(of: Void.self) }

    var port: WebSocket {
        WebSocket(
            send: { [self] message in
                if case .binary(let bytes) = message, let envelope = try? QuoteEnvelope(serializedBytes: bytes) {
                    sent.withLock { $0.append(envelope) }
                }
                change.yield()
                return true
            }, ping: { _ in true },
            close: { [self] closure in
                closed.withLock { $0 = closure }
                change.yield()
            }, queuedBytes: { [self] in queued.withLock { $0 } })
    }

    func types() -> [QuoteMessageType] { sent.withLock { $0.map(\.type) } }

    func wait(until condition: @Sendable () -> Bool) async {
        if condition() { return }
        for await _ in changed where condition() { return }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct QuoteServerEdgeTests {
    let schedule: ReplaySchedule
    let board: QuoteBoard

    init() throws {
        let (facts, recordings) = try Shipped.result.get()
        schedule = try ReplaySchedule(recordings, facts: facts)
        board = try QuoteServerTests.board()
    }

    private func server() -> QuoteServer {
        let reading = MarketClockReading(time: hongKong(10, 0), speedMicros: 1_000_000, epoch: 1)
        let clock = MonotonicClock(now: { .init(nanoseconds: 0) }, sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
        var limits = QuoteLimits.standard
        limits.gathering = .zero
        return QuoteServer(board: board, marketClock: .init(reading: { reading }), clock: clock, limits: limits) { credential in
            credential == "good" ? .success(principal) : .failure(Failure(.authInvalid))
        }
    }

    private func request(_ subprotocol: String?) -> HTTPServerRequest {
        HTTPServerRequest(
            method: "GET", path: "/quotes", headers: subprotocol.map { ["Sec-WebSocket-Protocol": $0] } ?? [:], remoteAddress: "127.0.0.1")
    }

    private func message(_ event: QuoteSession.Event) -> WebSocketEvent {
        if case .message(let message) = event { .message(message) } else { .opened }
    }

    @Test func onlyItsSubprotocolIsAccepted() throws {
        let server = server()
        guard case .refuse(let answer) = server.accept(request("other")) else {
            Issue.record("accepted")
            return
        }
        #expect(answer.status == 400)
        guard case .accept(let options, _) = server.accept(request("x, causeway.quotes.v1")) else {
            Issue.record("refused")
            return
        }
        #expect(options.subprotocol == "causeway.quotes.v1")
    }

    @Test func aClientLogsInSubscribesAndIsPushedTo() async throws {  // B-3, B-7, F-1
        let server = server()
        let run = Task { await server.run() }
        defer { run.cancel() }
        var schedule = schedule
        server.handle(schedule.next(until: hongKong(10, 0)))
        guard case .accept(_, let attach) = server.accept(request("causeway.quotes.v1")) else { return }
        let socket = TestSocket()
        let receive = attach(socket.port)
        receive(message(try envelope(.login, 1, login(symbols: board.facts.instruments.version))))
        await socket.wait { socket.types() == [.loginReply] }
        receive(message(try envelope(.subscribe, 2, subscription([(tencent, .snapshot, 0), (tencent, .book, 1), (tencent, .bar1M, 0)]))))
        await socket.wait { socket.types().count == 5 }
        #expect(socket.types() == [.loginReply, .subscriptionReply, .snapshotPush, .bookPush, .barPush])
        server.handle(schedule.next(until: hongKong(10, 2)))
        let types = Set(socket.types())
        #expect(types.isSuperset(of: [.quotePush, .bookPush, .barPush]) && !types.contains(.tickPush))
        let pushes = socket.sent.withLock { $0.filter { $0.type != .loginReply && $0.type != .subscriptionReply }.map(\.sequence) }
        #expect(pushes == Array(1...UInt64(pushes.count)))
        // A slow reader gets the newest whole once it has read.
        let before = socket.types().count
        socket.queued.withLock { $0 = 1 << 20 }
        server.handle(schedule.next(until: hongKong(10, 4)))
        #expect(socket.types().count == before)
        socket.queued.withLock { $0 = 0 }
        server.sweep()
        #expect(Set(socket.types().suffix(3)) == [.snapshotPush, .bookPush, .barPush] && socket.types().count == before + 3)
        // The minutes that ended meanwhile are not lost with the newest (B-7).
        let bars = try #require(socket.sent.withLock { $0.last { $0.type == .barPush } })
        let starts = try BarBatch(serializedBytes: bars.payload).bars.map(\.startNs)
        #expect([2, 3].allSatisfy { starts.contains(hongKong(10, $0).nanoseconds) } && starts.count <= 3)
        // Pace and seek are told.
        server.handle(
            FeedEvent(sequence: 1, time: hongKong(10, 4), body: .clock(.init(time: hongKong(10, 4), speedMicros: 1_000_000, epoch: 1))))
        // So is the first: who logged in before was told of a clock that stood.
        #expect(socket.types().last == .clockChanged)
        server.handle(
            FeedEvent(sequence: 2, time: hongKong(10, 5), body: .clock(.init(time: hongKong(10, 5), speedMicros: 1_000_000, epoch: 2))))
        #expect(socket.types().last == .clockChanged)
        // So is how the feed stands, and whoever logs in later hears it with the answer (B-8).
        var info = FeedInfo()
        (info.status, info.sinceNs) = (.ended, hongKong(10, 5).nanoseconds)
        server.handle(FeedEvent(sequence: 3, time: hongKong(10, 5), body: .feed(info)))
        #expect(socket.types().last == .feedChanged)
        #expect(try FeedInfo(serializedBytes: try #require(socket.sent.withLock { $0.last?.payload })) == info)
        guard case .accept(_, let another) = server.accept(request("causeway.quotes.v1")) else { return }
        let late = TestSocket()
        another(late.port)(message(try envelope(.login, 1, login(symbols: board.facts.instruments.version))))
        await late.wait { late.types() == [.loginReply] }
        #expect(try QuoteLoginReply(serializedBytes: try #require(late.sent.withLock { $0.first?.payload })).feed == info)
        receive(.closed(.init(code: 1000)))
        run.cancel()
        await run.value
    }

    @Test func whoSubscribesBeforeTheFirstQuoteIsToldItWhole() async throws {  // B-3, F-9
        let server = server()
        let run = Task { await server.run() }
        guard case .accept(_, let attach) = server.accept(request("causeway.quotes.v1")) else { return }
        let socket = TestSocket()
        let receive = attach(socket.port)
        receive(message(try envelope(.login, 1, login(symbols: board.facts.instruments.version))))
        await socket.wait { socket.types() == [.loginReply] }
        receive(message(try envelope(.subscribe, 2, subscription([(tencent, .snapshot, 0)]))))
        await socket.wait { socket.types().count == 2 }
        var schedule = schedule
        server.handle(schedule.next(until: hongKong(10, 0)))
        // A change makes no sense to a client that has nothing to change.
        #expect(socket.types().first { [.snapshotPush, .quotePush].contains($0) } == .snapshotPush)
        run.cancel()
        await run.value
    }

    @Test func aWrongCredentialIsClosed() async throws {
        let server = server()
        let run = Task { await server.run() }
        guard case .accept(_, let attach) = server.accept(request("causeway.quotes.v1")) else { return }
        let socket = TestSocket()
        let receive = attach(socket.port)
        var bad = login()
        bad.credential = "stolen"
        receive(message(try envelope(.login, 1, bad)))
        await socket.wait { socket.closed.withLock { $0 != nil } }
        #expect(socket.closed.withLock { $0?.code } == 4401)
        #expect(socket.types() == [.loginReply])
        run.cancel()
        await run.value
    }

    @Test func aDeviceThatIsSignedOutIsClosedAndNoOther() async throws {
        let server = server()
        let run = Task { await server.run() }
        guard case .accept(_, let attach) = server.accept(request("causeway.quotes.v1")) else { return }
        let sockets = [TestSocket(), TestSocket()]
        for socket in sockets { attach(socket.port)(message(try envelope(.login, 1, login(symbols: board.facts.instruments.version)))) }
        for socket in sockets { await socket.wait { socket.types() == [.loginReply] } }
        server.revoked(account: principal.accountID, device: "another")
        server.revoked(account: "another", device: principal.deviceID)
        #expect(sockets.allSatisfy { $0.closed.withLock { $0 == nil } })
        server.revoked(account: principal.accountID, device: principal.deviceID)
        for socket in sockets { #expect(socket.closed.withLock { $0 } == WebSocketClosure(code: 4401, reason: "revoked")) }
        run.cancel()
        await run.value
    }

    @Test func aSignInThatEndsWhileItIsJudgedLetsNobodyIn() async throws {
        let box = Mutex<QuoteServer?>(nil)
        let judged = Mutex(0)
        let reading = MarketClockReading(time: hongKong(10, 0), speedMicros: 1_000_000, epoch: 1)
        let clock = MonotonicClock(now: { .init(nanoseconds: 0) }, sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
        let server = QuoteServer(board: board, marketClock: .init(reading: { reading }), clock: clock) { _ in
            let count = judged.withLock { judged in
                judged += 1
                return judged
            }
            guard count == 1 else { return .failure(Failure(.authInvalid)) }
            box.withLock { $0 }?.revoked(account: principal.accountID, device: principal.deviceID)
            return .success(principal)
        }
        box.withLock { $0 = server }
        defer { box.withLock { $0 = nil } }
        let run = Task { await server.run() }
        guard case .accept(_, let attach) = server.accept(request("causeway.quotes.v1")) else { return }
        let socket = TestSocket()
        attach(socket.port)(message(try envelope(.login, 1, login())))
        await socket.wait { socket.closed.withLock { $0 != nil } }
        #expect(socket.closed.withLock { $0?.code } == 4401 && judged.withLock { $0 } == 2)
        #expect(socket.types() == [.loginReply])
        run.cancel()
        await run.value
    }
}
