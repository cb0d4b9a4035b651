import Diagnostics
import Exact
import Instruments
import Messages
import Streams
import Texts
import Transport
import WireCodec

// What goes over the wire: envelopes out, envelopes in, told to the link and handed out.
extension QuoteConnection {
    func send(_ type: QuoteMessageType, _ message: some Message) -> UInt64? {
        sequence += 1
        var envelope = QuoteEnvelope()
        envelope.type = type
        envelope.sequence = sequence
        envelope.version = 1
        guard let payload = try? message.serializedBytes() else { return nil }
        envelope.payload = payload
        guard let socket, let bytes = try? envelope.serializedBytes(), socket.send(.binary(bytes)) else { return nil }
        return sequence
    }

    func ask(_ type: QuoteMessageType, _ message: some Message & Sendable) async throws(Failure) -> [UInt8] {
        guard link.state == .ready else {
            handle(.connection(.nudge))
            throw Failure(.connectionNotConnected)
        }
        guard let number = send(type, message) else { throw Failure(.connectionLost) }
        let deadline = clock.now().advanced(by: configuration.queryTimeout)
        let clock = clock
        let alarm = Task { [weak self] in
            do { try await clock.sleep(deadline) } catch { return }
            await self?.answer(number, .failure(Failure(.connectionTimedOut)))
        }
        let result = await withCheckedContinuation { queries[number] = $0 }
        alarm.cancel()
        return try result.get()
    }

    private func answer(_ number: UInt64, _ result: Result<[UInt8], Failure>) {
        queries.removeValue(forKey: number)?.resume(returning: result)
    }

    func take(_ dial: Int, _ event: WebSocketEvent) {
        switch event {
        case .opened: handle(.connection(.opened(dial: dial, silence: nil)))
        case .failed(let failure): handle(.connection(.failed(dial: dial, failure.kind)))
        case .closed(let closure): handle(.connection(.lost(dial: dial, code: closure.code)))
        case .pong: break
        case .message(let message): if dial == link.dial { received(dial, message) }
        }
    }

    private func received(_ dial: Int, _ message: WebSocketMessage) {
        guard case .binary(let bytes) = message, let envelope = try? QuoteEnvelope(serializedBytes: bytes),
            (try? deliver(dial, envelope)) != nil
        else {
            log.write(.warning, "quotes.undecodable", [])
            return handle(.connection(.dead(dial: dial)))
        }
    }

    private func deliver(_ dial: Int, _ envelope: QuoteEnvelope) throws {
        let payload = envelope.payload
        switch envelope.type {
        case .loginReply: loggedIn(dial, try QuoteLoginReply(serializedBytes: payload))
        case .heartbeatReply:
            handle(.beatAnswered(dial: dial))
            if let now = marketTime(), !agrees(now) { disagree(dial, Failure(.nodeTime)) }
        case .clockChanged:
            setClock(try MarketClockInfo(serializedBytes: payload))
            if let now = marketTime(), !agrees(now) { disagree(dial, Failure(.nodeTime)) }
        case .feedChanged: setFeed(try FeedInfo(serializedBytes: payload))
        case .errorReply:
            let error = try ErrorInfo(serializedBytes: payload)
            answer(envelope.sequence, .failure(Failure(error)))
        case .snapshotReply, .bookReply, .ticksReply, .barsReply, .rankingReply, .brokersReply: answer(envelope.sequence, .success(payload))
        case .subscriptionReply:
            for failure in try SubscriptionReply(serializedBytes: payload).failures {
                log.write(.warning, "quotes.topic-refused", [("code", failure.error.code)])
            }
        case .snapshotPush: for quote in try QuoteBatch(serializedBytes: payload).quotes { deliver(dial, quote, isWhole: true) }
        case .quotePush: for quote in try QuoteBatch(serializedBytes: payload).quotes { deliver(dial, quote, isWhole: false) }
        case .bookPush:
            for book in try BookBatch(serializedBytes: payload).books {
                for topic in link.topics where topic.kind == .book && topic.instrument.rawValue == book.instrument {
                    hand(.book(book), topic, dial, isWhole: true)
                }
            }
        case .tickPush:
            let ticks = try TickBatch(serializedBytes: payload).ticks
            for (id, group) in Dictionary(grouping: ticks, by: \.instrument) {
                hand(.ticks(group), .ticks(InstrumentID(id)), dial, isWhole: true)
            }
        case .barPush:
            for bar in try BarBatch(serializedBytes: payload).bars {
                let topic = QuoteTopic.minuteBar(InstrumentID(bar.instrument))
                hand(.bar(bar), topic, dial, isWhole: true, as: .bar(topic, start: bar.startNs))
            }
        case .instrumentRows: merge(dial, try InstrumentRows(serializedBytes: payload))
        // Ours to send, or of a newer server.
        case .unspecified, .login, .heartbeat, .subscribe, .unsubscribe, .snapshotQuery, .bookQuery, .ticksQuery, .barsQuery, .rankingQuery,
            .brokersQuery,
            .UNRECOGNIZED:
            break
        }
    }

