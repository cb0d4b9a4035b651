import Streams
import Testing

@testable import Charting

struct BarReaderTests {
    private func table(_ text: String, piece: Int = 1 << 20) throws -> BarReader {
        var table = BarReader()
        let bytes = Array(text.utf8)
        for first in stride(from: 0, to: bytes.count, by: piece) {
            try table.feed(Array(bytes[first..<min(bytes.count, first + piece)]))
        }
        try table.finish()
        return table
    }

    private func fault(_ text: String, piece: Int = 1 << 20) -> BarReader.Fault? {
        do { _ = try table(text, piece: piece) } catch { return error as? BarReader.Fault }
        return nil
    }

    private let two = "Date, Open ,HIGH,low,close,note,Vol\n2024-02-29,1.50,2.0000,-1,1.25,x,7\n20240301 9:05,2,2.25,2,2.125,y,\n"

    /// Cut anywhere, a text is the same.
    @Test(arguments: [1, 2, 3, 7, 16, 1_000])
    func rowsAreFoundWhateverThePieces(piece: Int) throws {  // G-3
        let table = try table(two, piece: piece)
        #expect(table.bars[0] == .init(open: 1.5, high: 2, low: -1, close: 1.25, volume: 7, day: 20_240_229))
        #expect(table.bars.close[1] == 2.125 && table.bars.volume[1].isNaN)
        #expect(table.times == [ChartTime(day: 20_240_229), ChartTime(day: 20_240_301, minute: 545)])
        #expect(table.decimals == 3)
    }

    @Test(arguments: [1, 5, 1_000])
    func quotesAndLineEndsAndAMark(piece: Int) throws {
        let text =
            "\u{FEFF}\"time\",open,high,low,close,note\r\n2024-01-02T10:00:30Z,\"1\", 1 ,1,1,\"a,\"\"b\"\"\nc\"\r\n\r\n2024-01-02 10:01,1,1,1,1,"
        let table = try table(text, piece: piece)
        #expect(table.times.map(\.minute) == [600, 601])
        #expect(table.bars.close == [1, 1] && table.bars.volume.allSatisfy(\.isNaN))
        // The line counts those inside quotes.
        let short = BarReader.Fault(line: 6, reason: "5, 6: not as many fields as the header has")
        #expect(fault(text + "\n2024-01-02 10:02,1,1,1,1", piece: piece) == short)
    }

    @Test func aMissingBarIsEmptyPrices() throws {
        let table = try table("date,open,high,low,close\n2024-01-02,1,1,1,1\n2024-01-03,,,,\n2024-01-04,2,2,2,2")
        #expect(table.bars.close[1].isNaN && table.bars.close[2] == 2)
    }

    @Test func whatIsWrongIsToldWithItsLine() {
        let head = "date,open,high,low,close,volume\n"
        func of(_ rows: String) -> BarReader.Fault? { fault(head + rows) }
        #expect(fault("")?.reason == "has no header row")
        #expect(fault(head) == .init(line: 1, reason: "has no bars"))
        #expect(fault("date,open,high,low\n")?.reason == "has no columns date (or time), open, high, low, close")
        #expect(fault("date,open,high,low,close,open\n")?.reason == "has a column twice")
        #expect(fault(String(repeating: "a,", count: 64) + "\n")?.reason == "has more than 64 columns")
        #expect(of("2024-02-30,1,1,1,1,1") == .init(line: 2, reason: "time is not YYYY-MM-DD or YYYY-MM-DD HH:MM"))
        for time in [
            "", "x", "2024-1-02", "2024-01-02 24:00", "2024-01-02 1", "2024-01-02 10:60", "2024-01-02 10:", "0000-01-01", "2024/01/02",
        ] {
            #expect(of("\(time),1,1,1,1,1")?.reason.hasPrefix("time is not") == true, "\(time)")
        }
        #expect(of("2024-01-02,1,1,1,1,1\n\n2024-01-02,1,1,1,1,1") == .init(line: 4, reason: "time is not after that of the row before"))
        #expect(of("2024-01-02 10:00,1,1,1,1,1\n2024-01-02,1,1,1,1,1")?.line == 3)
        #expect(of("2024-01-02,1,1,,1,1")?.reason == "has some of the four prices but not all")
        #expect(of("2024-01-02,1,0.5,1,1,1")?.reason == "open and close do not lie between low and high")
        for number in ["x", "1e999", "nan", "inf", "0x1", "1,000", "1 2", "-", "--1", "1.2.3", String(repeating: "1", count: 41)] {
            #expect(of("2024-01-02,1,1,1,\"\(number)\",1")?.reason == "close: is not a number", "\(number)")
        }
        #expect(of("2024-01-02,1,1,1,1,-1")?.reason == "volume is not a number from 0")
        #expect(of("2024-01-02,\"1,1,1,1,1\n")?.reason == "ends inside quotes")
        #expect(fault(head + String(repeating: "1", count: 70_000), piece: 100)?.reason == "is longer than 65,536 bytes")
        #expect(fault(head + "\"" + String(repeating: "\n", count: 70_000), piece: 100)?.reason == "is longer than 65,536 bytes")
    }

    /// The short way must give the number the long one gives.
    @Test(arguments: UInt64(0)..<50)
    func numbersAreTheNearest(seed: UInt64) {  // C-6
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let digits = (0..<Int(random.next() % 22)).map { _ in String(random.next() % 10) }.joined()
            let cut = digits.index(digits.startIndex, offsetBy: Int(random.next() % UInt64(digits.count + 1)))
            var text = ["", "-", "+"][Int(random.next() % 3)] + digits[..<cut]
            if random.next() % 3 > 0 { text += "." + digits[cut...] }
            if random.next() % 5 == 0 { text += "e" + ["", "-", "+"][Int(random.next() % 3)] + String(random.next() % 30) }
            let ours = Array(text.utf8).withUnsafeBufferPointer { BarText.number($0) }
            if text.isEmpty { #expect(ours?.isNaN == true) } else { #expect(ours?.bitPattern == Double(text)?.bitPattern, "\(text)") }
        }
    }

    @Test func aListOfIndicators() {  // G-3
        #expect(IndicatorChoice.split("ma:5,10,macd,boll:20,2") == ["ma:5,10", "macd", "boll:20,2"])
        #expect(IndicatorChoice.split("EMA(CLOSE,12)-EMA(CLOSE,26), kdj") == ["EMA(CLOSE,12)-EMA(CLOSE,26)", " kdj"])
        #expect(IndicatorChoice.split("sar:.02, .2,ma:5,-1") == ["sar:.02, .2", "ma:5,-1"])
        #expect(IndicatorChoice.split("ma:5,,rsi,") == ["ma:5", "", "rsi", ""])
        #expect(IndicatorChoice.split("MA(C,5") == ["MA(C,5"])
    }
}
