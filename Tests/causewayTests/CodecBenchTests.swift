import Messages
import Testing
import WireCodec

@testable import causeway

/// What the codec bench times is what its target says: a quote of 17 fields and about a hundred bytes (N-5).
struct CodecBenchTests {
    @Test func `quotes have 17 fields and about a hundred bytes`() throws {
        let loop = try CodecLoop()
        #expect(loop.quotes.count == CodecLoop.count && Set(loop.quotes).count == CodecLoop.count)
        for (quote, range) in zip(loop.quotes, loop.ranges) {
            #expect(FieldText.of(quote).split(separator: ",").count == 17)
            #expect((90...120).contains(range.count))
            #expect(try Quote(serializedBytes: Array(loop.bytes[range])) == quote)
        }
    }

    @Test func `both works go through every quote`() throws {
        let loop = try CodecLoop()
        let once = try loop.run(.encode, times: CodecLoop.count)
        #expect(once == loop.bytes.count)
        #expect(try loop.run(.encode, times: 3 * CodecLoop.count) == 3 * once)
        #expect(try loop.run(.decode, times: CodecLoop.count) == Int(loop.quotes.reduce(0) { $0 + $1.last }))
    }

    @Test func `without a counting malloc nothing is counted`() { #expect(CodecPeer.allocationsSoFar() == nil) }
}
