import CCairo
import Charting
import Synchronization
import Texts

/// Texts as a painter sets them, each once: those drawn lately are kept, from scene to scene and from measuring to drawing (design 6).
final class TypeCase: Sendable {
    private struct Key: Hashable {
        var text: String
        var size: Double
        var isBold: Bool
    }

    private struct Known {
        var setter: TypeSetter?
        /// Those asked for since `older` began to be.
        var lines: [Key: SetLine] = [:]
        /// Forgotten when `lines` is full, but for those asked for again.
        var older: [Key: SetLine] = [:]
    }

    /// Lines of each of the two: a chart has about a hundred.
    private let most: Int
    private let family: String
    private let language: Language
    private let known = Mutex(Known())

    init(family: String, _ language: Language, most: Int = 1_024) {
        self.family = family
        self.language = language
        self.most = most
    }

    var count: Int { known.withLock { $0.lines.count + $0.older.count } }

    func width(_ text: String, _ style: TextStyle) -> Double {
        with(text, style) { $0?.width ?? style.width(of: text) }
    }

    func ink(_ text: String, _ style: TextStyle) -> Rect { with(text, style) { $0?.ink ?? TextMeasure.guess.ink(text, style) } }

    /// - Parameter body: Gets nil where no text can be set; nobody else uses these fonts meanwhile.
    func with<Answer: Sendable>(_ text: String, _ style: TextStyle, _ body: (SetLine?) -> Answer) -> Answer {
        known.withLock { known in
            let key = Key(text: text, size: style.size, isBold: style.isBold)
            if let line = known.lines[key] { return body(line) }
            if known.setter == nil { known.setter = TypeSetter(family: family, language) }
            let line = known.older.removeValue(forKey: key) ?? known.setter?.set(text, size: style.size, isBold: style.isBold)
            if known.lines.count >= most {
                known.older = known.lines
                known.lines.removeAll(keepingCapacity: true)
            }
            known.lines[key] = line
            return body(line)
        }
    }
}
