// swift-format-ignore-file
// Generated from trade.proto by protoc-gen-causeway. Change the schema and run `make proto`.
public import WireCodec

/// Number ranges: 1-99 session, 100-199 commands, 200-299 queries, 300-399 pushes. Never reused.
public enum TradeMessageType: ProtoEnum {
    case unspecified
    /// Ready, push
    case ready
    /// TradeLogin -> TradeLoginReply
    case login
    /// AccountHeartbeat -> AccountHeartbeat
    case heartbeat
    /// TradeLogout -> empty
    case logout
    /// SessionNews, push (securities)
    case duplicateLogin
    /// SessionNews, push (futures)
    case disconnected
    /// SinceQuery -> SinceReply
    case since
    /// PlaceOrder -> CommandReply
    case place
    /// ModifyOrder -> CommandReply
    case modify
    /// CancelOrder -> CommandReply
    case cancel
    /// OrdersQuery -> OrderList
    case orders
    /// OrderByCommand -> OrderList of 0 or 1
    case orderByCommand
    /// FillsQuery -> FillList
    case fills
    /// AccountQuery -> PositionList
    case positions
    /// AccountQuery -> FundsReply
    case funds
    /// Order
    case orderPush
    /// Fill
    case fillPush
    /// Position
    case positionPush
    /// FundsReply
    case fundsPush
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .ready
        case 2: self = .login
        case 3: self = .heartbeat
        case 4: self = .logout
        case 5: self = .duplicateLogin
        case 6: self = .disconnected
        case 7: self = .since
        case 100: self = .place
        case 101: self = .modify
        case 102: self = .cancel
        case 200: self = .orders
        case 201: self = .orderByCommand
        case 202: self = .fills
        case 203: self = .positions
        case 204: self = .funds
        case 300: self = .orderPush
        case 301: self = .fillPush
        case 302: self = .positionPush
        case 303: self = .fundsPush
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .ready: 1
        case .login: 2
        case .heartbeat: 3
        case .logout: 4
        case .duplicateLogin: 5
        case .disconnected: 6
        case .since: 7
        case .place: 100
        case .modify: 101
        case .cancel: 102
        case .orders: 200
        case .orderByCommand: 201
        case .fills: 202
        case .positions: 203
        case .funds: 204
        case .orderPush: 300
        case .fillPush: 301
        case .positionPush: 302
        case .fundsPush: 303
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [TradeMessageType] = [.unspecified, .ready, .login, .heartbeat, .logout, .duplicateLogin, .disconnected, .since, .place, .modify, .cancel, .orders, .orderByCommand, .fills, .positions, .funds, .orderPush, .fillPush, .positionPush, .fundsPush]
}

public enum TradeLoginCode: ProtoEnum {
    case unspecified
    case ok
    case needsSecondFactor
    case secondFactorNotBound
    case wrongPassword
    case mustChangePassword
    case expiredPassword
    case statusNotAllowed
    case tooFrequent
    case locked
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .ok
        case 2: self = .needsSecondFactor
        case 3: self = .secondFactorNotBound
        case 4: self = .wrongPassword
        case 5: self = .mustChangePassword
        case 6: self = .expiredPassword
        case 7: self = .statusNotAllowed
        case 8: self = .tooFrequent
        case 9: self = .locked
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .ok: 1
        case .needsSecondFactor: 2
        case .secondFactorNotBound: 3
        case .wrongPassword: 4
        case .mustChangePassword: 5
        case .expiredPassword: 6
        case .statusNotAllowed: 7
        case .tooFrequent: 8
        case .locked: 9
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [TradeLoginCode] = [.unspecified, .ok, .needsSecondFactor, .secondFactorNotBound, .wrongPassword, .mustChangePassword, .expiredPassword, .statusNotAllowed, .tooFrequent, .locked]
}

public enum OrderSide: ProtoEnum {
    case unspecified
    case buy
    case sell
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .buy
        case 2: self = .sell
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .buy: 1
        case .sell: 2
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [OrderSide] = [.unspecified, .buy, .sell]
}

public enum OrderType: ProtoEnum {
    case unspecified
    case limit
    case market
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .limit
        case 2: self = .market
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .limit: 1
        case .market: 2
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [OrderType] = [.unspecified, .limit, .market]
}

