import Foundation
import HTTP
import LWS
import Server
import Texts

/// The program: reads the command line, runs one command, turns what went wrong into one line and an exit status.
enum Causeway {
    static let version = "0.1.0"

    static func run(_ arguments: [String]) async -> Int32 {
        let language = chosenLanguage(arguments)
        var invoked: Invocation?
        let output = Output(json: arguments.contains("--json"))
        do {
            switch try Parser(commands: Commands.all).parse(arguments) {
            case .help(let command):
                output.show(Help.json(command.map { [$0] } ?? Commands.listed, in: language), text: Help.lines(for: command, in: language))
                return 0
            case .group(let commands):
                output.show(
                    Help.json(commands, in: language), text: commands.flatMap { Help.lines(for: $0, in: language).prefix(2) })
                return 0
            case .invoke(let invocation):
                invoked = invocation
                try await invocation.command.run(invocation)
                return 0
            }
        } catch let ending as ExitStatus {
            return ending.rawValue
        } catch {
            let failure = error as? Failure ?? Failure(ErrorCode("internal"), .init("reason", "\(error)"))
            if failure.code == .connectionNotConnected, let none = invoked.flatMap(noConnection) {
                report(none.failure, none.text(in: language), asJSON: output.json)
            } else {
                report(failure, Self.text(failure, in: language), asJSON: output.json)
            }
            return ExitStatus(failure.code, mayHaveActed: invoked?.command.mayHaveActed ?? false).rawValue
        }
    }

    /// Open files that a command line needs to begin with: help, a usage error and the version need the runtime's own and no more.
    static func descriptors(for arguments: [String]) -> Int {
        guard case .invoke(let invocation)? = try? Parser(commands: Commands.all).parse(arguments), invocation.command.words != ["version"]
        else { return 8 }
        return Descriptors.reserve
    }

    /// With the number that a refused order has in the books, where it has one.
    static func text(_ failure: Failure, in language: Language) -> String {
        let reason = failure.text(in: language)
        guard let order = failure.arguments.first(where: { $0.name == "order" })?.value else { return reason }
        return Text.orderNumbered(id: order, reason: reason).words(in: language)
    }

    /// Nil for a command that does not talk to the profile's server.
    private static func noConnection(_ invocation: Invocation) -> NoConnection? {
        guard invocation.command.asksServer, let folders = try? Folders(profile: invocation["profile"]),
            let server = try? LiveClient.address(invocation, folders)
        else { return nil }
        return NoConnection(server: server, isChange: invocation.command.isChange)
    }

    /// Says a failure that comes before any command runs.
    static func end(with failure: Failure, _ arguments: [String]) -> Int32 {
        report(failure, failure.text(in: chosenLanguage(arguments)), asJSON: arguments.contains("--json"))
        return ExitStatus(failure.code, mayHaveActed: false).rawValue
    }

    private static func report(_ failure: Failure, _ text: String, asJSON: Bool) {
        guard asJSON else { return Output.error("causeway: " + text) }
        Output(json: true).line(JSONValue.object([.init("error", JSONValue(failure, text: text))]).serialized())
    }

    /// `--language CODE` wherever it stands, else the environment's.
    static func chosenLanguage(_ arguments: [String]) -> Language {
        Parser.languageTag(arguments).flatMap { Language(tag: $0) } ?? Language(environment: ProcessInfo.processInfo.environment)
    }
}

extension JSONValue {
    /// `{"code","args","text"}`: an error as wire, HTTP and `--json` show it everywhere.
    init(_ failure: Failure, in language: Language) { self.init(failure, text: failure.text(in: language)) }

    init(_ failure: Failure, text: String) {
        self = .object([
            .init("code", .string(failure.code.rawValue)),
            .init("args", .object(failure.arguments.map { Member($0.name, .string($0.value)) })),
            .init("text", .string(text)),
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

    /// `{"commands":[{"name","arguments","summary","options":[{"name","value","summary"}]}]}`.
    static func json(_ commands: [Command], in language: Language) -> JSONValue {
        func json(_ option: Command.Option) -> JSONValue {
            .object([
                .init("name", .string(option.name)), .init("value", option.value.map(JSONValue.string) ?? .null),
                .init("summary", .string(option.summary.words(in: language))),
            ])
        }
        return .object([
            .init(
                "commands",
                .array(
                    commands.map { command in
                        .object([
                            .init("name", .string(command.name)), .init("arguments", .string(command.arguments)),
                            .init("summary", .string(command.summary.words(in: language))),
                            .init("options", .array((command.options + Command.Option.common).map(json))),
                        ])
                    }))
        ])
    }

    private static func overview(_ language: Language) -> [String] {
        let names = Commands.listed.map { "\($0.name) \($0.arguments)".trimmingCharacters(in: .whitespaces) }
        let width = min(44, (names.map(\.count).max() ?? 0) + 2)
        return ["causeway COMMAND [OPTIONS]    " + Text.helpAbout.words(in: language), ""]
            + zip(names, Commands.listed).map { name, command in
                "  " + name.padding(toLength: max(width, name.count + 2), withPad: " ", startingAt: 0) + command.summary.words(in: language)
            } + ["", Text.helpMore.words(in: language)]
    }
}
