import Feeds
import Instruments
import Messages
import Streams
import Testing

@testable import QuoteServer

/// Bars with splits and dividends taken out, as a client asks for them (G-2).
struct AdjustedBarsTests {
    private let apple: UInt32 = 10
    private let hangSeng: UInt32 = 21

    private func ask(
        _ bench: inout Bench, _ instrument: UInt32, _ period: BarPeriod, _ adjustment: BarAdjustment, count: UInt32 = 5_000
    ) throws -> BarBatch {
        var query = BarsQuery()
        (query.instrument, query.period, query.count, query.adjustment) = (instrument, period, count, adjustment)
        return try reply(bench.send(.barsQuery, query), .barsReply, as: BarBatch.self)
    }

    /// Three dividends of 2.65; a slow way to the same prices.
    private func taken(_ bar: Bar) -> Int64 { Int64([20_120_809, 20_121_107, 20_130_207].count { bar.recordedOn < $0 }) * 2_650_000_000 }

    @Test func dividendsOfAppleForwardAndBackward() throws {  // G-2
        var bench = try Bench()
        try bench.logIn()
        let printed = try ask(&bench, apple, .day, .none)
        #expect(printed.adjustment == .none && printed.actions == 0 && printed.knownFrom == 0)
        let forward = try ask(&bench, apple, .day, .forward)
        #expect(forward.adjustment == .forward && forward.actions == 3)
        #expect(forward.knownFrom == 20_070_205 && forward.knownTo == 20_130_301)
        let backward = try ask(&bench, apple, .day, .backward)
        #expect(printed.bars.count > 1_500 && forward.bars.count == printed.bars.count && backward.bars.count == printed.bars.count)
        for (place, bar) in printed.bars.enumerated() {
            let (down, up) = (taken(bar), 7_950_000_000 - taken(bar))
            let prices = [bar.open, bar.high, bar.low, bar.close]
            let (first, last) = (forward.bars[place], backward.bars[place])
            #expect([first.open, first.high, first.low, first.close] == prices.map { $0 - down })
            #expect([last.open, last.high, last.low, last.close] == prices.map { $0 + up })
            #expect(first.volume == bar.volume && last.volume == bar.volume)
        }
        #expect(forward.bars.last == printed.bars.last && backward.bars.first == printed.bars.first)
    }

    /// A week in which a dividend goes off compares its days on one scale.
    @Test(arguments: [BarPeriod.week, .month, .quarter, .year])
    func longBarsAreOfAdjustedDays(period: BarPeriod) throws {  // G-2
        var bench = try Bench()
        try bench.logIn()
        let days = try ask(&bench, apple, .day, .forward).bars
        let long = try ask(&bench, apple, period, .forward)
        #expect(long.adjustment == .forward && long.actions == 3)
        for bar in long.bars {
            let own = days.filter { $0.startNs >= bar.startNs && $0.tradingDay <= bar.tradingDay }
            #expect(own.map(\.high).max() == bar.high && own.map(\.low).min() == bar.low && own.last?.close == bar.close)
        }
    }

    @Test func daysOfWhichNothingIsKnownStayAsPrinted() throws {  // G-2, C-8
        var bench = try Bench()
        try bench.logIn()
        try bench.play(until: hongKong(11, 0))
        for period in [BarPeriod.day, .minute1, .minute60] {
            let printed = try ask(&bench, tencent, period, .none).bars
            let forward = try ask(&bench, tencent, period, .forward)
            #expect(forward.adjustment == .forward && forward.actions == 1 && forward.knownTo == 20_211_231)
            for (bar, known) in zip(forward.bars, printed) {
                #expect(bar.close == known.close - (known.recordedOn < 20_210_524 ? 1_600_000_000 : 0))
            }
        }
    }

    @Test func whatHasNoTableIsNotAdjustedAndSaysSo() throws {  // G-2
        var bench = try Bench()
        try bench.logIn()
        let answer = try ask(&bench, hangSeng, .day, .backward)
        let printed = try ask(&bench, hangSeng, .day, .none)
        #expect(answer.adjustment == .none && answer.knownFrom == 0 && answer.bars == printed.bars)
    }

    @Test func anUnknownAdjustmentIsRefused() throws {
        var bench = try Bench()
        try bench.logIn()
        var query = BarsQuery()
        (query.instrument, query.period, query.count, query.adjustment) = (apple, .day, 5, .UNRECOGNIZED(9))
        #expect(try reply(bench.send(.barsQuery, query), .errorReply, as: ErrorInfo.self).code == "request.invalid")
    }
}
