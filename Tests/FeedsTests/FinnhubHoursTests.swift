import Exact
import Messages
import Streams
import Testing

@testable import Feeds

/// Stream or HTTP, by the calendar (K-4), and the pace of questions.
struct FinnhubHoursTests {
    @Sendable private static func quote(_ symbol: String) -> FinnhubSession.Answer {
        .quote(FinnhubQuote(last: Price(nanos: 150_000_000_000), time: 1_796_050_000))
    }

    /// Full days by summer and winter time, and a day that ends early; the moments trading begins and ends.
    static let days = [
        ("2026-11-30T14:30:00Z", "2026-11-30T21:00:00Z"), ("2026-10-30T13:30:00Z", "2026-10-30T20:00:00Z"),
        ("2026-11-27T14:30:00Z", "2026-11-27T18:00:00Z"),
    ]

    @Test(arguments: days) func switchesByItselfWithinASecond(open: String, close: String) throws {  // K-4
        var rig = try FinnhubRig(open)
        rig.wall = try utc(open).advanced(by: .seconds(-10))
        rig = try FinnhubRig(RecordingTime.text(rig.wall))
        #expect(rig.take() == ["asking"])
        rig.pass(.milliseconds(9_999))
        #expect(rig.take() == [])
        rig.pass(.milliseconds(501))
        #expect(rig.take() == ["dial 1"])
        rig.stream(1)
        _ = rig.take()

        rig = try FinnhubRig(RecordingTime.text(try utc(close).advanced(by: .seconds(-10))))
        rig.answers = Self.quote
        rig.hear(.answered(symbol: "AAPL", Self.quote("AAPL")))
        rig.stream(1)
        _ = rig.take()
        let asked = rig.asked.count
        rig.pass(.milliseconds(9_999))
        #expect(rig.session.isStreaming)
        rig.pass(.milliseconds(501))
        #expect(rig.take() == ["close 1", "asking"] && !rig.session.isStreaming)
        #expect(rig.asked.count > asked)
    }

    @Test func aHolidayAndAWeekendAreClosed() throws {  // K-4
        for day in ["2026-11-26", "2026-11-28", "2026-12-25"] {
            let rig = try FinnhubRig(day + "T15:00:00Z")
            #expect(rig.said == ["asking"])
        }
    }

