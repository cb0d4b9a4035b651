// swift-format-ignore-file
// Generated from quote.proto by protoc-gen-causeway. Change the schema and run `make proto`.
public import WireCodec

/// Number ranges: 1-99 session, 100-199 subscriptions, 200-299 pushes, 300-399 queries, 400-499 reference data. Never reused.
public enum QuoteMessageType: ProtoEnum {
    case unspecified
    /// QuoteLogin -> LOGIN_REPLY
    case login
    /// QuoteLoginReply
    case loginReply
    /// QuoteHeartbeat -> HEARTBEAT_REPLY
    case heartbeat
    /// QuoteHeartbeat
    case heartbeatReply
    /// ErrorInfo: answers any request that failed
    case errorReply
    /// MarketClockInfo, push
    case clockChanged
    /// FeedInfo, push
    case feedChanged
    /// SubscriptionRequest -> SUBSCRIPTION_REPLY
    case subscribe
    /// SubscriptionRequest -> SUBSCRIPTION_REPLY
    case unsubscribe
    /// SubscriptionReply
    case subscriptionReply
    /// QuoteBatch: whole quotes, first after each subscription
    case snapshotPush
    /// QuoteBatch: changed fields only
    case quotePush
    /// BookBatch: whole books
    case bookPush
    /// TickBatch
    case tickPush
    /// BarBatch: the running bar
    case barPush
    /// InstrumentsQuery -> SNAPSHOT_REPLY
    case snapshotQuery
    /// QuoteBatch
    case snapshotReply
    /// InstrumentsQuery -> BOOK_REPLY
    case bookQuery
    /// BookBatch
    case bookReply
    /// TicksQuery -> TICKS_REPLY
    case ticksQuery
    /// TickBatch
    case ticksReply
    /// BarsQuery -> BARS_REPLY
    case barsQuery
    /// BarBatch
    case barsReply
    /// RankingQuery -> RANKING_REPLY
    case rankingQuery
    /// QuoteBatch: whole quotes, first of the ranking first
    case rankingReply
    /// InstrumentsQuery -> BROKERS_REPLY
    case brokersQuery
    /// BrokerQueueBatch: those of Hong Kong stocks whose book is known
    case brokersReply
    /// InstrumentRows, push: rows the client's table lacks
    case instrumentRows
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .login
        case 2: self = .loginReply
        case 3: self = .heartbeat
        case 4: self = .heartbeatReply
        case 5: self = .errorReply
        case 6: self = .clockChanged
        case 7: self = .feedChanged
        case 100: self = .subscribe
        case 101: self = .unsubscribe
        case 102: self = .subscriptionReply
        case 200: self = .snapshotPush
        case 201: self = .quotePush
        case 202: self = .bookPush
        case 203: self = .tickPush
        case 204: self = .barPush
        case 300: self = .snapshotQuery
        case 301: self = .snapshotReply
        case 302: self = .bookQuery
        case 303: self = .bookReply
        case 304: self = .ticksQuery
        case 305: self = .ticksReply
        case 306: self = .barsQuery
        case 307: self = .barsReply
        case 308: self = .rankingQuery
        case 309: self = .rankingReply
        case 310: self = .brokersQuery
        case 311: self = .brokersReply
        case 400: self = .instrumentRows
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .login: 1
        case .loginReply: 2
        case .heartbeat: 3
        case .heartbeatReply: 4
        case .errorReply: 5
        case .clockChanged: 6
        case .feedChanged: 7
        case .subscribe: 100
        case .unsubscribe: 101
        case .subscriptionReply: 102
        case .snapshotPush: 200
        case .quotePush: 201
        case .bookPush: 202
        case .tickPush: 203
        case .barPush: 204
        case .snapshotQuery: 300
        case .snapshotReply: 301
        case .bookQuery: 302
        case .bookReply: 303
        case .ticksQuery: 304
        case .ticksReply: 305
        case .barsQuery: 306
        case .barsReply: 307
        case .rankingQuery: 308
        case .rankingReply: 309
        case .brokersQuery: 310
        case .brokersReply: 311
        case .instrumentRows: 400
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [QuoteMessageType] = [.unspecified, .login, .loginReply, .heartbeat, .heartbeatReply, .errorReply, .clockChanged, .feedChanged, .subscribe, .unsubscribe, .subscriptionReply, .snapshotPush, .quotePush, .bookPush, .tickPush, .barPush, .snapshotQuery, .snapshotReply, .bookQuery, .bookReply, .ticksQuery, .ticksReply, .barsQuery, .barsReply, .rankingQuery, .rankingReply, .brokersQuery, .brokersReply, .instrumentRows]
}

public enum LoginCode: ProtoEnum {
    case unspecified
    case ok
    case alreadyLoggedIn
    case credentialInvalid
    case credentialExpired
    case updateNeeded
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .ok
        case 2: self = .alreadyLoggedIn
        case 3: self = .credentialInvalid
        case 4: self = .credentialExpired
        case 5: self = .updateNeeded
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .ok: 1
        case .alreadyLoggedIn: 2
        case .credentialInvalid: 3
        case .credentialExpired: 4
        case .updateNeeded: 5
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [LoginCode] = [.unspecified, .ok, .alreadyLoggedIn, .credentialInvalid, .credentialExpired, .updateNeeded]
}

