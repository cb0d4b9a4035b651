import Streams

/// Notices what a feed does wrong over time and says it once, not with every event: quarantined events, missing numbers, silence.
struct FeedWatch: Sendable {
    /// A live feed that says nothing for so long while some market trades has stopped.
    static let patience = Duration.seconds(60)

    struct News: Hashable, Sendable {
        var event: String
        var counts: [Count]
        var fields: [(name: String, value: String)] { counts.map { (name: $0.name, value: "\($0.count)") } }
    }

    struct Count: Hashable, Sendable {
        var name: String
        var count: UInt64
    }

    private let isLive: Bool
    private(set) var heardAt: MonotonicInstant?
    /// A live feed that has stopped for now.
    private(set) var isSilent = false
    /// Told again when the count has doubled.
    private var toldQuarantine = 0
    private var toldMissing: UInt64 = 0

    init(isLive: Bool) { self.isLive = isLive }

    /// `heard`: the source said something since the last look.
    mutating func look(_ filter: FeedFilter, heard: Bool, isOpen: () -> Bool, at now: MonotonicInstant) -> [News] {
        var news: [News] = []
        let total = filter.quarantine.total
        if total > 0, total >= 2 * toldQuarantine {
            toldQuarantine = total
            news.append(News(event: "feeds.quarantined", counts: filter.quarantine.sorted))
        }
        if filter.missing > 0, filter.missing / 2 >= toldMissing {
            toldMissing = filter.missing
            news.append(News(event: "feeds.missing", counts: [Count(name: "events", count: filter.missing)]))
        }
        if isLive { listen(heard, isOpen, now, &news) }
        return news
    }

    private mutating func listen(_ heard: Bool, _ isOpen: () -> Bool, _ now: MonotonicInstant, _ news: inout [News]) {
        guard !heard, let since = heardAt else {
            heardAt = now
            if isSilent { news.append(News(event: "feeds.resumed", counts: [])) }
            isSilent = false
            return
        }
        let silence = since.duration(to: now)
        guard !isSilent, silence >= Self.patience else { return }
        // A market that is closed is silent by right; patience begins when it opens.
        guard isOpen() else {
            heardAt = now
            return
        }
        isSilent = true
        news.append(News(event: "feeds.silent", counts: [Count(name: "seconds", count: UInt64(silence.components.seconds))]))
    }
}

extension Quarantine {
    var sorted: [FeedWatch.Count] {
        counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { FeedWatch.Count(name: $0.key.rawValue, count: UInt64($0.value)) }
    }
}
