import Synchronization

/// Whether the server can take orders and serve quotes now, and if not, why (O-3). Liveness is another question: a server that is not ready
/// must not be killed for it.
final class Readiness: Sendable {
    /// Why not, in the order in which they are told.
    enum Fault: String, CaseIterable, Sendable {
        /// SIGTERM came.
        case draining
        /// What happened before the market time of the start is not known yet.
        case starting
        /// The last command could not be written into the journal.
        case journal
        /// The data folder cannot be written.
        case store
        /// No more prices come.
        case feed
    }

    private let faults = Mutex<Set<Fault>>([])
    /// Whether the data folder can be written now.
    private let probe: @Sendable () -> Bool

    init(probe: @escaping @Sendable () -> Bool) { self.probe = probe }

    func set(_ fault: Fault, _ holds: Bool) {
        faults.withLock { faults in
            if holds { faults.insert(fault) } else { faults.remove(fault) }
        }
    }

    /// Whether connections are let in: while the past of the start is not known there is nothing to say, and orders would meet no market.
    var takesConnections: Bool { faults.withLock { $0.isDisjoint(with: [.draining, .starting]) } }

    var isDraining: Bool { faults.withLock { $0.contains(.draining) } }

    /// Empty: ready. Tries the data folder.
    func current() -> [Fault] {
        set(.store, !probe())
        let found = faults.withLock { $0 }
        return Fault.allCases.filter { found.contains($0) }
    }
}
