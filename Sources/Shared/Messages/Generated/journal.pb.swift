// swift-format-ignore-file
// Generated from journal.proto by protoc-gen-causeway. Change the schema and run `make proto`.
public import WireCodec

public struct OpenTradingAccount: Message {
    public var tradingAccount: String = ""
    public var counter: String = ""
    public var baseCurrency: String = ""
    public var funds: [FundsLine] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.OpenTradingAccount"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 10:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                counter = try cursor.string(bytes)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                baseCurrency = try cursor.string(bytes)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &funds)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        if !counter.isEmpty { writer.string(18, counter) }
        if !baseCurrency.isEmpty { writer.string(26, baseCurrency) }
        for value in funds { writer.message(34, value) }
        writer.unknown(unknownFields)
    }
}

/// Beside an order: what its remainder still needs and was charged. Money in 10^-6.
public struct WorkingState: Message {
    public var consideration: Int64 = 0
    public var charged: [FeeItem] = []
    public var hold: Int64 = 0
    public var expiresNs: Int64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.WorkingState"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 8:
                consideration = try scan.sint64(bytes)
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &charged)
                scan = cursor.scan
            case 24:
                hold = try scan.sint64(bytes)
            case 32:
                expiresNs = try scan.sint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(11)
            if consideration != 0 { run.sint64(8, consideration) }
            writer.end(run)
        }
        for value in charged { writer.message(18, value) }
        do {
            var run = writer.run(22)
            if hold != 0 { run.sint64(24, hold) }
            if expiresNs != 0 { run.sint64(32, expiresNs) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct AccountChange: Message {
    public var tradingAccount: String = ""
    @usableFromInline internal var _event: AccountEvent?
    @inlinable public var event: AccountEvent {
        get { _event ?? AccountEvent() }
        set { _event = newValue }
    }
    /// Whether `event` is there.
    @inlinable public var hasEvent: Bool { _event != nil }
    /// Makes `event` absent.
    @inlinable public mutating func clearEvent() { _event = nil }
    @usableFromInline internal var _working: WorkingState?
    @inlinable public var working: WorkingState {
        get { _working ?? WorkingState() }
        set { _working = newValue }
    }
    /// Whether `working` is there.
    @inlinable public var hasWorking: Bool { _working != nil }
    /// Makes `working` absent.
    @inlinable public mutating func clearWorking() { _working = nil }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.AccountChange"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 10:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, into: &_event)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                try cursor.message(bytes, into: &_working)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        if let value = _event { writer.message(18, value) }
        if let value = _working { writer.message(26, value) }
        writer.unknown(unknownFields)
    }
}

/// A cancel's first result, for ever (C-4).
public struct CommandOutcome: Message {
    @usableFromInline internal var _cancel: CancelOrder?
    @inlinable public var cancel: CancelOrder {
        get { _cancel ?? CancelOrder() }
        set { _cancel = newValue }
    }
    /// Whether `cancel` is there.
    @inlinable public var hasCancel: Bool { _cancel != nil }
    /// Makes `cancel` absent.
    @inlinable public mutating func clearCancel() { _cancel = nil }
    @usableFromInline internal var _failure: ErrorInfo?
    @inlinable public var failure: ErrorInfo {
        get { _failure ?? ErrorInfo() }
        set { _failure = newValue }
    }
    /// Whether `failure` is there.
    @inlinable public var hasFailure: Bool { _failure != nil }
    /// Makes `failure` absent.
    @inlinable public mutating func clearFailure() { _failure = nil }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.CommandOutcome"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 10:
                cursor.scan = scan
                try cursor.message(bytes, into: &_cancel)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, into: &_failure)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if let value = _cancel { writer.message(10, value) }
        if let value = _failure { writer.message(18, value) }
        writer.unknown(unknownFields)
    }
}

