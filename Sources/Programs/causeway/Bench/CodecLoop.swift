import Messages
import Streams
import Texts
import WireCodec

/// The work that the codec bench times, and the same alone for the counting of allocations: quotes of 17 fields and about a hundred bytes.
struct CodecLoop: Sendable {
    enum Work: String, CaseIterable, Sendable { case decode, encode }

    let quotes: [Quote]
    /// The encoded quotes one after the other, and where each begins and ends.
    let bytes: [UInt8]
    let ranges: [Range<Int>]

    /// A power of two of different quotes, the same ones every time.
    static let count = 64

    init() throws {
        var random = SeededRandom(seed: 20_261_130)
        quotes = (0..<Self.count).map { Self.quote(UInt32($0 + 1), &random) }
        var bytes: [UInt8] = []
        ranges = try quotes.map { quote throws(WireError) in
            let start = bytes.count
            bytes += try quote.serializedBytes()
            return start..<bytes.count
        }
        self.bytes = bytes
    }

    /// As the replay makes one: prices of 5 to 700 on a grid of 0.2, sizes in lots of 100.
    private static func quote(_ instrument: UInt32, _ random: inout SeededRandom) -> Quote {
        let tick: Int64 = 200_000_000
        let price = Int64.random(in: 40...3_500, using: &random) * tick
        func size() -> Int64 { Int64.random(in: 1...400, using: &random) * 10_000_000_000 }
        var quote = Quote()
        quote.instrument = instrument
        quote.timeNs = 1_796_003_000_000_000_000 + Int64.random(in: 0..<3_600_000_000_000, using: &random)
        (quote.last, quote.lastSize) = (price, size())
        (quote.bid, quote.bidSize) = (price, size())
        (quote.ask, quote.askSize) = (price + tick, size())
        (quote.open, quote.high, quote.low, quote.previousClose) = (price - 3 * tick, price + 9 * tick, price - 8 * tick, price - 2 * tick)
        let shares = Int64.random(in: 10_000...10_000_000, using: &random)
        (quote.volume, quote.turnover) = (shares * 100_000_000, shares * (price / 1_000))
        (quote.phase, quote.provenance, quote.recordedOn) = (.continuous, .derived, 20_220_413)
        return quote
    }

    /// The sum keeps the work from being left out.
    @discardableResult
    func run(_ work: Work, times: Int) throws -> Int {
        switch work {
        case .decode: try decode(times)
        case .encode: try encode(times)
        }
    }

    /// A value of its own each time: what a client does with a push.
    @inline(never)
    private func decode(_ times: Int) throws(WireError) -> Int {
        let span = bytes.span.bytes
        var sum: Int64 = 0
        for index in 0..<times {
            let quote = try Quote(serializedBytes: span.extracting(ranges[index & (Self.count - 1)]))
            sum &+= quote.last
        }
        return Int(truncatingIfNeeded: sum)
    }

    /// Into one writer, used again.
    @inline(never)
    private func encode(_ times: Int) throws(WireError) -> Int {
        var writer = WireWriter(capacity: 1024)
        var sum = 0
        let span = quotes.span
        for index in 0..<times {
            span[index & (Self.count - 1)].write(to: &writer)
            sum &+= try writer.finish { $0.byteCount }
        }
        return sum
    }
}