public enum TimeInForce: ProtoEnum {
    case unspecified
    case day
    case gtc
    case ioc
    case fok
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .day
        case 2: self = .gtc
        case 3: self = .ioc
        case 4: self = .fok
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .day: 1
        case .gtc: 2
        case .ioc: 3
        case .fok: 4
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [TimeInForce] = [.unspecified, .day, .gtc, .ioc, .fok]
}

public enum OrderStatus: ProtoEnum {
    case unspecified
    case working
    case partiallyFilled
    case filled
    case cancelled
    case rejected
    case expired
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .working
        case 2: self = .partiallyFilled
        case 3: self = .filled
        case 4: self = .cancelled
        case 5: self = .rejected
        case 6: self = .expired
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .working: 1
        case .partiallyFilled: 2
        case .filled: 3
        case .cancelled: 4
        case .rejected: 5
        case .expired: 6
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [OrderStatus] = [.unspecified, .working, .partiallyFilled, .filled, .cancelled, .rejected, .expired]
}

public struct TradeEnvelope: Message {
    /// made by the client, echoed by the reply; empty in a push
    public var requestID: String = ""
    public var type: TradeMessageType = TradeMessageType()
    public var payload: [UInt8] = []
    /// empty = ok, else an error code
    public var returnCode: String = ""
    public var arguments: [Argument] = []
    public var platform: String = ""
    public var deviceID: String = ""
    /// "books as of n" (C-9)
    public var accountSequence: UInt64 = 0
    public var tradingAccount: String = ""
    /// trading session; requests only
    public var sessionID: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TradeEnvelope"

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
                requestID = try cursor.string(bytes)
                scan = cursor.scan
            case 16:
                type = try scan.enumeration(bytes)
            case 26:
                cursor.scan = scan
                payload = try cursor.bytes(bytes)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                returnCode = try cursor.string(bytes)
                scan = cursor.scan
            case 42:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &arguments)
                scan = cursor.scan
            case 50:
                cursor.scan = scan
                platform = try cursor.string(bytes)
                scan = cursor.scan
            case 58:
                cursor.scan = scan
                deviceID = try cursor.string(bytes)
                scan = cursor.scan
            case 64:
                accountSequence = try scan.uint64(bytes)
            case 74:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 82:
                cursor.scan = scan
                sessionID = try cursor.string(bytes)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !requestID.isEmpty { writer.string(10, requestID) }
        do {
            var run = writer.run(11)
            if type.rawValue != 0 { run.enumeration(16, type) }
            writer.end(run)
        }
        if !payload.isEmpty { writer.bytes(26, payload) }
        if !returnCode.isEmpty { writer.string(34, returnCode) }
        for value in arguments { writer.message(42, value) }
        if !platform.isEmpty { writer.string(50, platform) }
        if !deviceID.isEmpty { writer.string(58, deviceID) }
        do {
            var run = writer.run(11)
            if accountSequence != 0 { run.uint64(64, accountSequence) }
            writer.end(run)
        }
        if !tradingAccount.isEmpty { writer.string(74, tradingAccount) }
        if !sessionID.isEmpty { writer.string(82, sessionID) }
        writer.unknown(unknownFields)
    }
}

public struct AccountSequence: Message {
    public var tradingAccount: String = ""
    public var sequence: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.AccountSequence"

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
            case 16:
                sequence = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        do {
            var run = writer.run(11)
            if sequence != 0 { run.uint64(16, sequence) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// From here on commands are let through; a query by command id is final (C-9).
public struct Ready: Message {
    public var epoch: UInt64 = 0
    public var accounts: [AccountSequence] = []
    @usableFromInline internal var _protocol: VersionRange?
    @inlinable public var `protocol`: VersionRange {
        get { _protocol ?? VersionRange() }
        set { _protocol = newValue }
    }
    /// Whether `protocol` is there.
    @inlinable public var hasProtocol: Bool { _protocol != nil }
    /// Makes `protocol` absent.
    @inlinable public mutating func clearProtocol() { _protocol = nil }
    @usableFromInline internal var _clock: MarketClockInfo?
    @inlinable public var clock: MarketClockInfo {
        get { _clock ?? MarketClockInfo() }
        set { _clock = newValue }
    }
    /// Whether `clock` is there.
    @inlinable public var hasClock: Bool { _clock != nil }
    /// Makes `clock` absent.
    @inlinable public mutating func clearClock() { _clock = nil }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Ready"

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
                epoch = try scan.uint64(bytes)
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &accounts)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                try cursor.message(bytes, into: &_protocol)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, into: &_clock)
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
            var run = writer.run(11)
            if epoch != 0 { run.uint64(8, epoch) }
            writer.end(run)
        }
        for value in accounts { writer.message(18, value) }
        if let value = _protocol { writer.message(26, value) }
        if let value = _clock { writer.message(34, value) }
        writer.unknown(unknownFields)
    }
}

