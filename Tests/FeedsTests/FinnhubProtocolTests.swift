import Exact
import Testing

@testable import Feeds

struct FinnhubProtocolTests {
    private func trades(_ text: String) throws -> [FinnhubTrade] {
        guard case .trades(let trades, _) = try FinnhubMessage(parsing: text) else { return [] }
        return trades
    }

    @Test func manyTradesInAMessageAreExact() throws {  // F-7, C-6
        let told = try trades(
            #"{"data":[{"c":["1","8"],"p":207.12,"s":"AAPL","t":1796049000123,"v":100},{"c":null,"p":0.1,"s":"MSFT","t":1796049000124,"v":0},"#
                + #"{"p":2.071e2,"s":"BRK.B","t":1.796049000125e12,"v":0.00000001}],"type":"trade"}"#)
        #expect(told.map(\.symbol) == ["AAPL", "MSFT", "BRK.B"])
        #expect(told.map(\.price.nanos) == [207_120_000_000, 100_000_000, 207_100_000_000])
        #expect(told.map(\.size.units) == [10_000_000_000, 0, 1])
        #expect(told.map(\.time) == [1_796_049_000_123, 1_796_049_000_124, 1_796_049_000_125])
        #expect(told.map(\.conditions) == [["1", "8"], [], []])
    }

    @Test func aTradeThatCannotBeHeldIsLeftOutAndCounted() throws {  // F-8
        let good = #"{"p":1.5,"s":"AAPL","t":1,"v":1}"#
        let bad = [
            #"{"p":0.1234567891,"s":"AAPL","t":1,"v":1}"#, #"{"p":"1.5","s":"AAPL","t":1,"v":1}"#, #"{"p":1e40,"s":"AAPL","t":1,"v":1}"#,
            #"{"p":1.5,"s":"AAPL","t":1.5,"v":1}"#, #"{"p":1.5,"s":"AAPL","t":1,"v":-1}"#, #"{"p":1.5,"t":1,"v":1}"#, "null", "[]",
        ]
        let message = try FinnhubMessage(parsing: #"{"type":"trade","data":["# + (bad + [good]).joined(separator: ",") + "]}")
        guard case .trades(let trades, let unreadable) = message else {
            Issue.record("\(message)")
            return
        }
        #expect(trades.count == 1 && unreadable == bad.count)
    }

    @Test func otherMessages() throws {
        #expect(try FinnhubMessage(parsing: #"{"type":"ping"}"#) == .ping)
        #expect(try FinnhubMessage(parsing: #"{"type":"error","msg":"Invalid API key"}"#) == .error("Invalid API key"))
        #expect(try FinnhubMessage(parsing: #"{"type":"news","data":[]}"#) == .other("news"))
        for text in ["", "{", "[]", "null", #"{"type":1}"#, #"{"type":"trade"}"#, #"{"type":"trade","data":{}}"#, "\u{0}"] {
            #expect(throws: FinnhubFault.unreadable) { try FinnhubMessage(parsing: text) }
        }
    }

    @Test func anAnswerOfNothingIsAnUnknownSymbol() throws {
        func quote(_ text: String) throws -> FinnhubQuote { try FinnhubQuote(parsing: Array(text.utf8)) }
        let told = try quote(#"{"c":261.74,"d":1.2,"dp":0.46,"h":263.31,"l":0,"o":261.07,"pc":259.45,"t":1582641000}"#)
        #expect(told.last.nanos == 261_740_000_000 && told.time == 1_582_641_000)
        #expect(told.high?.nanos == 263_310_000_000 && told.low == nil && told.previousClose?.nanos == 259_450_000_000)
        #expect(throws: FinnhubFault.unknownSymbol) { try quote(#"{"c":0,"d":null,"dp":null,"h":0,"l":0,"o":0,"pc":0,"t":0}"#) }
        for text in ["", "[]", "{}", #"{"error":"no"}"#, #"{"c":1.5}"#] {
            #expect(throws: FinnhubFault.unreadable) { try quote(text) }
        }
    }

    @Test func commands() {
        #expect(FinnhubCommand.subscribe("AAPL") == #"{"type":"subscribe","symbol":"AAPL"}"#)
        #expect(FinnhubCommand.unsubscribe("BRK.B") == #"{"type":"unsubscribe","symbol":"BRK.B"}"#)
    }

    @Test func aKeyIsNeverShown() throws {  // O-3
        let key = try #require(FinnhubKey("  c0ffee-Secret_9\n"))
        #expect(key.secret == "c0ffee-Secret_9")
        var dumped = ""
        dump([key], to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped, "\(["key": key])"] { #expect(!text.contains("c0ffee")) }
        #expect(key.redacting("no /?token=c0ffee-Secret_9 here c0ffee-Secret_9") == "no /?token=… here …")
        for bad in ["", " ", "a b", "a&b", "a\nb", "é", String(repeating: "a", count: 129)] { #expect(FinnhubKey(bad) == nil) }
    }
}
