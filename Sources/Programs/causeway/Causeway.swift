import Foundation
import HTTP
import Server
import Texts

/// The program: reads the command line, runs one command, turns what went wrong into one line and an exit status.
enum Causeway {
    static let version = "0.1.0"

    static func run(_ arguments: [String]) async -> Int32 {
        let language = chosenLanguage(arguments)
        var mayHaveActed = false
        do {
            switch try Parser(commands: Commands.all).parse(arguments) {
            case .help(let command):
                Help.lines(for: command, in: language).forEach { Output.standard.line($0) }
                return 0
            case .group(let commands):
                commands.flatMap { Help.lines(for: $0, in: language).prefix(2) }.forEach { Output.standard.line($0) }
                return 0
            case .invoke(let invocation):
                // Before anything opens a file: running out of them later ends in places that cannot say so.
                try CausewayServer.prepareDescriptors()
                mayHaveActed = invocation.command.mayHaveActed
                try await invocation.command.run(invocation)
                return 0
            }
        } catch let ending as ExitStatus {
            return ending.rawValue
        } catch {
            let failure = error as? Failure ?? Failure(ErrorCode("internal"), .init("reason", "\(error)"))
            report(failure, asJSON: arguments.contains("--json"), language: language)
            return ExitStatus(failure.code, mayHaveActed: mayHaveActed).rawValue
        }
    }

    /// Says a failure that comes before any command runs.
    static func end(with failure: Failure, _ arguments: [String]) -> Int32 {
        report(failure, asJSON: arguments.contains("--json"), language: chosenLanguage(arguments))
        return ExitStatus(failure.code, mayHaveActed: false).rawValue
    }

    private static func report(_ failure: Failure, asJSON: Bool, language: Language) {
        guard asJSON else { return Output.error("causeway: " + failure.text(in: language)) }
        Output(json: true).line(JSONValue.object([.init("error", JSONValue(failure, in: language))]).serialized())
    }

    /// `--language CODE` wherever it stands, else the environment's.
    static func chosenLanguage(_ arguments: [String]) -> Language {
        let named = arguments.firstIndex(of: "--language").flatMap { arguments.dropFirst($0 + 1).first }
        return named.flatMap { Language(tag: $0) } ?? Language(environment: ProcessInfo.processInfo.environment)
    }
}

extension JSONValue {
    /// `{"code","args","text"}`: an error as wire, HTTP and `--json` show it everywhere.
    init(_ failure: Failure, in language: Language) {
        self = .object([
            .init("code", .string(failure.code.rawValue)),
            .init("args", .object(failure.arguments.map { Member($0.name, .string($0.value)) })),
            .init("text", .string(failure.text(in: language))),
        ])
    }
}

/// A command whose end is no error but is not "done" either (an unknown outcome, say) throws its status.
extension ExitStatus: Error {}

/// The usage texts, made from the table of commands.
enum Help {
    static func lines(for command: Command?, in language: Language) -> [String] {
        guard let command else { return overview(language) }
        var lines = [
            "causeway \(command.name) \(command.arguments)".trimmingCharacters(in: .whitespaces),
            "  \(command.summary.words(in: language))",
        ]
        for option in command.options + Command.Option.common {
            let name = "  --\(option.name)" + (option.value.map { " \($0)" } ?? "")
            lines.append(name.padding(toLength: max(28, name.count + 2), withPad: " ", startingAt: 0) + option.summary.words(in: language))
        }
        return lines
    }

    private static func overview(_ language: Language) -> [String] {
        let names = Commands.all.map { "\($0.name) \($0.arguments)".trimmingCharacters(in: .whitespaces) }
        let width = min(44, (names.map(\.count).max() ?? 0) + 2)
        return ["causeway COMMAND [OPTIONS]    " + Text.helpAbout.words(in: language), ""]
            + zip(names, Commands.all).map { name, command in
                "  " + name.padding(toLength: max(width, name.count + 2), withPad: " ", startingAt: 0) + command.summary.words(in: language)
            } + ["", Text.helpMore.words(in: language)]
    }
}