public struct TradeLogin: Message {
    public var tradingAccount: String = ""
    public var password: String = ""
    @usableFromInline internal var _protocol: VersionRange?
    @inlinable public var `protocol`: VersionRange {
        get { _protocol ?? VersionRange() }
        set { _protocol = newValue }
    }
    /// Whether `protocol` is there.
    @inlinable public var hasProtocol: Bool { _protocol != nil }
    /// Makes `protocol` absent.
    @inlinable public mutating func clearProtocol() { _protocol = nil }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TradeLogin"

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
                password = try cursor.string(bytes)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                try cursor.message(bytes, into: &_protocol)
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
        if !password.isEmpty { writer.string(18, password) }
        if let value = _protocol { writer.message(26, value) }
        writer.unknown(unknownFields)
    }
}

public struct TradeLoginReply: Message {
    public var code: TradeLoginCode = TradeLoginCode()
    public var sessionID: String = ""
    public var triesLeft: UInt32 = 0
    /// seconds from now, monotonic
    public var lockedUntilSeconds: Int64 = 0
    public var sequence: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TradeLoginReply"

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
                code = try scan.enumeration(bytes)
            case 18:
                cursor.scan = scan
                sessionID = try cursor.string(bytes)
                scan = cursor.scan
            case 24:
                triesLeft = try scan.uint32(bytes)
            case 32:
                lockedUntilSeconds = try scan.sint64(bytes)
            case 40:
                sequence = try scan.uint64(bytes)
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
            if code.rawValue != 0 { run.enumeration(8, code) }
            writer.end(run)
        }
        if !sessionID.isEmpty { writer.string(18, sessionID) }
        do {
            var run = writer.run(28)
            if triesLeft != 0 { run.uint32(24, triesLeft) }
            if lockedUntilSeconds != 0 { run.sint64(32, lockedUntilSeconds) }
            if sequence != 0 { run.uint64(40, sequence) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct TradeLogout: Message {
    public var tradingAccount: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TradeLogout"

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
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        writer.unknown(unknownFields)
    }
}

public struct AccountHeartbeat: Message {
    public var tradingAccount: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.AccountHeartbeat"

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
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        writer.unknown(unknownFields)
    }
}

/// Names the session or device that is in now; platform and device let a client see whether it was itself (D-5).
public struct SessionNews: Message {
    public var tradingAccount: String = ""
    public var sessionID: String = ""
    public var platform: String = ""
    public var deviceID: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.SessionNews"

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
                sessionID = try cursor.string(bytes)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                platform = try cursor.string(bytes)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                deviceID = try cursor.string(bytes)
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
        if !sessionID.isEmpty { writer.string(18, sessionID) }
        if !platform.isEmpty { writer.string(26, platform) }
        if !deviceID.isEmpty { writer.string(34, deviceID) }
        writer.unknown(unknownFields)
    }
}

