import Accounts
import Curl
import Files
import Foundation
import HTTP
import Instruments
import Sealed
import Streams
import Symbols
import Texts

/// `symbols build`, `symbols update`, `symbols info`: the database behind what can be typed.
enum SymbolDatabaseCommands {
    static let all = [build, update, info]

    private static func shipped() throws -> DataFolder {
        do throws(DataFault) { return try DataFolder.locate() } catch { throw Failure(.symbolsSource, .init("fault", error.description)) }
    }

    /// The user's own: updates replace it.
    private static func own(_ invocation: Invocation) throws -> String {
        try Folders(profile: invocation["profile"]).symbols
    }

    // MARK: Build

    private static let build = Command(
        words: ["symbols", "build"], summary: .helpCommandSymbolsBuild, options: [.flag("check", .helpOptionBuildCheck)]
    ) { invocation in
        let folder = try shipped()
        let database = folder.file("symbols/symbols.sqlite")
        let ledgerFile = folder.file("symbols/ids.csv")
        let made = try makeRelease(folder)
        let present = try presentRelease(database)
        if invocation.has("check") {
            for (file, bytes) in [("symbols.sqlite", made.bytes), ("ids.csv", Array(made.ledger.text.utf8))]
            where (try? RegularFile.read(folder.file("symbols/" + file), limit: 256 << 20)) != bytes {
                throw Failure(.symbolsDrift, .init("file", "symbols/" + file))
            }
        } else {
            try mayReplace(present, made)
            // Ids first: one that is in a database is in the ledger.
            try write(Array(made.ledger.text.utf8), ledgerFile)
            try write(made.bytes, database)
            try Catalogue.writeIndex(beside: database)
            try readable(Catalogue.indexFile(beside: database))
        }
        let text: Text =
            invocation.has("check")
            ? .symbolsSame(rows: NumberFormat.grouped(Int64(made.rows)), version: String(made.version))
            : .symbolsBuilt(
                added: NumberFormat.grouped(Int64(made.ledger.added)), megabytes: String((made.bytes.count + 524_288) >> 20),
                rows: NumberFormat.grouped(Int64(made.rows)), version: String(made.version))
        invocation.output.show(
            .object([
                .init("version", .int(made.version)), .init("rows", .int(made.rows)), .init("newIDs", .int(made.ledger.added)),
                .init("bytes", .int(made.bytes.count)), .init("file", .string(database)),
                .init(
                    "leftOut",
                    .array(
                        made.leftOut.map {
                            .object([.init("product", .string($0.product)), .init("reason", .string($0.gap.text.words(in: .english)))])
                        })),
            ]),
            text: made.leftOut.map { Text.symbolsLeftOut(product: $0.product, reason: $0.gap.text).words(in: invocation.language) }
                + [text.words(in: invocation.language)])
    }

    private struct Made {
        var version: Int64
        var rows: Int
        var bytes: [UInt8]
        var ledger: SymbolLedger
        var leftOut: [(product: String, gap: ContractGap)]
    }

    private static func makeRelease(_ folder: DataFolder) throws -> Made {
        do throws(DataFault) {
            let sources = try SymbolSources(folder)
            let (rows, ledger) = try SymbolBuilder.rows(sources)
            let bytes: [UInt8]
            do throws(Failure) {
                bytes = try SymbolFile.bytes(
                    rows, version: sources.version, timestamp: sources.timestamp, workingIn: NSTemporaryDirectory())
            } catch { throw DataFault(file: "symbols.sqlite", line: 0, reason: error.text(in: .english)) }
            return Made(version: sources.version, rows: rows.count, bytes: bytes, ledger: ledger, leftOut: sources.leftOut)
        } catch {
            throw Failure(.symbolsSource, .init("fault", error.description))
        }
    }

    /// Nil where there is none, or none that reads: building replaces it.
    private static func presentRelease(_ path: String) throws -> SymbolRelease? {
        do throws(Failure) { return try SymbolDatabase(path: path).release } catch {
            if error.code.rawValue == "data.missing" || error.code == .dataCorrupt { return nil }
            throw error
        }
    }

