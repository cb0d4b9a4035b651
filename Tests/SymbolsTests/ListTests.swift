import Exact
import Foundation
import Instruments
import Streams
import Testing

@testable import Symbols

private let header =
    "Stock Code,Name of Securities,Category,Board Lot,ISIN,Expiry Date (dd/mm/yyyy),Spread Table,Trading Currency,POS Eligble\n"
private let tencent = "00700,TENCENT,Equity,100,KYG875721634,,1,HKD,Y\n"

private func hongKong(_ text: String) throws(DataFault) -> [ListedSecurity] { try HongKongList.read(Array(text.utf8), file: "list.csv") }

struct HongKongListTests {
    @Test func columnsAreFoundByName() throws {  // H-4
        let rows = try hongKong(
            "List of Securities\nUpdated as at 23/03/2026\n" + header + tencent
                + "82800,X ETF,Exchange Traded Products,\"1,000\",,,5,RMB, \n")
        #expect(rows.map(\.symbol) == ["700.HK", "82800.HK"])
        #expect(rows.map(\.lot) == [100, 1000])
        #expect(rows.map(\.tickTable) == ["HK-A", "HK-D"])
        #expect(rows.map(\.kind) == [.stock, .etf])
        #expect(rows[1].currency == .cny)
        #expect(rows[0].flags == .preOpening)
        #expect(rows.map(\.line) == [4, 5])
    }

    @Test(arguments: [
        ("Stock Code,Name of Securities\n00700,T\n", 1, "has no column Category"),
        (header + "00700,TENCENT,Equity,0,KYG875721634,,1,HKD,Y\n", 2, "Board Lot is 0, which is not valid"),
        (header + tencent + tencent, 3, "gives the code 00700 again, after line 2"),
        (header + tencent + "700,TENCENT,Equity,100,KYG875721634,,1,HKD,Y\n", 3, "gives the code 00700 again, after line 2"),
        (header + "19O,TENCENT,Equity,100,KYG875721634,,1,HKD,Y\n", 2, "Stock Code is 19O, which is not valid"),
        (header + "00700,TENCENT,Gold,100,KYG875721634,,1,HKD,Y\n", 2, "Category is Gold, which is not valid"),
        (header + "00700,TENCENT,Equity,100,KYG875721634,31/02/2026,1,HKD,Y\n", 2, "Expiry Date is 31/02/2026, which is not valid"),
        (header + "00700,TENCENT,Equity,100,KYG875721634,,1,HKD\n", 2, "has 8 fields, the header has 9"),
        (header + "00700,TENCENT,Equity,100,KYG875721634,,2,HKD,Y\n", 2, "Spread Table is 2, which is not valid"),
        (header, 1, "has no securities"), ("", 1, "has no column Stock Code"),
    ])
    func whatIsWrongIsNamed(text: String, line: Int, reason: String) {  // H-4
        #expect(throws: DataFault(file: "list.csv", line: line, reason: reason)) { try hongKong(text) }
    }

    @Test func anotherEncodingIsRefused() {
        let text = header + tencent
        let wide = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        for bytes in [wide, Array(text.utf8) + [0xC4, 0x28]] {
            #expect(throws: DataFault(file: "list.csv", line: 0, reason: "is not UTF-8")) {
                try HongKongList.read(bytes, file: "list.csv")
            }
        }
    }
}

private let nasdaq = """
    Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares\r
    AAPL|Apple Inc. - Common Stock|Q|N|N|40|N|N\r
    ZXZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N\r
    QQQ|Invesco QQQ Trust, Series 1|G|N|N|40|Y|N\r
    File Creation Time: 0303202606:00|||||||\r

    """
private let other = """
    ACT Symbol|Security Name|Exchange|CQS Symbol|ETF|Round Lot Size|Test Issue|NASDAQ Symbol
    ABR$D|Arbor Realty Trust 6.375% Series D Preferred Stock|N|ABRpD|N|100|N|ABR-D
    BRK.B|Berkshire Hathaway Inc. New Common Stock|N|BRK.B|N|40|N|BRK.B
    FB|ProShares S&P 500 Dynamic Buffer ETF|Z|FB|Y|100|N|FB
    File Creation Time: 0303202606:00||||||
    """

struct NasdaqTraderListTests {
    private func read(_ text: String) throws -> [ListedSecurity] {
        try NasdaqTraderList.read(Array(text.utf8), file: "list.txt").securities
    }

    @Test func bothListsAreRead() throws {  // H-4
        let first = try NasdaqTraderList.read(Array(nasdaq.utf8), file: "list.txt")
        #expect(first.made == TradingDay(yyyymmdd: 20_260_303))
        #expect(first.securities.map(\.symbol) == ["AAPL.US", "QQQ.US"])
        #expect(first.securities.map(\.kind) == [.stock, .etf])
        #expect(first.securities[0].name == "Apple Inc.")
        #expect(first.securities[0].roundLot == 40)
        let second = try read(other)
        #expect(second.map(\.symbol) == ["ABR-D.US", "BRK.B.US", "FB.US"])
        #expect(second.map(\.market) == [.xnys, .xnys, .bats])
        #expect(second[0].kind == .preferred)
        #expect(NasdaqTraderList.shortened("Meta Platforms, Inc. - Class A Common Stock,") == "Meta Platforms, Inc. Class A")
    }

    @Test func whatIsWrongIsNamed() throws {  // H-4
        func fault(_ text: String) -> DataFault? {
            do {
                _ = try read(text)
                return nil
            } catch { return error as? DataFault }
        }
        let lines = nasdaq.components(separatedBy: "\r\n")
        #expect(fault(lines.prefix(3).joined(separator: "\r\n"))?.line == 3)
        #expect(fault(nasdaq.replacingOccurrences(of: "QQQ|", with: "AAPL|"))?.reason == "gives the code AAPL again, after line 2")
        #expect(fault(nasdaq.replacingOccurrences(of: "|Q|N|N|40", with: "|Q|N|N|0"))?.reason == "Round Lot Size is 0, which is not valid")
        #expect(fault(nasdaq.replacingOccurrences(of: "Test Issue", with: "Trial"))?.reason == "has no column Test Issue")
        #expect(fault(nasdaq.replacingOccurrences(of: "|N|N\r\nZX", with: "|N\r\nZX"))?.line == 2)
        #expect(
            fault(other.replacingOccurrences(of: "Stock|N|ABRpD", with: "Stock|Q|ABRpD"))?.reason == "Exchange is Q, which is not valid")
        for length in stride(from: 0, to: other.utf8.count - 6, by: 7) {
            #expect(fault(String(decoding: other.utf8.prefix(length), as: UTF8.self)) != nil)
        }
    }
}
