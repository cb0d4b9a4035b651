public import Instruments
public import Messages

/// What is known of one trading account, as of one account sequence: a pure reducer over answers and pushes (E-4, C-9). Events apply
/// in order n+1 only; anything older is ignored, a gap asks for what is missing and changes nothing.
public struct DataCentre: Sendable {
    public let tradingAccount: String
    /// Books as of this account sequence; nil before the first full load.
    public private(set) var sequence: UInt64?
    public private(set) var orders: [UInt64: Order] = [:]
    /// By fill id: a fill that comes twice counts once.
    public private(set) var fills: [UInt64: Fill] = [:]
    public private(set) var positions: [InstrumentID: Position] = [:]
    public private(set) var funds: [FundsLine] = []

    public init(tradingAccount: String) { self.tradingAccount = tradingAccount }

    public enum Effect: Hashable, Sendable {
        /// Ask for everything after that sequence; pushes until the answer are covered by it.
        case querySince(UInt64)
        /// Ask for orders, fills, positions and funds anew.
        case reload
        /// Something a page shows is different now.
        case changed
    }

    /// Answers of one full load. They may have been taken at different sequences; events up to the newest were not all seen, so the
    /// books count as of the *oldest* and catch up from there.
    public mutating func load(orders: OrderList, fills: FillList, positions: PositionList, funds: FundsReply) -> [Effect] {
        let sequences = [orders.sequence, fills.sequence, positions.sequence, funds.sequence]
        guard let oldest = sequences.min(), let newest = sequences.max() else { return [] }
        // A load that started before what is already applied would turn time back.
        if let sequence, oldest < sequence { return [.querySince(sequence)] }
        self.orders = Dictionary(orders.orders.map { ($0.orderID, $0) }) { _, last in last }
        self.fills = Dictionary(fills.fills.map { ($0.fillID, $0) }) { first, _ in first }
        self.positions = Dictionary(positions.positions.map { (InstrumentID($0.instrument), $0) }) { _, last in last }
        self.funds = funds.lines
        sequence = oldest
        return oldest == newest ? [.changed] : [.changed, .querySince(oldest)]
    }

    /// One push or one event of an answer to "since n".
    public mutating func apply(_ event: AccountEvent) -> [Effect] {
        guard let sequence else { return [.reload] }
        if event.sequence <= sequence { return [] }
        guard event.sequence == sequence + 1 else { return [.querySince(sequence)] }
        self.sequence = event.sequence
        take(event)
        return [.changed]
    }

    /// The answer to "since n". Incomplete (the gateway no longer has all of it): load anew.
    public mutating func apply(_ reply: SinceReply) -> [Effect] {
        guard let before = sequence, reply.complete else { return [.reload] }
        var changed = false
        for event in reply.events where event.sequence > (sequence ?? before) {
            guard event.sequence == (sequence ?? before) + 1 else { return [.reload] }
            sequence = event.sequence
            take(event)
            changed = true
        }
        if reply.sequence > (sequence ?? before) { return [.reload] }
        return changed ? [.changed] : []
    }

    /// Sign-out, another account, a kick-out with lost books: nothing is known any more.
    public mutating func clear() { self = DataCentre(tradingAccount: tradingAccount) }

    /// Instruments that must be subscribed whatever page shows (E-3): open positions and working orders.
    public var instruments: Set<InstrumentID> {
        Set(positions.values.filter { $0.quantity != 0 }.map { InstrumentID($0.instrument) })
            .union(orders.values.filter(\.isWorking).map { InstrumentID($0.instrument) })
    }

    /// Newest first.
    public var orderList: [Order] { orders.values.sorted { $0.orderID > $1.orderID } }
    public var fillList: [Fill] { fills.values.sorted { $0.fillID > $1.fillID } }
    public var openPositions: [Position] { positions.values.filter { $0.quantity != 0 }.sorted { $0.instrument < $1.instrument } }

    private mutating func take(_ event: AccountEvent) {
        switch event.body {
        case .order(let order): orders[order.orderID] = order
        case .fill(let fill): fills[fill.fillID] = fill
        case .position(let position): positions[InstrumentID(position.instrument)] = position
        case .funds(let reply): funds = reply.lines
        case nil: break  // A kind of a newer gateway: the sequence counts, the rest is not ours to read (C-7).
        }
    }
}

extension Order {
    /// Still in the book: may fill, may be cancelled.
    public var isWorking: Bool { status == .working || status == .partiallyFilled }
}
