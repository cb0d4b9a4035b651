import Exact
import Texts

/// One command of the program: what it is called, what it takes and what it does. Each lives in a file of its own and is listed in
/// `Commands.swift`.
struct Command: Sendable {
    /// One or two words, e.g. `["order", "place"]`.
    var words: [String]
    /// Imperative, one line, no full stop; its words are in the catalogues.
    var summary: Text
    /// Positional arguments as shown in the usage line, e.g. `SYMBOL…`.
    var arguments: String = ""
    /// How many positional arguments are allowed.
    var count: ClosedRange<Int> = 0...0
    var options: [Option] = []
    /// A link that breaks leaves unknown whether the command acted: it ends with 5, not 6. Orders tell that themselves (`order.unknown`).
    var mayHaveActed = false
    /// Where the server cannot be reached, it is worth saying that nothing was changed.
    var isChange = false
    /// Talks to the server of the profile.
    var asksServer = false
    /// Part of a bench or of a test: it has help, but is not on the list.
    var isInternal = false
    var run: @Sendable (Invocation) async throws -> Void

    /// Ends with as many words as the user likes, up to a bound.
    var takesList: Bool { arguments.contains("…") }

    /// One `--name` the command takes.
    struct Option: Sendable {
        var name: String
        /// The word for its value in the usage text; nil for a switch.
        var value: String?
        var summary: Text
    }

    var name: String { words.joined(separator: " ") }
    /// As one that talks to the profile's server, with the options that say which certificate to believe.
    var forServer: Command {
        var command = self
        command.asksServer = true
        command.options += [.value("ca", "FILE", .helpOptionCa), .value("trust", "FINGERPRINT", .helpOptionTrust)]
        return command
    }
    var argumentNames: [String] { arguments.split(separator: " ").map(String.init) }
}

extension Command.Option {
    static func flag(_ name: String, _ summary: Text) -> Self { .init(name: name, value: nil, summary: summary) }
    static func value(_ name: String, _ value: String, _ summary: Text) -> Self {
        .init(name: name, value: value, summary: summary)
    }

    /// What every command takes.
    static let common: [Self] = [
        .flag("json", .helpOptionJson),
        .value("profile", "NAME", .helpOptionProfile),
        .value("language", "CODE", .helpOptionLanguage),
        .flag("help", .helpOptionHelp),
    ]
}

/// The command line, read: what the user asked for.
struct Invocation: Sendable {
    var command: Command
    var positional: [String]
    var values: [String: String]
    var flags: Set<String>
    var output: Output

    var wantsJSON: Bool { flags.contains("json") }
    func has(_ flag: String) -> Bool { flags.contains(flag) }
    subscript(option: String) -> String? { values[option] }

    /// A whole number in a range; anything else is a usage error that names the option.
    func integer(_ option: String, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
        guard let text = values[option] else { return fallback }
        guard let number = Int(text), range.contains(number) else {
            throw Usage.outside(range, "--\(option)", text)
        }
        return number
    }
}

/// What is wrong with a command line; exit status 2.
enum Usage {
    static func unknownCommand(_ word: String, _ hint: String?) -> Failure {
        guard let hint else { return Failure(ErrorCode("usage.command-unknown"), .init("command", word)) }
        return Failure(ErrorCode("usage.command-suggestion"), .init("command", word), .init("suggestion", hint))
    }

    static func unknownOption(_ word: String, _ hint: String?) -> Failure {
        guard let hint else { return Failure(ErrorCode("usage.option-unknown"), .init("option", word)) }
        return Failure(ErrorCode("usage.option-suggestion"), .init("option", word), .init("suggestion", hint))
    }

    enum OptionFault { case value, flag, twice, missing }

    static func option(_ fault: OptionFault, _ name: String) -> Failure {
        switch fault {
        case .value: Failure(ErrorCode("usage.option-value"), .init("option", "--\(name)"))
        case .flag: Failure(ErrorCode("usage.option-flag"), .init("option", "--\(name)"))
        case .twice: Failure(ErrorCode("usage.option-twice"), .init("option", "--\(name)"))
        case .missing: Failure(ErrorCode("usage.option-missing"), .init("option", "--\(name)"))
        }
    }

