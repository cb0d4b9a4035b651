import Foundation
public import Instruments
public import Streams

/// Adds a file in the replay layouts (bars, trades, book, daily) to a user's own replay folder, whose recordings then win over the
/// shipped ones. The name says what it is: `VENUE_SYMBOL[_CONTRACT]_INTERVAL_DAY.csv` for bars, `VENUE_SYMBOL[_CONTRACT]_DAY.csv` for trades
/// and books, `VENUE_SYMBOL….csv` for day rows. A futures recording becomes the contract that is front on the market date (Q-2).
public struct ReplayImport: Sendable {
    private let facts: MarketFacts
    private let marketDate: TradingDay
    private let folder: String

    /// What came of an import.
    public struct Report: Hashable, Sendable {
        public var symbol: String
        /// `bars`, `trades`, `book` or `daily`.
        public var kind: String
        public var recordedOn: TradingDay
        /// The day it is played as.
        public var mappedDay: TradingDay
        public var accepted: Int
        /// Rows thrown out, by reason (F-8).
        public var quarantine: Quarantine
    }

    private struct Name {
        var symbol: String
        var kind: ManifestLine.Kind
        var interval: String
        var recordedOn: TradingDay
        var instrument: Instrument
    }

    /// `folder` is made where it is missing.
    public init(facts: MarketFacts, marketDate: TradingDay, folder: String) {
        self.facts = facts
        self.marketDate = marketDate
        self.folder = folder
    }

    /// Checks the whole file, then copies it and rewrites the folder's manifest in one step; on an error nothing has changed.
    public func add(_ path: String) throws(DataFault) -> Report {
        let bare = path.split(separator: "/").last.map(String.init) ?? path
        let name = try name(path, bare)
        // Trades and book of a day bear the same name.
        let file = name.kind.rawValue + "/" + bare
        var lines = FileManager.default.fileExists(atPath: folder + "/manifest.csv") ? try Recordings.manifest(folder, facts: facts) : []
        lines.removeAll { $0.name == file }
        lines.append(
            ManifestLine(
                path: path, name: file, kind: name.kind, interval: name.interval, instrument: name.instrument.id,
                recordedOn: name.recordedOn, mappedDay: marketDate))
        lines = try mapped(lines, name.instrument)
        guard let own = lines.first(where: { $0.name == file }) else { preconditionFailure("the line just added is gone") }
        var quarantine = Quarantine()
        let accepted = try judge(own, &quarantine)
        guard accepted > 0 else {
            let reasons = quarantine.counts.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
            throw DataFault(file: file, line: 0, reason: "has no row that can be played (\(reasons.isEmpty ? "it is empty" : reasons))")
        }
        try store(path, file, lines)
        return Report(
            symbol: name.instrument.symbol, kind: name.kind.rawValue, recordedOn: own.recordedOn, mappedDay: own.mappedDay,
            accepted: accepted, quarantine: quarantine)
    }

