import Streams

/// When which symbol's last price is asked for: one after the other, never two at once, never faster than the free plan's sixty a minute.
struct FinnhubPolls: Sendable {
    enum Trouble: Hashable, Sendable { case throttled, unreachable }

    static let spacing = Duration.milliseconds(1_200)
    /// From the beginning of one round to that of the next.
    static let round = Duration.seconds(60)
    /// The same while the market trades and there is no stream.
    static let hurriedRound = Duration.seconds(15)
    /// An answer that did not come for so long will not.
    static let patience = Duration.seconds(30)

    /// Those that are asked for.
    private(set) var wanted: [String]
    private var place = 0
    private var roundAt: MonotonicInstant
    private var roundBegan: MonotonicInstant
    private var askedAt: MonotonicInstant?
    private var waiting: (symbol: String, until: MonotonicInstant)?
    private var pausedUntil: MonotonicInstant?
    private var trouble: Trouble?
    private var length = Self.round

    init(_ symbols: [String], now: MonotonicInstant) {
        wanted = symbols
        (roundAt, roundBegan) = (now, now)
    }

    /// When the next question may be due; nil: nothing is asked for.
    var next: MonotonicInstant? {
        guard !wanted.isEmpty else { return nil }
        if let waiting { return waiting.until }
        var next = roundAt
        if let askedAt { next = max(next, askedAt.advanced(by: Self.spacing)) }
        if let pausedUntil { next = max(next, pausedUntil) }
        return next
    }

    /// Begins a round at once, whatever the last one had left.
    mutating func restart(at now: MonotonicInstant) {
        (place, roundAt, length) = (0, now, Self.round)
    }

    mutating func setStreaming(_ isStreaming: Bool) { length = isStreaming ? Self.round : Self.hurriedRound }

    /// The stream is gone: not later than in a short round.
    mutating func hurry(at now: MonotonicInstant) {
        roundAt = min(roundAt, now)
    }

    /// The symbol to ask for now.
    mutating func due(at now: MonotonicInstant) -> String? {
        if let waiting, now >= waiting.until { self.waiting = nil }
        guard waiting == nil, let next, now >= next else { return nil }
        let symbol = wanted[place]
        place += 1
        if place == 1 { roundBegan = now }
        if place >= wanted.count {
            place = 0
            roundAt = max(now, roundBegan.advanced(by: length))
        }
        askedAt = now
        waiting = (symbol, now.advanced(by: Self.patience))
        return symbol
    }

    /// False: nobody waits for it any more.
    mutating func answered(_ symbol: String, at now: MonotonicInstant) -> Bool {
        guard waiting?.symbol == symbol else { return false }
        waiting = nil
        return true
    }

    /// Asks nothing until then; true: that is news.
    mutating func pause(_ trouble: Trouble, until: MonotonicInstant) -> Bool {
        pausedUntil = until
        defer { self.trouble = trouble }
        return self.trouble != trouble
    }

    mutating func recover() {
        trouble = nil
        pausedUntil = nil
    }

    mutating func leaveOut(_ symbol: String) {
        guard let index = wanted.firstIndex(of: symbol) else { return }
        wanted.remove(at: index)
        if index < place { place -= 1 }
        if place >= wanted.count { place = 0 }
    }
}
