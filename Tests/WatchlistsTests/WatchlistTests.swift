import Streams
import HTTP
import Testing
import Texts

@testable import Watchlists

extension SeededRandom {
    /// A few of the same keys and stamps, so that they meet.
    fileprivate mutating func list() -> Watchlist {
        var list = Watchlist()
        for _ in 0..<below(12) {
            let key = Watchlist.Key(group: ["main", "tech", "old"][below(3)], symbol: [nil, "700.HK", "AAPL.US"][below(3)])
            let stamp = WatchlistStamp(time: Int64(below(4)), device: ["a", "b"][below(2)])
            let entry = Watchlist.Entry(stamp: stamp, isRemoved: below(3) == 0, position: Int64(below(3)), isPinned: below(2) == 0)
            list.merge(Watchlist(entries: [key: entry]))
        }
        return list
    }
}

@Suite struct WatchlistTests {
    private func by(_ device: String, _ now: Int64) -> WatchlistWriter { WatchlistWriter(now: now, device: device) }

    @Test("F-3: merging in any order, grouping and number gives the same", arguments: UInt64(0)..<200)
    func laws(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        let (a, b, c) = (dice.list(), dice.list(), dice.list())
        #expect(a.merged(b) == b.merged(a))
        #expect(a.merged(b).merged(c) == a.merged(b.merged(c)))
        #expect(a.merged(a) == a)
        #expect(a.merged(b).merged(b) == a.merged(b))
    }

    @Test("F-3: two devices that exchange what they have end alike, and the last edit of each symbol holds", arguments: UInt64(0)..<100)
    func converge(seed: UInt64) throws {
        var dice = SeededRandom(seed: seed)
        var copies = [Watchlist(), Watchlist()]
        var expected: [String: Bool] = [:]
        let symbols = ["700.HK", "AAPL.US", "9988.HK"]
        for step in 1...40 {
            let device = dice.below(2)
            let symbol = symbols[dice.below(3)]
            let writer = by("\(device)", Int64(step * 10))
            // Both know of everything before: what is edited last is what the user meant.
            let both = copies[0].merged(copies[1])
            if dice.below(2) == 0 { copies = [both, both] }
            if copies[device].symbols("main").contains(where: { $0.symbol == symbol }) {
                try copies[device].remove(symbol, from: "main", by: writer)
                expected[symbol] = false
            } else {
                try copies[device].add(symbol, to: "main", by: writer)
                expected[symbol] = true
            }
        }
        let (left, right) = (copies[0].merged(copies[1]), copies[1].merged(copies[0]))
        #expect(left == right)
        #expect(Set(left.symbols("main").map(\.symbol)) == Set(expected.filter(\.value).keys))
    }

    @Test("F-3: pinned first, then in order; groups in order behind the main one")
    func order() throws {
        var list = Watchlist()
        for (step, symbol) in ["C.US", "A.US", "B.US"].enumerated() { try list.add(symbol, to: "main", by: by("a", Int64(step))) }
        try list.pin("B.US", true, in: "main", by: by("a", 5))
        #expect(list.symbols("main").map(\.symbol) == ["B.US", "C.US", "A.US"])
        try list.addGroup("tech", by: by("a", 6))
        try list.addGroup("banks", by: by("a", 7))
        #expect(list.groups == ["main", "tech", "banks"])
    }

    @Test("F-3: a symbol put into a group that another device removes meanwhile is not lost")
    func groupRemovedMeanwhile() throws {
        var list = Watchlist()
        try list.addGroup("tech", by: by("a", 1))
        var other = list
        try list.removeGroup("tech", by: by("a", 2))
        try other.add("700.HK", to: "tech", by: by("b", 3))
        var both = list.merged(other)
        #expect(both.groups == ["main"] && both.symbols("main").map(\.symbol) == ["700.HK"])
        try both.remove("700.HK", from: "main", by: by("a", 4))
        #expect(both.symbols("main").isEmpty)
    }

    @Test("F-3: an edit counts over what was known, whatever the clock of its device says")
    func clockBehind() throws {
        var list = Watchlist()
        try list.add("700.HK", to: "main", by: by("a", 1_000_000))
        var other = list
        try other.remove("700.HK", from: "main", by: by("b", 5))
        #expect(list.merged(other).symbols("main").isEmpty)
    }

    @Test("F-3: removals are remembered for a time and a number, what is there for ever")
    func forgets() throws {
        var list = Watchlist()
        for step in 0..<(Watchlist.mostRemoved + 10) {
            try list.add("\(step).HK", to: "main", by: by("a", Int64(step)))
            try list.remove("\(step).HK", from: "main", by: by("a", Int64(step)))
        }
        try list.add("700.HK", to: "main", by: by("a", 0))
        list.forgetOld(now: 1_000)
        #expect(list.entries.count == Watchlist.mostRemoved + 1)
        list.forgetOld(now: Watchlist.removedKept + 1_000_000)
        #expect(list.entries.count == 1 && list.symbols("main").map(\.symbol) == ["700.HK"])
    }

    @Test("F-3: it fits in what an address takes at its largest, and comes back from JSON as it was")
    func size() throws {
        var list = Watchlist()
        for group in 1..<Watchlist.mostGroups { try list.addGroup(String(repeating: "g", count: 40) + "\(group)", by: by("00000001", 1)) }
        for step in 0..<(Watchlist.mostSymbols + Watchlist.mostRemoved) {
            if step >= Watchlist.mostSymbols {
                try list.remove("LONGSYMBOL\(step - Watchlist.mostSymbols).HKFE", from: "main", by: by("00000001", 1))
            }
            try list.add("LONGSYMBOL\(step).HKFE", to: "main", by: by("00000001", 1_796_000_000_000))
        }
        var more = list
        let refusal = Result { () throws(Failure) in try more.add("ONE.US", to: "main", by: by("00000001", 1)) }
        if case .failure(let failure) = refusal {
            #expect(failure == Failure(.watchlistFull, .init("limit", "300")))
        } else {
            Issue.record("one more than fits was taken")
        }
        let bytes = list.json.serializedBytes()
        #expect(bytes.count < Router.bodyLimit)
        #expect(try Watchlist(json: JSONValue(parsing: bytes)) == list)
    }

    @Test(
        "F-3: what is no watchlist is refused",
        arguments: [
            "{}", #"{"entries":[{"group":"","time":1,"device":"a"}]}"#, #"{"entries":[{"group":"g","time":-1,"device":"a"}]}"#,
            #"{"entries":[{"group":"g","symbol":"","time":1,"device":"a"}]}"#,
            #"{"entries":[{"group":"g","symbol":"700","time":1,"device":"a"}]}"#,
            #"{"entries":[{"group":"g","symbol":"\u001b[31m.HK","time":1,"device":"a"}]}"#,
            #"{"entries":[{"group":"g","symbol":"../../X","time":1,"device":"a"}]}"#,
            #"{"entries":[{"group":"g\u202e","symbol":"700.HK","time":1,"device":"a"}]}"#,
            #"{"entries":[{"group":"g","time":1,"device":"a","position":-9223372036854775808}]}"#,
            #"{"entries":[{"group":"g","time":9223372036854775807,"device":"a"}]}"#,
            #"{"entries":[{"group":"g","time":1,"device":"a"},{"group":"g","time":2,"device":"a"}]}"#,
        ])
    func refused(text: String) {
        #expect(throws: (any Error).self) { try Watchlist(json: JSONValue(parsing: text)) }
    }
}
