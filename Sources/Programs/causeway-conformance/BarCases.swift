import Bars
import Exact
import HTTP
import Instruments
import Messages
import Streams

/// Runs the bar vectors through `BarGrid`, `BarSeries` and `CumulativeVolume` over the shipped calendars.
enum BarCases {
    @Sendable static func recognises(_ json: JSONValue) -> Bool { json["cases"]?[0]?["expect_bars_with_trades"] != nil }

    @Sendable static func run(_ json: JSONValue) throws -> [CaseResult] {
        let bars = BarRuns(facts: try MarketFacts(DataFolder.locate()))
        return try json.elements("cases").flatMap { test in
            let id = try test.string("id")
            if let reason = skipReason(id) { return [CaseResult(skipped: id, because: reason)] }
            if let table = test["table"]?.arrayValue {
                return try table.map { grid in
                    let name = "\(id)-\(try grid.string("market"))-\(grid["minutes"]?.intValue ?? 0)".replacing(" ", with: "-")
                    return attempt(name) { try bars.grid(grid) }
                }
            }
            return [attempt(id) { try bars.run(test) }]
        }
    }

    private static func attempt(_ id: String, _ run: () throws -> String?) -> CaseResult {
        do {
            let failure = try run()
            return CaseResult(id, passes: failure == nil, got: failure ?? "as expected")
        } catch { return CaseResult(id, passes: false, got: "\(error)") }
    }
}

private struct BarRuns {
    let facts: MarketFacts

    /// A day of each kind the table names.
    private static let days: [String: (calendar: CalendarID, day: String)] = [
        "HK full day": (.hongKong, "2026-11-30"), "HK half day": (.hongKong, "2026-12-24"),
        "NYSE full day": (.unitedStates, "2026-11-30"), "NYSE early close": (.unitedStates, "2026-11-27"),
        "SHFE rb day": (.shanghaiFutures, "2026-11-30"), "HSI futures day": (.hongKongFutures, "2026-11-30"),
    ]

    /// Nil: as expected; else what was got.
    func run(_ test: JSONValue) throws -> String? {
        if test["expect_bars_with_trades"] != nil { return try dayOfTicks(test) }
        if test["expect_minute"] != nil { return try breaks(test) }
        if test["history_last"] != nil { return try join(test) }
        if test["input_day_bars"] != nil { return try days(test) }
        if test["ticks"]?[0]?["cum_volume"] != nil { return try totals(test) }
        throw ScenarioFailure("a case of a kind that is not known")
    }

    // MARK: Reading

    /// `2025-08-05T10:15`, seconds and their fractions where they are, in a zone eight hours east of UTC.
    private func instant(_ text: String) throws -> MarketInstant {
        let clock = text.dropFirst(11).split(separator: ":")
        guard text.utf8.count >= 16, let day = TradingDay(text.prefix(10)), clock.count >= 2, let hour = Int64(clock[0]),
            let minute = Int64(clock[1])
        else { throw ScenarioFailure("\(text) is no time") }
        let second = clock.count > 2 ? try Price(String(clock[2])).nanos : 0
        let minutes = (Int64(day.daysSince1970) * 24 + hour - 8) * 60 + minute
        return MarketInstant(nanoseconds: minutes * 60_000_000_000 + second)
    }

    private func nanos(_ value: JSONValue?) throws -> Int64 {
        guard let text = value?.stringValue ?? value?.numberText else { throw ScenarioFailure("a price is missing") }
        return try Price(text).nanos
    }

    private func whole(_ value: JSONValue?) throws -> Int64 {
        guard let number = value?.int64Value else { throw ScenarioFailure("a number is missing") }
        return number
    }

    private func series(_ instrument: Instrument, _ period: BarPeriod) -> BarSeries {
        BarSeries(instrument: instrument, period: period, calendar: facts.calendar)
    }

    private func tencent() throws -> Instrument {
        guard let instrument = facts.instruments.all.first(where: { $0.symbol == "700.HK" }) else {
            throw ScenarioFailure("700.HK is not in the table")
        }
        return instrument
    }

