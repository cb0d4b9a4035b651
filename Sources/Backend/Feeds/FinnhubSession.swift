package import Instruments
package import Streams

/// The way of the connection to Finnhub (F-7, K-4), as a value: while the US market trades the stream (open, ping, subscribe, receive), else
/// and beside it the last price by HTTP, at a pace the free plan allows. It is told what happened and what time it is, and says what to do.
package struct FinnhubSession: Sendable {
    package enum Event: Sendable {
        /// `deadline` was reached.
        case woke
        case opened(Connection)
        case refused(Connection, status: Int)
        case failed(Connection)
        case text(Connection, String)
        case binary(Connection)
        case pong(Connection)
        case closed(Connection, code: UInt16)
        case answered(symbol: String, Answer)
    }

    /// Numbers the dials; what comes from an earlier one is ignored.
    package typealias Connection = UInt64

    package enum Answer: Hashable, Sendable {
        case quote(FinnhubQuote)
        case unknownSymbol
        case unreadable
        /// Any other status than 200.
        case status(Int)
        case unreachable
    }

    package enum Effect: Sendable {
        case dial(Connection)
        case send(Connection, String)
        case ping(Connection)
        case close(Connection)
        case ask(symbol: String)
        case push([FeedEvent])
        case tell(News)
    }

    /// What whoever runs the server should know; each once, when it begins.
    package enum News: Hashable, Sendable {
        /// Prices come from the stream; `symbols` were asked for.
        case streaming(symbols: Int)
        /// Prices are asked for, because the market is closed.
        case asking
        case lost(Loss)
        /// The key is no good: nothing more is tried.
        case keyRefused
        /// Another program holds the one connection of this key: left to it for a while.
        case inUseElsewhere
        case tooManyRequests
        case objected(String)
        case unreadable(UInt64)
        case unknownSymbol(String)
        case notAllowed(symbol: String)
        case unreachable
        /// The calendar says nothing of this day: taken for closed.
        case calendarEnds
    }

    package enum Loss: Hashable, Sendable, CustomStringConvertible {
        case unreachable
        case refused(status: Int)
        case noPong
        case closed(code: UInt16)
        case garbage
        case slow

        package var description: String {
            switch self {
            case .unreachable: "unreachable"
            case .refused(let status): "refused with \(status)"
            case .noPong: "no pong"
            case .closed(let code): "closed with \(code)"
            case .garbage: "garbage"
            case .slow: "no answer to the dial"
            }
        }
    }

    enum Link: Hashable, Sendable {
        /// The market is closed.
        case idle
        case waiting(until: MonotonicInstant)
        case dialling(Connection, until: MonotonicInstant)
        case open(Connection, Line)
        /// The key was refused.
        case stopped
    }

    struct Line: Hashable, Sendable {
        var since: MonotonicInstant
        var pongBy: MonotonicInstant?
        var pingAt: MonotonicInstant
        var unreadable = 0
    }

    static let dialTime = Duration.seconds(12)
    static let pongTime = Duration.seconds(10)
    static let pingEvery = Duration.seconds(15)
    /// A line that stood so long is a good one.
    static let stable = Duration.seconds(60)
    static let longestWait = Duration.seconds(60)
    /// How long the connection is left to another program, and how long after an answer of too many requests.
    package static let yielding = Duration.seconds(300)
    static let throttled = Duration.seconds(60)
    /// Lines in a row that the service closes early before that is taken for another program with the same key.
    static let mostContests = 3
    static let mostUnreadable = 20
    static let mostObjections = 20
    /// The calendar is looked at so often: a machine that slept, or whose clock was set, is noticed.
    static let longestSleep = Duration.milliseconds(500)
    /// Symbols of one stream in the free plan.
    package static let mostSymbols = 50

    let facts: MarketFacts
    var prices: FinnhubPrices
    var link = Link.idle
    var polls: FinnhubPolls
    private var connection: Connection = 0
    private var failures = 0
    private var contests = 0
    private var isOpen = false
    private var hours: FinnhubPrices.Hours?
    private var toldHours = false
    private var toldCalendar = false
    private var objections = Set<String>()
    private var toldLoss: Loss?
    private var unreadable: UInt64 = 0
    private var toldUnreadable: UInt64 = 0

    /// At most `mostSymbols`.
    package init(_ instruments: [Instrument], facts: MarketFacts, now: MonotonicInstant) {
        self.facts = facts
        prices = FinnhubPrices(instruments, facts: facts)
        precondition(prices.names.count <= Self.mostSymbols, "\(prices.names.count) symbols on one stream")
        polls = FinnhubPolls(prices.names, now: now)
    }

    /// Whether prices come from the stream.
    package var isStreaming: Bool { if case .open = link { true } else { false } }

    /// One that is asked for, to try the key with.
    package var firstSymbol: String? { polls.wanted.first }

    package var isStopped: Bool { link == .stopped }

    /// When it wants to be woken.
    package func deadline(after now: MonotonicInstant) -> MonotonicInstant {
        var deadline = now.advanced(by: Self.longestSleep)
        switch link {
        case .idle, .stopped: break
        case .waiting(let until), .dialling(_, let until): deadline = min(deadline, until)
        case .open(_, let line): deadline = min(deadline, line.pongBy ?? line.pingAt)
        }
        if !isStopped, let next = polls.next { deadline = min(deadline, next) }
        return max(deadline, now)
    }

    /// `random`: any bits, for the spread of waits.
    package mutating func handle(
        _ event: Event, now: MonotonicInstant, wall: MarketInstant, random: UInt64
    ) -> [Effect] {
        var turn = Turn(now: now, wall: wall, random: random)
        if link != .stopped {
            look(&turn)
            take(event, &turn)
            pass(&turn)
        }
        return turn.effects
    }

    /// One call: its times and what it makes happen.
    struct Turn {
        let now: MonotonicInstant
        let wall: MarketInstant
        let random: UInt64
        var effects: [Effect] = []

        mutating func add(_ effect: Effect) { effects.append(effect) }
        mutating func tell(_ news: News) { effects.append(.tell(news)) }
    }

    // MARK: Market hours

    /// Goes with the calendar: stream or HTTP.
    private mutating func look(_ turn: inout Turn) {
        if isOpen, let hours, hours.open <= turn.wall, turn.wall < hours.close { return }
        let wasOpen = isOpen
        do throws(CalendarFault) {
            let day = try facts.calendar.tradingDay(.unitedStates, at: turn.wall)
            let session = try facts.calendar.sessionAxis(.unitedStates, of: day).first { $0.contains(turn.wall) }
            isOpen = session != nil
            if let session { hours = .init(day: day, open: session.start, close: session.end) }
        } catch {
            isOpen = false
            if !toldCalendar { turn.tell(.calendarEnds) }
            toldCalendar = true
        }
        guard isOpen != wasOpen || !toldHours else { return }
        toldHours = true
        polls.restart(at: turn.now)
        if isOpen {
            dial(&turn)
        } else {
            hangUp(&turn)
            (link, failures, contests) = (.idle, 0, 0)
            turn.tell(.asking)
        }
    }

    private func hangUp(_ turn: inout Turn) {
        switch link {
        case .dialling(let id, _), .open(let id, _): turn.add(.close(id))
        case .idle, .waiting, .stopped: break
        }
    }

    // MARK: News from outside

    private mutating func take(_ event: Event, _ turn: inout Turn) {
        switch (event, link) {
        case (.woke, _): break
        case (.answered(let symbol, let answer), _): answered(symbol, answer, &turn)
        case (.opened(let id), .dialling(let own, _)) where id == own: opened(id, &turn)
        case (.refused(let id, let status), .dialling(let own, _)) where id == own: refused(status, &turn)
        case (.failed(let id), .dialling(let own, _)) where id == own: lose(.unreachable, &turn)
        case (.closed(let id, let code), .dialling(let own, _)) where id == own: lose(.closed(code: code), &turn)
        case (.text(let id, let text), .open(let own, let line)) where id == own: received(text, id, line, &turn)
        case (.binary(let id), .open(let own, let line)) where id == own: garbage(id, line, &turn)
        case (.closed(let id, let code), .open(let own, let line)) where id == own: closed(code, line, &turn)
        case (.pong(let id), .open(let own, var line)) where id == own:
            line.pongBy = nil
            link = .open(id, line)
        // Of a line that was given up, or in another order than the port promises.
        case (.opened, _), (.refused, _), (.failed, _), (.text, _), (.binary, _), (.pong, _), (.closed, _): break
        }
    }

    private mutating func opened(_ id: Connection, _ turn: inout Turn) {
        let symbols = polls.wanted
        link = .open(
            id,
            Line(since: turn.now, pongBy: turn.now.advanced(by: Self.pongTime), pingAt: turn.now.advanced(by: Self.pingEvery)))
        turn.add(.ping(id))
        for symbol in symbols { turn.add(.send(id, FinnhubCommand.subscribe(symbol))) }
        polls.setStreaming(true)
        toldLoss = nil
        turn.tell(.streaming(symbols: symbols.count))
    }

    private mutating func refused(_ status: Int, _ turn: inout Turn) {
        switch status {
        case 401, 403: stop(&turn)
        case 429:
            turn.tell(.tooManyRequests)
            wait(Self.throttled, &turn)
        default: lose(.refused(status: status), &turn)
        }
    }

    private mutating func received(_ text: String, _ id: Connection, _ line: Line, _ turn: inout Turn) {
        let message: FinnhubMessage
        do throws(FinnhubFault) { message = try FinnhubMessage(parsing: text) } catch { return garbage(id, line, &turn) }
        var line = line
        line.unreadable = 0
        link = .open(id, line)
        switch message {
        case .ping, .other: break
        case .error(let words): objected(words, id, &turn)
        case .trades(let trades, let bad):
            if bad > 0 { countUnreadable(bad, &turn) }
            guard let hours else { break }
            let events = prices.trades(trades, hours, now: turn.wall)
            if !events.isEmpty { turn.add(.push(events)) }
        }
    }

    private mutating func objected(_ words: String, _ id: Connection, _ turn: inout Turn) {
        // The same words again are no news, and no service has so many.
        if objections.count < Self.mostObjections, objections.insert(words).inserted { turn.tell(.objected(words)) }
        let lower = words.lowercased()
        if ["api key", "apikey", "token", "unauthori", "permission to access the stream"].contains(where: lower.contains) {
            turn.add(.close(id))
            stop(&turn)
        } else if lower.contains("connection") {
            turn.add(.close(id))
            yield(&turn)
        }
    }

    private mutating func garbage(_ id: Connection, _ line: Line, _ turn: inout Turn) {
        countUnreadable(1, &turn)
        var line = line
        line.unreadable += 1
        link = .open(id, line)
        guard line.unreadable >= Self.mostUnreadable else { return }
        turn.add(.close(id))
        lose(.garbage, since: line.since, &turn)
    }

    /// Told at one, two, four, …
    private mutating func countUnreadable(_ count: Int, _ turn: inout Turn) {
        unreadable += UInt64(count)
        guard unreadable >= 2 * toldUnreadable else { return }
        toldUnreadable = unreadable
        turn.tell(.unreadable(unreadable))
    }

    private mutating func closed(_ code: UInt16, _ line: Line, _ turn: inout Turn) {
        let stood = line.since.duration(to: turn.now)
        contests = stood < Self.stable ? contests + 1 : 0
        // A service that goes down or breaks says so, or says nothing, and what is too large or cannot be read is closed by our own side; a
        // policy, a plain end and codes of the service's own are meant for us.
        let isMeant = code == 1000 || code == 1008 || code >= 3000
        if isMeant || contests >= Self.mostContests { return yield(&turn) }
        lose(.closed(code: code), since: line.since, &turn)
    }

    // MARK: Between lines

    private mutating func dial(_ turn: inout Turn) {
        connection += 1
        link = .dialling(connection, until: turn.now.advanced(by: Self.dialTime))
        turn.add(.dial(connection))
    }

    /// `since`: of a line that stood.
    private mutating func lose(_ loss: Loss, since: MonotonicInstant? = nil, _ turn: inout Turn) {
        if let since, since.duration(to: turn.now) >= Self.stable { failures = 0 }
        if toldLoss != loss { turn.tell(.lost(loss)) }
        toldLoss = loss
        failures += 1
        wait(min(Self.longestWait, .seconds(1 << min(failures - 1, 6))), &turn)
    }

    /// The other program has the connection; taking it back would begin a fight that neither wins.
    private mutating func yield(_ turn: inout Turn) {
        contests = 0
        turn.tell(.inUseElsewhere)
        wait(Self.yielding, &turn)
    }

    /// At least that long and at most half as long again, so that many do not come back at one moment.
    private mutating func wait(_ duration: Duration, _ turn: inout Turn) {
        let spread = Int64(clamping: (UInt128(turn.random) * UInt128(duration.nanoseconds / 2)) >> 64)
        link = .waiting(until: turn.now.advanced(by: duration).advanced(by: .nanoseconds(spread)))
        polls.setStreaming(false)
        polls.hurry(at: turn.now)
    }

    private mutating func stop(_ turn: inout Turn) {
        link = .stopped
        turn.tell(.keyRefused)
    }

    /// What is due by time.
    private mutating func pass(_ turn: inout Turn) {
        switch link {
        case .idle, .stopped: break
        case .waiting(let until): if turn.now >= until { dial(&turn) }
        case .dialling(let id, let until):
            if turn.now >= until {
                turn.add(.close(id))
                lose(.slow, &turn)
            }
        case .open(let id, var line):
            if let by = line.pongBy {
                guard turn.now >= by else { break }
                turn.add(.close(id))
                lose(.noPong, since: line.since, &turn)
            } else if turn.now >= line.pingAt {
                line.pongBy = turn.now.advanced(by: Self.pongTime)
                line.pingAt = turn.now.advanced(by: Self.pingEvery)
                link = .open(id, line)
                turn.add(.ping(id))
            }
        }
        if !isStopped, let symbol = polls.due(at: turn.now) { turn.add(.ask(symbol: symbol)) }
    }

    // MARK: Answers

    private mutating func answered(_ symbol: String, _ answer: Answer, _ turn: inout Turn) {
        guard polls.answered(symbol, at: turn.now) else { return }
        switch answer {
        case .quote(let quote):
            let events = prices.quote(quote, of: symbol, now: turn.wall)
            if !events.isEmpty { turn.add(.push(events)) }
            polls.recover()
        case .unknownSymbol:
            turn.tell(.unknownSymbol(symbol))
            leaveOut(symbol, &turn)
        case .unreadable: countUnreadable(1, &turn)
        case .status(401):
            hangUp(&turn)
            stop(&turn)
        case .status(403):
            turn.tell(.notAllowed(symbol: symbol))
            leaveOut(symbol, &turn)
        case .status(429): if polls.pause(.throttled, until: turn.now.advanced(by: Self.throttled)) { turn.tell(.tooManyRequests) }
        case .status, .unreachable: if polls.pause(.unreachable, until: turn.now.advanced(by: .seconds(15))) { turn.tell(.unreachable) }
        }
    }

    private mutating func leaveOut(_ symbol: String, _ turn: inout Turn) {
        polls.leaveOut(symbol)
        if case .open(let id, _) = link { turn.add(.send(id, FinnhubCommand.unsubscribe(symbol))) }
    }
}
