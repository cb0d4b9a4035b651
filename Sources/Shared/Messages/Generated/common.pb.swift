// swift-format-ignore-file
// Generated from common.proto by protoc-gen-causeway. Change the schema and run `make proto`.
public import WireCodec

/// Where a number comes from (C-8).
public enum Provenance: ProtoEnum {
    case unspecified
    case live
    case delayed
    /// printed on the recorded day, shown as recorded
    case recorded
    /// a path derived inside a recorded bar
    case derived
    /// made up
    case simulated
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .live
        case 2: self = .delayed
        case 3: self = .recorded
        case 4: self = .derived
        case 5: self = .simulated
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .live: 1
        case .delayed: 2
        case .recorded: 3
        case .derived: 4
        case .simulated: 5
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [Provenance] = [.unspecified, .live, .delayed, .recorded, .derived, .simulated]
}

public enum FeedLevel: ProtoEnum {
    case unspecified
    case last
    case top
    case depth
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .last
        case 2: self = .top
        case 3: self = .depth
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .last: 1
        case .top: 2
        case .depth: 3
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [FeedLevel] = [.unspecified, .last, .top, .depth]
}

/// Phase of a market or an instrument.
public enum Phase: ProtoEnum {
    case unspecified
    case closed
    /// auction orders may come and go
    case auctionInput
    case auctionNoCancel
    case auctionMatching
    case continuous
    /// lunch, daily break
    case `break`
    case preMarket
    case postMarket
    /// futures T+1 or Globex night, continuous
    case night
    case halted
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .closed
        case 2: self = .auctionInput
        case 3: self = .auctionNoCancel
        case 4: self = .auctionMatching
        case 5: self = .continuous
        case 6: self = .`break`
        case 7: self = .preMarket
        case 8: self = .postMarket
        case 9: self = .night
        case 10: self = .halted
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .closed: 1
        case .auctionInput: 2
        case .auctionNoCancel: 3
        case .auctionMatching: 4
        case .continuous: 5
        case .`break`: 6
        case .preMarket: 7
        case .postMarket: 8
        case .night: 9
        case .halted: 10
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [Phase] = [.unspecified, .closed, .auctionInput, .auctionNoCancel, .auctionMatching, .continuous, .`break`, .preMarket, .postMarket, .night, .halted]
}

public enum ProductKind: ProtoEnum {
    case unspecified
    case stock
    case etf
    case future
    case index
    case reit
    case preferred
    /// shares and warrants sold as one
    case unit
    case right
    /// a company's own
    case warrant
    /// derivative warrants, bull and bear contracts, inline warrants
    case structured
    case debt
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    public init() { self = .unspecified }
    public init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .stock
        case 2: self = .etf
        case 3: self = .future
        case 4: self = .index
        case 5: self = .reit
        case 6: self = .preferred
        case 7: self = .unit
        case 8: self = .right
        case 9: self = .warrant
        case 10: self = .structured
        case 11: self = .debt
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .stock: 1
        case .etf: 2
        case .future: 3
        case .index: 4
        case .reit: 5
        case .preferred: 6
        case .unit: 7
        case .right: 8
        case .warrant: 9
        case .structured: 10
        case .debt: 11
        case .UNRECOGNIZED(let number): number
        }
    }
    public static let allCases: [ProductKind] = [.unspecified, .stock, .etf, .future, .index, .reit, .preferred, .unit, .right, .warrant, .structured, .debt]
}

public struct Argument: Message {
    public var name: String = ""
    public var value: String = ""
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.Argument"

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
                name = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                value = try cursor.string(bytes)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !name.isEmpty { writer.string(10, name) }
        if !value.isEmpty { writer.string(18, value) }
        writer.unknown(unknownFields)
    }
}

/// A stable error code with arguments.
public struct ErrorInfo: Message {
    public var code: String = ""
    public var arguments: [Argument] = []
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.ErrorInfo"

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
                code = try cursor.string(bytes)
                scan = cursor.scan
            case 18:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &arguments)
                scan = cursor.scan
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        if !code.isEmpty { writer.string(10, code) }
        for value in arguments { writer.message(18, value) }
        writer.unknown(unknownFields)
    }
}

