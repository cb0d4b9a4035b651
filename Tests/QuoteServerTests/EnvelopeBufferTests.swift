import Streams
import Feeds
import Messages
import Testing
import WireCodec

@testable import QuoteServer

struct EnvelopeBufferTests {
    // C-2: what is gathered in place is, byte for byte, the envelope's own encoding, whatever its head's length and however it came.
    @Test(arguments: UInt64(0)..<200) func gatheredIsTheEnvelopesOwnEncoding(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let types = QuoteMessageType.allCases + [.UNRECOGNIZED(Int(Int32.max))]
        var envelope = QuoteEnvelope()
        envelope.type = types.randomElement(using: &random) ?? .quotePush
        envelope.sequence = UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 0..<65, using: &random)
        envelope.version = 1
        var buffer = EnvelopeBuffer()
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            let size = Int.random(in: 0...1 << Int.random(in: 0..<17, using: &random), using: &random)
            let part = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            envelope.payload += part
            buffer.append(part.span.bytes)
        }
        #expect(buffer.payloadCount == envelope.payload.count)
        var whole = EnvelopeBuffer(envelope.payload)
        let expected = try envelope.serializedBytes()
        #expect(buffer.seal(envelope.type, sequence: envelope.sequence) == expected)
        #expect(whole.seal(envelope.type, sequence: envelope.sequence) == expected)
        // Used up, it begins anew.
        #expect(buffer.payloadCount == 0)
        buffer.append(([7] as [UInt8]).span.bytes)
        #expect(try QuoteEnvelope(serializedBytes: buffer.seal(.quotePush, sequence: 1)).payload == [7])
    }

    // B-7: pushes told one after the other are the batch of them.
    @Test func elementsOneAfterTheOtherAreTheirBatch() throws {
        var (quotes, books, ticks, bars) = (QuoteBatch(), BookBatch(), TickBatch(), BarBatch())
        for number in 1...3 {
            (quotes.quotes, ticks.ticks) = (quotes.quotes + [.init()], ticks.ticks + [.init()])
            (books.books, bars.bars) = (books.books + [.init()], bars.bars + [.init()])
            quotes.quotes[number - 1].last = Int64(number) << 40
            ticks.ticks[number - 1].instrument = UInt32(number)
            books.books[number - 1].timeNs = Int64(number)
            bars.bars[number - 1].close = -Int64(number)
        }
        func told(_ contents: [BoardPush.Content]) throws -> [UInt8] {
            var writer = WireWriter()
            for content in contents { BoardPush(kind: .snapshot, instrument: 1, content: content).write(depth: 0, to: &writer) }
            return try writer.finish()
        }
        #expect(try told(quotes.quotes.map { .quote($0) }) == quotes.serializedBytes())
        #expect(try told(books.books.map { .book($0) }) == books.serializedBytes())
        #expect(try told(ticks.ticks.map { .tick($0) }) == ticks.serializedBytes())
        #expect(try told(bars.bars.map { .bar($0) }) == bars.serializedBytes())
    }
}
