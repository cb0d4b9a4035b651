import Messages
import Streams

/// How a feed stands as a whole (B-8), and what of it was told. A value.
struct FeedCondition: Sendable {
    /// A live feed that will not come back by itself.
    var isStopped = false
    private(set) var told = {
        var info = FeedInfo()
        info.status = .running
        return info
    }()

    /// How it stands now, where that is another status than the one told last; counts as told.
    mutating func changed(
        _ source: any FeedSource, _ watch: FeedWatch, _ clock: ReplayClock, _ time: MarketInstant, at now: MonotonicInstant
    ) -> FeedInfo? {
        var info = FeedInfo()
        info.sinceNs = time.nanoseconds
        if source.pace == .live {
            info.status = isStopped ? .stopped : watch.isSilent ? .stale : .running
            // Since it was heard last; a live market's time runs as the monotonic clock does.
            if info.status == .stale, let heard = watch.heardAt { info.sinceNs -= heard.duration(to: now).nanoseconds }
        } else if time >= source.end, source.nextTime.map({ $0 > source.end }) ?? true {
            (info.status, info.sinceNs) = (.ended, source.end.nanoseconds)
        } else {
            info.status = clock.speed == .paused ? .paused : .running
        }
        guard info.status != told.status else { return nil }
        told = info
        return info
    }
}
