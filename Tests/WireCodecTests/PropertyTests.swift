import Streams
import Testing
import WireCodec

extension SeededRandom {
    /// Numbers of every encoded length.
    fileprivate mutating func number() -> UInt64 { next() >> (next() % 64) }
    fileprivate mutating func chance() -> Bool { next() & 1 == 0 }
}

private func level(_ random: inout SeededRandom) -> T_Level {
    var level = T_Level()
    level.priceE4 = Int64(bitPattern: random.number())
    if random.chance() { level.size = -Int64(random.number() >> 1) }
    return level
}

private func randomTick(_ random: inout SeededRandom, depth: Int) -> T_Tick {
    var tick = T_Tick()
    if random.chance() { tick.symbol = String(repeating: "腾é7", count: Int(random.next() % 80)) }
    tick.tsMs = Int64(bitPattern: random.number())
    tick.deltaE4 = Int64(bitPattern: random.next())
    tick.flags = UInt32(truncatingIfNeeded: random.number())
    tick.side = T_Side(rawValue: Int(Int32(truncatingIfNeeded: random.number())))
    tick.levels = (0..<random.next() % 40).map { _ in Int32(truncatingIfNeeded: random.number()) }
    if random.chance() { tick.best = level(&random) }
    tick.raw = (0..<random.next() % 200).map { UInt8(truncatingIfNeeded: $0) }
    tick.last = Double(Int64(bitPattern: random.number()))
    tick.seq = random.number()
    tick.halted = random.chance()
    switch random.next() % 3 {
    case 0: tick.note = random.chance() ? "" : "n"
    case 1: tick.book = level(&random)
    default: break
    }
    for _ in 0..<random.next() % 4 { tick.m["k\(random.next() % 100)"] = Int32(truncatingIfNeeded: random.number()) }
    if depth > 0, random.chance() { tick.inner = randomTick(&random, depth: depth - 1) }
    if random.chance() { tick.opt = Int32(truncatingIfNeeded: random.number()) }
    tick.depth = (0..<random.next() % 5).map { _ in level(&random) }
    tick.sides = (0..<random.next() % 5).map { _ in T_Side(rawValue: Int(Int32(truncatingIfNeeded: random.number()))) }
    tick.i32 = Int32(truncatingIfNeeded: random.number())
    return tick
}

@Suite struct PropertyTests {
    // C-7
    @Test(arguments: UInt64(0)..<200)
    func whatIsWrittenIsReadAgain(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let message = randomTick(&random, depth: 4)
        let bytes = try message.serializedBytes()
        #expect(try T_Tick(serializedBytes: bytes) == message)
        // Two encodings one after the other merge: the lists are there twice, the rest is the same.
        let twice = try T_Tick(serializedBytes: bytes + bytes)
        #expect(twice.levels == message.levels + message.levels)
        #expect(twice.i32 == message.i32)
        // A schema that knows no field of it keeps them all.
        let foreign = try Foreign(serializedBytes: bytes)
        #expect(foreign.unknownFields.bytes == bytes)
        #expect(try foreign.serializedBytes() == bytes)
    }

    // PB-10: damaged bytes are read or refused, and never trap
    @Test(arguments: UInt64(0)..<200)
    func damageNeverTraps(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 1_000_000)
        let bytes = try randomTick(&random, depth: 3).serializedBytes()
        for _ in 0..<50 {
            var damaged = bytes
            if damaged.isEmpty { damaged = [0] }
            for _ in 0...random.next() % 4 {
                let index = Int(random.next() % UInt64(damaged.count))
                damaged[index] = UInt8(truncatingIfNeeded: random.next())
            }
            damaged.removeLast(Int(random.next() % UInt64(damaged.count + 1)))
            if let read = try? T_Tick(serializedBytes: damaged) {
                _ = try read.serializedBytes()
            }
        }
    }

    @Test func everyCutIsReadOrRefused() throws {
        var random = SeededRandom(seed: 7)
        let bytes = try randomTick(&random, depth: 2).serializedBytes()
        for end in bytes.indices { _ = try? T_Tick(serializedBytes: Array(bytes[..<end])) }
    }
}

/// Knows nothing.
private struct Foreign: Message {
    static let protoMessageName = "t.Foreign"
    var unknownFields = UnknownFields()
    mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError) {
        while true {
            let tag = try cursor.tag(bytes)
            if tag == 0 { return }
            try cursor.unknown(bytes, tag, into: &unknownFields)
        }
    }
    func write(to writer: inout WireWriter) { writer.unknown(unknownFields) }
}

@Suite struct LimitTests {
    private func nested(_ levels: Int) -> T_Tick {
        var tick = T_Tick()
        for _ in 0..<levels {
            var outer = T_Tick()
            outer.inner = tick
            tick = outer
        }
        return tick
    }

    // PB-4
    @Test func nestingEndsAtAHundred() throws {
        let bytes = try nested(100).serializedBytes()
        #expect(try T_Tick(serializedBytes: bytes) == nested(100))
        #expect(throws: WireError.tooDeep) { try nested(101).serializedBytes() }
        let group = (0..<400).map { $0 % 2 == 0 ? UInt8(0x93) : 0x03 }
        #expect(throws: WireError.tooDeep) { try T_Tick(serializedBytes: group) }
    }

    // B-10: a small first element before a megabyte of anything reserves a list of a few, not of a hundred thousand.
    @Test func listsReserveLittleInAdvance() throws {
        let first: [UInt8] = [0x8A, 0x01, 0x00]
        // An unknown field of 2²⁰ bytes.
        let rest: [UInt8] = [0xFA, 0x7F, 0x80, 0x80, 0x40] + Array(repeating: 0x8A, count: 1 << 20)
        let tick = try T_Tick(serializedBytes: first + rest)
        #expect(tick.depth.count == 1 && tick.depth.capacity < 130)
        #expect(try T_Tick(serializedBytes: Array((0..<1_000).map { _ in first }.joined())).depth.count == 1_000)
    }

    @Test func sizesAndElementsAreBounded() throws {
        let elements = Array((0..<50).map { _ in [UInt8(0x8A), 0x01, 0x00] }.joined())
        #expect(throws: WireError.tooLarge) { try T_Tick(serializedBytes: elements, limits: WireLimits(elements: 49)) }
        #expect(try T_Tick(serializedBytes: elements, limits: WireLimits(elements: 50)).depth.count == 50)
        #expect(throws: WireError.tooLarge) { try T_Tick(serializedBytes: elements, limits: WireLimits(bytes: 149)) }
        #expect(throws: WireError.tooLarge) { try T_Tick(serializedBytes: elements).serializedBytes(limits: WireLimits(bytes: 149)) }
    }

    @Test func aWriterIsEmptyAfterwards() throws {
        var writer = WireWriter(capacity: 0)
        writer.message(58, nested(101))
        #expect(throws: WireError.tooDeep) { try writer.finish() }
        writer.uint32(8, 5)
        #expect(try writer.finish() == [8, 5])
        #expect(try writer.finish() == [])
    }
}
