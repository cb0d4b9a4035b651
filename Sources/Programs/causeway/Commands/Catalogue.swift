import Finder
import Foundation
import HTTP
import Instruments
import Sealed
import Streams
import Symbols
import Texts

/// Every instrument this program knows of without a server: the symbol database in use and the search index made of it (H-1, H-2).
/// Nothing is opened before it is asked for.
struct Catalogue: Sendable {
    var shelf: SymbolShelf
    /// Where an index is kept that lies beside no database; nil: nowhere.
    var cache: String?
    /// Told, for people, what takes a while.
    var note: @Sendable (Text) -> Void = { _ in }

    init(shelf: SymbolShelf, cache: String?) {
        self.shelf = shelf
        self.cache = cache
    }

    /// That of a profile: the user's own database, which updates replace, or the shipped one; indexes in the user's cache folder.
    init(_ invocation: Invocation) throws {
        let folders = try Folders(profile: invocation["profile"])
        let shipped: DataFolder
        do throws(DataFault) { shipped = try DataFolder.locate() } catch {
            throw Failure(.symbolsSource, .init("fault", error.description))
        }
        self.init(shelf: SymbolShelf(user: folders.symbols, shipped: shipped), cache: folders.cache)
        let language = invocation.language
        note = { Output.error("causeway: " + $0.words(in: language)) }
    }

    func database() throws(Failure) -> SymbolDatabase { try shelf.open().database }

    // MARK: Index

    /// Where the index of a database lies that was made with it.
    static func indexFile(beside database: String) -> String {
        let name = database.hasSuffix(".sqlite") ? String(database.dropLast(7)) : database
        return name + ".index"
    }

    /// The index of that database: the one beside it, else the cached one, else made now and cached. One that is damaged, of another
    /// release or of another format is none.
    func index(of database: SymbolDatabase) throws(Failure) -> SearchIndex {
        if let index = Self.present(Self.indexFile(beside: database.path), database.release) { return index }
        let cached = cache.map { $0 + "/" + Self.cacheName(database.release.version) }
        if let cached, let index = Self.present(cached, database.release) { return index }
        note(.symbolsIndexing(count: database.release.rows))
        let bytes = try Self.bytes(database)
        if let cache, let cached { keep(bytes, cached, in: cache, database.release.version) }
        return try SearchIndex(Data(bytes))
    }

    /// Makes the index of a database and puts it beside it.
    static func writeIndex(beside path: String) throws(Failure) {
        let bytes = try bytes(SymbolDatabase(path: path))
        do throws(SealedError) { try PrivateFile.write(bytes, to: indexFile(beside: path)) } catch {
            throw Failure(.storageFailed, .init("reason", "write"))
        }
    }

    private static func bytes(_ database: SymbolDatabase) throws(Failure) -> [UInt8] {
        SearchIndexBuilder.build(try database.allRows().map(\.instrument), version: UInt64(database.release.version))
    }

    private static func present(_ path: String, _ release: SymbolRelease) -> SearchIndex? {
        guard FileManager.default.fileExists(atPath: path), let index = try? SearchIndex(contentsOf: URL(fileURLWithPath: path)),
            index.version == UInt64(release.version), index.count == release.rows
        else { return nil }
        return index
    }

    private static func cacheName(_ version: Int64) -> String { "symbols-\(version).index" }

    /// What cannot be kept serves this once.
    private func keep(_ bytes: [UInt8], _ path: String, in cache: String, _ version: Int64) {
        do throws(SealedError) { try PrivateFile.write(bytes, to: path) } catch { return note(.symbolsIndexLost(path: path)) }
        // No database in use is older than the one this is of, but for a profile that has not been updated: it makes its own again.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
        for name in names where name.hasPrefix("symbols-") && name.hasSuffix(".index") {
            guard let other = Int64(name.dropFirst(8).dropLast(6)), other < version else { continue }
            try? FileManager.default.removeItem(atPath: cache + "/" + name)
        }
    }
}

// MARK: Resolution