public struct VersionRange: Message {
    public var minimum: UInt32 = 0
    public var maximum: UInt32 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.VersionRange"

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
                minimum = try scan.uint32(bytes)
            case 16:
                maximum = try scan.uint32(bytes)
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
            if minimum != 0 { run.uint32(8, minimum) }
            if maximum != 0 { run.uint32(16, maximum) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// Market time, its pace in millionths of real time, and a number that grows with every seek or change of pace.
public struct MarketClockInfo: Message {
    public var timeNs: Int64 = 0
    public var speedMicros: Int64 = 0
    public var epoch: UInt64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.MarketClockInfo"

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
                speedMicros = try scan.int64(bytes)
            case 24:
                epoch = try scan.uint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(33)
            if timeNs != 0 { run.sint64(8, timeNs) }
            if speedMicros != 0 { run.int64(16, speedMicros) }
            if epoch != 0 { run.uint64(24, epoch) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

/// One row of the symbol table; sent in band where a client lacks it (H-5).
public struct InstrumentRow: Message {
    public var id: UInt32 = 0
    /// MIC-like: XHKG, XNAS, XNYS, ARCX, XASE, BATS, IEXG, XHKF, XCME, XCBT, XNYM, XCEC, XSGE, CCFX, INDX
    public var market: String = ""
    /// canonical code, e.g. 00700, AAPL, HSI2612
    public var code: String = ""
    /// canonical text, e.g. 700.HK, AAPL.US, HSI2612.HKFE
    public var symbol: String = ""
    public var kind: ProductKind = ProductKind()
    public var currency: String = ""
    public var nameEn: String = ""
    public var nameZhHans: String = ""
    public var nameZhHant: String = ""
    /// quantity
    public var lot: Int64 = 0
    /// quantity scale: currency per point per contract; 1 for stocks
    public var multiplier: Int64 = 0
    /// decimals shown
    public var decimals: UInt32 = 0
    public var tickTable: String = ""
    /// day, 0 = open
    public var listedFrom: Int32 = 0
    public var listedTo: Int32 = 0
    /// futures: HSI, ES
    public var product: String = ""
    /// futures: last trading day
    public var expiry: Int32 = 0
    public var successor: UInt32 = 0
    /// money per contract, futures
    public var initialMargin: Int64 = 0
    public var maintenanceMargin: Int64 = 0
    public var unknownFields = UnknownFields()

    public init() {}

    public static let protoMessageName = "causeway.v1.InstrumentRow"

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
                id = try scan.uint32(bytes)
            case 18:
                cursor.scan = scan
                market = try cursor.string(bytes)
                scan = cursor.scan
            case 26:
                cursor.scan = scan
                code = try cursor.string(bytes)
                scan = cursor.scan
            case 34:
                cursor.scan = scan
                symbol = try cursor.string(bytes)
                scan = cursor.scan
            case 40:
                kind = try scan.enumeration(bytes)
            case 50:
                cursor.scan = scan
                currency = try cursor.string(bytes)
                scan = cursor.scan
            case 58:
                cursor.scan = scan
                nameEn = try cursor.string(bytes)
                scan = cursor.scan
            case 66:
                cursor.scan = scan
                nameZhHans = try cursor.string(bytes)
                scan = cursor.scan
            case 74:
                cursor.scan = scan
                nameZhHant = try cursor.string(bytes)
                scan = cursor.scan
            case 80:
                lot = try scan.sint64(bytes)
            case 88:
                multiplier = try scan.sint64(bytes)
            case 96:
                decimals = try scan.uint32(bytes)
            case 106:
                cursor.scan = scan
                tickTable = try cursor.string(bytes)
                scan = cursor.scan
            case 112:
                listedFrom = try scan.int32(bytes)
            case 120:
                listedTo = try scan.int32(bytes)
            case 130:
                cursor.scan = scan
                product = try cursor.string(bytes)
                scan = cursor.scan
            case 136:
                expiry = try scan.int32(bytes)
            case 144:
                successor = try scan.uint32(bytes)
            case 152:
                initialMargin = try scan.sint64(bytes)
            case 160:
                maintenanceMargin = try scan.sint64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    public func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(6)
            if id != 0 { run.uint32(8, id) }
            writer.end(run)
        }
        if !market.isEmpty { writer.string(18, market) }
        if !code.isEmpty { writer.string(26, code) }
        if !symbol.isEmpty { writer.string(34, symbol) }
        do {
            var run = writer.run(11)
            if kind.rawValue != 0 { run.enumeration(40, kind) }
            writer.end(run)
        }
        if !currency.isEmpty { writer.string(50, currency) }
        if !nameEn.isEmpty { writer.string(58, nameEn) }
        if !nameZhHans.isEmpty { writer.string(66, nameZhHans) }
        if !nameZhHant.isEmpty { writer.string(74, nameZhHant) }
        do {
            var run = writer.run(28)
            if lot != 0 { run.sint64(80, lot) }
            if multiplier != 0 { run.sint64(88, multiplier) }
            if decimals != 0 { run.uint32(96, decimals) }
            writer.end(run)
        }
        if !tickTable.isEmpty { writer.string(106, tickTable) }
        do {
            var run = writer.run(22)
            if listedFrom != 0 { run.int32(112, listedFrom) }
            if listedTo != 0 { run.int32(120, listedTo) }
            writer.end(run)
        }
        if !product.isEmpty { writer.string(130, product) }
        do {
            var run = writer.run(43)
            if expiry != 0 { run.int32(136, expiry) }
            if successor != 0 { run.uint32(144, successor) }
            if initialMargin != 0 { run.sint64(152, initialMargin) }
            if maintenanceMargin != 0 { run.sint64(160, maintenanceMargin) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}
