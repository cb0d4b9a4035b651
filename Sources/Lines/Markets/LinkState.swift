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
