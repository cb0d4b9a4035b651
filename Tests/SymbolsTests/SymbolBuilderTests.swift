import Foundation
import Instruments
import Streams
import Testing

@testable import Symbols

/// A data folder as it ships, with small lists of its own.
struct SymbolBuilderTests {
    let scratch: Scratch
    private static let header = "Stock Code,Name of Securities,Category,Board Lot,ISIN,Expiry Date,Spread Table,Trading Currency\n"
    private static let hongKong =
        header + "00700,TENCENT,Equity,100,KYG875721634,,1,HKD\n" + "00005,HSBC,Equity,400,GB0005405286,,1,HKD\n"
        + "13001,DW A,Derivative Warrants,10000,HK0000000001,30/11/2026,4,HKD\n"
    private static let nasdaq = """
        Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares
        META|Meta Platforms, Inc. - Class A Common Stock|Q|N|N|40|N|N
        File Creation Time: 0323202606:00|||||||
        """
    private static let other = """
        ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol
        FB|ProShares S&P 500 Dynamic Buffer ETF|Z|FB|Y|100|N|FB
        File Creation Time: 0303202606:00||||||
        """

    init() throws {
        scratch = try Scratch()
        let shipped = try DataFolder.locate()
        try FileManager.default.createDirectory(atPath: scratch.file("symbols/sources"), withIntermediateDirectories: true)
        for name in ["tables", "symbols.csv"] {
            try FileManager.default.createSymbolicLink(atPath: scratch.file(name), withDestinationPath: shipped.file(name))
        }
        try put(
            "source,file,as_of,least\nhkex,hk.csv,2026-03-23,1\nnasdaq-trader,n.txt,,1\nnasdaq-trader,o.txt,2026-03-03,1\n", "sources.csv")
        try put("version\n2026032301\n", "release.csv")
        try put("code,name_en,name_zh_hans,name_zh_hant\n00005,HSBC Holdings plc,汇丰控股,滙豐控股\n", "names.csv")
        try put(
            "market,code,name,listed_from,listed_to,successor_market,successor_code\nXNAS,FB,\"Facebook, Inc.\",2012-05-18,2022-06-08,XNAS,META\n",
            "former.csv")
        try put("id,market,code,listed_from,isin\n", "ids.csv")
        try put("symbol,simplified,traditional,source,verified\nMETA.US,脸书,臉書,memory,false\n", "us-chinese-names.csv")
        try put(Self.hongKong, "sources/hk.csv")
        try put(Self.nasdaq, "sources/n.txt")
        try put(Self.other, "sources/o.txt")
    }

    private func put(_ text: String, _ name: String) throws { _ = try scratch.write(Array(text.utf8), "symbols/" + name) }

    private func build() throws -> (rows: [SymbolRow], ledger: SymbolLedger) {
        try SymbolBuilder.rows(try SymbolSources(DataFolder(path: scratch.path)))
    }

    private func row(_ rows: [SymbolRow], _ symbol: String) throws -> SymbolRow {
        try #require(rows.first { $0.instrument.symbol == symbol })
    }

    @Test func idsStayAndAreNeverGivenAgain() throws {  // H-4, H-5
        let first = try build()
        let tencent = try row(first.rows, "700.HK")
        #expect(tencent.instrument.id == InstrumentID(1))
        #expect(tencent.isin == "KYG875721634")
        #expect(tencent.instrument.names.simplified == "腾讯控股")
        let hsbc = try row(first.rows, "5.HK")
        #expect(hsbc.instrument.names.traditional == "滙豐控股")
        #expect(hsbc.instrument.id.rawValue >= SymbolLedger.first)
        #expect(Set(first.rows.map(\.instrument.id)).count == first.rows.count)
        try put(first.ledger.text, "ids.csv")
        #expect(try build().rows == first.rows)
        #expect(try build().ledger.added == 0)
        // HSBC leaves, another comes, the warrant's code goes to another product.
        try put(
            Self.hongKong.replacing("00005,HSBC", with: "00004,WHARF").replacing("HK0000000001", with: "HK0000000002")
                .replacing("GB0005405286", with: "HK0004000045"), "sources/hk.csv")
        let second = try build()
        #expect(try row(second.rows, "13001.HK").instrument.id != row(first.rows, "13001.HK").instrument.id)
        #expect(second.ledger.added == 2)
        #expect(second.ledger.text.hasPrefix(first.ledger.text))
        let old = Set(first.rows.map(\.instrument.id))
        #expect(try !old.contains(row(second.rows, "4.HK").instrument.id))
    }

    @Test func usListingsHaveChineseNames() throws {  // H-2, Q-3
        let rows = try build().rows
        let meta = try row(rows, "META.US").instrument.names
        #expect(meta.english.hasPrefix("Meta Platforms") && meta.simplified == "脸书" && meta.traditional == "臉書")
        #expect(rows.filter { $0.instrument.symbol == "FB.US" }.allSatisfy { $0.instrument.names.simplified.isEmpty })
        // Those given by hand keep their own.
        #expect(try row(rows, "AAPL.US").instrument.names.simplified == "苹果")
    }

