import Exact
import HTTP
import Instruments
import Testing
import Texts

@testable import causeway

struct CommandLineTests {
    private let parser = Parser(commands: Commands.all)

    private func group(_ words: [String]) throws -> [String]? {
        guard case .group(let commands) = try parser.parse(words) else { return nil }
        return commands.map(\.name)
    }

    @Test("design §5 help of a group lists its commands; the group alone is a usage error that names them") func groups() throws {
        let orders = ["order place", "order cancel", "order list", "order show"]
        #expect(try group(["help", "order"]) == orders)
        #expect(try group(["order", "--help"]) == orders)
        #expect(throws: Failure(ErrorCode("usage.choice"), .init("argument", "order"), .init("choices", "place, cancel, list, show"))) {
            try parser.parse(["order"])
        }
        #expect(throws: Failure.self) { try parser.parse(["help", "odrer"]) }
    }

    @Test("Q-4 a misspelt second word is answered with the nearest of its group") func groupSpelling() throws {
        for command in Commands.listed where command.words.count == 2 && command.words[1].count > 3 {
            var letters = Array(command.words[1])
            letters.swapAt(1, 2)
            guard letters != Array(command.words[1]) else { continue }
            let typed = command.words[0] + " " + String(letters)
            #expect(
                throws: Failure(ErrorCode("usage.command-suggestion"), .init("command", typed), .init("suggestion", command.name))
            ) { try parser.parse([command.words[0], String(letters)]) }
        }
        #expect(throws: Failure(ErrorCode("usage.choice"), .init("argument", "order"), .init("choices", "place, cancel, list, show"))) {
            try parser.parse(["order", String(repeating: "x", count: 100_000)])
        }
    }

    @Test("design §5 one word too many: a list says how long it may be") func tooManyWords() throws {
        let symbols = (1...101).map { "\($0).HK" }
        let tooMany = Failure(ErrorCode("usage.argument-many"), .init("argument", "101.HK"), .init("most", "100"))
        #expect(throws: tooMany) { try parser.parse(["watch"] + symbols) }
        #expect(throws: Failure(ErrorCode("usage.argument-extra"), .init("argument", "5.HK"))) {
            try parser.parse(["book", "700.HK", "5.HK"])
        }
    }

    @Test("design §5 every command has help, and its words find it") func helps() throws {
        for command in Commands.all {
            guard case .help(let found?) = try parser.parse(["help"] + command.words) else {
                // `serve` is a command and the first word of others; a group has no command of its own.
                Issue.record("no help for \(command.name)")
                continue
            }
            #expect(found.name == command.name)
            #expect(!Help.lines(for: found, in: .english).isEmpty)
        }
    }

    @Test("Q-3 every command and option is explained in every language", arguments: Language.allCases) func summaries(language: Language) {
        func isExplained(_ text: Text) -> Bool {
            let words = text.words(in: language)
            // A key without words shows as the key.
            guard !words.isEmpty, !words.hasPrefix("help."), !words.contains("{") else { return false }
            return language == .english || words.unicodeScalars.contains { (0x4E00...0x9FFF).contains($0.value) }
        }
        for command in Commands.all {
            #expect(isExplained(command.summary), "\(command.name)")
            for option in command.options + Command.Option.common where option.name != "language" {
                #expect(isExplained(option.summary), "\(command.name) --\(option.name)")
            }
        }
        let overview = Help.lines(for: nil, in: language)
        #expect(overview.count == Commands.listed.count + 4)
        #expect(overview.first == "causeway COMMAND [OPTIONS]    " + Text.helpAbout.words(in: language))
    }

    @Test("Q-3 help follows --language") func languages() throws {
        guard case .help(let command?) = try parser.parse(["order", "cancel", "--help"]) else { return }
        #expect(Help.lines(for: command, in: .simplifiedChinese).prefix(2) == ["causeway order cancel ID", "  撤单"])
        #expect(Help.lines(for: command, in: .traditionalChinese)[1] == "  取消訂單")
    }

    @Test("design §5 symbols search QUERY [--limit N]; symbols alone is a usage error that names them") func symbols() throws {
        guard case .invoke(let found) = try parser.parse(["symbols", "search", "hang", "seng", "--limit", "3"]) else { return }
        #expect(found.positional == ["hang", "seng"] && found["limit"] == "3")
        #expect(
            throws: Failure(
                ErrorCode("usage.choice"), .init("argument", "symbols"), .init("choices", "search, list, build, update, info"))
        ) {
            try parser.parse(["symbols"])
        }
        #expect(throws: Failure(ErrorCode("usage.argument-missing"), .init("argument", "QUERY"))) {
            try parser.parse(["symbols", "search"])
        }
    }

    @Test("design §5 --version is version, as one expects of a program") func version() throws {
        for words in [["--version"], ["--version", "--json"], ["--json", "--version"]] {
            guard case .invoke(let found) = try parser.parse(words) else {
                Issue.record("\(words)")
                continue
            }
            #expect(found.command.name == "version" && found.wantsJSON == (words.count == 2))
        }
    }

    @Test("design §5 parts of benches and tests have help but are not on the list; help --json lists the same") func internals() throws {
        let hidden = [
            "serve socketio", "serve websocket", "bench codec-loop", "bench search-loop", "bench indicators-loop", "bench quote-server",
            "bench quote-load",
        ]
        #expect(Commands.all.filter(\.isInternal).map(\.name) == hidden)
        #expect(try group(["help", "bench"])?.contains("bench quote-load") == false)
        let json = Help.json(Commands.listed, in: .english)["commands"]?.arrayValue ?? []
        #expect(json.compactMap { $0["name"]?.stringValue } == Commands.listed.map(\.name))
        #expect(json.first?["options"]?.arrayValue?.last?["name"]?.stringValue == "help")
    }

    @Test("Q-4 a server that is down is named with the command that starts it; nothing changed is said where something would have")
    func noConnection() {
        let here = NoConnection(server: "http://127.0.0.1:7701", isChange: false)
        #expect(here.text(in: .english) == "No connection to http://127.0.0.1:7701. Start it: causeway serve")
        let other = NoConnection(server: "http://127.0.0.1:7709", isChange: true)
        #expect(
            other.text(in: .english)
                == "No connection to http://127.0.0.1:7709. Start it: causeway serve --port 7709. Nothing was changed")
        let far = NoConnection(server: "https://desk.example", isChange: false)
        #expect(far.text(in: .simplifiedChinese) == "无法连接 https://desk.example")
        #expect(far.failure.code == .connectionNotConnected)
    }

    @Test("Q-4 a refused order that took a number says it") func numbered() {
        let plain = Failure(ErrorCode("order.type"))
        #expect(Causeway.text(plain, in: .english) == plain.text(in: .english))
        let numbered = Failure(ErrorCode("order.type"), .init("order", "2"))
        #expect(Causeway.text(numbered, in: .english) == plain.text(in: .english) + " (order 2)")
    }

    @Test("Q-4 an order needs a price or --market, and both ways are named") func price() async throws {
        guard case .invoke(let invocation) = try parser.parse(["order", "place", "buy", "700.HK", "100"]) else { return }
        await #expect(throws: Failure(ErrorCode("usage.price-missing"))) { try await invocation.command.run(invocation) }
    }
}