public struct PlaceOrder: Message {
    public var tradingAccount: String = ""
    /// 16 bytes, unique per trading account for ever (C-4)
    public var commandID: [UInt8] = []
    public var instrument: UInt32 = 0
    public var side: OrderSide = OrderSide()
    public var type: OrderType = OrderType()
    public var quantity: Int64 = 0
    @usableFromInline internal var _limit: Int64 = 0
    @inlinable public var limit: Int64 {
        get { _limit }
        set {
            _limit = newValue
            _presence |= 0x1
        }
    }
    /// Whether `limit` is there.
    @inlinable public var hasLimit: Bool { _presence & 0x1 != 0 }
    /// Makes `limit` absent.
    @inlinable public mutating func clearLimit() {
        _limit = 0
        _presence &= ~0x1
    }
    public var timeInForce: TimeInForce = TimeInForce()
    @usableFromInline internal var _presence: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.PlaceOrder"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        var presence = _presence
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                _presence = presence
                return
            case 10:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                commandID = try cursor.bytes(bytes)
                scan = cursor.scan
            case 24:
                instrument = try scan.uint32(bytes)
            case 32:
                side = try scan.enumeration(bytes)
            case 40:
                type = try scan.enumeration(bytes)
            case 48:
                quantity = try scan.sint64(bytes)
            case 56:
                _limit = try scan.sint64(bytes)
                presence |= 0x1
            case 64:
                timeInForce = try scan.enumeration(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        if !commandID.isEmpty { writer.bytes(18, commandID) }
        do {
            var run = writer.run(61)
            if instrument != 0 { run.uint32(24, instrument) }
            if side.rawValue != 0 { run.enumeration(32, side) }
            if type.rawValue != 0 { run.enumeration(40, type) }
            if quantity != 0 { run.sint64(48, quantity) }
            if hasLimit { run.sint64(56, _limit) }
            if timeInForce.rawValue != 0 { run.enumeration(64, timeInForce) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct ModifyOrder: Message {
    public var tradingAccount: String = ""
    public var commandID: [UInt8] = []
    public var orderID: UInt64 = 0
    @usableFromInline internal var _quantity: Int64 = 0
    @inlinable public var quantity: Int64 {
        get { _quantity }
        set {
            _quantity = newValue
            _presence |= 0x1
        }
    }
    /// Whether `quantity` is there.
    @inlinable public var hasQuantity: Bool { _presence & 0x1 != 0 }
    /// Makes `quantity` absent.
    @inlinable public mutating func clearQuantity() {
        _quantity = 0
        _presence &= ~0x1
    }
    @usableFromInline internal var _limit: Int64 = 0
    @inlinable public var limit: Int64 {
        get { _limit }
        set {
            _limit = newValue
            _presence |= 0x2
        }
    }
    /// Whether `limit` is there.
    @inlinable public var hasLimit: Bool { _presence & 0x2 != 0 }
    /// Makes `limit` absent.
    @inlinable public mutating func clearLimit() {
        _limit = 0
        _presence &= ~0x2
    }
    @usableFromInline internal var _presence: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.ModifyOrder"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        var presence = _presence
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                _presence = presence
                return
            case 10:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                commandID = try cursor.bytes(bytes)
                scan = cursor.scan
            case 24:
                orderID = try scan.uint64(bytes)
            case 32:
                _quantity = try scan.sint64(bytes)
                presence |= 0x1
            case 40:
                _limit = try scan.sint64(bytes)
                presence |= 0x2
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        if !commandID.isEmpty { writer.bytes(18, commandID) }
        do {
            var run = writer.run(33)
            if orderID != 0 { run.uint64(24, orderID) }
            if hasQuantity { run.sint64(32, _quantity) }
            if hasLimit { run.sint64(40, _limit) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct CancelOrder: Message {
    public var tradingAccount: String = ""
    public var commandID: [UInt8] = []
    public var orderID: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.CancelOrder"

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
                commandID = try cursor.bytes(bytes)
                scan = cursor.scan
            case 24:
                orderID = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        if !commandID.isEmpty { writer.bytes(18, commandID) }
        do {
            var run = writer.run(11)
            if orderID != 0 { run.uint64(24, orderID) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct CommandReply: Message {
    @usableFromInline internal var _order: Order?
    @inlinable public var order: Order {
        get { _order ?? Order() }
        set { _order = newValue }
    }
    /// Whether `order` is there.
    @inlinable public var hasOrder: Bool { _order != nil }
    /// Makes `order` absent.
    @inlinable public mutating func clearOrder() { _order = nil }
    public var sequence: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.CommandReply"

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
            case 16:
                sequence = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if let value = _order { writer.message(10, value) }
        do {
            var run = writer.run(11)
            if sequence != 0 { run.uint64(16, sequence) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct Order: Message {
    public var orderID: UInt64 = 0
    public var tradingAccount: String = ""
    public var commandID: [UInt8] = []
    public var instrument: UInt32 = 0
    public var side: OrderSide = OrderSide()
    public var type: OrderType = OrderType()
    public var timeInForce: TimeInForce = TimeInForce()
    public var quantity: Int64 = 0
    @usableFromInline internal var _limit: Int64 = 0
    @inlinable public var limit: Int64 {
        get { _limit }
        set {
            _limit = newValue
            _presence |= 0x1
        }
    }
    /// Whether `limit` is there.
    @inlinable public var hasLimit: Bool { _presence & 0x1 != 0 }
    /// Makes `limit` absent.
    @inlinable public mutating func clearLimit() {
        _limit = 0
        _presence &= ~0x1
    }
    public var filled: Int64 = 0
    @usableFromInline internal var _averagePriceNanos: Int64 = 0
    /// rounded half even for show; exact value = fills
    @inlinable public var averagePriceNanos: Int64 {
        get { _averagePriceNanos }
        set {
            _averagePriceNanos = newValue
            _presence |= 0x2
        }
    }
    /// Whether `averagePriceNanos` is there.
    @inlinable public var hasAveragePriceNanos: Bool { _presence & 0x2 != 0 }
    /// Makes `averagePriceNanos` absent.
    @inlinable public mutating func clearAveragePriceNanos() {
        _averagePriceNanos = 0
        _presence &= ~0x2
    }
    public var status: OrderStatus = OrderStatus()
    @usableFromInline internal var _reason: ErrorInfo?
    /// of a rejection, cancellation or expiry
    @inlinable public var reason: ErrorInfo {
        get { _reason ?? ErrorInfo() }
        set { _reason = newValue }
    }
    /// Whether `reason` is there.
    @inlinable public var hasReason: Bool { _reason != nil }
    /// Makes `reason` absent.
    @inlinable public mutating func clearReason() { _reason = nil }
    public var placedNs: Int64 = 0
    public var updatedNs: Int64 = 0
    public var tradingDay: Int32 = 0
    /// account sequence of the last change
    public var sequence: UInt64 = 0
    @usableFromInline internal var _presence: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Order"

    public mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        var presence = _presence
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                _presence = presence
                return
            case 8:
                orderID = try scan.uint64(bytes)
            case 18:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                commandID = try cursor.bytes(bytes)
                scan = cursor.scan
            case 32:
                instrument = try scan.uint32(bytes)
            case 40:
                side = try scan.enumeration(bytes)
            case 48:
                type = try scan.enumeration(bytes)
            case 56:
                timeInForce = try scan.enumeration(bytes)
            case 64:
                quantity = try scan.sint64(bytes)
            case 72:
                _limit = try scan.sint64(bytes)
                presence |= 0x1
            case 80:
                filled = try scan.sint64(bytes)
            case 88:
                _averagePriceNanos = try scan.sint64(bytes)
                presence |= 0x2
            case 96:
                status = try scan.enumeration(bytes)
            case 106:
                cursor.scan = scan
                try cursor.message(bytes, into: &_reason)
                scan = cursor.scan
            case 112:
                placedNs = try scan.sint64(bytes)
            case 120:
                updatedNs = try scan.sint64(bytes)
            case 128:
                tradingDay = try scan.int32(bytes)
            case 136:
                sequence = try scan.uint64(bytes)
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
            if orderID != 0 { run.uint64(8, orderID) }
            writer.end(run)
        }
        if !tradingAccount.isEmpty { writer.string(18, tradingAccount) }
        if !commandID.isEmpty { writer.bytes(26, commandID) }
        do {
            var run = writer.run(94)
            if instrument != 0 { run.uint32(32, instrument) }
            if side.rawValue != 0 { run.enumeration(40, side) }
            if type.rawValue != 0 { run.enumeration(48, type) }
            if timeInForce.rawValue != 0 { run.enumeration(56, timeInForce) }
            if quantity != 0 { run.sint64(64, quantity) }
            if hasLimit { run.sint64(72, _limit) }
            if filled != 0 { run.sint64(80, filled) }
            if hasAveragePriceNanos { run.sint64(88, _averagePriceNanos) }
            if status.rawValue != 0 { run.enumeration(96, status) }
            writer.end(run)
        }
        if let value = _reason { writer.message(106, value) }
        do {
            var run = writer.run(46)
            if placedNs != 0 { run.sint64(112, placedNs) }
            if updatedNs != 0 { run.sint64(120, updatedNs) }
            if tradingDay != 0 { run.int32(128, tradingDay) }
            if sequence != 0 { run.uint64(136, sequence) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct FeeItem: Message {
    public var rule: String = ""
    public var amount: Int64 = 0
    public var currency: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.FeeItem"

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
                rule = try cursor.string(bytes)
                scan = cursor.scan
            case 16:
                amount = try scan.sint64(bytes)
            case 26:
                cursor.scan = scan
                currency = try cursor.string(bytes)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !rule.isEmpty { writer.string(10, rule) }
        do {
            var run = writer.run(11)
            if amount != 0 { run.sint64(16, amount) }
            writer.end(run)
        }
        if !currency.isEmpty { writer.string(26, currency) }
        writer.unknown(unknownFields)
    }
}

public struct Fill: Message {
    public var fillID: UInt64 = 0
    public var orderID: UInt64 = 0
    public var tradingAccount: String = ""
    public var instrument: UInt32 = 0
    public var side: OrderSide = OrderSide()
    public var price: Int64 = 0
    public var quantity: Int64 = 0
    public var timeNs: Int64 = 0
    public var tradingDay: Int32 = 0
    public var currency: String = ""
    public var fees: [FeeItem] = []
    public var sequence: UInt64 = 0
    public var priceProvenance: Provenance = Provenance()
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Fill"

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
                fillID = try scan.uint64(bytes)
            case 16:
                orderID = try scan.uint64(bytes)
            case 26:
                cursor.scan = scan
                tradingAccount = try cursor.string(bytes)
                scan = cursor.scan
            case 32:
                instrument = try scan.uint32(bytes)
            case 40:
                side = try scan.enumeration(bytes)
            case 48:
                price = try scan.sint64(bytes)
            case 56:
                quantity = try scan.sint64(bytes)
            case 64:
                timeNs = try scan.sint64(bytes)
            case 72:
                tradingDay = try scan.int32(bytes)
            case 82:
                cursor.scan = scan
                currency = try cursor.string(bytes)
                scan = cursor.scan
            case 90:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &fees)
                scan = cursor.scan
            case 96:
                sequence = try scan.uint64(bytes)
            case 104:
                priceProvenance = try scan.enumeration(bytes)
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
            if fillID != 0 { run.uint64(8, fillID) }
            if orderID != 0 { run.uint64(16, orderID) }
            writer.end(run)
        }
        if !tradingAccount.isEmpty { writer.string(26, tradingAccount) }
        do {
            var run = writer.run(61)
            if instrument != 0 { run.uint32(32, instrument) }
            if side.rawValue != 0 { run.enumeration(40, side) }
            if price != 0 { run.sint64(48, price) }
            if quantity != 0 { run.sint64(56, quantity) }
            if timeNs != 0 { run.sint64(64, timeNs) }
            if tradingDay != 0 { run.int32(72, tradingDay) }
            writer.end(run)
        }
        if !currency.isEmpty { writer.string(82, currency) }
        for value in fees { writer.message(90, value) }
        do {
            var run = writer.run(22)
            if sequence != 0 { run.uint64(96, sequence) }
            if priceProvenance.rawValue != 0 { run.enumeration(104, priceProvenance) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct Position: Message {
    public var tradingAccount: String = ""
    public var instrument: UInt32 = 0
    /// shorts negative
    public var quantity: Int64 = 0
    /// average cost = cost_money / quantity, kept as an exact fraction: total cost in 10^-6 of currency, without fees
    public var cost: Int64 = 0
    public var currency: String = ""
    public var realised: Int64 = 0
    public var sequence: UInt64 = 0
    public var sellable: Int64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Position"

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
            case 16:
                instrument = try scan.uint32(bytes)
            case 24:
                quantity = try scan.sint64(bytes)
            case 32:
                cost = try scan.sint64(bytes)
            case 42:
                cursor.scan = scan
                currency = try cursor.string(bytes)
                scan = cursor.scan
            case 48:
                realised = try scan.sint64(bytes)
            case 56:
                sequence = try scan.uint64(bytes)
            case 64:
                sellable = try scan.sint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        do {
            var run = writer.run(28)
            if instrument != 0 { run.uint32(16, instrument) }
            if quantity != 0 { run.sint64(24, quantity) }
            if cost != 0 { run.sint64(32, cost) }
            writer.end(run)
        }
        if !currency.isEmpty { writer.string(42, currency) }
        do {
            var run = writer.run(33)
            if realised != 0 { run.sint64(48, realised) }
            if sequence != 0 { run.uint64(56, sequence) }
            if sellable != 0 { run.sint64(64, sellable) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct FundsLine: Message {
    public var currency: String = ""
    public var cash: Int64 = 0
    /// for working orders
    public var held: Int64 = 0
    public var available: Int64 = 0
    public var initialMargin: Int64 = 0
    public var maintenanceMargin: Int64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.FundsLine"

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
                currency = try cursor.string(bytes)
                scan = cursor.scan
            case 16:
                cash = try scan.sint64(bytes)
            case 24:
                held = try scan.sint64(bytes)
            case 32:
                available = try scan.sint64(bytes)
            case 40:
                initialMargin = try scan.sint64(bytes)
            case 48:
                maintenanceMargin = try scan.sint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !currency.isEmpty { writer.string(10, currency) }
        do {
            var run = writer.run(55)
            if cash != 0 { run.sint64(16, cash) }
            if held != 0 { run.sint64(24, held) }
            if available != 0 { run.sint64(32, available) }
            if initialMargin != 0 { run.sint64(40, initialMargin) }
            if maintenanceMargin != 0 { run.sint64(48, maintenanceMargin) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct FundsReply: Message {
    public var tradingAccount: String = ""
    public var lines: [FundsLine] = []
    public var sequence: UInt64 = 0
    public var baseCurrency: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.FundsReply"

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
                try cursor.message(bytes, appendTo: &lines)
                scan = cursor.scan
            case 24:
                sequence = try scan.uint64(bytes)
            case 34:
                cursor.scan = scan
                baseCurrency = try cursor.string(bytes)
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
        for value in lines { writer.message(18, value) }
        do {
            var run = writer.run(11)
            if sequence != 0 { run.uint64(24, sequence) }
            writer.end(run)
        }
        if !baseCurrency.isEmpty { writer.string(34, baseCurrency) }
        writer.unknown(unknownFields)
    }
}

/// Lists come in pages: at most `limit` rows (the server may send fewer) whose id is above `after`, ascending by id; `more` tells that
/// there are others. Without a limit the whole list is sent; one of more than 1,000 rows is refused with request.too-large, never cut.
public struct OrdersQuery: Message {
    public var tradingAccount: String = ""
    public var workingOnly: Bool = false
    public var limit: UInt32 = 0
    public var after: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.OrdersQuery"

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
            case 16:
                workingOnly = try scan.bool(bytes)
            case 24:
                limit = try scan.uint32(bytes)
            case 32:
                after = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        do {
            var run = writer.run(19)
            if workingOnly { run.bool(16, workingOnly) }
            if limit != 0 { run.uint32(24, limit) }
            if after != 0 { run.uint64(32, after) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct OrderByCommand: Message {
    public var tradingAccount: String = ""
    public var commandID: [UInt8] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.OrderByCommand"

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
                commandID = try cursor.bytes(bytes)
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
        if !commandID.isEmpty { writer.bytes(18, commandID) }
        writer.unknown(unknownFields)
    }
}

public struct FillsQuery: Message {
    public var tradingAccount: String = ""
    public var orderID: UInt64 = 0
    public var sinceSequence: UInt64 = 0
    public var limit: UInt32 = 0
    public var after: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.FillsQuery"

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
            case 16:
                orderID = try scan.uint64(bytes)
            case 24:
                sinceSequence = try scan.uint64(bytes)
            case 32:
                limit = try scan.uint32(bytes)
            case 40:
                after = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        do {
            var run = writer.run(39)
            if orderID != 0 { run.uint64(16, orderID) }
            if sinceSequence != 0 { run.uint64(24, sinceSequence) }
            if limit != 0 { run.uint32(32, limit) }
            if after != 0 { run.uint64(40, after) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct AccountQuery: Message {
    public var tradingAccount: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.AccountQuery"

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
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        writer.unknown(unknownFields)
    }
}

public struct OrderList: Message {
    public var orders: [Order] = []
    public var sequence: UInt64 = 0
    public var more: Bool = false
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.OrderList"

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
                try cursor.message(bytes, appendTo: &orders)
                scan = cursor.scan
            case 16:
                sequence = try scan.uint64(bytes)
            case 24:
                more = try scan.bool(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in orders { writer.message(10, value) }
        do {
            var run = writer.run(13)
            if sequence != 0 { run.uint64(16, sequence) }
            if more { run.bool(24, more) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct FillList: Message {
    public var fills: [Fill] = []
    public var sequence: UInt64 = 0
    public var more: Bool = false
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.FillList"

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
                try cursor.message(bytes, appendTo: &fills)
                scan = cursor.scan
            case 16:
                sequence = try scan.uint64(bytes)
            case 24:
                more = try scan.bool(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in fills { writer.message(10, value) }
        do {
            var run = writer.run(13)
            if sequence != 0 { run.uint64(16, sequence) }
            if more { run.bool(24, more) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct PositionList: Message {
    public var positions: [Position] = []
    public var sequence: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.PositionList"

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
                try cursor.message(bytes, appendTo: &positions)
                scan = cursor.scan
            case 16:
                sequence = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in positions { writer.message(10, value) }
        do {
            var run = writer.run(11)
            if sequence != 0 { run.uint64(16, sequence) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// Everything after `sequence`, in order (C-9). Not complete where that is no longer kept or more than 2,000 events: query the books anew.
public struct SinceQuery: Message {
    public var tradingAccount: String = ""
    public var sequence: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.SinceQuery"

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
            case 16:
                sequence = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !tradingAccount.isEmpty { writer.string(10, tradingAccount) }
        do {
            var run = writer.run(11)
            if sequence != 0 { run.uint64(16, sequence) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct AccountEvent: Message {
    public var sequence: UInt64 = 0
    public var order: Order {
        get {
            if case .order(let value)? = body { return value }
            return Order()
        }
        set { body = .order(newValue) }
    }
    public var fill: Fill {
        get {
            if case .fill(let value)? = body { return value }
            return Fill()
        }
        set { body = .fill(newValue) }
    }
    public var position: Position {
        get {
            if case .position(let value)? = body { return value }
            return Position()
        }
        set { body = .position(newValue) }
    }
    public var funds: FundsReply {
        get {
            if case .funds(let value)? = body { return value }
            return FundsReply()
        }
        set { body = .funds(newValue) }
    }
    /// At most one of these.
    public var body: OneOf_Body?
    public enum OneOf_Body: Hashable, Sendable {
        case order(Order)
        case fill(Fill)
        case position(Position)
        case funds(FundsReply)
    }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.AccountEvent"

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
                sequence = try scan.uint64(bytes)
            case 18:
                cursor.scan = scan
                var value = Order()
                if case .order(let old)? = body { value = old }
                try cursor.message(bytes, into: &value)
                body = .order(value)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                var value = Fill()
                if case .fill(let old)? = body { value = old }
                try cursor.message(bytes, into: &value)
                body = .fill(value)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                var value = Position()
                if case .position(let old)? = body { value = old }
                try cursor.message(bytes, into: &value)
                body = .position(value)
                scan = cursor.scan
            case 42:
                cursor.scan = scan
                var value = FundsReply()
                if case .funds(let old)? = body { value = old }
                try cursor.message(bytes, into: &value)
                body = .funds(value)
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
            var run = writer.run(11)
            if sequence != 0 { run.uint64(8, sequence) }
            writer.end(run)
        }
        if case .order(let value)? = body { writer.message(18, value) }
        if case .fill(let value)? = body { writer.message(26, value) }
        if case .position(let value)? = body { writer.message(34, value) }
        if case .funds(let value)? = body { writer.message(42, value) }
        writer.unknown(unknownFields)
    }
}

public struct SinceReply: Message {
    public var events: [AccountEvent] = []
    public var sequence: UInt64 = 0
    public var complete: Bool = false
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.SinceReply"

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
                try cursor.message(bytes, appendTo: &events)
                scan = cursor.scan
            case 16:
                sequence = try scan.uint64(bytes)
            case 24:
                complete = try scan.bool(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in events { writer.message(10, value) }
        do {
            var run = writer.run(13)
            if sequence != 0 { run.uint64(16, sequence) }
            if complete { run.bool(24, complete) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}
