import Foundation
import Testing

@testable import Zip

/// Made by Python's zipfile: an .xlsx of two title rows, a header and two rows; texts in runs, with phonetic hints; a megabyte of blanks.
enum Samples {
    static let book = bytes(
        """
        UEsDBBQAAAAIAAAAIQAuaHhloQEAAKgHAAAUAAAAeGwvc2hhcmVkU3RyaW5ncy54bWy1lVtPgzAYhu/9FV96YTRRafEAU6hxbOqiLouwi10yqBMVim0x27+3
        81xMdE7GBSQvX3je70S942n+AE9MyIwXPiI7GAErEp5mxcRHw+h020XHdM2TUoGOLKSPpoh6MqOeoN6LdijLOGE+KgWTTDwxREPlWYp6lngNojy5h4Cn7FMd
        3IIc+2gO0w+C5lHnvX70FjG41fc542dOPzY5OQN+AyFLKpGpjMmmeUGNp9iEi1nTlLAyKePtIF4Nqc1NUixSuORqOYyivbDXf33zO7o7NdFlJmbQ0XnCRppa
        eW7N9LW58tLesUSB4hCqOC+hU6nmu1maSMHiFKJ4/MDWCPgwiIWCk6ahkag1dr7OEFRC6N1uPMXrK5PW1steFYqJZQcJYwfjRScp6pr0ftD9+O6fyd3HKnuf
        gU+VLO7mYmS6OXOdfccmB7t7y1oafXNTF84vOnXJ/V5BXVZy4Dp1cXAdwLoe/iNo2w5ZOM8Oq22S+vd/V2e2hRev9DA0HTjEtknr5KyFm55v2zVJFsGWjW1n
        2TSh3oPdujAMv3TU0mcvfQZQSwMEFAAAAAgAAAAhAHmTXZQqAQAAZQQAABgAAAB4bC93b3Jrc2hlZXRzL3NoZWV0MS54bWx91OtKwzAYxvFbCbkA0+PcJM1w
        54PfhhdQuojB2UoTu16+WYWa50X9UGjzCy/0T4ic9+8X1unWmqYueHwX8bmS16Z9s69aO+a1tg99wXuu5LC0Kl2pZNtcWev3+9Xq9vIYc+YKbuqLqfXJtX7d
        WCWdejLWseaFnXT12RpntJXCKSluKir/+EnjuGQcl/wx7vnjXDp9ZqVlpWNJKqJUJFEy+WdoOg5Nh6HWf3cqkqL73jzYIrQYbRlagrYKLUVbh5ahbULL0bah
        TdB2od2j7UOboh1Cm6Ed4d9/wkDFbKyYhbtJqgUgabUEpLEAaS1AkmsHSHrtAUmwAyApdgSc/V4lH6vk4RmhhwuQni5AkmwNSJJtAEmyLSBNBkiTAdJkgFNS
        RQQ3hBgvEfUFUEsBAhQDFAAAAAgAAAAhAC5oeGWhAQAAqAcAABQAAAAAAAAAAAAAAIABAAAAAHhsL3NoYXJlZFN0cmluZ3MueG1sUEsBAhQDFAAAAAgAAAAh
        AHmTXZQqAQAAZQQAABgAAAAAAAAAAAAAAIAB0wEAAHhsL3dvcmtzaGVldHMvc2hlZXQxLnhtbFBLBQYAAAAAAgACAIgAAAAzAwAAAAA=
        """)
    static let bomb = bytes(
        """
        UEsDBBQAAAAIAAAAIQCnAgPxCgQAAAAAEAAEAAAAYm9tYu3BMQEAAADCoCrrn9IQvkABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
        AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHwGUEsBAhQDFAAAAAgA
        AAAhAKcCA/EKBAAAAAAQAAQAAAAAAAAAAAAAAIABAAAAAGJvbWJQSwUGAAAAAAEAAQAyAAAALAQAAAAA
        """)

