import Texts

/// The four voices of colour (design §1) and weight; what they look like is the terminal's business.
public enum Voice: Hashable, Sendable {
    case plain, quiet, title, chosen
    case up, down
    /// What belongs to the user.
    case mine
    /// Time and doubt.
    case caution
}

/// A run of text in one voice.
public struct Span: Hashable, Sendable {
    public var text: String
    public var voice: Voice
    public init(_ text: String, _ voice: Voice = .plain) {
        self.text = text
        self.voice = voice
    }
}

/// One row of the screen, never wider than it.
public struct Line: Hashable, Sendable {
    public var spans: [Span]
    public init(_ spans: [Span] = []) { self.spans = spans }

    /// The text without voices, without blanks at the end: for golden tests.
    public var plain: String {
        var text = spans.map(\.text).joined()
        while text.last == " " { text.removeLast() }
        return text
    }

    var columns: Int { spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } }

    /// Exactly that many columns wide.
    func fitted(to columns: Int) -> Line {
        var result = Line()
        var left = columns
        for span in spans where left > 0 {
            let text = DisplayWidth.cut(span.text, to: left)
            left -= DisplayWidth.columns(of: text)
            result.spans.append(Span(text, span.voice))
        }
        if left > 0 { result.spans.append(Span(String(repeating: " ", count: left))) }
        return result
    }

    func with(_ voice: Voice) -> Line { Line(spans.map { Span($0.text, voice) }) }
}

/// Cells of fixed width, one blank between.
struct Columns {
    private(set) var spans: [Span] = []

    mutating func add(_ text: String, _ width: Int, _ edge: DisplayWidth.Edge = .left, _ voice: Voice = .plain) {
        if !spans.isEmpty { spans.append(Span(" ")) }
        spans.append(Span(DisplayWidth.pad(Self.safe(text), to: width, edge: edge), voice))
    }

    var line: Line { Line(spans) }

    /// Names come from a server, and groups from anyone: what moves a cursor must never reach the terminal, nor what cannot be seen.
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: Echo.isHarmful) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !Echo.isHarmful($0) }))
    }
}

/// Breaks a text into rows: at blanks, else (Chinese, a long formula) wherever the row is full.
enum Wrapping {
    static func lines(_ text: String, _ columns: Int, indent: String = "") -> [String] {
        guard columns > indent.count + 1 else { return [text] }
        var lines: [String] = []
        var line = ""
        var width = 0
        var lastBlank: String.Index?
        for character in text {
            let wide = DisplayWidth.columns(of: character)
            if width + wide > columns, !line.isEmpty {
                if character == " " {
                    lines.append(line)
                    line = indent
                    width = indent.count
                    lastBlank = nil
                    continue
                }
                var rest = ""
                if let blank = lastBlank {
                    rest = String(line[line.index(after: blank)...])
                    line = String(line[..<blank])
                }
                lines.append(line)
                line = indent + rest
                width = DisplayWidth.columns(of: line)
                lastBlank = nil
            }
            line.append(character)
            width += wide
            if character == " ", line.contains(where: { $0 != " " }) { lastBlank = line.index(before: line.endIndex) }
        }
        lines.append(line)
        return lines
    }
}
