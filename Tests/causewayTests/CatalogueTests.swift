import Exact
import Finder
import Foundation
import Glibc
import Instruments
import Streams
import Symbols
import Synchronization
import Testing
import Texts

@testable import causeway

/// A database of seven instruments in a folder of its own.
private final class Shelf {
    let folder = NSTemporaryDirectory() + "/catalogue-\(UUID().uuidString)"
    var cache: String { folder + "/cache" }
    var file: String { folder + "/symbols/symbols.sqlite" }

    init(version: Int64 = 2_026_032_301) throws { try release(version) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func release(_ version: Int64) throws {
        try FileManager.default.createDirectory(atPath: folder + "/symbols", withIntermediateDirectories: true)
        let bytes = try SymbolFile.bytes(Self.rows(), version: version, timestamp: "2026-03-23T00:00:00Z", workingIn: folder)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
    }

    func catalogue(_ notes: Notes = Notes()) -> Catalogue {
        var catalogue = Catalogue(shelf: SymbolShelf(user: nil, shipped: DataFolder(path: folder)), cache: cache)
        catalogue.note = { notes.add($0) }
        return catalogue
    }

    static func rows() throws -> [SymbolRow] {
        var meta = instrument(2, .xnas, "META", "Meta Platforms Inc.")
        meta.listedFrom = TradingDay("2022-06-09")
        var fb = instrument(3, .xnas, "FB", "Facebook Inc.")
        fb.listedTo = TradingDay("2022-06-08")
        fb.successor = meta.id
        return try [
            instrument(1, .xhkg, "00005", "HSBC Holdings plc", "汇丰控股", "滙豐控股"), meta, fb,
            future(4, "HSI2606", "2026-06-29"), future(5, "HSI2612", "2026-12-30"), instrument(6, .xnas, "AAPL", "Apple Inc.", "苹果", "蘋果"),
            instrument(7, .xnys, "HSI", "A share with a product's code"),
        ].map { SymbolRow($0) }
    }

    static func instrument(
        _ id: UInt32, _ market: Market, _ code: String, _ english: String, _ simplified: String = "", _ traditional: String = ""
    ) -> Instrument {
        Instrument(
            id: InstrumentID(id), market: market, code: code, symbol: code.drop { $0 == "0" } + "." + market.suffix, kind: .stock,
            currency: market == .xhkg ? .hkd : .usd, names: .init(english: english, simplified: simplified, traditional: traditional),
            lot: Quantity(units: 100_000_000), multiplier: 1, decimals: 2, tickTable: "HK-A")
    }

    static func future(_ id: UInt32, _ code: String, _ expiry: String) throws -> Instrument {
        var future = instrument(id, .xhkf, code, "Hang Seng Index Futures \(code.suffix(4))", "恒生指数期货")
        future.kind = .future
        let margin = Money(micros: 1, currency: .hkd)
        future.future = .init(
            product: "HSI", expiry: try #require(TradingDay(expiry)), lastMinute: nil, initialMargin: margin, maintenanceMargin: margin)
        return future
    }
}

private final class Notes: Sendable {
    private let texts = Mutex<[String]>([])
    func add(_ text: Text) { texts.withLock { $0.append(text.words(in: .english)) } }
    var all: [String] { texts.withLock { $0 } }
}

struct CatalogueTests {
    private let day: TradingDay

    init() throws { day = try #require(TradingDay("2026-11-30")) }

    private func search(_ text: String, _ catalogue: Catalogue, limit: Int = 20) throws -> CatalogueSearch {
        let database = try catalogue.database()
        return try CatalogueSearch(text, limit: limit, on: day, catalogue.index(of: database), database)
    }

    @Test("H-2 an index is made once, says so, and is found again; a damaged one and one of another release are made anew")
    func made() throws {
        let (shelf, notes) = (try Shelf(), Notes())
        #expect(try search("汇丰", shelf.catalogue(notes)).hits.map(\.instrument.symbol) == ["5.HK"])
        #expect(notes.all.count == 1 && notes.all.first?.contains("7 instruments") == true)
        #expect(try search("hfkg", shelf.catalogue(notes)).hits.map(\.instrument.symbol) == ["5.HK"])
        #expect(notes.all.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: shelf.cache)
        let path = shelf.cache + "/" + (try #require(names.first))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.dropLast(9).write(to: URL(fileURLWithPath: path))
        #expect(try search("apple", shelf.catalogue(notes)).hits.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == whole)
        #expect(notes.all.count == 2)
        try shelf.release(2_026_032_302)
        #expect(try search("apple", shelf.catalogue(notes)).hits.count == 1)
        #expect(notes.all.count == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: shelf.cache) == ["symbols-2026032302.index"])
    }

    @Test("H-2 the index beside its database is used; where none can be kept the search is answered all the same") func beside() throws {
        let (shelf, notes) = (try Shelf(), Notes())
        try Catalogue.writeIndex(beside: shelf.file)
        #expect(try search("apple", shelf.catalogue(notes)).hits.count == 1)
        #expect(notes.all.isEmpty && !FileManager.default.fileExists(atPath: shelf.cache))
        try FileManager.default.removeItem(atPath: Catalogue.indexFile(beside: shelf.file))
        try Data().write(to: URL(fileURLWithPath: shelf.cache))
        #expect(try search("apple", shelf.catalogue(notes)).hits.count == 1)
        #expect(notes.all.count == 2)
    }

    @Test("H-1 a damaged database of the user's gives way to the shipped one and is told of") func damaged() throws {
        let (shelf, notes) = (try Shelf(), Notes())
        let own = shelf.folder + "/own.sqlite"
        let bytes = try SymbolFile.bytes(
            Shelf.rows(), version: 2_026_032_309, timestamp: "2026-03-23T00:00:00Z", workingIn: shelf.folder)
        try Data(bytes).write(to: URL(fileURLWithPath: own))
        var catalogue = shelf.catalogue(notes)
        catalogue.shelf.user = own
        catalogue.shelf.verified = VerifiedFiles(folder: shelf.cache)
        #expect(try catalogue.database().path == own)
        #expect(notes.all.isEmpty)
        try Data(bytes.prefix(9_000)).write(to: URL(fileURLWithPath: own))
        #expect(try catalogue.database().path == shelf.file)
        #expect(notes.all.count == 1 && notes.all.first?.contains("damaged: \(own)") == true)
        #expect(notes.all.first?.contains("causeway symbols update") == true)
    }

    @Test("H-2 a known index is not read again; a pipe in its place is none") func known() throws {
        let (shelf, notes) = (try Shelf(), Notes())
        var catalogue = shelf.catalogue(notes)
        catalogue.shelf.verified = VerifiedFiles(folder: shelf.folder + "/verified")
        try Catalogue.writeIndex(beside: shelf.file)
        for _ in 0..<3 { #expect(try search("apple", catalogue).hits.count == 1) }
        let path = Catalogue.indexFile(beside: shelf.file)
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        #expect(try search("apple", catalogue).hits.count == 1)
        #expect(notes.all.count == 1)
    }

    @Test("H-5 what ended is not found, what was renamed is found under its new name, and what alone ended is shown as such")
    func listed() throws {
        let shelf = try Shelf()
        defer { withExtendedLifetime(shelf) {} }
        let catalogue = shelf.catalogue()
        #expect(try search("hang seng", catalogue).hits.map(\.instrument.symbol) == ["HSI2612.HKFE"])
        let renamed = try search("facebook", catalogue)
        #expect(renamed.hits.map(\.instrument.symbol) == ["META.US"] && renamed.hits.first?.former?.symbol == "FB.US")
        let over = try search("HSI2606", catalogue)
        #expect(over.isOver && over.hits.map(\.instrument.symbol) == ["HSI2606.HKFE"])
        let lines = SymbolSearch.lines(over, day, .english, width: nil)
        #expect(lines.first == "None of these is listed on 2026-11-30" && lines.last?.hasSuffix("until 2026-06-29") == true)
        #expect(SymbolSearch.lines(renamed, day, .english, width: nil).last?.hasSuffix("was FB.US until 2022-06-08") == true)
        let cut = try search("HK", catalogue, limit: 1)
        #expect(cut.hits.count <= 1)
    }

    @Test("H-5 a bare product that is a share's code too is ambiguous, though the run's table knows the product only") func products()
        throws
    {
        let shelf = try Shelf()
        defer { withExtendedLifetime(shelf) {} }
        let table = InstrumentTable(version: 1, instruments: [try Shelf.future(5, "HSI2612", "2026-12-30")])
        #expect(failure { try shelf.catalogue().priced("hsi", in: table, on: day, .english) }?.code == .symbolAmbiguous)
        #expect(try shelf.catalogue().priced("HSI2612", in: table, on: day, .english).symbol == "HSI2612.HKFE")
    }

    @Test("Q-5 the cache is one of the user, the database one of the profile") func folders() throws {
        let folders = try Folders(profile: "desk", environment: ["HOME": "/home/mei", "XDG_CACHE_HOME": "/var/cache/mei"])
        #expect(folders.cache == "/var/cache/mei/causeway")
        #expect(folders.symbols == "/home/mei/.local/share/causeway/desk/symbols.sqlite")
        #expect(folders.state == "/home/mei/.local/state/causeway/desk")
    }

    private func failure(_ body: () throws -> Instrument) -> Failure? {
        do {
            _ = try body()
            return nil
        } catch { return error as? Failure }
    }

    @Test("On a synthetic server the other market's of a number is named, and what it has none of is unknown") func synthetic() throws {
        let (shelf, day) = (try Shelf(), try #require(TradingDay("2026-11-30")))
        let catalogue = shelf.catalogue()
        let table = InstrumentTable(
            version: 1, instruments: [Shelf.instrument(4_026_531_841, .xnas, "SIM00002", "Simulated 2")])
        func failure(_ text: String, _ table: InstrumentTable) -> Failure? {
            do throws(Failure) { _ = try catalogue.resolve(text, in: table, on: day, .english) } catch { return error }
            return nil
        }
        #expect(failure("SIM00002.US", table) == nil)
        let other = failure("sim00002.hk", table)
        #expect(other?.text(in: .english) == "No such instrument: sim00002.hk. Did you mean SIM00002.US Simulated 2?")
        #expect(failure("SIM00003.HK", table)?.code == .symbolUnknown)
        #expect(failure("SIM00003.HK", InstrumentTable(version: 1, instruments: []))?.code == .symbolSimulated)
    }

    @Test("H-5 what the run's table lacks is found in the database; for prices it is named with why not; a near miss offers three")
    func resolved() throws {
        let shelf = try Shelf()
        defer { withExtendedLifetime(shelf) {} }
        let catalogue = shelf.catalogue()
        let table = InstrumentTable(version: 1, instruments: [Shelf.instrument(6, .xnas, "AAPL", "Apple Inc.")])
        #expect(try catalogue.resolve("00005", in: table, on: day, .english).symbol == "5.HK")
        #expect(try catalogue.resolve("FB", in: table, on: day, .english).symbol == "META.US")
        #expect(try catalogue.priced("aapl", in: table, on: day, .english).symbol == "AAPL.US")
        #expect(
            failure { try catalogue.priced("5", in: table, on: day, .simplifiedChinese) }
                == Failure(.symbolNoPrices, .init("symbol", "5.HK"), .init("name", "汇丰控股")))
        #expect(failure { try catalogue.priced("HSI2606", in: table, on: day, .english) }?.code == .symbolOver)
        let near = failure { try catalogue.priced("appel", in: table, on: day, .english) }
        #expect(near?.code == .symbolNear && near?.arguments.first { $0.name == "candidates" }?.value == "AAPL.US")
        #expect(near?.text(in: .english) == "No such instrument: appel. Did you mean AAPL.US Apple Inc.?")
        // A ticker one error away; never a part of a word.
        let ticker = failure { try catalogue.priced("APPL", in: table, on: day, .english) }
        #expect(ticker?.arguments.first { $0.name == "candidates" }?.value == "AAPL.US")
        #expect(failure { try catalogue.priced("MTEA", in: table, on: day, .english) }?.arguments.first?.value == "MTEA")
        #expect(failure { try catalogue.priced("book", in: table, on: day, .english) }?.code == .symbolUnknown)
        #expect(failure { try catalogue.priced("qqzzxx", in: table, on: day, .english) }?.code == .symbolUnknown)
    }
}