    private func loggedIn(_ dial: Int, _ reply: QuoteLoginReply) {
        setClock(reply.clock)
        marketDate = TradingDay(yyyymmdd: reply.marketDate)
        if !reply.error.code.isEmpty { lastFailure = Failure(reply.error) }
        let answer: QuoteLink<QuoteTopic, UInt64>.LoginAnswer =
            switch reply.code {
            case .ok: .ok
            case .alreadyLoggedIn: .alreadyLoggedIn
            case .credentialInvalid, .credentialExpired: .credentialRefused
            case .updateNeeded: .updateNeeded
            case .unspecified, .UNRECOGNIZED: .refused
            }
        if answer == .ok, let now = marketTime(), !agrees(now) { return disagree(dial, Failure(.nodeTime)) }
        if answer == .ok {
            setFeed(reply.feed)
            unfed = Set(reply.unfed.map { InstrumentID($0) })
        }
        if answer == .ok { awaitsRows = reply.symbolsVersion != instruments.version }
        handle(.loginAnswered(dial: dial, answer))
    }

    private func setClock(_ info: MarketClockInfo) {
        let reading = MarketClockReading(
            time: MarketInstant(nanoseconds: info.timeNs), speedMicros: info.speedMicros, epoch: info.epoch)
        clockBase = (reading, clock.now())
        if case .leads(let reference)? = configuration.share { reference.set(reading, at: clock.now()) }
    }

    /// Whether this node's market time is the one of the node that leads.
    private func agrees(_ reading: MarketClockReading) -> Bool {
        guard case .follows(let reference)? = configuration.share else { return true }
        return reference.agrees(with: reading, at: clock.now())
    }

    /// Nothing of a node that disagrees is shown; it is dialled again, for it may agree then.
    private func disagree(_ dial: Int, _ failure: Failure) {
        lastFailure = failure
        log.write(.warning, "quotes.node-disagrees", [("code", failure.code.rawValue)])
        handle(.connection(.dead(dial: dial)))
    }

    private func merge(_ dial: Int, _ rows: InstrumentRows) {
        var sent: [Instrument] = []
        for row in rows.rows {
            do {
                sent.append(try Instrument(row))
            } catch {
                log.write(.warning, "quotes.row-refused", [("id", "\(error.id)"), ("field", error.field)])
            }
        }
        if case .follows? = configuration.share {
            let leading = configuration.instruments
            if let other = sent.first(where: { row in leading[row.id].map { $0.symbol != row.symbol } ?? false }) {
                return disagree(dial, Failure(.nodeTable, .init("symbol", other.symbol)))
            }
        }
        instruments.merge(sent)
        rowsCome += rows.rows.count
        // A table of which a part was lost with the connection keeps its old version, and is sent again.
        guard rowsCome >= Int(rows.total) else { return }
        instruments = InstrumentTable(version: rows.symbolsVersion, instruments: instruments.all)
        (awaitsRows, rowsCome) = (false, 0)
        wakeWaiters()
    }

    private func deliver(_ dial: Int, _ update: Quote, isWhole: Bool) {
        let id = InstrumentID(update.instrument)
        let topic = QuoteTopic.snapshot(id)
        guard link.accepts(dial: dial, topic, isWhole: isWhole) else { return }
        var quote = isWhole ? update : quotes[id] ?? update
        if !isWhole { quote.merge(update) }
        quotes[id] = quote
        for consumer in link.consumers(of: topic) { consumers[consumer]?.send(.quote(quote), for: .topic(topic)) }
    }

    private func hand(_ update: MarketDataUpdate, _ topic: QuoteTopic, _ dial: Int, isWhole: Bool, as key: MarketDataKey? = nil) {
        guard link.accepts(dial: dial, topic, isWhole: isWhole) else { return }
        for consumer in link.consumers(of: topic) { consumers[consumer]?.send(update, for: key ?? .topic(topic)) }
    }

    func decoded<Reply: Message>(_ type: Reply.Type, _ bytes: [UInt8]) throws(Failure) -> Reply {
        do throws(WireError) { return try Reply(serializedBytes: bytes) } catch { throw Failure(.connectionLost) }
    }
}

extension WebSocketDialFailure {
    /// As far as the connection machine cares.
    var kind: ConnectionDialFailure {
        switch self {
        case .refused(401, _): .unauthorized
        case .refused(426, _), .badURL: .unsupported
        case .network, .timedOut, .refused, .untrusted: .network
        }
    }
}

extension Failure {
    init(_ info: ErrorInfo) {
        self.init(ErrorCode(info.code), arguments: info.arguments.map { Argument($0.name, $0.value) })
    }
}
