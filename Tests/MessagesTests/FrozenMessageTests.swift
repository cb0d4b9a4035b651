import Messages
import Testing
import WireCodec

/// Bytes of version 1 as protoc's own encoder made them, written down once: they decode for ever (C-7). Never change a line, add new ones.
@Suite struct FrozenMessageTests {
    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    private func check<M: Message>(_ message: M, _ frozen: String) throws {
        #expect(hex(try message.serializedBytes()) == frozen)
        #expect(try M(serializedBytes: bytes(frozen)) == message)
    }

    // C-2, C-7, C-8
    @Test func quoteOfVersionOne() throws {
        var quote = Quote()
        quote.instrument = 7
        quote.timeNs = 1
        quote.last = 380_000_000_000
        quote.low = -37_630_000_000
        quote.bid = 0
        quote.phase = .continuous
        quote.provenance = .recorded
        quote.recordedOn = 20_220_411
        try check(quote, "080710021880e09e9c8f16280058ffede1ae980278058001039801fb93d209")
    }

    // C-2, C-4
    @Test func placeOrderOfVersionOne() throws {
        var order = PlaceOrder()
        order.tradingAccount = "S1"
        order.commandID = Array(0..<16)
        order.instrument = 7
        order.side = .buy
        order.type = .limit
        order.quantity = 10_000_000_000
        order.limit = 380_000_000_000
        order.timeInForce = .day
        var envelope = TradeEnvelope()
        envelope.requestID = "r1"
        envelope.type = .place
        envelope.payload = try order.serializedBytes()
        try check(envelope, "0a02723110641a2b0a0253311210000102030405060708090a0b0c0d0e0f180720012801308090dfc04a3880e09e9c8f164001")
    }

    // C-2
    @Test func quoteEnvelopeOfVersionOne() throws {
        var envelope = QuoteEnvelope()
        envelope.type = .barsReply
        envelope.sequence = 300
        envelope.payload = [1, 2]
        envelope.version = 1
        try check(envelope, "08b30210ac021a0201022001")
    }

    // C-7
    @Test func unknownTypesAndFieldsSurvive() throws {
        let newer = "08e707ba3e0268692001"
        let envelope = try QuoteEnvelope(serializedBytes: bytes(newer))
        #expect(envelope.type == .UNRECOGNIZED(999))
        #expect(hex(try envelope.serializedBytes()) == "08e7072001ba3e026869")
    }

    // C-6: a missing price is absent, never zero
    @Test func presenceIsKept() throws {
        var quote = Quote()
        quote.last = 0
        #expect(quote.hasLast)
        #expect(try Quote(serializedBytes: quote.serializedBytes()).hasLast)
        quote.clearLast()
        #expect(!quote.hasLast)
        #expect(quote == Quote())
    }
}
