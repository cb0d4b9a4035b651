/// Reads the command line against the table of commands. Pure; never guesses: an unknown word is an error with the nearest known one.
struct Parser {
    var commands: [Command]

    enum Result {
        case invoke(Invocation)
        case help(Command?)
    }

    func parse(_ arguments: [String], output: Output = .standard) throws -> Result {
        let words = Array(arguments.prefix { !$0.hasPrefix("-") })
        guard let first = words.first else {
            if arguments.isEmpty || arguments.contains("--help") || arguments.contains("-h") { return .help(nil) }
            throw UsageError("the command comes first, then its options: causeway COMMAND \(arguments[0])")
        }
        if first == "help" {
            return .help(words.count > 1 ? try command(for: Array(words.dropFirst())) : nil)
        }
        let command = try command(for: words)
        return try read(Array(arguments.dropFirst(command.words.count)), for: command, output: output)
    }

    private func command(for words: [String]) throws -> Command {
        let matching = commands.filter { words.starts(with: $0.words) }
        if let best = matching.max(by: { $0.words.count < $1.words.count }) { return best }
        let group = commands.filter { $0.words.first == words[0] && $0.words.count > 1 }
        if !group.isEmpty {
            let known = group.map(\.words[1]).joined(separator: ", ")
            throw UsageError("causeway \(words[0]) takes one of: \(known)")
        }
        let hint = Spelling.nearest(to: words[0], among: Set(commands.map(\.words[0])))
        throw UsageError("no command \"\(words[0])\"" + (hint.map { "; did you mean \"\($0)\"?" } ?? "; causeway help lists them"))
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
            guard word.hasPrefix("--") else { throw UsageError("options are written --name, not \(word)") }
            let pieces = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = known[pieces[0]] else {
                let hint = Spelling.nearest(to: pieces[0], among: Set(known.keys))
                throw UsageError(
                    "causeway \(command.name) has no option --\(pieces[0])" + (hint.map { "; did you mean --\($0)?" } ?? ""))
            }
            if invocation.values[option.name] != nil { throw UsageError("--\(option.name) is given twice") }
            if option.value == nil {
                guard pieces.count == 1 else { throw UsageError("--\(option.name) takes no value") }
                invocation.flags.insert(option.name)
            } else if pieces.count == 2 {
                invocation.values[option.name] = pieces[1]
            } else if let value = rest.popFirst() {
                invocation.values[option.name] = value
            } else {
                throw UsageError("--\(option.name) needs \(option.value ?? "a value")")
            }
        }
        guard command.count.contains(invocation.positional.count) else {
            throw UsageError("usage: causeway \(command.name) \(command.arguments)".trimmingSuffix(" "))
        }
        invocation.output = Output(json: invocation.wantsJSON)
        return .invoke(invocation)
    }

    /// `-5` and `-0.25` are values (negative futures prices), not options.
    private static func isNumber(_ word: String) -> Bool {
        word.utf8.count > 1 && word.utf8.dropFirst().allSatisfy { (48...57).contains($0) || $0 == 46 }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var copy = self
        while copy.last == suffix { copy.removeLast() }
        return copy
    }
}

/// The nearest known word, where one is near enough to be meant.
enum Spelling {
    static func nearest(to word: String, among known: Set<String>) -> String? {
        known.sorted().map { (word: $0, distance: distance(word, $0)) }.filter { $0.distance <= max(1, word.count / 3) }
            .min { $0.distance < $1.distance }?.word
    }

    /// Levenshtein distance over characters.
    private static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a)
        let b = Array(b)
        var row = Array(0...b.count)
        for i in a.indices {
            var diagonal = row[0]
            row[0] = i + 1
            for j in b.indices {
                let above = row[j + 1]
                row[j + 1] = a[i] == b[j] ? diagonal : 1 + min(diagonal, above, row[j])
                diagonal = above
            }
        }
        return row[b.count]
    }
}