/// How the feed behind the quotes stands as a whole.
public enum FeedStatus: ProtoEnum {
    case unspecified
    case running
    /// market time stands still
    case paused
    /// the last recorded or made price has come; nothing but phases follows
    case ended
    /// a live feed has said nothing for a minute while some market of its trades
    case stale
    /// a live feed that will not come back by itself
    case stopped
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .running
        case 2: self = .paused
        case 3: self = .ended
        case 4: self = .stale
        case 5: self = .stopped
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .running: 1
        case .paused: 2
        case .ended: 3
        case .stale: 4
        case .stopped: 5
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [FeedStatus] = [.unspecified, .running, .paused, .ended, .stale, .stopped]
}

public enum QuoteKind: ProtoEnum {
    case unspecified
    case snapshot
    case book
    case ticks
    case bar1M
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .snapshot
        case 2: self = .book
        case 3: self = .ticks
        case 4: self = .bar1M
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .snapshot: 1
        case .book: 2
        case .ticks: 3
        case .bar1M: 4
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [QuoteKind] = [.unspecified, .snapshot, .book, .ticks, .bar1M]
}

public enum TradeSide: ProtoEnum {
    case unspecified
    case buyer
    case seller
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .buyer
        case 2: self = .seller
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .buyer: 1
        case .seller: 2
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [TradeSide] = [.unspecified, .buyer, .seller]
}

public enum BarPeriod: ProtoEnum {
    case unspecified
    case minute1
    case minute3
    case minute5
    case minute15
    case minute30
    case minute60
    case day
    case week
    case month
    case quarter
    case year
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .minute1
        case 2: self = .minute3
        case 3: self = .minute5
        case 4: self = .minute15
        case 5: self = .minute30
        case 6: self = .minute60
        case 7: self = .day
        case 8: self = .week
        case 9: self = .month
        case 10: self = .quarter
        case 11: self = .year
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .minute1: 1
        case .minute3: 2
        case .minute5: 3
        case .minute15: 4
        case .minute30: 5
        case .minute60: 6
        case .day: 7
        case .week: 8
        case .month: 9
        case .quarter: 10
        case .year: 11
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [BarPeriod] = [.unspecified, .minute1, .minute3, .minute5, .minute15, .minute30, .minute60, .day, .week, .month, .quarter, .year]
}

/// Prices before and after splits and dividends on one scale: forward keeps the newest as printed, backward the oldest.
public enum BarAdjustment: ProtoEnum {
    case none
    case forward
    case backward
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .none }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .none
        case 1: self = .forward
        case 2: self = .backward
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .none: 0
        case .forward: 1
        case .backward: 2
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [BarAdjustment] = [.none, .forward, .backward]
}

/// By what instruments are ranked. Those of equal rank come in order of id; those that lack a figure are left out.
public enum RankingKind: ProtoEnum {
    case unspecified
    /// rise from the previous close in per cent, traded today
    case gainers
    case losers
    /// in Hong Kong dollars by the newest rates; without a rate left out
    case turnover
    case volume
    /// day's high less low, in per cent of the previous close
    case amplitude
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .gainers
        case 2: self = .losers
        case 3: self = .turnover
        case 4: self = .volume
        case 5: self = .amplitude
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .gainers: 1
        case .losers: 2
        case .turnover: 3
        case .volume: 4
        case .amplitude: 5
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [RankingKind] = [.unspecified, .gainers, .losers, .turnover, .volume, .amplitude]
}

