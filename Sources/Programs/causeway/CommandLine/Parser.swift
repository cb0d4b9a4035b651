import Texts

/// Reads the command line against the table of commands. Pure; never guesses: an unknown word is an error with the nearest known one.
struct Parser {
    var commands: [Command]

    enum Result {
        case invoke(Invocation)
        case help(Command?)
        /// The commands that begin with one word, for `help order`.
        case group([Command])
    }

    func parse(_ arguments: [String], output: Output = .standard) throws -> Result {
        // Help too is told in the language that was named.
        if let tag = Self.languageTag(arguments), Language(tag: tag) == nil {
            throw Usage.choice("--language", Language.allCases.map(\.rawValue))
        }
        let words = Array(arguments.prefix { !$0.hasPrefix("-") })
        guard let first = words.first else {
            if let at = arguments.firstIndex(of: "--version") {
                return try parse(["version"] + arguments[..<at] + arguments[(at + 1)...], output: output)
            }
            if arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") { return .help(nil) }
            throw Usage.unexpected(arguments[0])
        }
        if first == "help" {
            guard words.count > 1 else { return .help(nil) }
            return try group(words[1], of: words.dropFirst()) ?? .help(command(for: Array(words.dropFirst())))
        }
        if arguments.contains("--help") || arguments.contains("-h"), let group = group(first, of: words[...]) { return group }
        let command = try command(for: words)
        return try read(Array(arguments.dropFirst(command.words.count)), for: command, output: output)
    }

    /// Nil where the words name a command, or none begins with the first.
    private func group(_ first: String, of words: ArraySlice<String>) -> Result? {
        let members = commands.filter { $0.words.first == first && $0.words.count > 1 }
        guard !members.isEmpty, words.count == 1, !commands.contains(where: { $0.words == [first] }) else { return nil }
        return .group(members.filter { !$0.isInternal })
    }

    private func command(for words: [String]) throws -> Command {
        let matching = commands.filter { words.starts(with: $0.words) }
        let group = commands.filter { $0.words.first == words[0] && $0.words.count > 1 }
        if let best = matching.max(by: { $0.words.count < $1.words.count }) {
            // A second word that it does not take may be meant for another that begins as it does: `serve quotse`.
            let members = Set(group.filter { !$0.isInternal }.map(\.words[1]))
            guard words.count > best.words.count, best.words.count == 1, best.count.upperBound == 0,
                let near = Spelling.nearest(to: words[1], among: members)
            else { return best }
            throw Usage.unknownCommand("\(words[0]) \(words[1])", "\(words[0]) \(near)")
        }
        if !group.isEmpty {
            let members = Set(group.filter { !$0.isInternal }.map(\.words[1]))
            if words.count > 1, let near = Spelling.nearest(to: words[1], among: members) {
                throw Usage.unknownCommand("\(words[0]) \(words[1])", "\(words[0]) \(near)")
            }
            throw Usage.choice(words[0], group.filter { !$0.isInternal }.map(\.words[1]))
        }
        throw Usage.unknownCommand(words[0], Spelling.nearest(to: words[0], among: Set(commands.map(\.words[0]))))
    }

    private func read(_ arguments: [String], for command: Command, output: Output) throws -> Result {
        let known = Dictionary((command.options + Command.Option.common).map { ($0.name, $0) }) { first, _ in first }
        var invocation = Invocation(command: command, positional: [], values: [:], flags: [], output: output)
        var rest = arguments[...]
        var onlyPositional = false
        while let word = rest.popFirst() {
            if onlyPositional || !word.hasPrefix("-") || word == "-" || Self.isNumber(word) {
                invocation.positional.append(word)
                continue
            }
            if word == "--" {
                onlyPositional = true
                continue
            }
            if word == "-h" || word == "--help" { return .help(command) }
            // What every program that writes a file calls it.
            if word == "-o", known["output"] != nil {
                rest.insert("--output", at: rest.startIndex)
                continue
            }
            guard word.hasPrefix("--") else { throw Usage.unknownOption(word, nil) }
            let pieces = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = known[pieces[0]] else {
                let hint = Spelling.nearest(to: pieces[0], among: Set(known.keys))
                throw Usage.unknownOption("--\(pieces[0])", hint.map { "--\($0)" })
            }
            if invocation.values[option.name] != nil { throw Usage.option(.twice, option.name) }
            if option.value == nil {
                guard pieces.count == 1 else { throw Usage.option(.flag, option.name) }
                invocation.flags.insert(option.name)
            } else if pieces.count == 2 {
                invocation.values[option.name] = pieces[1]
            } else if let value = rest.popFirst() {
                invocation.values[option.name] = value
            } else {
                throw Usage.option(.value, option.name)
            }
        }
        let count = invocation.positional.count
        let most = command.count.upperBound
        if count > most {
            let word = invocation.positional[most]
            throw command.takesList ? Usage.tooMany(word, most: most) : Usage.unexpected(word)
        }
        if count < command.count.lowerBound { throw Usage.missing(command.argumentNames[count]) }
        invocation.output = Output(json: invocation.wantsJSON)
        return .invoke(invocation)
    }

    /// What `--language` names, wherever it stands.
    static func languageTag(_ arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        if let joined = options.first(where: { $0.hasPrefix("--language=") }) { return String(joined.dropFirst(11)) }
        return options.firstIndex(of: "--language").flatMap { options.dropFirst($0 + 1).first }
    }

    /// `-5` and `-0.25` are values (negative futures prices), not options.
    private static func isNumber(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.dropFirst().allSatisfy { (48...57).contains($0) || $0 == 46 }
    }
}

/// The nearest known word, where one is near enough to be meant.
enum Spelling {
    static func nearest(to word: String, among known: Set<String>) -> String? {
        known.sorted().map { (word: $0, distance: distance(word, $0)) }.filter { $0.distance <= max(1, min(word.count, 64) / 3) }
            .min { $0.distance < $1.distance }?.word
    }

    /// Characters put in, left out, replaced or changed with their neighbour, each one.
    private static func distance(_ a: String, _ b: String) -> Int {
        // What is typed may be of any length; no command is.
        let (a, b) = (Array(a.prefix(64)), Array(b.prefix(64)))
        var (before, last, row) = ([Int](), [Int](), Array(0...b.count))
        for i in a.indices {
            (before, last, row) = (last, row, [i + 1])
            for j in b.indices {
                var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
        }
        return row[b.count]
    }
}
