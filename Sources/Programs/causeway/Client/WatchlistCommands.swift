import HTTP
import Texts
import Watchlists

/// `watchlist list|add|remove|pin|group` (F-3).
enum WatchlistCommands {
    static func all(_ open: @escaping WatchlistClient.Opener) -> [Command] {
        [list(open), add(open), remove(open), pin(open), group(open)]
    }

    private static let groupOption = Command.Option.value("group", "NAME", .helpOptionGroup)

    private static func list(_ open: @escaping WatchlistClient.Opener) -> Command {
        Command(words: ["watchlist", "list"], summary: .helpCommandWatchlistList) { invocation in
            let client = try await open(invocation)
            show(try await client.edit { _ in }, invocation, client.language)
        }
    }

    private static func add(_ open: @escaping WatchlistClient.Opener) -> Command {
        Command(
            words: ["watchlist", "add"], summary: .helpCommandWatchlistAdd, arguments: "SYMBOL…", count: 1...100, options: [groupOption]
        ) { invocation in
            let client = try await open(invocation)
            var symbols: [String] = []
            for text in invocation.positional { symbols.append(try await client.symbol(text)) }
            let done = try await client.edit { list in
                for symbol in symbols { try list.add(symbol, to: invocation["group"] ?? Watchlist.main, by: client.writer) }
            }
            show(done, invocation, client.language)
        }
    }

    private static func remove(_ open: @escaping WatchlistClient.Opener) -> Command {
        Command(
            words: ["watchlist", "remove"], summary: .helpCommandWatchlistRemove, arguments: "SYMBOL…", count: 1...100,
            options: [groupOption]
        ) { invocation in
            let client = try await open(invocation)
            let group = invocation["group"] ?? Watchlist.main
            let done = try await client.edit { list in
                for text in invocation.positional { try list.remove(list.named(text, in: group), from: group, by: client.writer) }
            }
            show(done, invocation, client.language)
        }
    }

    private static func pin(_ open: @escaping WatchlistClient.Opener) -> Command {
        Command(
            words: ["watchlist", "pin"], summary: .helpCommandWatchlistPin, arguments: "SYMBOL", count: 1...1,
            options: [.flag("off", .helpOptionOff), groupOption]
        ) { invocation in
            let client = try await open(invocation)
            let group = invocation["group"] ?? Watchlist.main
            let done = try await client.edit { list in
                try list.pin(typed: invocation.positional[0], !invocation.has("off"), in: group, by: client.writer)
            }
            show(done, invocation, client.language)
        }
    }

    private static func group(_ open: @escaping WatchlistClient.Opener) -> Command {
        Command(
            words: ["watchlist", "group"], summary: .helpCommandWatchlistGroup, arguments: "add|remove NAME", count: 2...2
        ) { invocation in
            let isAdded: Bool
            switch invocation.positional[0] {
            case "add": isAdded = true
            case "remove": isAdded = false
            default: throw Usage.choice("add|remove", ["add", "remove"])
            }
            let name = invocation.positional[1]
            let client = try await open(invocation)
            let done = try await client.edit { list in
                if isAdded { try list.addGroup(name, by: client.writer) } else { try list.removeGroup(name, by: client.writer) }
            }
            show(done, invocation, client.language)
        }
    }

    private static func show(_ done: (list: Watchlist, isSynced: Bool), _ invocation: Invocation, _ language: Language) {
        var table = Table(in: language, (.fieldGroup, .left), (.fieldSymbol, .left), (nil, .left))
        var groups: [JSONValue] = []
        for group in done.list.groups {
            let symbols = done.list.symbols(group)
            for (symbol, isPinned) in symbols {
                table.rows.append([group, symbol, isPinned ? Text.watchlistPinned.words(in: language) : ""])
            }
            if symbols.isEmpty { table.rows.append([group, "", ""]) }
            groups.append(
                .object([
                    .init("name", .string(group)),
                    .init(
                        "symbols",
                        .array(symbols.map { .object([.init("symbol", .string($0.symbol)), .init("pinned", .bool($0.isPinned))]) })),
                ]))
        }
        let lines = table.lines(within: Output.width)
        invocation.output.show(.object([.init("groups", .array(groups)), .init("synced", .bool(done.isSynced))]), text: lines)
        if !done.isSynced, !invocation.wantsJSON { Output.error("causeway: " + Text.watchlistOffline.words(in: language)) }
    }
}

extension Watchlist {
    /// - Throws: `watchlist.pin-unknown` with the command that puts it there, where the group lacks it.
    mutating func pin(typed text: String, _ isPinned: Bool, in group: String, by writer: WatchlistWriter) throws(Failure) {
        do throws(Failure) { try pin(named(text, in: group), isPinned, in: group, by: writer) } catch {
            guard error.code == .watchlistSymbolUnknown, groups.contains(group) else { throw error }
            var command = "causeway watchlist add " + Self.quoted(text)
            if group != Self.main { command += " --group " + Self.quoted(group) }
            throw Failure(.watchlistPinUnknown, .init("symbol", text), .init("group", group), .init("command", command))
        }
    }

    /// As one word of a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
        return isPlain ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// What was typed, as a symbol of the group: as it stands, or its code alone where that is one only.
    fileprivate func named(_ text: String, in group: String) -> String {
        let typed = text.uppercased()
        let symbols = symbols(group).map(\.symbol)
        if let same = symbols.first(where: { $0.uppercased() == typed }) { return same }
        let begun = symbols.filter { $0.uppercased().hasPrefix(typed + ".") }
        return begun.count == 1 ? begun[0] : text
    }
}

extension ErrorCode {
    /// What is to be pinned is not in the group: `symbol`, `group`, and the `command` that puts it there.
    static let watchlistPinUnknown = ErrorCode("watchlist.pin-unknown")
}