/// `sequence`: a request's number, echoed by its reply; in a push, the connection's own counter from 1.
public struct QuoteEnvelope: Message {
    public var type: QuoteMessageType = QuoteMessageType()
    public var sequence: UInt64 = 0
    public var payload: [UInt8] = []
    public var version: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.QuoteEnvelope"

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
                type = try scan.enumeration(bytes)
            case 16:
                sequence = try scan.uint64(bytes)
            case 26:
                cursor.scan = scan
                payload = try cursor.bytes(bytes)
                scan = cursor.scan
            case 32:
                version = try scan.uint32(bytes)
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
            if type.rawValue != 0 { run.enumeration(8, type) }
            if sequence != 0 { run.uint64(16, sequence) }
            writer.end(run)
        }
        if !payload.isEmpty { writer.bytes(26, payload) }
        do {
            var run = writer.run(6)
            if version != 0 { run.uint32(32, version) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct QuoteLogin: Message {
    /// the quote credential, never the user credential
    public var credential: String = ""
    @usableFromInline internal var _protocol: VersionRange?
    @inlinable public var `protocol`: VersionRange {
        get { _protocol ?? VersionRange() }
        set { _protocol = newValue }
    }
    /// Whether `protocol` is there.
    @inlinable public var hasProtocol: Bool { _protocol != nil }
    /// Makes `protocol` absent.
    @inlinable public mutating func clearProtocol() { _protocol = nil }
    public var deviceID: String = ""
    public var platform: String = ""
    public var symbolsVersion: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.QuoteLogin"

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
                credential = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, into: &_protocol)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                deviceID = try cursor.string(bytes)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                platform = try cursor.string(bytes)
                scan = cursor.scan
            case 40:
                symbolsVersion = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !credential.isEmpty { writer.string(10, credential) }
        if let value = _protocol { writer.message(18, value) }
        if !deviceID.isEmpty { writer.string(26, deviceID) }
        if !platform.isEmpty { writer.string(34, platform) }
        do {
            var run = writer.run(11)
            if symbolsVersion != 0 { run.uint64(40, symbolsVersion) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct QuoteLoginReply: Message {
    public var code: LoginCode = LoginCode()
    @usableFromInline internal var _error: ErrorInfo?
    @inlinable public var error: ErrorInfo {
        get { _error ?? ErrorInfo() }
        set { _error = newValue }
    }
    /// Whether `error` is there.
    @inlinable public var hasError: Bool { _error != nil }
    /// Makes `error` absent.
    @inlinable public mutating func clearError() { _error = nil }
    /// version chosen
    public var `protocol`: UInt32 = 0
    @usableFromInline internal var _clock: MarketClockInfo?
    @inlinable public var clock: MarketClockInfo {
        get { _clock ?? MarketClockInfo() }
        set { _clock = newValue }
    }
    /// Whether `clock` is there.
    @inlinable public var hasClock: Bool { _clock != nil }
    /// Makes `clock` absent.
    @inlinable public mutating func clearClock() { _clock = nil }
    public var symbolsVersion: UInt64 = 0
    public var marketDate: Int32 = 0
    @usableFromInline internal var _supported: VersionRange?
    @inlinable public var supported: VersionRange {
        get { _supported ?? VersionRange() }
        set { _supported = newValue }
    }
    /// Whether `supported` is there.
    @inlinable public var hasSupported: Bool { _supported != nil }
    /// Makes `supported` absent.
    @inlinable public mutating func clearSupported() { _supported = nil }
    @usableFromInline internal var _feed: FeedInfo?
    @inlinable public var feed: FeedInfo {
        get { _feed ?? FeedInfo() }
        set { _feed = newValue }
    }
    /// Whether `feed` is there.
    @inlinable public var hasFeed: Bool { _feed != nil }
    /// Makes `feed` absent.
    @inlinable public mutating func clearFeed() { _feed = nil }
    /// instruments of the table of which this server's feed has no prices
    public var unfed: [UInt32] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.QuoteLoginReply"

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
                try cursor.message(bytes, into: &_error)
                scan = cursor.scan
            case 24:
                `protocol` = try scan.uint32(bytes)
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, into: &_clock)
                scan = cursor.scan
            case 40:
                symbolsVersion = try scan.uint64(bytes)
            case 48:
                marketDate = try scan.int32(bytes)
            case 58:
                cursor.scan = scan
                try cursor.message(bytes, into: &_supported)
                scan = cursor.scan
            case 66:
                cursor.scan = scan
                try cursor.message(bytes, into: &_feed)
                scan = cursor.scan
            case 72:
                cursor.scan = scan
                unfed.append(try cursor.uint32(bytes))
                scan = cursor.scan
            case 74:
                cursor.scan = scan
                let outer = try cursor.enterPacked(bytes)
                while cursor.isInside { unfed.append(try cursor.uint32(bytes)) }
                cursor.leavePacked(outer)
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
            if code.rawValue != 0 { run.enumeration(8, code) }
            writer.end(run)
        }
        if let value = _error { writer.message(18, value) }
        do {
            var run = writer.run(6)
            if `protocol` != 0 { run.uint32(24, `protocol`) }
            writer.end(run)
        }
        if let value = _clock { writer.message(34, value) }
        do {
            var run = writer.run(22)
            if symbolsVersion != 0 { run.uint64(40, symbolsVersion) }
            if marketDate != 0 { run.int32(48, marketDate) }
            writer.end(run)
        }
        if let value = _supported { writer.message(58, value) }
        if let value = _feed { writer.message(66, value) }
        if !unfed.isEmpty {
            let start = writer.open(74)
            for value in unfed { writer.uint32(value) }
            writer.close(start)
        }
        writer.unknown(unknownFields)
    }
}

/// `since_ns`: market time since which it is so.
public struct FeedInfo: Message {
    public var status: FeedStatus = FeedStatus()
    public var sinceNs: Int64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.FeedInfo"

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
                status = try scan.enumeration(bytes)
            case 16:
                sinceNs = try scan.sint64(bytes)
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
            if status.rawValue != 0 { run.enumeration(8, status) }
            if sinceNs != 0 { run.sint64(16, sinceNs) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct QuoteHeartbeat: Message {
    public var sentNs: Int64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.QuoteHeartbeat"

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
                sentNs = try scan.sint64(bytes)
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
            if sentNs != 0 { run.sint64(8, sentNs) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// (instrument, kind, depth); depth counts book levels and is 0 for other kinds.
public struct Topic: Message {
    public var instrument: UInt32 = 0
    public var kind: QuoteKind = QuoteKind()
    public var depth: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Topic"

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
                instrument = try scan.uint32(bytes)
            case 16:
                kind = try scan.enumeration(bytes)
            case 24:
                depth = try scan.uint32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(23)
            if instrument != 0 { run.uint32(8, instrument) }
            if kind.rawValue != 0 { run.enumeration(16, kind) }
            if depth != 0 { run.uint32(24, depth) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct SubscriptionRequest: Message {
    public var topics: [Topic] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.SubscriptionRequest"

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
                try cursor.message(bytes, appendTo: &topics)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in topics { writer.message(10, value) }
        writer.unknown(unknownFields)
    }
}

public struct TopicFailure: Message {
    @usableFromInline internal var _topic: Topic?
    @inlinable public var topic: Topic {
        get { _topic ?? Topic() }
        set { _topic = newValue }
    }
    /// Whether `topic` is there.
    @inlinable public var hasTopic: Bool { _topic != nil }
    /// Makes `topic` absent.
    @inlinable public mutating func clearTopic() { _topic = nil }
    @usableFromInline internal var _error: ErrorInfo?
    @inlinable public var error: ErrorInfo {
        get { _error ?? ErrorInfo() }
        set { _error = newValue }
    }
    /// Whether `error` is there.
    @inlinable public var hasError: Bool { _error != nil }
    /// Makes `error` absent.
    @inlinable public mutating func clearError() { _error = nil }
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TopicFailure"

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
                try cursor.message(bytes, into: &_topic)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, into: &_error)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if let value = _topic { writer.message(10, value) }
        if let value = _error { writer.message(18, value) }
        writer.unknown(unknownFields)
    }
}

public struct SubscriptionReply: Message {
    public var failures: [TopicFailure] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.SubscriptionReply"

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
                try cursor.message(bytes, appendTo: &failures)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in failures { writer.message(10, value) }
        writer.unknown(unknownFields)
    }
}

/// Hot: instruments are ids, no text. An absent field did not change (QUOTE_PUSH) or is not known (snapshots).
public struct Quote: Message {
    public var instrument: UInt32 = 0
    /// market time of this update
    public var timeNs: Int64 = 0
    @usableFromInline internal var _last: Int64 = 0
    @inlinable public var last: Int64 {
        get { _last }
        set {
            _last = newValue
            _presence |= 0x1
        }
    }
    /// Whether `last` is there.
    @inlinable public var hasLast: Bool { _presence & 0x1 != 0 }
    /// Makes `last` absent.
    @inlinable public mutating func clearLast() {
        _last = 0
        _presence &= ~0x1
    }
    @usableFromInline internal var _lastSize: Int64 = 0
    @inlinable public var lastSize: Int64 {
        get { _lastSize }
        set {
            _lastSize = newValue
            _presence |= 0x2
        }
    }
    /// Whether `lastSize` is there.
    @inlinable public var hasLastSize: Bool { _presence & 0x2 != 0 }
    /// Makes `lastSize` absent.
    @inlinable public mutating func clearLastSize() {
        _lastSize = 0
        _presence &= ~0x2
    }
    @usableFromInline internal var _bid: Int64 = 0
    @inlinable public var bid: Int64 {
        get { _bid }
        set {
            _bid = newValue
            _presence |= 0x4
        }
    }
    /// Whether `bid` is there.
    @inlinable public var hasBid: Bool { _presence & 0x4 != 0 }
    /// Makes `bid` absent.
    @inlinable public mutating func clearBid() {
        _bid = 0
        _presence &= ~0x4
    }
    @usableFromInline internal var _bidSize: Int64 = 0
    /// 0: nobody bids; bid is not known then
    @inlinable public var bidSize: Int64 {
        get { _bidSize }
        set {
            _bidSize = newValue
            _presence |= 0x8
        }
    }
    /// Whether `bidSize` is there.
    @inlinable public var hasBidSize: Bool { _presence & 0x8 != 0 }
    /// Makes `bidSize` absent.
    @inlinable public mutating func clearBidSize() {
        _bidSize = 0
        _presence &= ~0x8
    }
    @usableFromInline internal var _ask: Int64 = 0
    @inlinable public var ask: Int64 {
        get { _ask }
        set {
            _ask = newValue
            _presence |= 0x10
        }
    }
    /// Whether `ask` is there.
    @inlinable public var hasAsk: Bool { _presence & 0x10 != 0 }
    /// Makes `ask` absent.
    @inlinable public mutating func clearAsk() {
        _ask = 0
        _presence &= ~0x10
    }
    @usableFromInline internal var _askSize: Int64 = 0
    /// as bid_size
    @inlinable public var askSize: Int64 {
        get { _askSize }
        set {
            _askSize = newValue
            _presence |= 0x20
        }
    }
    /// Whether `askSize` is there.
    @inlinable public var hasAskSize: Bool { _presence & 0x20 != 0 }
    /// Makes `askSize` absent.
    @inlinable public mutating func clearAskSize() {
        _askSize = 0
        _presence &= ~0x20
    }
    @usableFromInline internal var _open: Int64 = 0
    @inlinable public var open: Int64 {
        get { _open }
        set {
            _open = newValue
            _presence |= 0x40
        }
    }
    /// Whether `open` is there.
    @inlinable public var hasOpen: Bool { _presence & 0x40 != 0 }
    /// Makes `open` absent.
    @inlinable public mutating func clearOpen() {
        _open = 0
        _presence &= ~0x40
    }
    @usableFromInline internal var _high: Int64 = 0
    @inlinable public var high: Int64 {
        get { _high }
        set {
            _high = newValue
            _presence |= 0x80
        }
    }
    /// Whether `high` is there.
    @inlinable public var hasHigh: Bool { _presence & 0x80 != 0 }
    /// Makes `high` absent.
    @inlinable public mutating func clearHigh() {
        _high = 0
        _presence &= ~0x80
    }
    @usableFromInline internal var _low: Int64 = 0
    @inlinable public var low: Int64 {
        get { _low }
        set {
            _low = newValue
            _presence |= 0x100
        }
    }
    /// Whether `low` is there.
    @inlinable public var hasLow: Bool { _presence & 0x100 != 0 }
    /// Makes `low` absent.
    @inlinable public mutating func clearLow() {
        _low = 0
        _presence &= ~0x100
    }
    @usableFromInline internal var _previousClose: Int64 = 0
    @inlinable public var previousClose: Int64 {
        get { _previousClose }
        set {
            _previousClose = newValue
            _presence |= 0x200
        }
    }
    /// Whether `previousClose` is there.
    @inlinable public var hasPreviousClose: Bool { _presence & 0x200 != 0 }
    /// Makes `previousClose` absent.
    @inlinable public mutating func clearPreviousClose() {
        _previousClose = 0
        _presence &= ~0x200
    }
    @usableFromInline internal var _volume: Int64 = 0
    /// of the trading day
    @inlinable public var volume: Int64 {
        get { _volume }
        set {
            _volume = newValue
            _presence |= 0x400
        }
    }
    /// Whether `volume` is there.
    @inlinable public var hasVolume: Bool { _presence & 0x400 != 0 }
    /// Makes `volume` absent.
    @inlinable public mutating func clearVolume() {
        _volume = 0
        _presence &= ~0x400
    }
    @usableFromInline internal var _turnover: Int64 = 0
    @inlinable public var turnover: Int64 {
        get { _turnover }
        set {
            _turnover = newValue
            _presence |= 0x800
        }
    }
    /// Whether `turnover` is there.
    @inlinable public var hasTurnover: Bool { _presence & 0x800 != 0 }
    /// Makes `turnover` absent.
    @inlinable public mutating func clearTurnover() {
        _turnover = 0
        _presence &= ~0x800
    }
    public var phase: Phase = Phase()
    public var provenance: Provenance = Provenance()
    public var level: FeedLevel = FeedLevel()
    public var delaySeconds: UInt32 = 0
    /// day of the recording, 0 = none
    public var recordedOn: Int32 = 0
    @usableFromInline internal var _lastTimeNs: Int64 = 0
    /// market time of the last trade
    @inlinable public var lastTimeNs: Int64 {
        get { _lastTimeNs }
        set {
            _lastTimeNs = newValue
            _presence |= 0x1000
        }
    }
    /// Whether `lastTimeNs` is there.
    @inlinable public var hasLastTimeNs: Bool { _presence & 0x1000 != 0 }
    /// Makes `lastTimeNs` absent.
    @inlinable public mutating func clearLastTimeNs() {
        _lastTimeNs = 0
        _presence &= ~0x1000
    }
    @usableFromInline internal var _settlement: Int64 = 0
    @inlinable public var settlement: Int64 {
        get { _settlement }
        set {
            _settlement = newValue
            _presence |= 0x2000
        }
    }
    /// Whether `settlement` is there.
    @inlinable public var hasSettlement: Bool { _presence & 0x2000 != 0 }
    /// Makes `settlement` absent.
    @inlinable public mutating func clearSettlement() {
        _settlement = 0
        _presence &= ~0x2000
    }
    @usableFromInline internal var _indicativePrice: Int64 = 0
    @inlinable public var indicativePrice: Int64 {
        get { _indicativePrice }
        set {
            _indicativePrice = newValue
            _presence |= 0x4000
        }
    }
    /// Whether `indicativePrice` is there.
    @inlinable public var hasIndicativePrice: Bool { _presence & 0x4000 != 0 }
    /// Makes `indicativePrice` absent.
    @inlinable public mutating func clearIndicativePrice() {
        _indicativePrice = 0
        _presence &= ~0x4000
    }
    @usableFromInline internal var _indicativeVolume: Int64 = 0
    @inlinable public var indicativeVolume: Int64 {
        get { _indicativeVolume }
        set {
            _indicativeVolume = newValue
            _presence |= 0x8000
        }
    }
    /// Whether `indicativeVolume` is there.
    @inlinable public var hasIndicativeVolume: Bool { _presence & 0x8000 != 0 }
    /// Makes `indicativeVolume` absent.
    @inlinable public mutating func clearIndicativeVolume() {
        _indicativeVolume = 0
        _presence &= ~0x8000
    }
    public var tradingDay: Int32 = 0
    /// of bid and ask; the other figures have `provenance`
    public var bookProvenance: Provenance = Provenance()
    @usableFromInline internal var _presence: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Quote"

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
                instrument = try scan.uint32(bytes)
            case 16:
                timeNs = try scan.sint64(bytes)
            case 24:
                _last = try scan.sint64(bytes)
                presence |= 0x1
            case 32:
                _lastSize = try scan.sint64(bytes)
                presence |= 0x2
            case 40:
                _bid = try scan.sint64(bytes)
                presence |= 0x4
            case 48:
                _bidSize = try scan.sint64(bytes)
                presence |= 0x8
            case 56:
                _ask = try scan.sint64(bytes)
                presence |= 0x10
            case 64:
                _askSize = try scan.sint64(bytes)
                presence |= 0x20
            case 72:
                _open = try scan.sint64(bytes)
                presence |= 0x40
            case 80:
                _high = try scan.sint64(bytes)
                presence |= 0x80
            case 88:
                _low = try scan.sint64(bytes)
                presence |= 0x100
            case 96:
                _previousClose = try scan.sint64(bytes)
                presence |= 0x200
            case 104:
                _volume = try scan.sint64(bytes)
                presence |= 0x400
            case 112:
                _turnover = try scan.sint64(bytes)
                presence |= 0x800
            case 120:
                phase = try scan.enumeration(bytes)
            case 128:
                provenance = try scan.enumeration(bytes)
            case 136:
                level = try scan.enumeration(bytes)
            case 144:
                delaySeconds = try scan.uint32(bytes)
            case 152:
                recordedOn = try scan.int32(bytes)
            case 160:
                _lastTimeNs = try scan.sint64(bytes)
                presence |= 0x1000
            case 168:
                _settlement = try scan.sint64(bytes)
                presence |= 0x2000
            case 176:
                _indicativePrice = try scan.sint64(bytes)
                presence |= 0x4000
            case 184:
                _indicativeVolume = try scan.sint64(bytes)
                presence |= 0x8000
            case 192:
                tradingDay = try scan.int32(bytes)
            case 200:
                bookProvenance = try scan.enumeration(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(275)
            if instrument != 0 { run.uint32(8, instrument) }
            if timeNs != 0 { run.sint64(16, timeNs) }
            if hasLast { run.sint64(24, _last) }
            if hasLastSize { run.sint64(32, _lastSize) }
            if hasBid { run.sint64(40, _bid) }
            if hasBidSize { run.sint64(48, _bidSize) }
            if hasAsk { run.sint64(56, _ask) }
            if hasAskSize { run.sint64(64, _askSize) }
            if hasOpen { run.sint64(72, _open) }
            if hasHigh { run.sint64(80, _high) }
            if hasLow { run.sint64(88, _low) }
            if hasPreviousClose { run.sint64(96, _previousClose) }
            if hasVolume { run.sint64(104, _volume) }
            if hasTurnover { run.sint64(112, _turnover) }
            if phase.rawValue != 0 { run.enumeration(120, phase) }
            if provenance.rawValue != 0 { run.enumeration(128, provenance) }
            if level.rawValue != 0 { run.enumeration(136, level) }
            if delaySeconds != 0 { run.uint32(144, delaySeconds) }
            if recordedOn != 0 { run.int32(152, recordedOn) }
            if hasLastTimeNs { run.sint64(160, _lastTimeNs) }
            if hasSettlement { run.sint64(168, _settlement) }
            if hasIndicativePrice { run.sint64(176, _indicativePrice) }
            if hasIndicativeVolume { run.sint64(184, _indicativeVolume) }
            if tradingDay != 0 { run.int32(192, tradingDay) }
            if bookProvenance.rawValue != 0 { run.enumeration(200, bookProvenance) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct QuoteBatch: Message {
    public var quotes: [Quote] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.QuoteBatch"

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
                try cursor.message(bytes, appendTo: &quotes)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in quotes { writer.message(10, value) }
        writer.unknown(unknownFields)
    }
}

public struct BookLevel: Message {
    public var price: Int64 = 0
    public var size: Int64 = 0
    public var orders: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BookLevel"

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
                price = try scan.sint64(bytes)
            case 16:
                size = try scan.sint64(bytes)
            case 24:
                orders = try scan.uint32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(28)
            if price != 0 { run.sint64(8, price) }
            if size != 0 { run.sint64(16, size) }
            if orders != 0 { run.uint32(24, orders) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct Book: Message {
    public var instrument: UInt32 = 0
    public var timeNs: Int64 = 0
    /// best first
    public var bids: [BookLevel] = []
    public var asks: [BookLevel] = []
    public var provenance: Provenance = Provenance()
    public var recordedOn: Int32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Book"

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
                instrument = try scan.uint32(bytes)
            case 16:
                timeNs = try scan.sint64(bytes)
            case 26:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &bids)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &asks)
                scan = cursor.scan
            case 40:
                provenance = try scan.enumeration(bytes)
            case 48:
                recordedOn = try scan.int32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(17)
            if instrument != 0 { run.uint32(8, instrument) }
            if timeNs != 0 { run.sint64(16, timeNs) }
            writer.end(run)
        }
        for value in bids { writer.message(26, value) }
        for value in asks { writer.message(34, value) }
        do {
            var run = writer.run(22)
            if provenance.rawValue != 0 { run.enumeration(40, provenance) }
            if recordedOn != 0 { run.int32(48, recordedOn) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// Who stands in line at a price, first in line first. A broker that is simulated has a number of no exchange participant.
public struct BrokerLevel: Message {
    public var price: Int64 = 0
    public var brokers: [UInt32] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BrokerLevel"

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
                price = try scan.sint64(bytes)
            case 16:
                cursor.scan = scan
                brokers.append(try cursor.uint32(bytes))
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                let outer = try cursor.enterPacked(bytes)
                while cursor.isInside { brokers.append(try cursor.uint32(bytes)) }
                cursor.leavePacked(outer)
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
            if price != 0 { run.sint64(8, price) }
            writer.end(run)
        }
        if !brokers.isEmpty {
            let start = writer.open(18)
            for value in brokers { writer.uint32(value) }
            writer.close(start)
        }
        writer.unknown(unknownFields)
    }
}

public struct BrokerQueue: Message {
    public var instrument: UInt32 = 0
    public var timeNs: Int64 = 0
    /// best first, at most 40 brokers on a side
    public var bids: [BrokerLevel] = []
    public var asks: [BrokerLevel] = []
    public var provenance: Provenance = Provenance()
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BrokerQueue"

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
                instrument = try scan.uint32(bytes)
            case 16:
                timeNs = try scan.sint64(bytes)
            case 26:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &bids)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &asks)
                scan = cursor.scan
            case 40:
                provenance = try scan.enumeration(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(17)
            if instrument != 0 { run.uint32(8, instrument) }
            if timeNs != 0 { run.sint64(16, timeNs) }
            writer.end(run)
        }
        for value in bids { writer.message(26, value) }
        for value in asks { writer.message(34, value) }
        do {
            var run = writer.run(11)
            if provenance.rawValue != 0 { run.enumeration(40, provenance) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct BrokerQueueBatch: Message {
    public var queues: [BrokerQueue] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BrokerQueueBatch"

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
                try cursor.message(bytes, appendTo: &queues)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in queues { writer.message(10, value) }
        writer.unknown(unknownFields)
    }
}

public struct BookBatch: Message {
    public var books: [Book] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BookBatch"

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
                try cursor.message(bytes, appendTo: &books)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in books { writer.message(10, value) }
        writer.unknown(unknownFields)
    }
}

public struct Tick: Message {
    public var instrument: UInt32 = 0
    public var timeNs: Int64 = 0
    public var price: Int64 = 0
    public var size: Int64 = 0
    public var aggressor: TradeSide = TradeSide()
    /// of the instrument, from 1 each trading day
    public var sequence: UInt64 = 0
    public var provenance: Provenance = Provenance()
    public var recordedOn: Int32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Tick"

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
                instrument = try scan.uint32(bytes)
            case 16:
                timeNs = try scan.sint64(bytes)
            case 24:
                price = try scan.sint64(bytes)
            case 32:
                size = try scan.sint64(bytes)
            case 40:
                aggressor = try scan.enumeration(bytes)
            case 48:
                sequence = try scan.uint64(bytes)
            case 56:
                provenance = try scan.enumeration(bytes)
            case 64:
                recordedOn = try scan.int32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(83)
            if instrument != 0 { run.uint32(8, instrument) }
            if timeNs != 0 { run.sint64(16, timeNs) }
            if price != 0 { run.sint64(24, price) }
            if size != 0 { run.sint64(32, size) }
            if aggressor.rawValue != 0 { run.enumeration(40, aggressor) }
            if sequence != 0 { run.uint64(48, sequence) }
            if provenance.rawValue != 0 { run.enumeration(56, provenance) }
            if recordedOn != 0 { run.int32(64, recordedOn) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct TickBatch: Message {
    public var ticks: [Tick] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TickBatch"

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
                try cursor.message(bytes, appendTo: &ticks)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in ticks { writer.message(10, value) }
        writer.unknown(unknownFields)
    }
}

public struct Bar: Message {
    public var instrument: UInt32 = 0
    public var period: BarPeriod = BarPeriod()
    public var startNs: Int64 = 0
    public var tradingDay: Int32 = 0
    public var open: Int64 = 0
    public var high: Int64 = 0
    public var low: Int64 = 0
    public var close: Int64 = 0
    public var volume: Int64 = 0
    @usableFromInline internal var _turnover: Int64 = 0
    @inlinable public var turnover: Int64 {
        get { _turnover }
        set {
            _turnover = newValue
            _presence |= 0x1
        }
    }
    /// Whether `turnover` is there.
    @inlinable public var hasTurnover: Bool { _presence & 0x1 != 0 }
    /// Makes `turnover` absent.
    @inlinable public mutating func clearTurnover() {
        _turnover = 0
        _presence &= ~0x1
    }
    public var provenance: Provenance = Provenance()
    public var recordedOn: Int32 = 0
    /// a part of its time was not heard: open, range and volume may lack something
    public var partial: Bool = false
    @usableFromInline internal var _presence: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Bar"

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
                instrument = try scan.uint32(bytes)
            case 16:
                period = try scan.enumeration(bytes)
            case 24:
                startNs = try scan.sint64(bytes)
            case 32:
                tradingDay = try scan.int32(bytes)
            case 40:
                open = try scan.sint64(bytes)
            case 48:
                high = try scan.sint64(bytes)
            case 56:
                low = try scan.sint64(bytes)
            case 64:
                close = try scan.sint64(bytes)
            case 72:
                volume = try scan.sint64(bytes)
            case 80:
                _turnover = try scan.sint64(bytes)
                presence |= 0x1
            case 88:
                provenance = try scan.enumeration(bytes)
            case 96:
                recordedOn = try scan.int32(bytes)
            case 104:
                partial = try scan.bool(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(129)
            if instrument != 0 { run.uint32(8, instrument) }
            if period.rawValue != 0 { run.enumeration(16, period) }
            if startNs != 0 { run.sint64(24, startNs) }
            if tradingDay != 0 { run.int32(32, tradingDay) }
            if open != 0 { run.sint64(40, open) }
            if high != 0 { run.sint64(48, high) }
            if low != 0 { run.sint64(56, low) }
            if close != 0 { run.sint64(64, close) }
            if volume != 0 { run.sint64(72, volume) }
            if hasTurnover { run.sint64(80, _turnover) }
            if provenance.rawValue != 0 { run.enumeration(88, provenance) }
            if recordedOn != 0 { run.int32(96, recordedOn) }
            if partial { run.bool(104, partial) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// `adjustment`: what the prices carry. Where it is not NONE, every split and dividend from `known_from` to `known_to` is in it, so many as
/// `actions`; bars made on other days (`recorded_on`, else `trading_day`) are as printed. NONE in answer to another: nothing is known of the
/// instrument's actions.
public struct BarBatch: Message {
    public var bars: [Bar] = []
    public var adjustment: BarAdjustment = BarAdjustment()
    public var knownFrom: Int32 = 0
    public var knownTo: Int32 = 0
    public var actions: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BarBatch"

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
                try cursor.message(bytes, appendTo: &bars)
                scan = cursor.scan
            case 16:
                adjustment = try scan.enumeration(bytes)
            case 24:
                knownFrom = try scan.int32(bytes)
            case 32:
                knownTo = try scan.int32(bytes)
            case 40:
                actions = try scan.uint32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        for value in bars { writer.message(10, value) }
        do {
            var run = writer.run(39)
            if adjustment.rawValue != 0 { run.enumeration(16, adjustment) }
            if knownFrom != 0 { run.int32(24, knownFrom) }
            if knownTo != 0 { run.int32(32, knownTo) }
            if actions != 0 { run.uint32(40, actions) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct InstrumentsQuery: Message {
    public var instruments: [UInt32] = []
    public var depth: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.InstrumentsQuery"

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
                cursor.scan = scan
                instruments.append(try cursor.uint32(bytes))
                scan = cursor.scan
            case 10:
                cursor.scan = scan
                let outer = try cursor.enterPacked(bytes)
                while cursor.isInside { instruments.append(try cursor.uint32(bytes)) }
                cursor.leavePacked(outer)
                scan = cursor.scan
            case 16:
                depth = try scan.uint32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !instruments.isEmpty {
            let start = writer.open(10)
            for value in instruments { writer.uint32(value) }
            writer.close(start)
        }
        do {
            var run = writer.run(6)
            if depth != 0 { run.uint32(16, depth) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

public struct TicksQuery: Message {
    public var instrument: UInt32 = 0
    public var count: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.TicksQuery"

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
                instrument = try scan.uint32(bytes)
            case 16:
                count = try scan.uint32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(12)
            if instrument != 0 { run.uint32(8, instrument) }
            if count != 0 { run.uint32(16, count) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// Newest `count`, oldest first.
public struct BarsQuery: Message {
    public var instrument: UInt32 = 0
    public var period: BarPeriod = BarPeriod()
    public var count: UInt32 = 0
    public var adjustment: BarAdjustment = BarAdjustment()
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.BarsQuery"

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
                instrument = try scan.uint32(bytes)
            case 16:
                period = try scan.enumeration(bytes)
            case 24:
                count = try scan.uint32(bytes)
            case 32:
                adjustment = try scan.enumeration(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(34)
            if instrument != 0 { run.uint32(8, instrument) }
            if period.rawValue != 0 { run.enumeration(16, period) }
            if count != 0 { run.uint32(24, count) }
            if adjustment.rawValue != 0 { run.enumeration(32, adjustment) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// Of instruments of any of `markets` (MIC-like codes) and `kinds`; none: of all. The first `count`, at most 100.
public struct RankingQuery: Message {
    public var kind: RankingKind = RankingKind()
    public var markets: [String] = []
    public var kinds: [ProductKind] = []
    public var count: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.RankingQuery"

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
                kind = try scan.enumeration(bytes)
            case 18:
                cursor.scan = scan
                try cursor.countElement()
                markets.append(try cursor.string(bytes))
                scan = cursor.scan
            case 24:
                cursor.scan = scan
                kinds.append(try cursor.enumeration(bytes))
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                let outer = try cursor.enterPacked(bytes)
                while cursor.isInside { kinds.append(try cursor.enumeration(bytes)) }
                cursor.leavePacked(outer)
                scan = cursor.scan
            case 32:
                count = try scan.uint32(bytes)
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
            if kind.rawValue != 0 { run.enumeration(8, kind) }
            writer.end(run)
        }
        for value in markets { writer.string(18, value) }
        if !kinds.isEmpty {
            let start = writer.open(26)
            for value in kinds { writer.enumeration(value) }
            writer.close(start)
        }
        do {
            var run = writer.run(6)
            if count != 0 { run.uint32(32, count) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// `total`: rows of all messages in which the table is sent; the table is whole when so many have come (0: it is this message alone).
public struct InstrumentRows: Message {
    public var symbolsVersion: UInt64 = 0
    public var rows: [InstrumentRow] = []
    public var total: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.InstrumentRows"

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
                symbolsVersion = try scan.uint64(bytes)
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &rows)
                scan = cursor.scan
            case 24:
                total = try scan.uint32(bytes)
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
            if symbolsVersion != 0 { run.uint64(8, symbolsVersion) }
            writer.end(run)
        }
        for value in rows { writer.message(18, value) }
        do {
            var run = writer.run(6)
            if total != 0 { run.uint32(24, total) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}
