import Testing
import WireCodec

/// The encoding's own words for a varint, byte by byte.
private func reference(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
    }
    return bytes + [UInt8(rest)]
}

@Suite struct VarintTests {
    private static let edges: [UInt64] =
        (0..<64).flatMap { bit -> [UInt64] in
            let power = UInt64(1) << UInt64(bit)
            return [power &- 1, power, power | 1, power | power >> 1]
        } + [.max, .max - 1]

    // C-7: numbers of every length, last in the buffer and with more behind them
    @Test func everyLengthIsReadAndWritten() throws {
        for value in Self.edges {
            var tick = T_Tick()
            tick.tsMs = Int64(bitPattern: value)
            let expected = value == 0 ? [] : [0x10] + reference(value)
            #expect(try tick.serializedBytes() == expected, "\(value)")
            #expect(try T_Tick(serializedBytes: expected) == tick, "\(value)")
            tick.i32 = 5
            #expect(try T_Tick(serializedBytes: expected + [0x98, 0x01, 0x05]) == T_Tick(serializedBytes: tick.serializedBytes()))
            tick.unknownFields = try T_Tick(serializedBytes: [0xFA, 0x3E, 0x0C] + Array(repeating: 7, count: 12)).unknownFields
            #expect(try T_Tick(serializedBytes: tick.serializedBytes()) == tick, "\(value)")
        }
    }

    // PB-10: a number may not reach past its message, though the buffer goes on behind it
    @Test func aNumberEndsInsideItsMessage() throws {
        for value in Self.edges where value >= 0x80 {
            let number = reference(value)
            for cut in 1..<number.count {
                let level = [0x08] + number.prefix(cut)
                let bytes = [0x3A, UInt8(level.count)] + level + number.dropFirst(cut) + Array(repeating: 0x08, count: 20)
                #expect(throws: WireError.self, "\(value) cut after \(cut)") { try T_Tick(serializedBytes: bytes) }
                #expect(throws: WireError.truncated) { try T_Tick(serializedBytes: [0x10] + number.prefix(cut)) }
            }
        }
    }

    // PB-3: ten bytes are the longest; what does not fit into 64 bits falls away
    @Test func elevenBytesAreNoNumber() throws {
        let ten = Array(repeating: UInt8(0xFF), count: 9)
        for rest in [[], Array(repeating: UInt8(0), count: 12)] as [[UInt8]] {
            #expect(throws: WireError.malformedVarint) { try T_Tick(serializedBytes: [0x10] + ten + [0x80, 0x00] + rest) }
        }
        #expect(try T_Tick(serializedBytes: [0x10] + ten + [0x7F]).tsMs == -1)
        #expect(try T_Tick(serializedBytes: [0x10] + ten + [0x01]).tsMs == -1)
        #expect(try T_Tick(serializedBytes: [0x10] + ten + [0x00]).tsMs == .max)
    }

    // C-7: a tag may be longer than it need be, as in the reference
    @Test func longTagsAreRead() throws {
        #expect(try T_Tick(serializedBytes: [0x90, 0x00, 0x07]).tsMs == 7)
        #expect(try T_Tick(serializedBytes: [0x90, 0x80, 0x80, 0x00, 0x07]).tsMs == 7)
        #expect(throws: WireError.malformedTag) { try T_Tick(serializedBytes: [0x80, 0x00, 0x07]) }
        #expect(throws: WireError.truncated) { try T_Tick(serializedBytes: [0x90]) }
    }

    // B-12: a writer lends what it wrote and keeps its room
    @Test func aWriterIsUsedAgain() throws {
        var tick = T_Tick()
        tick.tsMs = 300
        var writer = WireWriter()
        for _ in 0..<3 {
            tick.write(to: &writer)
            #expect(try writer.finish { span in span.withUnsafeBytes { Array($0) } } == [0x10, 0xAC, 0x02])
        }
        tick.write(to: &writer)
        #expect(throws: WireError.tooLarge) { try writer.finish(limit: 2) { $0.byteCount } }
        #expect(try writer.finish { $0.byteCount } == 0)
    }
}
