import CCairo
import Charting
import Synchronization

/// Widths of texts as a painter draws them, each measured once. The fonts are its own: what is drawn meanwhile elsewhere does not touch them.
final class TextWidths: Sendable {
    private struct Key: Hashable {
        var text: String
        var size: Double
        var isBold: Bool
    }

    private struct Known {
        var setter: TypeSetter?
        var widths: [Key: Double] = [:]
    }

    private static let most = 4_096
    private let painter: CairoPainter
    private let known = Mutex(Known())

    init(_ painter: CairoPainter) { self.painter = painter }

    func width(_ text: String, _ style: TextStyle) -> Double {
        let key = Key(text: text, size: style.size, isBold: style.isBold)
        return known.withLock { known in
            if let width = known.widths[key] { return width }
            if known.setter == nil { known.setter = TypeSetter(measuring: painter) }
            let width = known.setter?.set(text, style).width ?? style.width(of: text)
            if known.widths.count >= Self.most { known.widths.removeAll(keepingCapacity: true) }
            known.widths[key] = width
            return width
        }
    }
}