    /// Neither `--limit` nor `--market`.
    static var noPrice: Failure { Failure(ErrorCode("usage.price-missing")) }

    static func conflict(_ name: String, _ other: String) -> Failure {
        Failure(ErrorCode("usage.option-conflict"), .init("option", "--\(name)"), .init("other", "--\(other)"))
    }

    /// `--trust` for a server that shows no certificate.
    static func plainTrust(_ server: String) -> Failure { Failure(ErrorCode("usage.trust-plain"), .init("server", server)) }

    static func missing(_ argument: String) -> Failure { Failure(ErrorCode("usage.argument-missing"), .init("argument", argument)) }
    static func unexpected(_ word: String) -> Failure { Failure(ErrorCode("usage.argument-extra"), .init("argument", word)) }
    static func tooMany(_ word: String, most: Int) -> Failure {
        Failure(ErrorCode("usage.argument-many"), .init("argument", word), .init("most", String(most)))
    }

    /// The form a value is to have: what to call it (a word of the catalogues) and one that is right.
    struct Form {
        var name: String
        var example: String

        static let date = Form(name: "form-date", example: "2026-11-30")
        static func date(from day: String) -> Form { Form(name: "form-later-date", example: day) }
        static let time = Form(name: "form-time", example: "2026-11-30T10:00:00+08:00")
        static let price = Form(name: "form-price", example: "512.50")
        static let priceAboveZero = Form(name: "form-price-above-zero", example: "512.50")
        static let quantity = Form(name: "form-quantity", example: "100")
        static let plainNumber = Form(name: "form-plain-number", example: "1000")
        static let quantityPlaces = Form(name: "form-quantity-places", example: "0.5")
        static let volume = Form(name: "form-volume", example: "20M")
        static let server = Form(name: "form-server", example: "https://desk.example.org")
        static let duration = Form(name: "form-duration", example: "90s")
        static let speed = Form(name: "form-speed", example: "60")
        static let fingerprint = Form(name: "form-fingerprint", example: "sha256:9F:86:D0:81:…")
        static let host = Form(name: "form-host", example: "desk.example.org")
        static let address = Form(name: "form-address", example: "https://desk.example.org/symbols.sqlite")
        static let quoteNodes = Form(name: "form-quote-nodes", example: "HK=wss://quotes.example.org/quotes")
        static let standIn = Form(name: "form-stand-in", example: "http://127.0.0.1:8080")
        static let size = Form(name: "form-size", example: "1280x720")
        static let order = Form(name: "form-order", example: "12")
        static let alert = Form(name: "form-alert", example: "12")
        static let percent = Form(name: "form-percent", example: "5%")
    }

    static func invalid(_ argument: String, _ value: String, _ form: Form) -> Failure {
        Failure(
            ErrorCode("usage.argument-invalid"), .init("argument", argument), .init("value", value), .init("form", form.name),
            .init("example", form.example))
    }

    /// A file or folder that was named and is not there.
    static func noFile(_ path: String) -> Failure { Failure(ErrorCode("data.missing"), .init("path", path)) }

    static func tooLarge(_ argument: String, _ value: String) -> Failure {
        Failure(ErrorCode("usage.argument-large"), .init("argument", argument), .init("value", String(value.prefix(32))))
    }

    /// A quantity as it is typed, above zero; else why it is none.
    static func quantity(_ argument: String, _ text: String) throws(Failure) -> Quantity {
        do throws(DecimalError) {
            let quantity = try Quantity(text)
            if quantity.isPositive { return quantity }
        } catch {
            switch error {
            case .malformed: throw invalid(argument, text, .plainNumber)
            case .tooPrecise: throw invalid(argument, text, .quantityPlaces)
            case .outOfRange: throw tooLarge(argument, text)
            }
        }
        throw invalid(argument, text, .quantity)
    }

    static func outside(_ range: ClosedRange<Int>, _ argument: String, _ value: String) -> Failure {
        Failure(
            ErrorCode("usage.argument-range"), .init("argument", argument), .init("value", value),
            .init("least", String(range.lowerBound)), .init("most", String(range.upperBound)))
    }

    static func choice(_ argument: String, _ choices: [String]) -> Failure {
        Failure(ErrorCode("usage.choice"), .init("argument", argument), .init("choices", choices.joined(separator: ", ")))
    }
}
