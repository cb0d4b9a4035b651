import Exact
import Instruments
import Messages
import Streams
import Testing

@testable import Bars

/// Bars made of more than prints of their own minutes: auctions, recordings on the clock's hour, days of several recordings.
struct BarPartsTests {
    private func series(_ symbol: String, _ period: BarPeriod, _ anchor: BarAnchor = .session) throws -> BarSeries {
        BarSeries(instrument: try instrument(symbol), period: period, calendar: try facts.get().calendar, anchor: anchor)
    }

    private func bar(
        _ symbol: String, _ period: BarPeriod, _ start: String, _ prices: [String], _ volume: Int64, on day: String = "2026-11-30",
        recordedOn: String = "2022-04-13"
    ) throws -> Bar {
        var bar = Bar()
        bar.instrument = try instrument(symbol).id.rawValue
        bar.period = period
        bar.startNs = try utc(start + "+08:00").nanoseconds
        bar.tradingDay = try #require(TradingDay(day)).yyyymmdd
        (bar.open, bar.high, bar.low, bar.close) = try (nanos(prices[0]), nanos(prices[1]), nanos(prices[2]), nanos(prices[3]))
        bar.volume = volume
        bar.provenance = .recorded
        bar.recordedOn = try #require(TradingDay(recordedOn)).yyyymmdd
        return bar
    }

    private func print(_ time: String, _ price: String, _ size: Int64) throws -> Print {
        Print(time: try utc(time + "+08:00"), price: try nanos(price), size: size, provenance: .derived)
    }

    @Test func anAuctionStaysWhateverReplacesItsMinute() throws {  // G-1, KL-1
        var series = try series("700.HK", .minute1)
        let auction = try bar("700.HK", .minute1, "2026-11-30T09:20:00", ["366", "366", "366", "366"], 100)
        let minute = try bar("700.HK", .minute1, "2026-11-30T09:30:00", ["365", "367", "364", "365"], 10)
        #expect(series.take(auction) == .appended)
        #expect(try series.bars[0].startNs == utc("2026-11-30T09:30:00+08:00").nanoseconds)
        #expect(try series.add(print("2026-11-30T09:30:00", "365", 1)) == .updated)
        #expect(series.bars[0].volume == 101 && series.bars[0].provenance == .derived)
        #expect(series.take(minute) == .updated && series.take(minute) == .updated)
        #expect(try series.bars.count == 1 && series.bars[0].volume == 110 && series.bars[0].open == nanos("366"))
        #expect(try series.bars[0].high == nanos("367") && series.bars[0].close == nanos("365") && series.bars[0].provenance == .recorded)
        // The same auction again, as another end corrects it.
        var corrected = auction
        corrected.volume = 90
        #expect(series.take(corrected) == .updated && series.bars[0].volume == 100)
        #expect(series.own.map(\.volume) == [10])
    }

