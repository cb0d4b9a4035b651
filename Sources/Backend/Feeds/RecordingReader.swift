import Bars
import Exact
import Instruments
import Messages
import Streams

/// One line of a replay manifest.
struct ManifestLine: Hashable, Sendable {
    enum Kind: String { case bars, daily, trades, book }
    var path: String
    var name: String
    var kind: Kind
    var interval: String
    var instrument: InstrumentID
    var recordedOn: TradingDay
    /// Daily: the day onto which the row of `recordedOn` falls.
    var mappedDay: TradingDay
}

/// Reads files in the replay layouts, judges each row (F-8) and moves it onto the market date's time line.
struct RecordingReader {
    let facts: MarketFacts
    let marketDate: TradingDay

    static let barColumns = ["time_utc_start", "open", "high", "low", "close", "volume", "turnover", "phase"]
    static let tradeColumns = ["time_utc", "price", "size", "side"]
    static let dailyColumns = ["date", "open", "high", "low", "close", "volume", "turnover"]

    /// `2026-11-30T01:30:00Z`, fractions of a second allowed, as nanoseconds since 1970. Nil: another form, or too far from 1970.
    static func instant(_ text: Substring) -> Int64? {
        guard text.utf8.count >= 20, text.utf8.last == 90, let day = TradingDay(text.prefix(10)) else { return nil }
        let clock = Array(text.utf8.dropFirst(10).dropLast())
        guard clock[0] == 84, clock[3] == 58, clock[6] == 58 else { return nil }
        func two(_ at: Int) -> Int64? {
            guard (48...57).contains(clock[at]), (48...57).contains(clock[at + 1]) else { return nil }
            return Int64(clock[at] - 48) * 10 + Int64(clock[at + 1] - 48)
        }
        guard let hour = two(1), let minute = two(4), let second = two(7), hour < 24, minute < 60, second < 60 else { return nil }
        var fraction: Int64 = 0
        if clock.count > 9 {
            guard clock[9] == 46, let value = scaledDecimal("0." + String(decoding: clock[10...], as: UTF8.self), scale: 9) else {
                return nil
            }
            fraction = value
        }
        let seconds = ((Int64(day.daysSince1970) * 24 + hour) * 60 + minute) * 60 + second
        // Nanoseconds reach from 1677 to 2262; a file may name any year.
        let (whole, isFar) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, isBeyond) = whole.addingReportingOverflow(fraction)
        return isFar || isBeyond ? nil : time
    }

    /// The same local time of day, as many days from the mapped day as it was from the recorded one.
    func mapped(_ time: Int64, _ line: ManifestLine, _ calendar: CalendarID) throws(CalendarFault) -> Int64 {
        let moment = MarketInstant(nanoseconds: time)
        let local = try facts.calendar.localDate(calendar, at: moment)
        let shift = local.daysSince1970 - line.recordedOn.daysSince1970
        guard let day = TradingDay(daysSince1970: line.mappedDay.daysSince1970 + shift) else {
            throw CalendarFault(calendar: calendar, date: line.mappedDay.description)
        }
        let clock = try facts.calendar.localTime(calendar, at: moment)
        return try facts.calendar.instant(calendar, day, localNanoseconds: clock).nanoseconds
    }

    static func length(of interval: String) -> (length: Int64, period: BarPeriod)? {
        let minute: Int64 = 60_000_000_000
        switch interval {
        case "1m": return (minute, .minute1)
        case "5m": return (5 * minute, .minute5)
        case "15m": return (15 * minute, .minute15)
        case "1h": return (60 * minute, .minute60)
        default: return nil
        }
    }

    /// Intraday bars of one day.
    func bars(_ line: ManifestLine, quarantine: inout Quarantine) throws -> [TapeBar] {
        guard let instrument = facts.instruments[line.instrument] else { return [] }
        guard let (length, period) = Self.length(of: line.interval) else {
            throw DataFault(file: line.name, line: 0, reason: "has the interval \(line.interval), which is not known")
        }
        let table = try CSVTable(path: line.path, required: Self.barColumns)
        let columns = Self.barColumns.map(table.index)
        let sessions = try facts.calendar.sessions(instrument.calendar, of: line.mappedDay)
        var result: [TapeBar] = []
        var latest = Int64.min
        var day = DaySums()
        let anchor = try anchor(of: table, line, instrument, length, sessions)
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let recorded = Self.instant(fields[0]) else { throw fault(table, row, "time_utc_start is not a UTC time") }
            var bar = try figures(fields[1...6], table, row, period: period, recordedOn: line.recordedOn)
            guard recorded > latest else {
                quarantine.add(.timeBackwards)
                continue
            }
            latest = recorded
            bar.start = try mapped(recorded, line, instrument.calendar)
            guard place(&bar, fields[7], length, anchor, sessions) else {
                quarantine.add(.outsideSession)
                continue
            }
            if let defect = bar.defect(instrument: instrument, ticks: facts.ticks, days: [line.recordedOn, line.mappedDay]) {
                quarantine.add(defect)
                continue
            }
            guard day.take(bar.volume, bar.turnover) else {
                quarantine.add(.tooLarge)
                continue
            }
            result.append(bar)
        }
        return result
    }

    /// What the bars of a file stand on: the session, where one that is not the first of its session begins off the clock's multiples of the
    /// length, as hours of New York from 09:30 do; else the clock, as hours of Hong Kong's futures do after the first.
    private func anchor(
        of table: CSVTable, _ line: ManifestLine, _ instrument: Instrument, _ length: Int64, _ sessions: [Session]
    ) throws(CalendarFault) -> BarAnchor {
        let column = table.index("time_utc_start")
        var begun: Set<Int> = []
        for row in table.rows {
            guard let recorded = Self.instant(row.fields[column]) else { continue }
            let start = try mapped(recorded, line, instrument.calendar)
            guard let place = sessions.firstIndex(where: { $0.contains(MarketInstant(nanoseconds: start)) }) else { continue }
            if !begun.insert(place).inserted, start % length != 0 { return .session }
        }
        return .clock
    }

    /// Sets end and kind; false: no session of the day holds it.
    private func place(
        _ bar: inout TapeBar, _ phase: Substring, _ length: Int64, _ anchor: BarAnchor, _ sessions: [Session]
    ) -> Bool {
        let start = MarketInstant(nanoseconds: bar.start)
        guard let session = sessions.first(where: { $0.contains(start) }) else { return false }
        if phase == "opening_auction" {
            guard session.phase == .auctionMatching else { return false }
            bar.end = session.end.nanoseconds
            bar.kind = .openingAuction
            return true
        }
        switch session.phase {
        case .continuous, .night, .preMarket, .postMarket: break
        default: return false
        }
        // On the clock bars end on whole multiples of their length, even where the first starts late (09:15 of an hour).
        let late = anchor == .clock ? ((bar.start % length) + length) % length : 0
        bar.end = min(session.end.nanoseconds, bar.start - late + length)
        if phase == "closing_auction" {
            guard let matching = sessions.last(where: { $0.phase == .auctionMatching && $0.start.nanoseconds >= bar.end }) else {
                return true
            }
            bar.kind = .closingAuction(matching: matching.start.nanoseconds..<matching.end.nanoseconds)
        }
        return true
    }

    /// Day rows up to `recordedOn`, each on a trading day of its own, the last on `mappedDay`.
    func days(_ line: ManifestLine, quarantine: inout Quarantine) throws -> [(day: TradingDay, bar: TapeBar)] {
        guard let instrument = facts.instruments[line.instrument] else { return [] }
        let table = try CSVTable(path: line.path, required: Self.dailyColumns)
        let columns = Self.dailyColumns.map(table.index)
        var result: [(day: TradingDay, bar: TapeBar)] = []
        var day = line.mappedDay
        var later: TradingDay?
        for row in table.rows.reversed() {
            let fields = columns.map { row.fields[$0] }
            guard let recorded = TradingDay(fields[0]) else { throw fault(table, row, "date is not YYYY-MM-DD") }
            if recorded > line.recordedOn { continue }
            var bar = try figures(fields[1...6], table, row, period: .day, recordedOn: recorded)
            if let known = later, recorded >= known {
                quarantine.add(.timeBackwards)
                continue
            }
            later = recorded
            // The grid of 2000 to 2006 is not in the tables; days before are judged by today's grid alone where it has none.
            if let defect = bar.defect(instrument: instrument, ticks: facts.ticks, days: [day]) {
                quarantine.add(defect)
                continue
            }
            let sessions = try facts.calendar.sessionAxis(instrument, on: day)
            let axis = sessions.filter { $0.phase == .continuous }
            bar.start = axis.first?.start.nanoseconds ?? 0
            bar.end = axis.last?.end.nanoseconds ?? 0
            result.append((day, bar))
            day = try facts.calendar.tradingDay(-1, from: day, instrument.calendar)
        }
        return result.reversed()
    }

    /// Open, high, low, close, volume, turnover.
    private func figures(
        _ fields: ArraySlice<Substring>, _ table: CSVTable, _ row: CSVTable.Row, period: BarPeriod, recordedOn: TradingDay
    ) throws(DataFault) -> TapeBar {
        let fields = Array(fields)
        let prices = fields[0...3].compactMap { scaledDecimal($0, scale: 9) }
        guard prices.count == 4 else { throw fault(table, row, "a price is not a decimal") }
        guard let volume = scaledDecimal(fields[4], scale: 8) else { throw fault(table, row, "volume is not a number") }
        let turnover = scaledDecimal(fields[5], scale: 6)
        guard fields[5].isEmpty || turnover != nil else { throw fault(table, row, "turnover is not a number") }
        return TapeBar(
            start: 0, end: 0, open: prices[0], high: prices[1], low: prices[2], close: prices[3], volume: volume, turnover: turnover,
            period: period, recordedOn: recordedOn)
    }

    private func fault(_ table: CSVTable, _ row: CSVTable.Row, _ reason: String) -> DataFault {
        DataFault(file: table.file, line: row.line, reason: reason)
    }

    /// Recorded trades of one day, exact.
    func trades(_ line: ManifestLine, quarantine: inout Quarantine) throws -> [Print] {
        guard let instrument = facts.instruments[line.instrument] else { return [] }
        let table = try CSVTable(path: line.path, required: Self.tradeColumns)
        let columns = Self.tradeColumns.map(table.index)
        var result: [Print] = []
        var day = DaySums()
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let time = Self.instant(fields[0]) else { throw fault(table, row, "time_utc is not a UTC time") }
            guard let price = scaledDecimal(fields[1], scale: 9), let size = scaledDecimal(fields[2], scale: 8) else {
                throw fault(table, row, "price or size is not a number")
            }
            let moment = try mapped(time, line, instrument.calendar)
            if let previous = result.last, moment < previous.time {
                quarantine.add(.timeBackwards)
            } else if size <= 0 {
                quarantine.add(.negativeVolume)
            } else if instrument.kind != .future, price <= 0 {
                quarantine.add(.notPositive)
            } else if !facts.ticks.isOnTick(Price(nanos: price), for: instrument, on: line.mappedDay) {
                quarantine.add(.offTick)
            } else if size > FeedStanding.largestSize || !day.take(size, nil) {
                quarantine.add(.tooLarge)
            } else {
                let side: TradeSide = fields[3] == "buy" ? .buyer : fields[3] == "sell" ? .seller : .unspecified
                result.append(Print(time: moment, price: price, size: size, side: side))
            }
        }
        return result
    }

    /// Recorded books of one day: as many levels a side as the file has columns for.
    func books(_ line: ManifestLine, quarantine: inout Quarantine) throws -> [Book] {
        guard let instrument = facts.instruments[line.instrument] else { return [] }
        let table = try CSVTable(path: line.path, required: ["time_utc", "bid1_px", "bid1_qty", "ask1_px", "ask1_qty"])
        let depth = (1...10).prefix { table.columns.contains("bid\($0)_px") && table.columns.contains("ask\($0)_px") }.count
        let time = table.index("time_utc")
        let bids = (1...depth).map { n in ["px", "qty", "orders"].map { table.columns.firstIndex(of: "bid\(n)_\($0)") } }
        let asks = (1...depth).map { n in ["px", "qty", "orders"].map { table.columns.firstIndex(of: "ask\(n)_\($0)") } }
        func levels(_ places: [[Int?]], _ row: CSVTable.Row) throws(DataFault) -> [BookLevel] {
            var levels: [BookLevel] = []
            for place in places {
                guard let px = place[0], let qty = place[1], !row.fields[px].isEmpty else { continue }
                guard let price = scaledDecimal(row.fields[px], scale: 9), let size = scaledDecimal(row.fields[qty], scale: 8) else {
                    throw fault(table, row, "a level is not a number")
                }
                var level = BookLevel()
                level.price = price
                level.size = size
                level.orders = place[2].flatMap { UInt32(row.fields[$0]) } ?? 0
                levels.append(level)
            }
            return levels
        }
        var result: [Book] = []
        for row in table.rows {
            guard let recorded = Self.instant(row.fields[time]) else { throw fault(table, row, "time_utc is not a UTC time") }
            var book = Book()
            book.instrument = instrument.id.rawValue
            book.timeNs = try mapped(recorded, line, instrument.calendar)
            book.bids = try levels(bids, row)
            book.asks = try levels(asks, row)
            book.provenance = .recorded
            book.recordedOn = line.recordedOn.yyyymmdd
            if let bid = book.bids.first, let ask = book.asks.first, bid.price >= ask.price {
                quarantine.add(.crossedBook)
            } else if let previous = result.last, book.timeNs < previous.timeNs {
                quarantine.add(.timeBackwards)
            } else {
                result.append(book)
            }
        }
        return result
    }
}

/// What a day's rows add up to, so that no sum of ours overflows.
struct DaySums {
    private var volume: Int64 = 0
    private var turnover: Int64 = 0

    /// False, and not taken: beyond any market's day. Neither is negative.
    mutating func take(_ volume: Int64, _ turnover: Int64?) -> Bool {
        guard volume <= FeedStanding.largestDay - self.volume, (turnover ?? 0) <= FeedStanding.largestDay - self.turnover else {
            return false
        }
        self.volume += volume
        self.turnover += turnover ?? 0
        return true
    }
}
