// swift-format-ignore-file
// Generated from quote.proto by protoc-gen-causeway. Change the schema and run `make proto`.
import WireCodec

enum T_Side: ProtoEnum {
    case unknown
    case buy
    case sell
    case legacy
    /// A number of a newer schema.
    case UNRECOGNIZED(Int)

    init() { self = .unknown }
    init(rawValue: Int) {
        switch rawValue {
        case 0: self = .unknown
        case 1: self = .buy
        case 2: self = .sell
        case -1: self = .legacy
        default: self = .UNRECOGNIZED(rawValue)
        }
    }
    var rawValue: Int {
        switch self {
        case .unknown: 0
        case .buy: 1
        case .sell: 2
        case .legacy: -1
        case .UNRECOGNIZED(let number): number
        }
    }
    static let allCases: [T_Side] = [.unknown, .buy, .sell, .legacy]
}

struct T_Level: Message {
    var priceE4: Int64 = 0
    var size: Int64 = 0
    var unknownFields = UnknownFields()

    init() {}

    static let protoMessageName = "t.Level"

    mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 8:
                priceE4 = try scan.int64(bytes)
            case 16:
                size = try scan.int64(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(22)
            if priceE4 != 0 { run.int64(8, priceE4) }
            if size != 0 { run.int64(16, size) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

struct T_Tick: Message {
    var symbol: String = ""
    var tsMs: Int64 = 0
    var deltaE4: Int64 = 0
    var flags: UInt32 = 0
    var side: T_Side = T_Side()
    /// packed by default
    var levels: [Int32] = []
    fileprivate var _best: T_Level?
    var best: T_Level {
        get { _best ?? T_Level() }
        set { _best = newValue }
    }
    /// Whether `best` is there.
    var hasBest: Bool { _best != nil }
    /// Makes `best` absent.
    mutating func clearBest() { _best = nil }
    var raw: [UInt8] = []
    var last: Double = 0
    var seq: UInt64 = 0
    var halted: Bool = false
    var note: String {
        get {
            if case .note(let value)? = body { return value }
            return ""
        }
        set { body = .note(newValue) }
    }
    var book: T_Level {
        get {
            if case .book(let value)? = body { return value }
            return T_Level()
        }
        set { body = .book(newValue) }
    }
    var m: [String: Int32] = [:]
    fileprivate var _inner: Boxed<T_Tick>?
    var inner: T_Tick {
        get { _inner?.value ?? T_Tick() }
        set { _inner = Boxed(newValue) }
    }
    /// Whether `inner` is there.
    var hasInner: Bool { _inner != nil }
    /// Makes `inner` absent.
    mutating func clearInner() { _inner = nil }
    fileprivate var _opt: Int32 = 0
    var opt: Int32 {
        get { _opt }
        set {
            _opt = newValue
            _presence |= 0x1
        }
    }
    /// Whether `opt` is there.
    var hasOpt: Bool { _presence & 0x1 != 0 }
    /// Makes `opt` absent.
    mutating func clearOpt() {
        _opt = 0
        _presence &= ~0x1
    }
    var depth: [T_Level] = []
    var sides: [T_Side] = []
    var i32: Int32 = 0
    fileprivate var _presence: UInt32 = 0
    /// At most one of these.
    var body: OneOf_Body?
    enum OneOf_Body: Hashable, Sendable {
        case note(String)
        case book(T_Level)
    }
    var unknownFields = UnknownFields()

    init() {}

    static let protoMessageName = "t.Tick"

    mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
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
                symbol = try cursor.string(bytes)
                scan = cursor.scan
            case 16:
                tsMs = try scan.int64(bytes)
            case 24:
                deltaE4 = try scan.sint64(bytes)
            case 32:
                flags = try scan.uint32(bytes)
            case 40:
                side = try scan.enumeration(bytes)
            case 48:
                cursor.scan = scan
                levels.append(try cursor.int32(bytes))
                scan = cursor.scan
            case 50:
                cursor.scan = scan
                let outer = try cursor.enterPacked(bytes)
                while cursor.isInside { levels.append(try cursor.int32(bytes)) }
                cursor.leavePacked(outer)
                scan = cursor.scan
            case 58:
                cursor.scan = scan
                try cursor.message(bytes, into: &_best)
                scan = cursor.scan
            case 66:
                cursor.scan = scan
                raw = try cursor.bytes(bytes)
                scan = cursor.scan
            case 73:
                last = try scan.double(bytes)
            case 81:
                seq = try scan.fixed64(bytes)
            case 88:
                halted = try scan.bool(bytes)
            case 98:
                cursor.scan = scan
                body = .note(try cursor.string(bytes))
                scan = cursor.scan
            case 106:
                cursor.scan = scan
                var value = T_Level()
                if case .book(let old)? = body { value = old }
                try cursor.message(bytes, into: &value)
                body = .book(value)
                scan = cursor.scan
            case 114:
                cursor.scan = scan
                try cursor.countElement()
                let outer = try cursor.enter(bytes)
                var key: String = ""
                var value: Int32 = 0
                while true {
                    let tag = try cursor.tag(bytes)
                    if tag == 0 { break }
                    switch tag {
                    case 10: key = try cursor.string(bytes)
                    case 16: value = try cursor.int32(bytes)
                    default: try cursor.skip(bytes, tag)
                    }
                }
                cursor.leave(outer)
                m[key] = value
                scan = cursor.scan
            case 122:
                cursor.scan = scan
                try cursor.message(bytes, into: &_inner)
                scan = cursor.scan
            case 128:
                _opt = try scan.int32(bytes)
                presence |= 0x1
            case 138:
                cursor.scan = scan
                try cursor.message(bytes, appendTo: &depth)
                scan = cursor.scan
            case 144:
                cursor.scan = scan
                sides.append(try cursor.enumeration(bytes))
                scan = cursor.scan
            case 146:
                cursor.scan = scan
                let outer = try cursor.enterPacked(bytes)
                while cursor.isInside { sides.append(try cursor.enumeration(bytes)) }
                cursor.leavePacked(outer)
                scan = cursor.scan
            case 152:
                i32 = try scan.int32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    func write(to writer: inout WireWriter) {
        if !symbol.isEmpty { writer.string(10, symbol) }
        do {
            var run = writer.run(39)
            if tsMs != 0 { run.int64(16, tsMs) }
            if deltaE4 != 0 { run.sint64(24, deltaE4) }
            if flags != 0 { run.uint32(32, flags) }
            if side.rawValue != 0 { run.enumeration(40, side) }
            writer.end(run)
        }
        if !levels.isEmpty {
            let start = writer.open(50)
            for value in levels { writer.int32(value) }
            writer.close(start)
        }
        if let value = _best { writer.message(58, value) }
        if !raw.isEmpty { writer.bytes(66, raw) }
        do {
            var run = writer.run(20)
            if last.bitPattern != 0 { run.double(73, last) }
            if seq != 0 { run.fixed64(81, seq) }
            if halted { run.bool(88, halted) }
            writer.end(run)
        }
        if case .note(let value)? = body { writer.string(98, value) }
        if case .book(let value)? = body { writer.message(106, value) }
        for (key, value) in m.sorted(by: { $0.key < $1.key }) {
            let start = writer.open(114)
            writer.string(10, key)
            writer.int32(16, value)
            writer.close(start)
        }
        if let value = _inner { writer.message(122, value.value) }
        do {
            var run = writer.run(12)
            if hasOpt { run.int32(128, _opt) }
            writer.end(run)
        }
        for value in depth { writer.message(138, value) }
        if !sides.isEmpty {
            let start = writer.open(146)
            for value in sides { writer.enumeration(value) }
            writer.close(start)
        }
        do {
            var run = writer.run(12)
            if i32 != 0 { run.int32(152, i32) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}

struct T_Envelope: Message {
    var cmd: UInt32 = 0
    var seq: UInt32 = 0
    var body: [UInt8] = []
    var status: Int32 = 0
    var unknownFields = UnknownFields()

    init() {}

    static let protoMessageName = "t.Envelope"

    mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        var scan = cursor.scan
        while true {
            let start = scan.offset
            let tag = try scan.tag(bytes)
            switch tag {
            case 0:
                cursor.scan = scan
                return
            case 8:
                cmd = try scan.uint32(bytes)
            case 16:
                seq = try scan.uint32(bytes)
            case 26:
                cursor.scan = scan
                body = try cursor.bytes(bytes)
                scan = cursor.scan
            case 32:
                status = try scan.int32(bytes)
            default:
                cursor.scan = scan
                try cursor.unknown(bytes, tag, from: start, into: &unknownFields)
                scan = cursor.scan
            }
        }
    }

    func write(to writer: inout WireWriter) {
        do {
            var run = writer.run(12)
            if cmd != 0 { run.uint32(8, cmd) }
            if seq != 0 { run.uint32(16, seq) }
            writer.end(run)
        }
        if !body.isEmpty { writer.bytes(26, body) }
        do {
            var run = writer.run(11)
            if status != 0 { run.int32(32, status) }
            writer.end(run)
        }
        writer.unknown(unknownFields)
    }
}