public struct JournalRecord: Message {
    public var timeNs: Int64 = 0
    public var clockEpoch: UInt64 = 0
    public var open: OpenTradingAccount {
        get {
            if case .open(let value)? = input { return value }
            return OpenTradingAccount()
        }
        set { input = .open(newValue) }
    }
    public var place: PlaceOrder {
        get {
            if case .place(let value)? = input { return value }
            return PlaceOrder()
        }
        set { input = .place(newValue) }
    }
    public var cancel: CommandOutcome {
        get {
            if case .cancel(let value)? = input { return value }
            return CommandOutcome()
        }
        set { input = .cancel(newValue) }
    }
    public var book: Book {
        get {
            if case .book(let value)? = input { return value }
            return Book()
        }
        set { input = .book(newValue) }
    }
    public var trade: Tick {
        get {
            if case .trade(let value)? = input { return value }
            return Tick()
        }
        set { input = .trade(newValue) }
    }
    public var expiredNs: Int64 {
        get {
            if case .expiredNs(let value)? = input { return value }
            return 0
        }
        set { input = .expiredNs(newValue) }
    }
    @usableFromInline internal var _visible: Book?
    /// what a taking order was matched with
    @inlinable public var visible: Book {
        get { _visible ?? Book() }
        set { _visible = newValue }
    }
    /// Whether `visible` is there.
    @inlinable public var hasVisible: Bool { _visible != nil }
    /// Makes `visible` absent.
    @inlinable public mutating func clearVisible() { _visible = nil }
    /// by market time, when it was judged
    public var phase: Phase = Phase()
    public var changes: [AccountChange] = []
    /// At most one of these.
    public var input: OneOf_Input?
    public enum OneOf_Input: Hashable, Sendable {
        case open(OpenTradingAccount)
        case place(PlaceOrder)
        case cancel(CommandOutcome)
        case book(Book)
        case trade(Tick)
        case expiredNs(Int64)
    }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.JournalRecord"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 8:
                timeNs = try scan.sint64(bytes)
            case 16:
                clockEpoch = try scan.uint64(bytes)
            case 26:
                cursor.scan = scan
                var value = OpenTradingAccount()
                if case .open(let old)? = input { value = old }
                try cursor.message(bytes, into: &value)
                input = .open(value)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                var value = PlaceOrder()
                if case .place(let old)? = input { value = old }
                try cursor.message(bytes, into: &value)
                input = .place(value)
                scan = cursor.scan
            case 42:
                cursor.scan = scan
                var value = CommandOutcome()
                if case .cancel(let old)? = input { value = old }
                try cursor.message(bytes, into: &value)
                input = .cancel(value)
                scan = cursor.scan
            case 50:
                cursor.scan = scan
                var value = Book()
                if case .book(let old)? = input { value = old }
                try cursor.message(bytes, into: &value)
                input = .book(value)
                scan = cursor.scan
            case 58:
                cursor.scan = scan
                var value = Tick()
                if case .trade(let old)? = input { value = old }
                try cursor.message(bytes, into: &value)
                input = .trade(value)
                scan = cursor.scan
            case 64:
                input = .expiredNs(try scan.sint64(bytes))
            case 74:
                cursor.scan = scan
                try cursor.message(bytes, into: &_visible)
                scan = cursor.scan
            case 80:
                phase = try scan.enumeration(bytes)
            case 90:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &changes)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(22)
            if timeNs != 0 { run.sint64(8, timeNs) }
            if clockEpoch != 0 { run.uint64(16, clockEpoch) }
            writer.end(run)
        }
        if case .open(let value)? = input { writer.message(26, value) }
        if case .place(let value)? = input { writer.message(34, value) }
        if case .cancel(let value)? = input { writer.message(42, value) }
        if case .book(let value)? = input { writer.message(50, value) }
        if case .trade(let value)? = input { writer.message(58, value) }
        do {
            var run = writer.run(11)
            if case .expiredNs(let value)? = input { run.sint64(64, value) }
            writer.end(run)
        }
        if let value = _visible { writer.message(74, value) }
        do {
            var run = writer.run(11)
            if phase.rawValue != 0 { run.enumeration(80, phase) }
            writer.end(run)
        }
        for value in changes { writer.message(90, value) }
        writer.unknown(unknownFields)
    }
}

public struct OrderState: Message {
    @usableFromInline internal var _order: Order?
    @inlinable public var order: Order {
        get { _order ?? Order() }
        set { _order = newValue }
    }
    /// Whether `order` is there.
    @inlinable public var hasOrder: Bool { _order != nil }
    /// Makes `order` absent.
    @inlinable public mutating func clearOrder() { _order = nil }
    @usableFromInline internal var _working: WorkingState?
    @inlinable public var working: WorkingState {
        get { _working ?? WorkingState() }
        set { _working = newValue }
    }
    /// Whether `working` is there.
    @inlinable public var hasWorking: Bool { _working != nil }
    /// Makes `working` absent.
    @inlinable public mutating func clearWorking() { _working = nil }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.OrderState"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 10:
                cursor.scan = scan
                try cursor.message(bytes, into: &_order)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, into: &_working)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if let value = _order { writer.message(10, value) }
        if let value = _working { writer.message(18, value) }
        writer.unknown(unknownFields)
    }
}

public struct AccountSnapshot: Message {
    @usableFromInline internal var _opened: OpenTradingAccount?
    @inlinable public var opened: OpenTradingAccount {
        get { _opened ?? OpenTradingAccount() }
        set { _opened = newValue }
    }
    /// Whether `opened` is there.
    @inlinable public var hasOpened: Bool { _opened != nil }
    /// Makes `opened` absent.
    @inlinable public mutating func clearOpened() { _opened = nil }
    public var sequence: UInt64 = 0
    public var cash: [FundsLine] = []
    public var orders: [OrderState] = []
    public var fills: [Fill] = []
    public var positions: [Position] = []
    public var cancels: [CommandOutcome] = []
    public var recent: [AccountEvent] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.AccountSnapshot"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 10:
                cursor.scan = scan
                try cursor.message(bytes, into: &_opened)
                scan = cursor.scan
            case 16:
                sequence = try scan.uint64(bytes)
            case 26:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &cash)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &orders)
                scan = cursor.scan
            case 42:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &fills)
                scan = cursor.scan
            case 50:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &positions)
                scan = cursor.scan
            case 58:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &cancels)
                scan = cursor.scan
            case 66:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &recent)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if let value = _opened { writer.message(10, value) }
        do {
            var run = writer.run(11)
            if sequence != 0 { run.uint64(16, sequence) }
            writer.end(run)
        }
        for value in cash { writer.message(26, value) }
        for value in orders { writer.message(34, value) }
        for value in fills { writer.message(42, value) }
        for value in positions { writer.message(50, value) }
        for value in cancels { writer.message(58, value) }
        for value in recent { writer.message(66, value) }
        writer.unknown(unknownFields)
    }
}

public struct ExchangeSnapshot: Message {
    public var lastOrderID: UInt64 = 0
    public var lastFillID: UInt64 = 0
    public var accounts: [AccountSnapshot] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.ExchangeSnapshot"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 8:
                lastOrderID = try scan.uint64(bytes)
            case 16:
                lastFillID = try scan.uint64(bytes)
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &accounts)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(22)
            if lastOrderID != 0 { run.uint64(8, lastOrderID) }
            if lastFillID != 0 { run.uint64(16, lastFillID) }
            writer.end(run)
        }
        for value in accounts { writer.message(34, value) }
        writer.unknown(unknownFields)
    }
}
