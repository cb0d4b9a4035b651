/// What a chart shows, as shapes in pixels; nothing of how they are drawn. Coordinates grow right and down from the top left corner.
public struct Scene: Hashable, Sendable {
    public var size: Size
    /// In the order of drawing.
    public var marks: [Mark]

    public init(size: Size, marks: [Mark] = []) {
        self.size = size
        self.marks = marks
    }
}

public struct Size: Hashable, Sendable {
    public var width: Double
    public var height: Double
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

public struct Rect: Hashable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double
    public init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    public var maxX: Double { x + width }
    public var maxY: Double { y + height }

    func holds(y: Double) -> Bool { y >= self.y && y <= maxY }
}

/// What a colour means; the theme says which it is.
public enum Ink: Hashable, Sendable {
    case view, line, strongLine, shade, text, softText, faintText, ink, onInk, up, down, flat, upFill, downFill, onFill, upTint, downTint
    case mine, mineTint, onMine
    /// Of a line of its own, by number.
    case series(Int)
}

public struct Stroke: Hashable, Sendable {
    public var ink: Ink
    public var width: Double
    /// Lengths on and off; empty: solid.
    public var dash: [Double]
    public init(_ ink: Ink, width: Double = 1, dash: [Double] = []) {
        self.ink = ink
        self.width = width
        self.dash = dash
    }
}

public enum Mark: Hashable, Sendable {
    case line(Point, Point, Stroke)
    case polyline([Point], Stroke)
    case polygon([Point], Ink, opacity: Double = 1)
    case box(Rect, fill: Ink?, stroke: Stroke?, radius: Double = 0, opacity: Double = 1)
    /// One shape: where two lie over each other it is not darker.
    case boxes([Rect], Ink, opacity: Double = 1)
    case circle(Point, radius: Double, Ink, opacity: Double = 1)
    /// `y` is the baseline.
    case text(String, Point, TextStyle)
    /// What is drawn inside the box only.
    case clipped(Rect, [Mark])
}

public struct TextStyle: Hashable, Sendable {
    public enum Anchor: String, Hashable, Sendable { case start, middle, end }
    public var ink: Ink
    /// Height in pixels.
    public var size: Double
    public var isBold: Bool
    public var anchor: Anchor
    /// Drawn on a thin border of the view's colour, so that lines behind do not cross it.
    public var hasHalo: Bool
    public init(_ ink: Ink, size: Double = 11, isBold: Bool = false, anchor: Anchor = .start, hasHalo: Bool = false) {
        self.ink = ink
        self.size = size
        self.isBold = isBold
        self.anchor = anchor
        self.hasHalo = hasHalo
    }

    /// About how wide a text is at most, for the boxes around it: as wide as the widest of the usual fonts has it.
    public func width(of text: String) -> Double {
        text.unicodeScalars.reduce(0) { sum, scalar in
            let share: Double =
                switch scalar {
                case "0"..."9": 0.64
                case "+", "-", "−", "=", "<", ">": 0.84
                case "%": 0.95
                case ".", ",", ":", ";", "'", "|", "i", "l", "I", "j", " ": 0.33
                case "m", "w", "M", "W": 0.98
                case "A"..."Z": 0.7
                case "a"..."z", "(", ")", "/": 0.6
                default: scalar.value >= 0x2E80 ? 1 : 0.62
                }
            return sum + share * size * (isBold ? 1.12 : 1)
        }
    }
}

/// How wide a text is and what it covers: what a painter knows exactly, guessed where none is there to ask.
public struct TextMeasure: Sendable {
    private let measure: @Sendable (String, TextStyle) -> Double
    private let cover: @Sendable (String, TextStyle) -> Rect

    /// - Parameter ink: What the glyphs cover, from the start of the baseline.
    public init(
        width: @escaping @Sendable (_ text: String, _ style: TextStyle) -> Double,
        ink: @escaping @Sendable (_ text: String, _ style: TextStyle) -> Rect
    ) {
        measure = width
        cover = ink
    }

    /// Rather too wide than too narrow (see `TextStyle.width`).
    public static let guess = TextMeasure(
        width: { text, style in style.width(of: text) },
        ink: { text, style in Rect(0, -1.2 * style.size, style.width(of: text), 1.6 * style.size) })

    public func width(_ text: String, _ style: TextStyle) -> Double { measure(text, style) }

    package func ink(_ text: String, _ style: TextStyle) -> Rect { cover(text, style) }
}
