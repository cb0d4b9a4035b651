public import Streams
public import Texts

/// What a status line says of one connection or counter (B-8).
public enum LinkState: Hashable, Sendable {
    case connected, connecting, degraded, offline
    /// How long it has been away.
    case reconnecting(Duration)

    public var text: Text {
        switch self {
        case .connected: .connectionConnected
        case .connecting: .connectionConnecting
        case .degraded: .connectionDegraded
        case .offline: .connectionOffline
        case .reconnecting: .connectionReconnecting
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
