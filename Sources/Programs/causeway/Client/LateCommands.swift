import Trade
import TradeSession

/// Commands of the board whose end may come after nobody waits for it any more (C-3): what is told late, and about what. Pure.
struct LateCommands {
    enum Kind: Hashable, Sendable { case order, cancel }

    private enum State {
        case awaited(Kind)
        /// The news came first; who waits has yet to be told.
        case known(OrderOutcome)
        /// Told as unknown: the news is still to come.
        case open(Kind)
    }

    private var commands: [CommandID: State] = [:]

    mutating func sent(_ id: CommandID, _ kind: Kind) { commands[id] = .awaited(kind) }

    /// What to tell the one who waited. An unknown one stays until `resolved`.
    mutating func ended(_ id: CommandID, _ outcome: OrderOutcome) -> OrderOutcome {
        switch (commands.removeValue(forKey: id), outcome) {
        case (.known(let known), .unknown): return known
        case (.awaited(let kind), .unknown):
            commands[id] = .open(kind)
            return .unknown
        case (_, _): return outcome
        }
    }

    /// What to tell the user now; nil where somebody still waits and is told, or the command is not of this board.
    mutating func resolved(_ id: CommandID, _ outcome: OrderOutcome) -> (kind: Kind, outcome: OrderOutcome)? {
        switch commands[id] {
        case .awaited:
            commands[id] = .known(outcome)
            return nil
        case .open(let kind):
            commands[id] = nil
            return (kind, outcome)
        case .known, nil: return nil
        }
    }
}
