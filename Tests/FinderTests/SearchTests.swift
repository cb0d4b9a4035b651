import Foundation
import Instruments
import Testing
import Texts

@testable import Finder

private func index() throws -> SearchIndex { try #require(Names.index) }

private func codes(_ query: String, limit: Int = 20) throws -> [String] { try index().search(query, limit: limit).map(\.symbol) }

struct SearchTests {
    @Test(arguments: [
        "700", "0700", "00700", "700.HK", "0700.HK", "00700.hk", "HK.00700", "HK00700", "SEHK:700", "７００", "700 HK Equity", "00700\u{200B}",
        "700.h",
    ])
    func formsOfAHongKongCode(_ query: String) throws {  // H-2, SYM-1
        let first = try #require(try index().search(query).first)
        #expect(first.symbol == "700.HK")
        #expect(first.rank == .code)
    }

    @Test(arguments: ["BRK.B", "brk/b", "BRK-B", "BRK B", "BRKB", "BRK.B.US", "US.BRK.B", "$brk.b"])
    func formsOfAClassShare(_ query: String) throws {  // H-2, SYM-2
        let first = try #require(try index().search(query).first)
        #expect(first.symbol == "BRK.B.US")
        #expect(first.rank == .code)
    }

    @Test func whatStandsBeforeWhat() throws {  // H-2
        let found = try codes("700")
        #expect(found.first == "700.HK")
        #expect(!found.contains("1700.HK") || found.firstIndex(of: "1700.HK").map { $0 > 0 } == true)
        for query in ["700", "ch", "bank", "zh", "中国", "apple", "hs", "txk", "yinhang", "micro"] {
            let hits = try index().search(query, limit: 60)
            #expect(!hits.isEmpty, "\(query)")
            #expect(hits.map(\.rank) == hits.map(\.rank).sorted(), "\(query)")
            #expect(Set(hits.map(\.id)).count == hits.count, "\(query)")
        }
    }

    @Test(arguments: [
        ("tencnet", "700.HK"), ("tencetn", "700.HK"), ("tecent", "700.HK"), ("tenccent", "700.HK"), ("rencent", "700.HK"),
        ("micorsoft", "MSFT.US"), ("micorsof", "MSFT.US"), ("mircos", "MSFT.US"), ("nvidai corp", "NVDA.US"),
    ])
    func oneWrongLetter(_ query: String, _ symbol: String) throws {  // H-2
        let hits = try index().search(query, limit: 50)
        #expect(hits.contains { $0.symbol == symbol && $0.rank == .typo }, "\(hits.map(\.symbol))")
    }

    @Test(arguments: [
        ("建行", "939.HK"), ("招行", "3968.HK"), ("工行", "1398.HK"), ("中行", "3988.HK"), ("港交所", "388.HK"), ("中海油", "883.HK"),
        ("中移动", "941.HK"),
    ])
    func namesShortened(_ query: String, _ symbol: String) throws {  // H-2
        let hits = try index().search(query)
        #expect(hits.contains { $0.symbol == symbol && $0.rank == .abbreviation }, "\(hits.map(\.symbol))")
    }

    @Test func aWordOfTheSameLengthIsMeantBeforeAnother() throws {  // H-2
        #expect(try index().search("appel").first?.symbol == "AAPL.US")
    }

    @Test(arguments: [
        ("腾讯", "700.HK"), ("騰訊", "700.HK"), ("騰讯", "700.HK"), ("滙豐", "5.HK"), ("匯豐", "5.HK"), ("汇丰", "5.HK"), ("tengx", "700.HK"),
        ("txk", "700.HK"), ("teng xun", "700.HK"), ("腾xun", "700.HK"), ("tengxun控股", "700.HK"), ("tx控股", "700.HK"), ("腾xkg", "700.HK"),
        ("中国yd", "941.HK"), ("zg移动", "941.HK"), ("讯控", "700.HK"), ("阿里巴巴W", "9988.HK"), ("阿里巴巴-w", "9988.HK"), ("at&t", "T.US"),
    ])
    func chineseInAnyScript(_ query: String, _ symbol: String) throws {  // H-2
        let found = try codes(query)
        #expect(found.contains(symbol), "\(found)")
    }

    @Test(arguments: [
        ("重庆", "chongqing", "cq", "zhongqing"), ("银行", "yinhang", "yh", "yinxing"), ("长城", "changcheng", "cc", "zhangcheng"),
        ("音乐", "yinyue", "yy", "yinle"), ("会计", "kuaiji", "kj", "huiji"), ("厦门", "xiamen", "xm", "shamen"),
        ("大厦", "dasha", "ds", "daxia"), ("绿城", "lvcheng", "lc", "lucheng"), ("地产", "dichan", "dc", "dechan"),
        ("首都", "shoudu", "sd", "shoudou"), ("長和", "changhe", "ch", "zhanghe"),
    ])
    func polyphones(_ name: String, _ usual: String, _ initials: String, _ other: String) throws {  // H-2, SYM-5
        let rows = [
            Names.instrument(1, "00001", "First", name, name), Names.instrument(2, "00002", "Second", "第二", "第二"),
        ]
        let index = try SearchIndex(Data(SearchIndexBuilder.build(rows, version: 1)))
        for query in [usual, initials, other] {
            let hits = try index.search(query)
            #expect(hits.first?.symbol == "1.HK" && hits.first?.rank == .pinyin, "\(query) \(hits)")
        }
    }

    @Test func theWordsReadingComesBeforeOthers() throws {  // SYM-5
        let rows = [Names.instrument(1, "00001", "A", "长城", "長城"), Names.instrument(2, "00002", "B", "张城", "張城")]
        let index = try SearchIndex(Data(SearchIndexBuilder.build(rows, version: 1)))
        #expect(try index.search("zhangcheng").map(\.symbol) == ["2.HK", "1.HK"])
        #expect(try index.search("changcheng").map(\.symbol) == ["1.HK"])
    }

    @Test func whatIsNoQuery() throws {
        for query in ["", "   ", "..", "，"] {
            #expect(throws: Failure(.searchEmpty)) { try index().search(query) }
        }
        #expect(throws: Failure(.searchLong, .init("most", "64"))) { try index().search(String(repeating: "a", count: 65)) }
        #expect(try index().search("qqqqzzzzqqqq").isEmpty)
        #expect(try index().search("1e5").allSatisfy { $0.rank >= .codePrefix })
    }

    @Test func manyTickersLeaveRoomForNames() throws {  // 长和 is 00001
        #expect(try codes("ch").contains("1.HK"))
        #expect(try index().search("ch").count == 20)
    }
}