    private static func bytes(_ text: String) -> [UInt8] {
        [UInt8](Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
    }
}

struct ZipTests {
    @Test func aDeflatedEntryIsRead() throws {  // H-4
        let archive = try ZipArchive(Samples.bomb)
        #expect(archive.names == ["bomb"])
        #expect(try archive.contents(of: "bomb", limit: 1 << 20) == [UInt8](repeating: 32, count: 1 << 20))
        #expect(throws: ZipFault.missing("x")) { try archive.contents(of: "x", limit: 10) }
    }

    /// A file that claims less than it unpacks to is given up at what it claims.
    @Test func aBombIsBounded() throws {
        #expect(throws: ZipFault.tooLarge("bomb")) { try ZipArchive(Samples.bomb).contents(of: "bomb", limit: 1000) }
        var lying = Samples.bomb
        let directory = try #require(Data(lying).range(of: Data([0x50, 0x4B, 1, 2]))?.lowerBound)
        lying.replaceSubrange((directory + 24)..<(directory + 28), with: [100, 0, 0, 0])
        let archive = try ZipArchive(lying)
        #expect(throws: ZipFault.damaged("bomb")) { try archive.contents(of: "bomb", limit: 1000) }
    }

    @Test func everyCutIsRefused() throws {
        for length in 0..<Samples.book.count {
            #expect(throws: ZipFault.notZip) { try ZipArchive(Array(Samples.book.prefix(length))) }
        }
    }

    /// Whatever byte changes: read as it was, or refused; never a crash.
    @Test func everyChangedByteIsReadOrRefused() throws {
        let whole = try Workbook(Samples.book).rows.map(\.cells)
        for place in Samples.book.indices {
            var changed = Samples.book
            changed[place] ^= 0x41
            do throws(WorkbookFault) { #expect(try Workbook(changed).rows.map(\.cells) == whole) } catch { #expect(!error.reason.isEmpty) }
        }
    }
}

struct WorkbookTests {
    @Test func theFirstSheetIsText() throws {  // H-4
        let rows = try Workbook(Samples.book).rows
        #expect(rows.map(\.number) == [1, 2, 3, 4, 5])
        #expect(rows[1].cells == ["Updated as at 23/03/2026"])
        #expect(rows[2].cells.prefix(5) == ["Stock Code", "Name of Securities", "Category", "Sub-Category", "Board Lot"])
        #expect(rows[3].cells == ["00700", "TENCENT", "Equity", "", "100", "KYG875721634", "", "Y", "1", "HKD", "80700"])
        #expect(rows[4].cells[1] == "PRC & B2710")
    }

    @Test(arguments: [
        "<a><b></a>", "<a>", "<a", "<a x=1/>", "<a x='1/>", "<a>&lol;</a>", "<!DOCTYPE a><a/>", "<a/><b/>", "x<a/>", "",
        "<a><![CDATA[x]]></a>",
        "<a>&#xD800;</a>",
    ])
    func badXMLIsRefused(text: String) {
        #expect(throws: XMLFault.self) {
            var scanner = XMLScanner(Array(text.utf8))
            while try scanner.next() != nil {}
        }
    }

    @Test func goodXMLIsRead() throws {
        var scanner = XMLScanner(Array("<?xml version='1.0'?><!-- <x> --><p:a k='1 &lt; 2'>&#65;&amp;<b/></p:a>\n".utf8))
        var events: [XMLScanner.Event] = []
        while let event = try scanner.next() { events.append(event) }
        #expect(
            events == [
                .start(name: "a", attributes: ["k": "1 < 2"]), .text("A&"), .start(name: "b", attributes: [:]), .end(name: "b"),
                .end(name: "a"),
            ])
        var deep = XMLScanner([UInt8](String(repeating: "<a>", count: 100).utf8))
        #expect(throws: XMLFault.self) { while try deep.next() != nil {} }
    }
}