    @Test func aMachineThatSleptIsUpToDateAtOnce() throws {  // K-4
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        rig.wall = try utc("2026-11-30T22:00:00Z")
        rig.hear(.text(1, #"{"type":"trade","data":[{"p":150.5,"s":"AAPL","t":1796076000000,"v":10}]}"#))
        #expect(rig.take() == ["close 1", "asking"] && rig.pushed.isEmpty)
    }

    @Test func asksForOneAfterTheOtherWithinTheFreePlan() throws {  // F-7
        var rig = try FinnhubRig("2026-11-28T15:00:00Z", symbols: ["AAPL", "MSFT", "IBM", "GOOG", "SPY"])
        rig.answers = Self.quote
        rig.hear(.answered(symbol: "AAPL", Self.quote("AAPL")))
        rig.pass(.seconds(600))
        #expect(rig.asked.prefix(6).map(\.symbol) == ["AAPL", "MSFT", "IBM", "GOOG", "SPY", "AAPL"])
        for (a, b) in zip(rig.asked, rig.asked.dropFirst()) { #expect(a.at.duration(to: b.at) >= FinnhubPolls.spacing) }
        #expect((50...55).contains(rig.asked.count))
        let quotes = rig.pushed.compactMap { if case .quote(let quote) = $0.body { quote } else { nil } }
        #expect(quotes.first?.last == 150_000_000_000 && quotes.first?.provenance == .live && quotes.first?.level == .last)
    }

    @Test func withoutTheStreamItAsksMoreOften() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.answers = Self.quote
        rig.hear(.answered(symbol: "AAPL", Self.quote("AAPL")))
        rig.stream(1)
        rig.pass(.seconds(14))
        rig.hear(.pong(1))
        #expect(rig.asked.count == 2)
        rig.hear(.closed(1, code: 1008))
        let asked = rig.asked.count
        rig.pass(.seconds(60))
        #expect((8...10).contains(rig.asked.count - asked))
    }

    @Test func oneQuestionAtATimeAndALostAnswerIsForgotten() throws {
        var rig = try FinnhubRig("2026-11-28T15:00:00Z")
        rig.pass(.seconds(29))
        #expect(rig.asked.map(\.symbol) == ["AAPL"])
        rig.pass(.seconds(1))
        #expect(rig.asked.map(\.symbol) == ["AAPL", "MSFT"])
        // Too late for the first.
        rig.hear(.answered(symbol: "AAPL", Self.quote("AAPL")))
        #expect(rig.pushed.isEmpty)
    }

    @Test func symbolsThatAreUnknownOrNotAllowedAreLeftOut() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        rig.hear(.answered(symbol: "AAPL", .unknownSymbol))
        #expect(rig.take() == [#"unknownSymbol("AAPL")"#, #"send 1 {"type":"unsubscribe","symbol":"AAPL"}"#])
        rig.pass(.seconds(2))
        rig.hear(.answered(symbol: "MSFT", .status(403)))
        #expect(rig.take().first == #"notAllowed(symbol: "MSFT")"#)
        let asked = rig.asked.count
        rig.pass(.seconds(9))
        #expect(rig.asked.count == asked)
    }

    @Test func aNetworkThatIsGoneIsToldOnce() throws {
        var rig = try FinnhubRig("2026-11-28T15:00:00Z")
        rig.answers = { _ in .unreachable }
        rig.hear(.answered(symbol: "AAPL", .unreachable))
        rig.pass(.seconds(600))
        #expect(rig.take() == ["asking", "unreachable"])
        #expect(rig.asked.count < 45)
        rig.answers = Self.quote
        rig.pass(.seconds(60))
        rig.answers = { _ in .status(500) }
        rig.pass(.seconds(60))
        #expect(rig.take() == ["unreachable"])
    }

    @Test(arguments: UInt64(0)..<200) func anythingInAnyOrder(seed: UInt64) throws {  // B-1
        var random = SeededRandom(seed: seed)
        var rig = try FinnhubRig(RecordingTime.text(try utc("2026-11-30T14:29:00Z").advanced(by: .seconds(Int(random.below(24_000))))))
        var open: Set<UInt64> = []
        for _ in 0..<200 {
            let id = UInt64(random.below(6)) + 1
            rig.random = random.next()
            switch random.below(10) {
            case 0: rig.hear(.opened(id))
            case 1: rig.hear(.failed(id))
            case 2: rig.hear(.closed(id, code: [1000, 1001, 1006, 1008][Int(random.below(4))]))
            case 3: rig.hear(.pong(id))
            case 4: rig.hear(.text(id, "{"))
            case 5: rig.hear(.refused(id, status: [429, 500, 503][Int(random.below(3))]))
            case 6: rig.hear(.answered(symbol: "AAPL", [.unreachable, .status(429), .unreadable][Int(random.below(3))]))
            case 7: rig.wall = rig.wall.advanced(by: .seconds(Int(random.below(7_200)) - 3_600))
            default: rig.pass(.milliseconds(Int(random.below(20_000))))
            }
            // Of lines dialled and not closed by us or by the other end there is one at most.
            for word in rig.take() {
                let parts = word.split(separator: " ")
                if parts[0] == "dial", let id = UInt64(parts[1]) {
                    #expect(open.isEmpty, "seed \(seed)")
                    open.insert(id)
                }
                if parts[0] == "close", let id = UInt64(parts[1]) { #expect(open.remove(id) != nil, "seed \(seed)") }
            }
            switch rig.session.link {
            case .dialling(let id, _), .open(let id, _): #expect(open == [id], "seed \(seed)")
            case .idle, .waiting, .stopped: open = []
            }
            #expect(rig.session.deadline(after: rig.now) >= rig.now)
        }
    }
}

enum RecordingTime {
    static func text(_ time: MarketInstant) -> String {
        let days = Int(time.nanoseconds / 86_400_000_000_000)
        let seconds = time.nanoseconds / 1_000_000_000 - Int64(days) * 86_400
        func pad(_ n: Int64) -> String { n < 10 ? "0\(n)" : "\(n)" }
        let day = TradingDay(daysSince1970: days)?.description ?? ""
        return "\(day)T\(pad(seconds / 3600)):\(pad(seconds / 60 % 60)):\(pad(seconds % 60))Z"
    }
}