    /// Nothing is published under an older version, nor other rows under the same (H-4).
    private static func mayReplace(_ present: SymbolRelease?, _ made: Made) throws {
        guard let present else { return }
        if made.version < present.version {
            throw Failure(.symbolsOlder, .init("offered", String(made.version)), .init("present", String(present.version)))
        }
        guard made.version == present.version else { return }
        let trial = NSTemporaryDirectory() + "/symbols-" + Base64URL.encode(randomBytes(9))
        try write(made.bytes, trial)
        defer { try? FileManager.default.removeItem(atPath: trial) }
        guard try SymbolDatabase(path: trial).release == present else {
            throw Failure(.symbolsConflict, .init("version", String(present.version)))
        }
    }

    /// Whole or not at all, and readable by everyone as the rest of the data folder is.
    private static func write(_ bytes: [UInt8], _ path: String) throws {
        do throws(SealedError) { try PrivateFile.write(bytes, to: path) } catch { throw Failure(.storageFailed, .init("reason", "write")) }
        try readable(path)
    }

    private static func readable(_ path: String) throws {
        do { try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path) } catch {
            throw Failure(.storageFailed, .init("reason", "write"))
        }
    }

    // MARK: Update

    private static let update = Command(
        words: ["symbols", "update"], summary: .helpCommandSymbolsUpdate,
        options: [.value("from", "FILE|URL|shipped", .helpOptionUpdateFrom)]
    ) { invocation in
        let path = try own(invocation)
        let catalogue = try Catalogue(invocation)
        let today = catalogue.today()
        let choice = try? catalogue.shelf.open(today: today)
        let present = choice?.database
        if let refused = choice?.refused, catalogue.shelf.discard(refused) {
            Output.error(
                "causeway: "
                    + Text.symbolsDiscarded(reason: refused.ofDatabase.text(in: invocation.language)).words(in: invocation.language))
            try? FileManager.default.removeItem(atPath: Catalogue.indexFile(beside: path))
        }
        let update = SymbolUpdate(path: path) { path throws(Failure) in try Catalogue.writeIndex(beside: path) }
        let report: SymbolUpdate.Report
        if let from = invocation["from"] {
            let shipped = try? catalogue.shelf.openShipped().release
            if from.contains("://") {
                report = try await download(from) { file in
                    try update.run(fromFile: file, present: present, shipped: shipped, today: today)
                }
            } else {
                let file = from == "shipped" ? catalogue.shelf.shipped : from
                report = try update.run(fromFile: file, present: present, shipped: shipped, today: today)
            }
        } else {
            let client = try await LiveClient(invocation)
            try await client.restore()
            report = try await update.run(from: client.symbolOrigin(), present: present, today: today)
            await client.stop()
        }
        func number(_ count: Int) -> String { NumberFormat.grouped(Int64(count)) }
        let text: Text =
            report.isCurrent
            ? .symbolsCurrent(version: String(report.version))
            : .symbolsUpdated(
                added: number(report.added), changed: number(report.changed), fetched: number(report.fetched),
                removed: number(report.removed), version: String(report.version))
        invocation.output.show(
            .object([
                .init("from", report.from.map { .int($0) } ?? .null), .init("version", .int(report.version)),
                .init("added", .int(report.added)), .init("changed", .int(report.changed)), .init("removed", .int(report.removed)),
                .init("fetchedBlocks", .int(report.fetched)),
            ]), text: [text.words(in: invocation.language)])
    }

    /// A database file from a web server; 64 MB at most.
    private static func download(_ url: String, _ take: (_ file: String) throws -> SymbolUpdate.Report) async throws
        -> SymbolUpdate.Report
    {
        guard let parts = URLComponents(string: url), let host = parts.host,
            parts.scheme == "https" || parts.scheme == "http" && ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
        else { throw Usage.invalid("--from", url, .address) }
        let curl = CurlClient(.init(maximumResponseBytes: 64 << 20))
        let answer: HTTPResponse
        do throws(HTTPFailure) {
            answer = try await curl.client.perform(HTTPRequest(method: "GET", url: url, timeout: .seconds(120)))
        } catch { throw error.failure }
        guard answer.status == 200 else { throw Failure(ErrorCode("data.missing"), .init("path", url)) }
        let file = NSTemporaryDirectory() + "/symbols-" + Base64URL.encode(randomBytes(9))
        try write(answer.body, file)
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try take(file)
    }

    // MARK: Info

    private static let info = Command(words: ["symbols", "info"], summary: .helpCommandSymbolsInfo) { invocation in
        let language = invocation.language
        let choice = try Catalogue(invocation).choice()
        let (database, release) = (choice.database, choice.database.release)
        try database.verify()
        let counts = try database.counts()
        var facts = Table(("", .left), ("", .left))
        facts.rows = [
            [Text.fieldVersion.words(in: language), String(release.version)],
            [Text.fieldSourcesOf.words(in: language), release.timestamp],
            [Text.fieldRows.words(in: language), NumberFormat.grouped(Int64(release.rows))],
            [Text.fieldHash.words(in: language), release.hash],
            [Text.fieldVerified.words(in: language), Text.wordYes.words(in: language)],
            [Text.fieldFile.words(in: language), database.path],
        ]
        var markets = Table(in: language, (.fieldMarket, .left), (.fieldRows, .right))
        markets.rows = counts.map { [$0.market.rawValue, NumberFormat.grouped(Int64($0.rows))] }
        let own = try shipped().overridden
        let tables = own.isEmpty ? [] : [Text.tablesOwn(files: own.joined(separator: ", ")).words(in: language)]
        invocation.output.show(
            .object([
                .init("version", .int(release.version)), .init("timestamp", .string(release.timestamp)), .init("rows", .int(release.rows)),
                .init("hash", .string(release.hash)), .init("verified", .bool(true)), .init("file", .string(database.path)),
                .init(
                    "markets",
                    .array(counts.map { .object([.init("market", .string($0.market.rawValue)), .init("rows", .int($0.rows))]) })),
                .init("ownTables", .array(own.map(JSONValue.string))),
                .init("refused", choice.refused.map { JSONValue($0.ofDatabase, in: language) } ?? .null),
            ]), text: facts.lines.dropFirst() + markets.lines + tables)
    }
}