    @Test func anAuctionAndTheMinuteInAnyOrder() throws {  // G-1
        var series = try series("700.HK", .minute1)
        #expect(series.take(try bar("700.HK", .minute1, "2026-11-30T15:59:00", ["374", "374", "373", "373"], 10)) == .appended)
        #expect(series.take(try bar("700.HK", .minute1, "2026-11-30T16:08:00", ["373.6", "373.6", "373.6", "373.6"], 90)) == .updated)
        #expect(series.take(try bar("700.HK", .minute1, "2026-11-30T09:30:00", ["365", "367", "364", "365"], 10)) == .corrected)
        #expect(series.take(try bar("700.HK", .minute1, "2026-11-30T09:20:00", ["366", "366", "366", "366"], 100)) == .corrected)
        #expect(series.changed == 0)
        #expect(try series.bars.map(\.open) == [nanos("366"), nanos("374")] && series.bars.map(\.close) == [nanos("365"), nanos("373.6")])
        #expect(series.bars.map(\.volume) == [110, 100])
        // Two minutes with auctions of their own, joined to hours, and to a day.
        var hours = try self.series("700.HK", .minute60)
        var day = try self.series("700.HK", .day)
        for bar in series.bars { #expect(hours.join(bar) != .ignored && day.join(bar) != .ignored) }
        #expect(hours.bars.map(\.volume) == [110, 100] && day.bars.map(\.volume) == [210])
    }

    @Test func printsOfAnAuctionAreReplacedByItsBarOnce() throws {  // G-1
        var series = try series("700.HK", .minute1)
        _ = series.add(try print("2026-11-30T09:20:47", "366", 100))
        let auction = try bar("700.HK", .minute1, "2026-11-30T09:20:00", ["366", "366", "366", "366"], 100)
        #expect(series.take(auction, through: try utc("2026-11-30T09:22:00+08:00")) == .updated)
        #expect(series.bars[0].volume == 100 && series.bars[0].provenance == .recorded)
        // Told late: it is in the bar.
        #expect(try series.add(print("2026-11-30T09:21:50", "366", 7)) == .ignored)
        #expect(try series.add(print("2026-11-30T09:30:01", "365", 1)) == .updated)
        // Prints of the auction and of the minute in one: whose is whose, nobody knows.
        var mixed = try self.series("700.HK", .minute1)
        _ = mixed.add(try print("2026-11-30T09:20:47", "366", 100))
        _ = mixed.add(try print("2026-11-30T09:30:01", "365", 1))
        #expect(mixed.take(auction) == .ignored && mixed.bars[0].volume == 101)
    }

    @Test func whatABarHoldsUpToAMomentCountsNoMore() throws {  // G-1: the snapshot meets the stream
        var series = try series("700.HK", .minute1)
        let minute = try bar("700.HK", .minute1, "2026-11-30T10:15:00", ["365", "367", "364", "365"], 10)
        #expect(series.take(minute, through: try utc("2026-11-30T10:15:30+08:00")) == .appended)
        #expect(try series.add(print("2026-11-30T10:15:30", "370", 1)) == .ignored && series.changed == nil)
        #expect(try series.add(print("2026-11-30T10:15:31", "366", 1)) == .updated && series.changedBar?.volume == 11)
        #expect(try series.add(print("2026-11-30T10:16:00", "366", 2)) == .appended && series.changed == 1)
        #expect(try series.add(print("2026-11-30T10:15:59", "366", 4)) == .corrected && series.changedBar?.volume == 15)
    }

    @Test func aBarOfWhatCameAfterGoesOn() throws {  // G-1: a seek leaves a minute and reaches one
        var series = try series("700.HK", .minute1)
        _ = series.add(try print("2026-11-30T10:15:10", "365", 1))
        _ = series.add(try print("2026-11-30T10:15:20", "366", 2))
        var rest = try bar("700.HK", .minute1, "2026-11-30T10:15:00", ["367", "368", "364", "364"], 10)
        rest.provenance = .derived
        #expect(series.extend(with: rest, through: try utc("2026-11-30T10:20:00+08:00")) == .updated)
        #expect(try series.bars[0].open == nanos("365") && series.bars[0].close == nanos("364") && series.bars[0].high == nanos("368"))
        #expect(series.bars[0].volume == 13)
        var running = rest
        running.startNs = try utc("2026-11-30T10:20:00+08:00").nanoseconds
        #expect(series.extend(with: running, through: try utc("2026-11-30T10:20:30+08:00")) == .appended)
        #expect(try series.add(print("2026-11-30T10:20:31", "370", 1)) == .updated)
        #expect(try series.bars[1].open == nanos("367") && series.bars[1].close == nanos("370") && series.bars[1].volume == 11)
        // What is recorded whole needs no rest.
        let whole = try bar("700.HK", .minute1, "2026-11-30T10:15:00", ["365", "368", "364", "364"], 13)
        #expect(series.take(whole, through: try utc("2026-11-30T10:16:00+08:00")) == .corrected)
        #expect(series.extend(with: rest, through: try utc("2026-11-30T10:20:00+08:00")) == .ignored && series.bars[0] == whole)
    }

    @Test func hoursOfTheClockAreKnownByTheirBars() throws {  // G-2
        let recorded = try [
            bar("HSI2612", .minute60, "2026-11-30T09:15:00", ["22724", "22998", "22720", "22948"], 5),
            bar("HSI2612", .minute60, "2026-11-30T10:00:00", ["22946", "22983", "22829", "22836"], 6),
            bar("HSI2612", .minute60, "2026-11-30T16:00:00", ["22869", "22885", "22860", "22867"], 7),
        ]
        let future = try instrument("HSI2612")
        let calendar = try facts.get().calendar
        #expect(BarAnchor(of: recorded, .minute60, future, calendar) == .clock)
        #expect(BarAnchor(of: [recorded[0]], .minute60, future, calendar) == .session)
        var hours = try series("HSI2612", .minute60, .clock)
        for time in ["09:15:00", "09:59:59", "10:00:00", "11:59:59", "12:00:00", "13:00:00", "16:30:00"] {
            #expect(hours.add(try print("2026-11-30T\(time)", "22800", 1)) != .ignored)
        }
        #expect(hours.bars.map(\.volume) == [2, 1, 2, 1, 1])
        for bar in recorded { #expect(hours.take(bar) == (bar.volume == 7 ? .updated : .corrected)) }
        #expect(hours.bars.map(\.volume) == [5, 6, 2, 1, 7])
        // The night before belongs to the day, and to hours of its own.
        #expect(hours.add(try print("2026-11-27T17:15:00", "22700", 3)) == .corrected)
        #expect(hours.add(try print("2026-11-27T18:00:00", "22700", 4)) == .corrected)
        #expect(hours.bars.map(\.volume) == [3, 4, 5, 6, 2, 1, 7])
        #expect(hours.bars.allSatisfy { $0.tradingDay == 20_261_130 })
    }

    @Test func aWeekIsOfOneRecording() throws {  // C-8, G-1
        var weeks = try series("700.HK", .week)
        let days = [
            ("2026-11-25", "2021-12-31"), ("2026-11-26", "2022-04-11"), ("2026-11-27", "2022-04-12"), ("2026-11-30", "2022-04-13"),
        ]
        let outcomes = try days.map { day, recorded in
            weeks.join(try bar("700.HK", .day, "\(day)T09:30:00", ["1", "2", "1", "2"], 1, on: day, recordedOn: recorded))
        }
        #expect(outcomes == [.appended, .appended, .updated, .appended])
        #expect(weeks.bars.map(\.tradingDay) == [20_261_125, 20_261_127, 20_261_130] && weeks.bars.map(\.volume) == [1, 2, 1])
        // In any order the same.
        var again = try series("700.HK", .week)
        for (day, recorded) in days.reversed() {
            _ = again.join(try bar("700.HK", .day, "\(day)T09:30:00", ["1", "2", "1", "2"], 1, on: day, recordedOn: recorded))
        }
        #expect(again.bars == weeks.bars)
    }

    @Test func daysLongAgoJoinWithoutTheirHours() throws {  // G-2: CME hours are told from 2015
        var months = try series("ES2612", .month)
        var bar = try bar("ES2612", .day, "2012-03-01T22:30:00", ["1", "2", "1", "2"], 1, on: "2012-03-01", recordedOn: "2012-03-01")
        #expect(months.join(bar) == .appended)
        bar.tradingDay = 20_120_303
        #expect(months.join(bar) == .refused(.closedDay))
    }
}

/// Days that are not like the others (G-1).
struct SpecialDayTests {
    private func minutes(_ symbol: String) throws -> BarSeries {
        BarSeries(instrument: try instrument(symbol), period: .minute1, calendar: try facts.get().calendar)
    }

    private func add(_ time: String, to series: inout BarSeries) throws {
        _ = series.add(Print(time: try utc(time), price: 100_000_000_000, size: 1))
    }

    @Test func aHalfDayIsRightToTheMinute() throws {  // G-1, G-6: Christmas Eve, closed at noon
        var series = try minutes("700.HK")
        for time in ["09:20:30", "09:30:00", "11:59:59", "12:00:00", "12:08:31"] { try add("2026-12-24T\(time)+08:00", to: &series) }
        let day = try #require(TradingDay("2026-12-24"))
        let filled = series.filled(day, through: try utc("2026-12-24T16:00:00+08:00"))
        let first = try utc("2026-12-24T09:30:00+08:00").nanoseconds
        #expect(filled.map(\.startNs) == (0..<150).map { first + $0 * 60_000_000_000 })
        #expect(filled.first?.volume == 2 && filled.last?.volume == 3 && filled.reduce(0) { $0 + $1.volume } == 5)
        // Until a quarter to eleven.
        #expect(series.filled(day, through: try utc("2026-12-24T10:44:59+08:00")).count == 75)
    }

    @Test func aNightSessionBelongsToTheNextDay() throws {  // G-1: Friday night is Monday's
        var series = try minutes("HSI2612")
        for time in ["2026-11-27T16:29:59", "2026-11-27T17:15:00", "2026-11-28T02:59:59", "2026-11-28T03:00:00", "2026-11-30T09:15:00"] {
            try add(time + "+08:00", to: &series)
        }
        #expect(series.bars.map(\.tradingDay) == [20_261_127, 20_261_130, 20_261_130, 20_261_130])
        #expect(series.bars.map(\.volume) == [1, 1, 2, 1])
        let filled = series.filled(try #require(TradingDay("2026-11-30")), through: try utc("2026-11-30T16:30:00+08:00"))
        // 17:15 to 03:00, 09:15 to 12:00, 13:00 to 16:30.
        #expect(filled.count == 585 + 165 + 210 && Set(filled.map(\.startNs)).count == filled.count)
        let starts = try ["2026-11-28T02:59:00", "2026-11-30T09:15:00"].map { try utc($0 + "+08:00").nanoseconds }
        #expect(Array(filled.dropFirst(584).prefix(2).map(\.startNs)) == starts)
    }

    @Test(arguments: [("2026-10-30", "13:30"), ("2026-11-02", "14:30"), ("2026-03-06", "14:30"), ("2026-03-09", "13:30")])
    func theUSOpensByItsOwnClock(day: String, open: String) throws {  // G-1: clocks change on 2026-11-01 and 2026-03-08
        var series = try minutes("AAPL.US")
        let open = try utc("\(day)T\(open):00Z")
        for offset in [-1, 0, 59, 60, 390 * 60 - 1, 390 * 60, 390 * 60 + 60] {
            _ = series.add(Print(time: open.advanced(by: .seconds(offset)), price: 100_000_000_000, size: 1))
        }
        let starts = [-60, 0, 60, 389 * 60, 390 * 60 + 60].map { open.advanced(by: .seconds($0)).nanoseconds }
        // A print stamped at the close is the last regular minute's.
        #expect(series.bars.map(\.startNs) == starts && series.bars.map(\.volume) == [1, 2, 1, 2, 1])
        let date = try #require(TradingDay(day))
        let whole = series.filled(date, through: open.advanced(by: .seconds(86_400)))
        #expect(whole.count == 16 * 60 - 329)
    }

    @Test func slotsAreCountedAsTheyAreListed() throws {
        let calendar = try facts.get().calendar
        for symbol in ["700.HK", "AAPL.US", "HSI2612", "ES2612", "HSI.INDX"] {
            let instrument = try instrument(symbol)
            let day = try #require(TradingDay("2026-11-30"))
            let sessions = try calendar.sessions(of: instrument, on: day)
            for (length, anchor) in [(1, BarAnchor.session), (7, .session), (60, .session), (60, .clock), (30, .clock)] {
                let grid = BarGrid(day: day, sessions: sessions, length: .seconds(length * 60), anchor: anchor)
                #expect(grid.slots.count == grid.count && grid.count > 0)
                #expect(zip(grid.slots, grid.slots.dropFirst()).allSatisfy { $0.end <= $1.start })
                for (place, slot) in grid.slots.enumerated() {
                    #expect(slot.start < slot.end && grid.place(startingAt: slot.start) == place)
                    #expect(grid.place(of: slot.start.advanced(by: .seconds(1))) == place)
                    #expect(grid.place(of: MarketInstant(nanoseconds: slot.end.nanoseconds - 1)) == place)
                }
                let traded = sessions.filter { $0.phase.isRegularTrading != nil }.reduce(Int64(0)) {
                    $0 + $1.start.duration(to: $1.end).nanoseconds
                }
                #expect(grid.slots.reduce(0) { $0 + $1.start.duration(to: $1.end).nanoseconds } == traded)
            }
        }
    }
}
