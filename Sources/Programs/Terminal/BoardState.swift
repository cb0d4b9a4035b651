import Exact
public import Instruments
public import Messages
import Portfolio
public import Streams
public import Texts
public import Trade

/// The terminal board: what the user looks at and what a key does. Pure; the terminal and the session are elsewhere.
public struct BoardState: Sendable {
    public enum Focus: Hashable, Sendable { case watchlist, orders }
    public enum Overlay: Hashable, Sendable { case help, explanation }

    public enum Notice: Hashable, Sendable {
        case text(Text)
        case failure(Failure)
        /// The end of an order that was unknown, told later (C-3).
        case late(OrderOutcome)
    }

    public enum Event: Sendable {
        case key(Key)
        case data(DeskData)
        case placed(OrderOutcome)
        case cancelled(OrderOutcome)
        case jumped(Result<MarketInstant, Failure>)
        case news(DeskNews)
        /// A choice holds now, but not at the next start.
        case unkept(Failure)
    }

    /// What was chosen with a key, to be the same at the next start (M-2).
    public enum Choice: Hashable, Sendable {
        case language(Language)
        case colours(Colours)
    }

    public enum Effect: Sendable {
        case keep(Choice)
        case place(DeskSession.Placement)
        case cancel(Order)
        case nextSession
        case quit
    }

    public private(set) var language: Language
    public private(set) var colours: Colours
    public private(set) var data: DeskData?
    public private(set) var focus = Focus.watchlist
    public private(set) var overlay: Overlay?
    /// Pages turned in the overlay.
    public private(set) var page = 0
    public private(set) var ticket: Ticket?
    /// The order whose cancelling is being asked about.
    public private(set) var asked: Order?
    public private(set) var notice: Notice?
    // By id, not by row: a list that grows does not move the choice to another order.
    private var chosenInstrument: InstrumentID?
    private var chosenOrder: UInt64?
    private var isJumping = false

    /// A key without meaning is explained once.
    private var hasExplainedKeys = false

    /// `notice`: what the first screen tells.
    public init(language: Language, colours: Colours = .greenUp, notice: Text? = nil) {
        self.language = language
        self.colours = colours
        self.notice = notice.map { .text($0) }
    }

    public var instrumentIndex: Int {
        data?.instruments.firstIndex { $0.id == chosenInstrument } ?? 0
    }

    /// The chosen order; where none is, the newest one that still works.
    public var orderIndex: Int {
        data?.orders.firstIndex { $0.orderID == chosenOrder } ?? data?.orders.firstIndex { $0.isWorking } ?? 0
    }

    /// The row of the order that is asked about, walked over, or chosen and still working: the one `c` is about. Nil: none is marked.
    public var markedOrder: Int? {
        guard let orders = data?.orders, !orders.isEmpty else { return nil }
        if let asked { return orders.firstIndex { $0.orderID == asked.orderID } }
        if focus == .orders { return orderIndex }
        return orders.firstIndex { $0.orderID == chosenOrder && $0.isWorking }
    }

    public var instrument: Instrument? {
        guard let data, data.instruments.indices.contains(instrumentIndex) else { return nil }
        return data.instruments[instrumentIndex]
    }