extension Catalogue {
    /// What a person typed, as of a day: in the run's table, else among all that are known (H-5).
    /// - Throws: as `InstrumentLookup.resolve`; `symbol.near` instead of `symbol.unknown` where a search finds something.
    func resolve(_ text: String, in table: InstrumentTable, on day: TradingDay, _ language: Language) throws(Failure) -> Instrument {
        let failure: Failure
        switch table.resolve(text, on: day) {
        case .success(let found) where Self.isSettled(text, found): return found
        case .success(let found):
            guard case .failure(let other)? = (try? database())?.resolve(text, on: day), other.code == .symbolAmbiguous else {
                return found
            }
            throw other
        case .failure(let first):
            guard Self.mayBeElsewhere(first) else { throw first }
            failure = first
        }
        guard let database = try? database() else { throw failure }
        let second = database.resolve(text, on: day)
        guard case .failure(let failure) = second, failure.code == .symbolUnknown else { return try second.get() }
        if Self.isSimulated(text) { throw Failure(.symbolSimulated, .init("symbol", String(text.prefix(64)))) }
        throw near(text, on: day, database, language) ?? failure
    }

    /// `SIM00001.HK`, as the synthetic feed calls what it makes.
    private static func isSimulated(_ text: String) -> Bool {
        let code = text.uppercased().trimmingCharacters(in: .whitespaces).split(separator: ".", maxSplits: 1)
        guard let name = code.first, name.hasPrefix("SIM"), code.count == 1 || code[1] == "HK" || code[1] == "US" else { return false }
        return name.utf8.count >= 8 && name.dropFirst(3).utf8.allSatisfy { (48...57).contains($0) }
    }

    /// For a command that needs prices: the run's table only; what else is known is said with why it does not serve.
    /// - Throws: `symbol.no-prices`, `symbol.over` besides.
    func priced(_ text: String, in table: InstrumentTable, on day: TradingDay, _ language: Language) throws(Failure) -> Instrument {
        let found = try resolve(text, in: table, on: day, language)
        if let priced = table[found.id], priced.symbol == found.symbol { return priced }
        guard found.isListed(on: day) else { throw .over(found, on: day, language) }
        throw Failure(.symbolNoPrices, .init("symbol", found.symbol), .init("name", found.names.text(in: language)))
    }

    /// A bare product may be a share's code as well, of a share that the table lacks: `ES` is Eversource too.
    static func isSettled(_ text: String, _ found: Instrument) -> Bool {
        found.future.map { $0.product.uppercased() != text.trimmingCharacters(in: .whitespaces).uppercased() } ?? true
    }

    private static func mayBeElsewhere(_ failure: Failure) -> Bool {
        failure.code == .symbolUnknown || failure.code == .symbolSuggestion || failure.code == .symbolNotCarried
    }

    /// The three that a search puts first.
    private func near(_ text: String, on day: TradingDay, _ database: SymbolDatabase, _ language: Language) -> Failure? {
        guard let index = try? index(of: database), let search = try? CatalogueSearch(text, limit: 3, on: day, index, database),
            !search.hits.isEmpty, !search.isOver
        else { return nil }
        let rows = search.hits.map(\.instrument)
        return Failure(
            .symbolNear, .init("symbol", String(text.prefix(64))), .init("candidates", rows.map(\.symbol).joined(separator: ", ")),
            .init("shown", rows.map { $0.symbol + " " + $0.names.text(in: language) }.joined(separator: " · ")))
    }
}

extension Instrument.Names {
    /// In the user's language, else in another.
    func text(in language: Language) -> String {
        let own =
            switch language {
            case .english: english
            case .simplifiedChinese: simplified
            case .traditionalChinese: traditional
            }
        return [own, simplified, english].first { !$0.isEmpty } ?? ""
    }
}

extension Failure {
    static func over(_ instrument: Instrument, on day: TradingDay, _ language: Language) -> Failure {
        Failure(
            .symbolOver, .init("symbol", instrument.symbol), .init("name", instrument.names.text(in: language)),
            .init("day", day.description))
    }
}

extension ErrorCode {
    /// A known instrument that the server has no prices of: `symbol`, `name`.
    static let symbolNoPrices = ErrorCode("symbol.no-prices")
    /// One that is not listed on the day: `symbol`, `name`, `day`.
    static let symbolOver = ErrorCode("symbol.over")
    /// One that only a server with the synthetic feed has: `symbol`.
    static let symbolSimulated = ErrorCode("symbol.simulated")
    /// No such instrument, but some alike: `symbol`, `candidates` (canonical symbols, comma and blank between), `shown` (with names).
    static let symbolNear = ErrorCode("symbol.near")
}