struct SymbolTests {
    private func instrument(_ id: UInt32, _ symbol: String, _ name: Instrument.Names) -> Instrument {
        Instrument(
            id: InstrumentID(id), market: .xhkg, code: symbol, symbol: symbol, kind: .stock, currency: .hkd, names: name,
            lot: Quantity(units: 10_000_000_000), multiplier: 1, decimals: 3, tickTable: "HK-A")
    }

    @Test("H-5 instruments are listed with step and lot") func list() {
        let all = [
            instrument(1, "700.HK", .init(english: "Tencent Holdings Limited", simplified: "腾讯控股", traditional: "騰訊控股")),
            instrument(2, "9988.HK", .init(english: "Alibaba Group", simplified: "阿里巴巴-W", traditional: "阿里巴巴-W")),
        ]
        let table = SymbolCommands.table([(all[0], Price(nanos: 200_000_000)), (all[1], nil)], .simplifiedChinese)
        #expect(table.lines(within: 80)[1] == "700.HK   XHKG   100       0.2  HKD   腾讯控股")
        #expect(table.lines(within: 80)[2] == "9988.HK  XHKG   100         —  HKD   阿里巴巴-W")
        // A future says its multiplier; an index is not traded in lots.
        var future = instrument(3, "HSI2612.HKFE", .init(english: "HSI", simplified: "", traditional: ""))
        (future.kind, future.multiplier, future.lot) = (.future, 50, Quantity(units: 100_000_000))
        var index = instrument(4, "HSI.INDX", .init(english: "HSI", simplified: "", traditional: ""))
        index.kind = .index
        let lines = SymbolCommands.table([(future, nil), (index, nil)], .english).lines
        #expect(lines[1].split(separator: " ") == ["HSI2612.HKFE", "XHKG", "1", "50", "—", "HKD", "HSI"])
        #expect(lines[2].split(separator: " ") == ["HSI.INDX", "XHKG", "—", "—", "HKD", "HSI"])
    }
}

struct HarmlessTextTests {
    @Test func `what moves cursors or turns lines around is not shown as it is`() {
        #expect(Output.harmless("a\u{1B}[31mb\u{7}\u{202E}c\u{9B}d") == #"a\u{1B}[31mb\u{7}\u{202E}c\u{9B}d"#)
        #expect(Output.harmless("腾讯控股\t1\n") == "腾讯控股\t1\n")
    }

    @Test("Q-4 a user's own texts in a table hide nothing, and columns still line up")
    func tables() {
        var table = Table(in: .english, (.fieldGroup, .left), (.fieldSymbol, .left))
        table.rows = [["a\u{200E}b", "700.HK"], ["main\n", "5.HK"], ["x\u{AD}\u{2028}\u{E0041}", "1.HK"]]
        #expect(
            table.lines(within: nil) == [
                "Group                     Symbol",
                #"a\u{200E}b                700.HK"#,
                #"main\n                    5.HK"#,
                #"x\u{AD}\u{2028}\u{E0041}  1.HK"#,
            ])
    }

    // Plain text is told by words of eight bytes: each kind of character at each place of one, and in what is left over.
    @Test func `every character is told the same wherever it stands`() throws {
        for value in Array(UInt32(0)..<300) + Array(0x2000...0x2070) + [0x817E, 0xFFFD, 0x10FFFF] {
            let character = String(Character(try #require(Unicode.Scalar(value))))
            let shown = Echo.harmless(character, keeping: ["\t", "\n"])
            for place in 0..<19 {
                let (before, after) = (String(repeating: "7", count: place), String(repeating: "~", count: 18 - place))
                #expect(Output.harmless(before + character + after) == before + shown + after)
            }
        }
    }
}