    public mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .data(let data):
            self.data = data
            if focus == .orders { holdOrder() }
            return []
        case .placed(let outcome):
            settle(outcome)
            return []
        case .cancelled(let outcome):
            switch outcome {
            case .accepted: notice = .text(.orderCancelled)
            case .refused(let failure): notice = .failure(failure)
            case .notConnected: notice = .failure(Failure(.connectionNotConnected))
            case .unknown: notice = .text(.orderUnknown)
            }
            return []
        case .jumped(let result):
            isJumping = false
            switch result {
            case .success(let instant):
                let clock = instrument.map { Display.clock(of: $0) } ?? .utc
                notice = .text(.boardJumped(time: clock.minute(instant.nanoseconds) + " " + clock.tag))
            case .failure(let failure): notice = .failure(failure)
            }
            return []
        case .news(let news):
            take(news)
            return []
        case .unkept(let failure):
            notice = .failure(failure)
            return []
        case .key(.interrupt): return [.quit]
        case .key(let key):
            if overlay != nil { return closeOverlay(key) }
            if let order = asked { return answer(key, about: order) }
            if ticket != nil { return edit(key) }
            return command(key)
        }
    }

    private mutating func settle(_ outcome: OrderOutcome) {
        _ = ticket?.handle(.outcome(outcome))
        switch outcome {
        case .accepted:
            notice = .text(.orderSent)
            ticket = nil
        case .refused(let failure): notice = .failure(failure)
        case .notConnected: notice = .text(.orderNotConnected)
        case .unknown: notice = .text(.orderUnknown)
        }
    }

    private mutating func take(_ news: DeskNews) {
        switch news {
        case .orderResolved(let outcome):
            notice = .late(outcome)
            // The ticket that waited for this is free again, or done with.
            guard ticket?.stage == .unknown else { return }
            _ = ticket?.handle(.outcome(outcome))
            if case .accepted = outcome { ticket = nil }
        case .cancelResolved(let outcome): _ = handle(.cancelled(outcome))
        case .sessionEnded(let counter): notice = .text(.boardSessionEnded(counter: counter))
        case .loggedInElsewhere(let counter, let platform?):
            notice = .text(.boardMovedDevice(counter: counter, device: platform))
        case .loggedInElsewhere(let counter, nil): notice = .text(.boardMoved(counter: counter))
        case .kicked: notice = .text(.boardKicked)
        }
    }

    private mutating func changeLanguage() -> [Effect] {
        language = language.next
        return [.keep(.language(language))]
    }

    private mutating func changeColours() -> [Effect] {
        colours = colours.next
        return [.keep(.colours(colours))]
    }

    private mutating func closeOverlay(_ key: Key) -> [Effect] {
        switch key {
        case .character("L"): return changeLanguage()
        case .character("C"): return changeColours()
        case .character(" "): page = page < 1000 ? page + 1 : 0
        default:
            overlay = nil
            page = 0
        }
        return []
    }

    private mutating func answer(_ key: Key, about order: Order) -> [Effect] {
        switch key {
        case .character("y"), .character("Y"):
            asked = nil
            notice = .text(.orderCancelSent)
            return [.cancel(order)]
        case .character("n"), .character("N"), .escape:
            asked = nil
            return []
        default: return []
        }
    }

    private mutating func edit(_ key: Key) -> [Effect] {
        guard var ticket, let instrument = data?.table[ticket.instrument.id] ?? self.instrument else { return [] }
        let event: Ticket.Event?
        switch (ticket.stage, key) {
        case (.confirming, .character("y")), (.confirming, .character("Y")): event = .confirm
        case (.confirming, .character("n")), (.confirming, .character("N")), (.confirming, .escape): event = .back
        case (.sending, _):
            return []  // Nothing is sent twice, and the outcome is waited for.
        case (.unknown, _):
            // The session could not find out. The notice says so; the user looks at the orders before doing more.
            if key == .escape { self.ticket = nil }
            return []
        case (_, .escape):
            self.ticket = nil
            notice = nil
            return []
        case (_, .enter): event = .review
        case (_, .character("m")): event = .setType(.market)
        case (_, .character("l")): event = .setType(.limit)
        case (_, .character("+")), (_, .character("=")), (_, .right): event = .stepQuantity(1)
        case (_, .character("-")), (_, .left): event = .stepQuantity(-1)
        case (_, .up), (_, .character("]")): event = .stepPrice(1)
        case (_, .down), (_, .character("[")): event = .stepPrice(-1)
        default: event = nil
        }
        guard let event else { return [] }
        let effects = ticket.handle(event)
        if case .refused(let failure) = ticket.stage { notice = .failure(failure) } else { notice = nil }
        self.ticket = ticket
        return effects.map { effect in
            switch effect {
            case .place(let side, let type, let quantity, let limit):
                .place(.init(instrument: instrument.id, side: side, type: type, quantity: quantity, limit: limit))
            }
        }
    }

    private mutating func command(_ key: Key) -> [Effect] {
        notice = nil
        switch key {
        case .character("q"): return [.quit]
        case .character("?"): overlay = .help
        case .character("e"): overlay = .explanation
        case .character("L"): return changeLanguage()
        case .character("C"): return changeColours()
        case .tab:
            focus = focus == .watchlist ? .orders : .watchlist
            if focus == .orders { holdOrder() }
        case .character("j"), .down: move(1)
        case .character("k"), .up: move(-1)
        case .character("b"): open(.buy)
        case .character("s"): open(.sell)
        case .character("c"): askCancel()
        case .character(">"):
            guard !isJumping else { return [] }
            isJumping = true
            return [.nextSession]
        case .escape: break
        default:
            if !hasExplainedKeys { notice = .text(.boardNoKey) }
            hasExplainedKeys = true
        }
        return []
    }

    /// What is marked stays so: a newer order does not take the mark between the look and the key.
    private mutating func holdOrder() {
        guard let orders = data?.orders, !orders.isEmpty, !orders.contains(where: { $0.orderID == chosenOrder }) else { return }
        chosenOrder = orders[orderIndex].orderID
    }

    private mutating func move(_ step: Int) {
        guard let data else { return }
        switch focus {
        case .watchlist:
            guard !data.instruments.isEmpty else { return }
            chosenInstrument = data.instruments[min(max(instrumentIndex + step, 0), data.instruments.count - 1)].id
        case .orders:
            guard !data.orders.isEmpty else { return }
            chosenOrder = data.orders[min(max(orderIndex + step, 0), data.orders.count - 1)].orderID
        }
    }

    private mutating func open(_ side: OrderSide) {
        guard let data, let instrument else { return }
        guard instrument.isTradable else {
            notice = .failure(Failure(.orderNotTradable, .init("symbol", instrument.symbol)))
            return
        }
        let quote = data.quotes[instrument.id]
        // The price that would be met at once, else the last one.
        let touch: Int64? =
            switch side {
            case .buy: quote.flatMap { $0.hasAsk ? $0.ask : nil }
            default: quote.flatMap { $0.hasBid ? $0.bid : nil }
            }
        let nanos = touch ?? quote.flatMap { $0.hasLast ? $0.last : nil }
        ticket = Ticket(side, instrument, price: nanos.map { Price(nanos: $0) }, ticks: data.ticks, day: data.tradingDay)
    }

    private mutating func askCancel() {
        guard let orders = data?.orders, let order = markedOrder.map({ orders[$0] }) ?? orders.first(where: { $0.isWorking }) else {
            notice = .text(.boardNoWorking)
            return
        }
        guard order.isWorking else {
            notice = .text(Self.nothingToCancel(order.status))
            return
        }
        asked = order
    }

    private static func nothingToCancel(_ status: OrderStatus) -> Text {
        switch status {
        case .filled: .orderCancelLate
        case .rejected: .boardOrderRefused
        case .cancelled: .boardOrderCancelled
        case .expired: .boardOrderExpired
        default: .boardNoWorking
        }
    }
}