extension ErrorCode {
    /// The official lists or tables do not read: `fault`, file, line and reason.
    static let symbolsSource = ErrorCode("symbols.source")
    /// What is in the data folder is not what its lists make: `file`.
    static let symbolsDrift = ErrorCode("symbols.drift")
}

extension ContractGap {
    fileprivate var text: Text {
        switch self {
        case .market(let market): .symbolsGapMarket(market: market)
        case .margin: .symbolsGapMargin
        case .priceSteps: .symbolsGapSteps
        case .calendar(let calendar): .symbolsGapCalendar(calendar: calendar)
        }
    }
}

extension LiveClient {
    /// The signed-in server as an origin of symbols.
    nonisolated func symbolOrigin() -> SymbolOrigin {
        SymbolOrigin(
            release: { since throws(Failure) in
                let info = try await self.credentials.call(GatewayEndpoints.symbolRelease, SinceInput(since: since))
                let blocks = try info.blocks.map { block throws(Failure) in
                    guard let number = UInt32(exactly: block.number) else { throw Failure(.symbolsHash) }
                    return SymbolBlocks.Block(number: number, hash: block.hash)
                }
                let release = SymbolRelease(
                    version: info.version, timestamp: info.timestamp, rows: Int(clamping: info.rows), blocks: SymbolBlocks(blocks))
                return (release, info.hash)
            },
            block: { number throws(Failure) in
                try await self.credentials.call(GatewayEndpoints.symbolBlock, SymbolBlockInput(number: Int64(number))).rows
            })
    }
}