    /// Steel bars of Shanghai: no instrument of the table follows that calendar.
    private func steel() throws -> Instrument {
        guard let expiry = TradingDay("2025-10-15") else { throw ScenarioFailure("no date") }
        return Instrument(
            id: InstrumentID(1), market: .xsge, code: "rb2510", symbol: "RB2510.SHFE", kind: .future, currency: .cny,
            names: .init(english: "Steel", simplified: "螺纹钢", traditional: "螺紋鋼"), lot: .one, multiplier: 10, decimals: 0,
            tickTable: "rb",
            future: .init(
                product: "rb", expiry: expiry, lastMinute: nil, initialMargin: Money(micros: 0, currency: .cny),
                maintenanceMargin: Money(micros: 0, currency: .cny)))
    }

    // MARK: Comparing

    private func text(_ bars: [Bar]) -> String {
        bars.map { "\($0.startNs) \($0.open) \($0.high) \($0.low) \($0.close) \($0.volume)" }.joined(separator: ", ")
    }

    /// Whether the bar is what a row says; rows leave out what is not asked.
    private func isSame(_ bar: Bar, _ row: JSONValue) throws -> Bool {
        let start = try instant(try row["t"]?.stringValue ?? row.string("bar"))
        guard bar.startNs == start.nanoseconds, try bar.volume == whole(row["v"]) else { return false }
        for (name, got) in [("o", bar.open), ("h", bar.high), ("l", bar.low), ("c", bar.close)] where row[name] != nil {
            if try got != nanos(row[name]) { return false }
        }
        if let day = row["trade_date"]?.stringValue { return TradingDay(yyyymmdd: bar.tradingDay) == TradingDay(day) }
        return true
    }

    private func compare(_ bars: [Bar], _ rows: [JSONValue]) throws -> String? {
        let same = try bars.count == rows.count && zip(bars, rows).allSatisfy { try isSame($0, $1) }
        return same ? nil : text(bars)
    }

    // MARK: Cases

    /// Ticks of a day, its minutes, and the minutes without a print.
    private func dayOfTicks(_ test: JSONValue) throws -> String? {
        var minutes = series(try tencent(), .minute1)
        for tick in try test.elements("ticks") {
            let time = MarketInstant(nanoseconds: try whole(tick["ms"]) * 1_000_000)
            _ = minutes.add(Print(time: time, price: try nanos(tick["p"]), size: try whole(tick["v"])))
        }
        if let got = try compare(minutes.bars, test.elements("expect_bars_with_trades")) { return got }
        guard let last = minutes.bars.last, let day = TradingDay(yyyymmdd: last.tradingDay) else { return "no bars" }
        let filled = minutes.filled(day, through: MarketInstant(nanoseconds: last.startNs))
        guard let count = test["expect_total_bars_when_filled"]?.intValue, filled.count == count else { return "\(filled.count) minutes" }
        for row in try test.elements("expect_filled_examples") {
            guard try filled.contains(where: { try isSame($0, row) }) else { return text(filled) }
        }
        return filled.reduce(0) { $0 + $1.volume } == minutes.bars.reduce(0) { $0 + $1.volume } ? nil : "volume is lost"
    }

    /// Where bars of so many minutes begin and end, break by break.
    func grid(_ test: JSONValue) throws -> String? {
        let market = try test.string("market")
        guard let (calendar, date) = Self.days[market], let day = TradingDay(date), let minutes = test["minutes"]?.int64Value else {
            throw ScenarioFailure("\(market) is not known")
        }
        let sessions = try facts.calendar.sessions(calendar, of: day)
        // The table tells the day session; what trades at night or outside regular hours has slots of its own.
        let regular = sessions.filter { $0.phase == .continuous }
        let slots = BarGrid(day: day, sessions: sessions, length: .seconds(minutes * 60)).slots.filter { slot in
            regular.contains { $0.start <= slot.start && slot.end <= $0.end || $0.contains(slot.start) }
        }
        let got = try slots.map { slot in
            try [slot.start, slot.end].map { try facts.calendar.localTime(calendar, at: $0) / 60_000_000_000 }
        }
        let expected = try test.elements("per_segment").map { row in
            try (row.arrayValue ?? []).prefix(2).map { value in
                let parts = (value.stringValue ?? "").split(separator: ":").compactMap { Int64($0) }
                guard parts.count == 2 else { throw ScenarioFailure("\(value) is no time") }
                return parts[0] * 60 + parts[1]
            }
        }
        return got == expected ? nil : "\(got)"
    }

