import Diagnostics
import Files
import Finder
import Foundation
import HTTP
import Instruments
import Sealed
import Streams
import Symbols
import Synchronization
import Texts

/// Every instrument this program knows of without a server: the symbol database in use and the search index made of it (H-1, H-2).
/// Nothing is opened before it is asked for.
struct Catalogue: Sendable {
    var shelf: SymbolShelf
    /// Where an index is kept that lies beside no database; nil: nowhere.
    var cache: String?
    /// Told, for people, what takes a while and what does not serve.
    var note: @Sendable (Text) -> Void = { _ in }
    /// For the reasons in what is told.
    var language = Language.english
    /// By this machine's clock.
    var today: @Sendable () -> TradingDay = { Catalogue.civilDay }

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
        self.init(
            shelf: SymbolShelf(user: folders.symbols, shipped: shipped, verified: VerifiedFiles(folder: folders.cache + "/verified")),
            cache: folders.cache)
        let language = invocation.language
        self.language = language
        note = { Self.say($0.words(in: language)) }
    }

    /// The day of this machine's clock, UTC.
    static var civilDay: TradingDay {
        let days = WallClock.live.now() / 86_400_000_000_000
        guard let day = TradingDay(daysSince1970: Int(days)) else { preconditionFailure("a clock of 64 bits shows no year after 2262") }
        return day
    }

    private static let said = Mutex<Set<String>>([])

    /// Each line once, however many questions a command has.
    private static func say(_ line: String) {
        if said.withLock({ $0.insert(line).inserted }) { Output.error("causeway: " + line) }
    }

    /// The database in use. Where the user's own does not serve, that is told.
    func database() throws(Failure) -> SymbolDatabase { try choice().database }

    func choice() throws(Failure) -> SymbolShelf.Choice {
        let choice = try shelf.open(today: today())
        if let refused = choice.refused { note(.symbolsRefused(reason: refused.ofDatabase.text(in: language))) }
        return choice
    }

    // MARK: Index

    /// Where the index of a database lies that was made with it.
    static func indexFile(beside database: String) -> String {
        let name = database.hasSuffix(".sqlite") ? String(database.dropLast(7)) : database
        return name + ".index"
    }

    /// The index of that database: the one beside it, else the cached one, else made now and cached. One that is damaged, of another
    /// release or of another format is none.
    func index(of database: SymbolDatabase) throws(Failure) -> SearchIndex {
        if let index = present(Self.indexFile(beside: database.path), database.release) { return index }
        let cached = cache.map { $0 + "/" + Self.cacheName(database.release.version) }
        if let cached, let index = present(cached, database.release) { return index }
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
        SearchIndexBuilder.build(try database.allRows().map(\.instrument), version: mark(database.release))
    }

    /// What an index carries of the rows it was made of: the first eight bytes of their hash.
    private static func mark(_ release: SymbolRelease) -> UInt64 { UInt64(release.hash.prefix(16), radix: 16) ?? 0 }

    private func present(_ path: String, _ release: SymbolRelease) -> SearchIndex? {
        guard let index = try? Self.opened(path, release.hash, shelf.verified), index.version == Self.mark(release),
            index.count == release.rows
        else { return nil }
        return index
    }

    /// An index in which everything is right. It is read whole when it is first opened after it was put there; then it is known.
    /// - Parameter content: what tells its contents from others.
    static func opened(_ path: String, _ content: String, _ verified: VerifiedFiles?) throws -> SearchIndex {
        let (before, file) = (try RegularFile.identity(path), URL(fileURLWithPath: path))
        if let verified, verified.knows(path, before, content: content) {
            let index = try SearchIndex(contentsOf: file, isVerified: true)
            if try RegularFile.identity(path) == before { return index }
        }
        let index = try SearchIndex(contentsOf: file)
        if try RegularFile.identity(path) == before { verified?.keep(path, before, content: content) }
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
        if Self.isSimulated(text) { throw Self.simulated(text, in: table, on: day, language) }
        throw near(text, on: day, database, language) ?? failure
    }

    /// `SIM00001.HK`, as the synthetic feed calls what it makes.
    private static func isSimulated(_ text: String) -> Bool {
        let code = text.uppercased().trimmingCharacters(in: .whitespaces).split(separator: ".", maxSplits: 1)
        guard let name = code.first, name.hasPrefix("SIM"), code.count == 1 || code[1] == "HK" || code[1] == "US" else { return false }
        return name.utf8.count >= 8 && name.dropFirst(3).utf8.allSatisfy { (48...57).contains($0) }
    }

    /// On a server with the synthetic feed: the other market's of this number, or plainly unknown.
    private static func simulated(_ text: String, in table: InstrumentTable, on day: TradingDay, _ language: Language) -> Failure {
        func known(_ symbol: String) -> Instrument? { try? table.resolve(symbol, on: day).get() }
        let symbol = String(text.prefix(64))
        let code = text.uppercased().trimmingCharacters(in: .whitespaces).prefix { $0 != "." }
        if let other = known(code + ".HK") ?? known(code + ".US") {
            return Failure(
                .symbolNear, .init("symbol", symbol), .init("candidates", other.symbol),
                .init("shown", other.symbol + " " + other.names.text(in: language)))
        }
        let isSynthetic = table.all.contains { isSimulated($0.symbol) }
        return Failure(isSynthetic ? .symbolUnknown : .symbolSimulated, .init("symbol", symbol))
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

    private func near(_ text: String, on day: TradingDay, _ database: SymbolDatabase, _ language: Language) -> Failure? {
        guard let index = try? index(of: database), let rows = (try? NearSymbols(text, on: day, index, database))?.found, !rows.isEmpty
        else { return nil }
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
    /// Of a database that cannot be read: it is damaged as one whose hash is wrong is.
    var ofDatabase: Failure { code == .dataCorrupt ? Failure(.symbolsDamaged, arguments: arguments) : self }

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
