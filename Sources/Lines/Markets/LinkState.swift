internal import Instruments
public import Messages
public import Streams
public import Texts

/// What a status line says of one connection or counter (B-8).
public enum LinkState: Hashable, Sendable {
    case connected, connecting, offline
    /// Connected, but no prices come: the replay is over, or the feed behind the server has stopped.
    case degraded(FeedStatus)
    /// How long it has been away.
    case reconnecting(Duration)

    public var text: Text {
        switch self {
        case .connected: .connectionConnected
        case .connecting: .connectionConnecting
        case .degraded(.ended): .feedConditionShortEnded
        case .degraded(.stale): .feedConditionShortStale
        case .degraded(.stopped): .feedConditionShortStopped
        case .degraded: .connectionDegraded
        case .offline: .connectionOffline
        case .reconnecting: .connectionReconnecting
        }
    }

    /// A connection over which quotes come, by what the server says of its feed. A pause is no trouble: prices are of the market's moment.
    public static func quotes(_ feed: FeedInfo) -> LinkState {
        switch feed.status {
        case .ended, .stale, .stopped: .degraded(feed.status)
        case .running, .paused, .unspecified, .UNRECOGNIZED: .connected
        }
    }

    /// True where numbers on the page may be older than they look.
    public var isTroubled: Bool { self != .connected }
}

/// Remembers since when a connection has been away. Pure: the time comes in.
public struct LinkTimer: Hashable, Sendable {
    private var wasConnected = false
    private var lostAt: MonotonicInstant?

    public init() {}

    /// What a status line says, given what the connection says of itself at `now`: after the first connection, connecting again is
    /// reconnecting, for so long.
    public mutating func state(_ raw: LinkState, at now: MonotonicInstant) -> LinkState {
        switch raw {
        case .connected, .degraded:
            wasConnected = true
            lostAt = nil
            return raw
        case .offline:
            if wasConnected, lostAt == nil { lostAt = now }
            return raw
        case .connecting, .reconnecting:
            guard wasConnected else { return .connecting }
            let start = lostAt ?? now
            lostAt = start
            return .reconnecting(start.duration(to: now))
        }
    }
}

extension FeedInfo {
    /// What a line says of it; nil where prices come as they should.
    public var trouble: Text? {
        // Of no instrument: the time is that of no exchange's own.
        let time = TimeFormat.hongKong.minute(sinceNs) + " " + TimeFormat.hongKong.tag
        switch status {
        case .paused: return .feedConditionPaused(time: time)
        case .ended: return .feedConditionEnded(time: time)
        case .stale: return .feedConditionStale(time: time)
        case .stopped: return .feedConditionStopped(time: time)
        case .running, .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