    /// A feed that tells only the day's total so far.
    private func totals(_ test: JSONValue) throws -> String? {
        let instrument = try steel()
        var volume = CumulativeVolume()
        var minutes = series(instrument, .minute1)
        for tick in try test.elements("ticks") {
            let time = try instant(tick.string("t"))
            let day = try facts.calendar.tradingDay(instrument.calendar, at: time)
            let size = volume.increment(total: try whole(tick["cum_volume"]), day: day)
            _ = minutes.add(Print(time: time, price: try nanos(tick["p"]), size: size))
        }
        // The first total is no bar of the night: it may have been traded at any time before.
        return try compare(Array(minutes.bars.dropFirst()), test.elements("expect"))
    }

    private func breaks(_ test: JSONValue) throws -> String? {
        let instrument = try steel()
        var minutes = series(instrument, .minute1)
        var hours = series(instrument, .minute60)
        for tick in try test.elements("ticks") {
            let print = Print(time: try instant(tick.string("t")), price: try nanos(tick["p"]), size: try whole(tick["v"]))
            _ = minutes.add(print)
            _ = hours.add(print)
        }
        if let got = try compare(minutes.bars, test.elements("expect_minute")) { return got }
        // Only what was printed that morning, and no hour of what is printed at a session's last moment.
        let monday = try instant("2025-03-17T09:00").nanoseconds
        let hour = hours.bars.first { $0.startNs == monday }
        return hours.bars.count == 4 && hour?.volume == 32 && hour?.open == hour?.close ? nil : text(hours.bars)
    }

    private func join(_ test: JSONValue) throws -> String? {
        let instrument = try tencent()
        var minutes = series(instrument, .minute1)
        guard let row = test["history_last"] else { return nil }
        var bar = Bar()
        let start = try instant(row.string("t"))
        (bar.instrument, bar.period, bar.startNs) = (instrument.id.rawValue, .minute1, start.nanoseconds)
        bar.tradingDay = try facts.calendar.tradingDay(instrument.calendar, at: start).yyyymmdd
        (bar.open, bar.high, bar.low, bar.close) = try (nanos(row["o"]), nanos(row["h"]), nanos(row["l"]), nanos(row["c"]))
        bar.volume = try whole(row["v"])
        let refused = minutes.load([bar], through: UInt64(try whole(test["snapshot_seq"])))
        guard refused.isEmpty else { return "\(refused)" }
        for tick in try test.elements("live") {
            let sequence = UInt64(try whole(tick["seq"]))
            let time = try instant(tick.string("t"))
            _ = minutes.add(Print(time: time, price: try nanos(tick["p"]), size: try whole(tick["v"]), sequence: sequence))
        }
        return try compare(minutes.bars, test.elements("expect"))
    }

    /// Days on which the exchange never opened are left out.
    private func days(_ test: JSONValue) throws -> String? {
        let instrument = try tencent()
        var days = series(instrument, .day)
        for row in try test.elements("input_day_bars") {
            let date = try row.string("d")
            guard let day = TradingDay(date) else { throw ScenarioFailure("\(date) is no date") }
            var bar = Bar()
            let start = try instant(date + "T09:30").nanoseconds
            (bar.instrument, bar.period, bar.startNs, bar.tradingDay) = (instrument.id.rawValue, .day, start, day.yyyymmdd)
            (bar.open, bar.high, bar.low, bar.close) = try (nanos(row["o"]), nanos(row["h"]), nanos(row["l"]), nanos(row["c"]))
            bar.volume = try whole(row["v"])
            _ = days.take(bar)
        }
        let kept = days.bars.compactMap { TradingDay(yyyymmdd: $0.tradingDay)?.description }
        return try kept == test.elements("expect_after_cleaning").map { $0.stringValue ?? "" } ? nil : "\(kept)"
    }
}
