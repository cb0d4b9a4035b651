/// Which colour means up. Colour is never alone: signs say the same.
public enum Colours: String, Hashable, Sendable, CaseIterable {
    case greenUp = "green-up"
    case redUp = "red-up"
    case none

    /// The next one, for a key that switches while running.
    public var next: Colours {
        switch self {
        case .greenUp: .redUp
        case .redUp: .none
        case .none: .greenUp
        }
    }

    /// `NO_COLOR` (set and not empty) wins over what was asked for.
    public init?(option: String?, environment: [String: String]) {
        if let text = environment["NO_COLOR"], !text.isEmpty {
            self = .none
            return
        }
        guard let option else {
            self = .greenUp
            return
        }
        self.init(rawValue: option)
    }
}

/// Lines → bytes for a terminal. Pure; draws only rows that changed.
public struct Ansi: Sendable {
    public static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    public static let leave = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// What is on the screen is drawn anew where they change.
    public var colours: Colours { didSet { if colours != oldValue { reset() } } }
    private var shown: [Line] = []

    public init(colours: Colours) { self.colours = colours }

    /// Forgets what is on the screen: the next frame is drawn whole.
    public mutating func reset() { shown = [] }

    public mutating func frame(_ lines: [Line]) -> String {
        var text = shown.count == lines.count ? "" : "\u{1B}[0m\u{1B}[2J"
        for (row, line) in lines.enumerated() where shown.count != lines.count || shown[row] != line {
            text += "\u{1B}[\(row + 1);1H" + encode(line)
        }
        shown = lines
        return text
    }

    func encode(_ line: Line) -> String {
        line.spans.map { span in
            let codes = codes(span.voice)
            return codes.isEmpty ? span.text : "\u{1B}[\(codes)m\(span.text)\u{1B}[0m"
        }.joined()
    }

    private func codes(_ voice: Voice) -> String {
        let isPlain = colours == .none
        return switch voice {
        case .plain: ""
        case .quiet: "2"
        case .title: "1"
        case .chosen: "7"
        case .up: isPlain ? "" : colours == .redUp ? "31" : "32"
        case .down: isPlain ? "" : colours == .redUp ? "32" : "31"
        case .mine: isPlain ? "1" : "35"
        case .caution: isPlain ? "1" : "33"
        }
    }
}
