import Exact
import Messages
import Streams
import Texts

extension BarAdjustment {
    private static let choices: [(name: String, value: BarAdjustment)] = [("none", .none), ("forward", .forward), ("backward", .backward)]

    /// What `--adjust` asks for; none where it is not given.
    init(_ invocation: Invocation) throws(Failure) {
        let name = invocation["adjust"] ?? "none"
        guard let choice = Self.choices.first(where: { $0.name == name }) else {
            throw Usage.choice("--adjust", Self.choices.map(\.name))
        }
        self = choice.value
    }

    /// As programs read it.
    var word: String { Self.choices.first { $0.value == self }?.name ?? "unknown" }
}

extension BarBatch {
    /// Which adjustment a bar of it carries: none where its day is not known.
    func adjusted(_ bar: Bar) -> BarAdjustment {
        let day = bar.recordedOn != 0 ? bar.recordedOn : bar.tradingDay
        return bar.provenance != .simulated && knownFrom <= day && day <= knownTo ? adjustment : .none
    }

    /// In short, as people read it.
    var adjustmentName: Text {
        switch adjustment {
        case .forward: .adjustmentForward
        case .backward: .adjustmentBackward
        case .none, .UNRECOGNIZED: .adjustmentNone
        }
    }

    /// With what it is made of.
    func adjustmentWords(in language: Language) -> String {
        let name = adjustmentName.words(in: language)
        guard adjustment != .none, let from = TradingDay(yyyymmdd: knownFrom), let to = TradingDay(yyyymmdd: knownTo) else { return name }
        let known = Text.adjustmentKnown(count: String(actions), from: from.description, to: to.description)
        return name + "  " + known.words(in: language)
    }
}