    private func name(_ path: String, _ file: String) throws(DataFault) -> Name {
        func fault(_ reason: String) -> DataFault { DataFault(file: file, line: 0, reason: reason) }
        guard file.hasSuffix(".csv"), file.utf8.count <= 100, file.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 44 && $0 != 34 }) else {
            throw fault("is not named VENUE_SYMBOL_….csv")
        }
        let parts = file.dropLast(4).split(separator: "_", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, let market = Market(rawValue: parts[0]), !parts[1].isEmpty else {
            throw fault("does not begin with a known venue and a symbol, such as XCME_ES")
        }
        let instrument: Instrument
        if let front = facts.instruments.front(product: parts[1], on: marketDate), front.market == market {
            instrument = front
        } else if let listed = facts.instruments.all.first(where: {
            $0.market == market && $0.code == parts[1] && $0.isListed(on: marketDate)
        }) {
            instrument = listed
        } else {
            throw fault("is of \(parts[1]) on \(parts[0]), which the symbol table does not have")
        }
        let header = try CSVTable(path: path, required: [])
        let columns = Set(header.columns)
        var name = Name(symbol: parts[1], kind: .bars, interval: "", recordedOn: marketDate, instrument: instrument)
        if columns.contains("date") {
            guard let text = header.rows.last?.fields[header.index("date")], let last = TradingDay(text) else {
                throw fault("has no day rows")
            }
            name.kind = .daily
            name.interval = "1d"
            name.recordedOn = last
            return name
        }
        guard let day = TradingDay(parts[parts.count - 1]) else { throw fault("does not end with a day, such as _2013-10-07.csv") }
        name.recordedOn = day
        if columns.isSuperset(of: RecordingReader.barColumns) {
            name.interval = parts[parts.count - 2]
        } else if columns.isSuperset(of: RecordingReader.tradeColumns) {
            name.kind = .trades
        } else if columns.contains("bid1_px") {
            name.kind = .book
        } else {
            throw fault("has none of the layouts that can be played (bars, trades, book, daily)")
        }
        return name
    }

    /// The last recorded day becomes the market date, earlier ones the full trading days before it.
    private func mapped(_ lines: [ManifestLine], _ instrument: Instrument) throws(DataFault) -> [ManifestLine] {
        var lines = lines
        let own = lines.filter { $0.instrument == instrument.id && $0.kind != .daily }
        var day = marketDate
        var places: [TradingDay: TradingDay] = [:]
        do {
            for recorded in Set(own.map(\.recordedOn)).sorted(by: >) {
                places[recorded] = day
                repeat {
                    day = try facts.calendar.tradingDay(-1, from: day, instrument.calendar)
                } while try facts.calendar.isShort(day, instrument.calendar)
            }
        } catch {
            throw DataFault(file: "tables/calendars.csv", line: 0, reason: "\(error.calendar.rawValue) does not cover \(error.date)")
        }
        for index in lines.indices where lines[index].instrument == instrument.id {
            // Day rows stand before everything recorded inside days.
            lines[index].mappedDay = lines[index].kind == .daily ? day : places[lines[index].recordedOn] ?? marketDate
            if lines[index].kind == .daily, own.isEmpty { lines[index].mappedDay = marketDate }
        }
        return lines
    }

    private func judge(_ line: ManifestLine, _ quarantine: inout Quarantine) throws(DataFault) -> Int {
        let reader = RecordingReader(facts: facts, marketDate: marketDate)
        do {
            switch line.kind {
            case .bars: return try reader.bars(line, quarantine: &quarantine).count
            case .daily: return try reader.days(line, quarantine: &quarantine).count
            case .trades: return try reader.trades(line, quarantine: &quarantine).count
            case .book: return try reader.books(line, quarantine: &quarantine).count
            }
        } catch let fault as DataFault {
            throw fault
        } catch {
            throw DataFault(file: line.name, line: 0, reason: "\(error)")
        }
    }

    private func store(_ path: String, _ file: String, _ lines: [ManifestLine]) throws(DataFault) {
        var text = Recordings.manifestColumns.joined(separator: ",") + "\n"
        for line in lines.sorted(by: { ($0.instrument, $0.recordedOn, $0.name) < ($1.instrument, $1.recordedOn, $1.name) }) {
            guard let symbol = facts.instruments[line.instrument]?.symbol else { continue }
            text += "\(line.name),\(line.kind.rawValue),\(line.interval),\(symbol),\(line.recordedOn),\(line.mappedDay)\n"
        }
        do {
            let target = folder + "/" + file
            let place = URL(fileURLWithPath: target).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            if URL(fileURLWithPath: path).standardizedFileURL != URL(fileURLWithPath: target).standardizedFileURL {
                try Data(contentsOf: URL(fileURLWithPath: path)).write(to: URL(fileURLWithPath: target), options: .atomic)
            }
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/manifest.csv"), options: .atomic)
        } catch {
            throw DataFault(file: file, line: 0, reason: "cannot be stored in the replay folder: \(error.localizedDescription)")
        }
    }
}
