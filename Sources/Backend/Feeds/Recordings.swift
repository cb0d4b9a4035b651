import Bars
public import Exact
import Foundation
public import Instruments
public import Messages
public import Streams

/// An FX rate of the day it was fixed.
public struct FXFixing: Hashable, Sendable {
    public var rate: FXRate
    public var date: TradingDay

    public init(rate: FXRate, date: TradingDay) {
        self.rate = rate
        self.date = date
    }
}

/// What a replay plays: its market date and, for each instrument, the tape of that day and the bars before it. Read once; a value.
public struct Recordings: Sendable {
    public private(set) var marketDate: TradingDay
    public let seed: UInt64
    public internal(set) var quarantine = Quarantine()
    public internal(set) var fixings: [FXFixing] = []
    var tapes: [InstrumentID: Tape] = [:]

    /// The bars before the market date, oldest first.
    public struct History: Sendable {
        /// Day bars.
        public internal(set) var days: [Bar]
        /// Bars inside days, of whatever period the recording has, one for each slot of it.
        public internal(set) var intraday: [Bar]
        public init(days: [Bar] = [], intraday: [Bar] = []) { (self.days, self.intraday) = (days, intraday) }
    }

    struct Tape: Sendable {
        var bars: [TapeBar] = []
        /// Provenance of what is derived inside the bars.
        var path = Provenance.derived
        var trades: [Print] = []
        var tradesRecordedOn: TradingDay?
        var books: [Book] = []
        var history = History()
        var previousClose: Int64?
    }

    /// The market date, the seed and the fixings alone: what stands beside a feed that plays no recording.
    public var withoutTapes: Recordings { withoutTapes(on: marketDate) }

    /// The same for a feed of another day; fixings after it are not known then.
    public func withoutTapes(on day: TradingDay) -> Recordings {
        var bare = self
        bare.marketDate = day
        bare.tapes = [:]
        bare.quarantine = Quarantine()
        bare.fixings.removeAll { $0.date > day }
        return bare
    }

    public func history(_ instrument: InstrumentID) -> History { tapes[instrument]?.history ?? History() }

    /// Reads `replay/` of the shipped data and, where given, a user's own replay folder (see `ReplayImport`), whose recordings win.
    public init(_ folder: DataFolder, facts: MarketFacts, userFolder: String? = nil) throws(DataFault) {
        let settings = try Self.settings(folder.file("replay/replay.csv"))
        marketDate = settings.marketDate
        seed = settings.seed
        var lines = try Self.manifest(folder.file("replay"), facts: facts)
        if let userFolder, FileManager.default.fileExists(atPath: userFolder + "/manifest.csv") {
            let own = try Self.manifest(userFolder, facts: facts)
            for (instrument, days) in Dictionary(grouping: own, by: \.instrument) where days.contains(where: { $0.mappedDay == marketDate })
            {
                // All of it: closes of another year before the user's recording would be a wrong previous close.
                lines.removeAll { $0.instrument == instrument }
            }
            lines += own
        }
        let reader = RecordingReader(facts: facts, marketDate: marketDate)
        do {
            for (instrument, lines) in Dictionary(grouping: lines, by: \.instrument).sorted(by: { $0.key < $1.key }) {
                tapes[instrument] = try tape(lines, reader)
            }
            try addSynthetic(folder.file("replay/synthetic.csv"), facts)
            fixings = try Self.fixings(folder.file("replay/fx.csv"), until: marketDate)
        } catch let fault as DataFault {
            throw fault
        } catch let fault as CalendarFault {
            throw DataFault(file: "tables/calendars.csv", line: 0, reason: "\(fault.calendar.rawValue) does not cover \(fault.date)")
        } catch {
            throw DataFault(file: "replay", line: 0, reason: "\(error)")
        }
    }

    /// The day the shipped recordings are played as.
    public static func marketDate(_ folder: DataFolder) throws(DataFault) -> TradingDay {
        try settings(folder.file("replay/replay.csv")).marketDate
    }

