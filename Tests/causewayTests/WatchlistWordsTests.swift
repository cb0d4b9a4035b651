import Testing
import Texts
import Watchlists

@testable import causeway

struct WatchlistWordsTests {
    private let writer = WatchlistWriter(now: 1, device: "a")

    private func refusal(_ text: String, in group: String) -> Failure? {
        var list = Watchlist()
        do throws(Failure) {
            try list.addGroup("my tech", by: writer)
            try list.add("700.HK", to: Watchlist.main, by: writer)
            try list.pin(typed: text, true, in: group, by: writer)
            return nil
        } catch { return error }
    }

    @Test("F-3 a pin of what is not in the group says how to put it there") func pin() {
        #expect(refusal("700", in: "main") == nil)
        #expect(
            refusal("AAPL", in: "main")?.text(in: .english) == "AAPL is not in the group main. Put it there: causeway watchlist add AAPL")
        for language in Language.allCases {
            #expect(refusal("AAPL", in: "main")?.text(in: language).hasSuffix("causeway watchlist add AAPL") == true)
            #expect(refusal("A'B", in: "my tech")?.text(in: language).hasSuffix("add 'A'\\''B' --group 'my tech'") == true)
        }
        #expect(refusal("AAPL", in: "nowhere")?.code == .watchlistSymbolUnknown)
    }

    @Test("F-3 the group that every list has stays; a refused name is told in letters", arguments: Language.allCases)
    func groups(language: Language) {
        var list = Watchlist()
        #expect(throws: Failure(.watchlistGroupStays, .init("group", "main"))) { try list.removeGroup("main", by: writer) }
        let name = Failure(.watchlistGroupName, .init("group", "x")).text(in: language)
        #expect(name.contains("48") && name.contains("16") && !name.contains("byte") && !name.contains("字节") && !name.contains("位元"))
    }
}
