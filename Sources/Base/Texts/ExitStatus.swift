/// How a command ends.
public enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case notSignedIn = 3
    /// The server understood and said no; nothing was done.
    case refused = 4
    /// It is not known whether the order was executed, or whether a command that changes something was.
    case unknownOutcome = 5
    case noConnection = 6
    /// Ended by Ctrl C, as shells count it (128 and the signal's number).
    case interrupted = 130

    /// The status for a command that ends with this code. A broken link leaves nothing unknown where the command only asked;
    /// `mayHaveActed`: it does more.
    public init(_ code: ErrorCode, mayHaveActed: Bool = false) {
        switch code.rawValue {
        case "order.unknown": self = .unknownOutcome
        case "connection.lost", "connection.timed-out": self = mayHaveActed ? .unknownOutcome : .noConnection
        case "auth.invalid", "auth.expired", "auth.refresh-invalid", "auth.refresh-reused", "auth.signed-out",
            "auth.signed-out-elsewhere", "auth.damaged", "trade.not-logged-in", "trade.session-invalid", "trade.kicked":
            self = .notSignedIn
        case "connection.not-connected", "connection.untrusted", "connection.certificate-unknown", "connection.certificate-changed",
            "connection.certificate-other", "connection.certificate-dates", "server.unavailable", "trade.not-ready":
            self = .noConnection
        case "process.interrupted": self = .interrupted
        case "auth.password-short", "auth.name-invalid": self = .refused
        case "auth.wrong-password", "auth.frozen", "auth.name-taken", "auth.scope", "rate.limited", "server.full", "connection.insecure",
            "update.needed":
            self = .refused
        default:
            switch code.rawValue.prefix(while: { $0 != "." }) {
            case "usage", "number": self = .usage
            case "order", "trade", "funds", "market", "symbol": self = .refused
            default: self = .failed
            }
        }
    }
}