    private static func settings(_ path: String) throws(DataFault) -> (marketDate: TradingDay, seed: UInt64) {
        let table = try CSVTable(path: path, required: ["key", "value"])
        func value(_ key: String) -> Substring? { table.rows.first { $0.fields[table.index("key")] == key }?.fields[table.index("value")] }
        guard let text = value("market_date"), let day = TradingDay(text) else {
            throw DataFault(file: table.file, line: 0, reason: "has no market_date as YYYY-MM-DD")
        }
        guard let number = value("seed"), let seed = UInt64(number) else {
            throw DataFault(file: table.file, line: 0, reason: "has no seed")
        }
        return (day, seed)
    }

    static let manifestColumns = ["file", "kind", "interval", "symbol", "recorded_on", "mapped_day"]

    static func manifest(_ folder: String, facts: MarketFacts) throws(DataFault) -> [ManifestLine] {
        let table = try CSVTable(path: folder + "/manifest.csv", required: manifestColumns)
        let columns = manifestColumns.map(table.index)
        var lines: [ManifestLine] = []
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }
            guard !fields[0].isEmpty, !fields[0].hasPrefix("/"), !fields[0].contains("..") else {
                throw fault("file is not inside the folder")
            }
            guard let kind = ManifestLine.Kind(rawValue: String(fields[1])) else { throw fault("kind \(fields[1]) is not known") }
            guard let recordedOn = TradingDay(fields[4]), let mappedDay = TradingDay(fields[5]) else {
                throw fault("a date is not YYYY-MM-DD")
            }
            guard case .success(let instrument) = facts.instruments.resolve(String(fields[3]), on: mappedDay),
                instrument.symbol == fields[3]
            else { throw fault("symbol \(fields[3]) is not in symbols.csv") }
            lines.append(
                ManifestLine(
                    path: folder + "/" + fields[0], name: String(fields[0]), kind: kind, interval: String(fields[2]),
                    instrument: instrument.id, recordedOn: recordedOn, mappedDay: mappedDay))
        }
        return lines
    }

    private mutating func tape(_ lines: [ManifestLine], _ reader: RecordingReader) throws -> Tape {
        var tape = Tape()
        var inside: [Bar] = []
        var recorded: [Bar] = []
        let played = lines.filter { $0.kind != .daily && $0.mappedDay == marketDate }
        for line in lines.sorted(by: { $0.mappedDay < $1.mappedDay }) {
            switch line.kind {
            case .daily:
                for (day, bar) in try reader.days(line, quarantine: &quarantine) {
                    if day < marketDate {
                        var message = Self.message(bar, line.instrument, day)
                        // A day begins where its night session does, as days made of shorter bars do.
                        let sessions = try reader.facts.instruments[line.instrument].map {
                            try reader.facts.calendar.sessions(of: $0, on: day)
                        }
                        let start = BarGrid(day: day, sessions: sessions ?? [], length: .seconds(60)).regularStart
                        message.startNs = start?.nanoseconds ?? bar.start
                        tape.history.days.append(message)
                    } else if played.isEmpty {
                        tape.bars = [bar]
                    }
                }
            case .bars:
                let bars = try reader.bars(line, quarantine: &quarantine)
                if line.mappedDay == marketDate {
                    tape.bars = bars
                } else {
                    let messages = bars.map { Self.message($0, line.instrument, line.mappedDay) }
                    recorded += messages
                    inside += day(messages, reader.facts)
                }
            case .trades where line.mappedDay == marketDate:
                tape.trades = try reader.trades(line, quarantine: &quarantine)
                tape.tradesRecordedOn = line.recordedOn
            case .book where line.mappedDay == marketDate:
                tape.books = try reader.books(line, quarantine: &quarantine)
            case .trades, .book: continue
            }
        }
        // A day recorded inside wins over a row of a daily file.
        var days: [Int32: Bar] = [:]
        for bar in tape.history.days + inside { days[bar.tradingDay] = bar }
        tape.history.days = days.values.sorted { $0.tradingDay < $1.tradingDay }
        tape.history.intraday = intraday(recorded, reader.facts)
        tape.previousClose = tape.history.days.last?.close
        return tape
    }

    /// A day's bars as one.
    private mutating func day(_ bars: [Bar], _ facts: MarketFacts) -> [Bar] {
        guard let first = bars.first, let instrument = facts.instruments[InstrumentID(first.instrument)] else { return [] }
        var series = BarSeries(instrument: instrument, period: .day, calendar: facts.calendar)
        for bar in bars { if case .refused = series.join(bar) { quarantine.add(.outsideSession) } }
        return series.bars
    }

    /// Bars of one instrument, those of each period on its slots.
    private mutating func intraday(_ bars: [Bar], _ facts: MarketFacts) -> [Bar] {
        guard let first = bars.first, let instrument = facts.instruments[InstrumentID(first.instrument)] else { return [] }
        var result: [Bar] = []
        for (period, own) in Dictionary(grouping: bars, by: \.period) {
            let anchor = BarAnchor(of: own, period, instrument, facts.calendar)
            var series = BarSeries(instrument: instrument, period: period, calendar: facts.calendar, anchor: anchor, capacity: .max)
            for bar in own.sorted(by: { $0.startNs < $1.startNs }) {
                if case .refused = series.take(bar) { quarantine.add(.outsideSession) }
            }
            result += series.bars
        }
        return result.sorted { ($0.startNs, $0.period.rawValue) < ($1.startNs, $1.period.rawValue) }
    }

    static func message(_ bar: TapeBar, _ instrument: InstrumentID, _ day: TradingDay, _ provenance: Provenance = .recorded) -> Bar {
        var message = Bar()
        message.instrument = instrument.rawValue
        message.period = bar.period
        message.startNs = bar.start
        message.tradingDay = day.yyyymmdd
        message.open = bar.open
        message.high = bar.high
        message.low = bar.low
        message.close = bar.close
        message.volume = bar.volume
        if let turnover = bar.turnover { message.turnover = turnover }
        message.provenance = provenance
        message.recordedOn = bar.recordedOn?.yyyymmdd ?? 0
        return message
    }

    private mutating func addSynthetic(_ path: String, _ facts: MarketFacts) throws {
        let table = try CSVTable(path: path, required: ["symbol", "previous_close", "range_percent", "volume"])
        for row in table.rows {
            func field(_ name: String) -> Substring { row.fields[table.index(name)] }
            guard let instrument = facts.instruments.all.first(where: { $0.symbol == field("symbol") }),
                let close = scaledDecimal(field("previous_close"), scale: 9), let range = scaledDecimal(field("range_percent"), scale: 4),
                range > 0, range < 1_000_000, let volume = Int64(field("volume")), volume > 0
            else { throw DataFault(file: table.file, line: row.line, reason: "has an unknown symbol or a wrong number") }
            if let tape = tapes[instrument.id], !tape.bars.isEmpty || !tape.trades.isEmpty || !tape.books.isEmpty { continue }
            let grid = PriceGrid(ticks: facts.ticks, instrument: instrument, day: marketDate)
            let specification = SyntheticSpecification(
                instrument: instrument.id, previousClose: close, rangeMillionths: range, volume: volume)
            var tape = tapes[instrument.id] ?? Tape()
            tape.bars = SyntheticTape.bars(
                specification, grid: grid, sessions: try facts.calendar.sessions(of: instrument, on: marketDate), seed: seed)
            tape.path = .simulated
            tape.previousClose = tape.previousClose ?? close
            tapes[instrument.id] = tape
        }
    }

    private static func fixings(_ path: String, until day: TradingDay) throws(DataFault) -> [FXFixing] {
        let table = try CSVTable(path: path, required: ["date", "base", "quote", "rate"])
        let columns = ["date", "base", "quote", "rate"].map(table.index)
        var latest: [UInt64: FXFixing] = [:]
        for row in table.rows {
            let fields = row.fields
            guard let date = TradingDay(fields[columns[0]]), let base = Currency(fields[columns[1]]),
                let quote = Currency(fields[columns[2]]), let rate = scaledDecimal(fields[columns[3]], scale: 9), rate > 0
            else { throw DataFault(file: table.file, line: row.line, reason: "is not a date, two currencies and a positive rate") }
            let pair = UInt64(base.packed) << 32 | UInt64(quote.packed)
            if date <= day, latest[pair].map({ $0.date < date }) ?? true {
                latest[pair] = FXFixing(rate: FXRate(nanos: rate, base: base, quote: quote), date: date)
            }
        }
        return latest.sorted { $0.key < $1.key }.map(\.value)
    }
}