    @Test func aReusedTickerHasTwoRows() throws {  // H-5
        let rows = try build().rows
        let table = InstrumentTable(version: 1, instruments: rows.map(\.instrument))
        let both = rows.filter { $0.instrument.symbol == "FB.US" }
        #expect(both.count == 2)
        func symbol(_ text: String, _ day: Int32) throws -> String {
            let found = try table.resolve(text, on: #require(TradingDay(yyyymmdd: day))).get()
            return found.symbol + " " + found.names.english
        }
        #expect(try symbol("FB", 20_220_608) == "FB.US Facebook, Inc.")
        #expect(try symbol("FB", 20_261_130) == "FB.US ProShares S&P 500 Dynamic Buffer ETF")
        let former = try #require(both.first { $0.instrument.listedTo != nil })
        #expect(try former.instrument.successor == row(rows, "META.US").instrument.id)
    }

    @Test func contractsFollowTheRules() throws {  // H-5
        let rows = try build().rows
        let byHand = try MarketFacts(DataFolder.locate()).instruments.all.filter { $0.future != nil }
        // The rows given by hand are the rule's own.
        let specification = try ContractRows(MarketFacts(DataFolder.locate()), on: #require(TradingDay(yyyymmdd: 20_260_323)))
        for known in byHand {
            var made = try #require(specification.contracts.first { $0.code == known.code && $0.market == known.market })
            (made.id, made.listedFrom) = (known.id, known.listedFrom)
            #expect(made.future?.expiry == known.future?.expiry)
            #expect(made.multiplier == known.multiplier && made.symbol == known.symbol)
        }
        let months = rows.compactMap { $0.instrument.future?.product == "HSI" ? $0.instrument.code : nil }.sorted()
        #expect(months.first == "HSI2603" && months.last == "HSI2712")
        let later = try row(rows, "HSI2607.HKFE").instrument
        #expect(later.listedFrom.map { $0 > TradingDay(yyyymmdd: 20_260_323) ?? $0 } ?? false)
    }

    @Test(arguments: [
        (
            "release.csv", "version\n2026030301\n",
            "release.csv:2: version 2026030301 does not begin with the day of the newest source, 20260323"
        ),
        ("sources/hk.csv", header, "hk.csv:1: has no securities"),
        ("sources.csv", "source,file,as_of,least\nhkex,hk.csv,2026-03-23,9\n", "hk.csv: holds 3 securities, expected 9 or more"),
        ("sources.csv", "source,file,as_of,least\nhkex,none.csv,2026-03-23,9\n", "none.csv: cannot be opened"),
        ("sources.csv", "source,file,as_of,least\nhkex,../hk.csv,2026-03-23,9\n", "sources.csv:2: least or file is not valid"),
        ("ids.csv", "id,market,code,listed_from,isin\n7,XHKG,00005,,\n", "ids.csv:2: id is not valid"),
        (
            "ids.csv", "id,market,code,listed_from,isin\n1001,XHKG,00005,,\n1002,XHKG,00005,,\n",
            "ids.csv:3: gives the listing 00005 another id"
        ),
        ("names.csv", "code,name_en\n", "names.csv:1: has no column name_zh_hans"),
        (
            "us-chinese-names.csv", "symbol,simplified,traditional,source,verified\nMETTA.US,脸书,臉書,memory,false\n",
            "us-chinese-names.csv:2: names METTA.US, which no US list has"
        ),
        (
            "us-chinese-names.csv", "symbol,simplified,traditional,source,verified\nMETA.US,脸书,臉書,m,false\nMETA.US,脸书,臉書,m,false\n",
            "us-chinese-names.csv:3: names META.US again"
        ),
        (
            "us-chinese-names.csv", "symbol,simplified,traditional,source,verified\nMETA.US,脸书,,memory,false\n",
            "us-chinese-names.csv:2: names META.US with an empty or overlong name"
        ),
        (
            "us-chinese-names.csv", "symbol,simplified,traditional,source,verified\nMETA.US,脸书,臉書,,\n",
            "us-chinese-names.csv:2: does not say the source of META.US's names, or whether they are verified"
        ),
        (
            "former.csv", "market,code,name,listed_from,listed_to,successor_market,successor_code\nXNAS,FB,F,2022-06-08,2012-05-18,,\n",
            "former.csv:2: is no former listing"
        ),
    ])
    func whatIsWrongIsNamed(name: String, text: String, fault: String) throws {  // H-4
        try put(text, name)
        do {
            _ = try build()
            Issue.record("was built")
        } catch { #expect("\(error)" == fault) }
    }
}
