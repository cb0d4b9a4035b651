public import Exact
import Streams

/// What a user drew on a chart (G-5): kept as times and exact prices, so that it lies over the same prices whatever is in view.
public struct Drawing: Hashable, Sendable, Identifiable {
    /// A place on the chart. `time` is that of a bar, or of one to come.
    public struct Anchor: Hashable, Sendable {
        public var time: ChartTime
        public var price: Price
        public init(_ time: ChartTime, _ price: Price) {
            self.time = time
            self.price = price
        }
    }

    public enum Tool: String, Hashable, Sendable, CaseIterable {
        /// From the first anchor to the second.
        case trend
        /// From the first anchor through the second and on.
        case ray
        /// One price, over the whole width.
        case horizontal
        /// A line through two anchors and the one beside it through the third.
        case channel
        /// How much of the way from the first anchor to the second was given back: 0 % at the second.
        case fibonacci
        /// Two corners.
        case rectangle
        case text

        public var anchors: Int {
            switch self {
            case .horizontal, .text: 1
            case .trend, .ray, .fibonacci, .rectangle: 2
            case .channel: 3
            }
        }
    }

    public struct Style: Hashable, Sendable {
        public enum Dash: String, Hashable, Sendable, CaseIterable { case solid, dashed, dotted }

        /// One of the theme's eight colours, from 1.
        public private(set) var colour: Int
        /// Pixels.
        public private(set) var width: Int
        public var dash: Dash

        public static let colours = 1...8
        public static let widths = 1...4

        public init(colour: Int = 8, width: Int = 1, dash: Dash = .solid) throws(DrawingFault) {
            guard Self.colours.contains(colour) else { throw .colour }
            guard Self.widths.contains(width) else { throw .width }
            self.colour = colour
            self.width = width
            self.dash = dash
        }

        init() {
            colour = 8
            width = 1
            dash = .solid
        }

        /// As users have it who chose nothing.
        public static let usual = Style()

        var ink: Ink { .series(colour - 1) }
        var stroke: Stroke { Stroke(ink, width: Double(width), dash: lengths) }
        private var lengths: [Double] {
            switch dash {
            case .solid: []
            case .dashed: [6, 4]
            case .dotted: [2, 2]
            }
        }
    }

    /// Of one instrument, from 1, never given twice.
    public let id: Int
    public let tool: Tool
    /// As many as the tool has; a horizontal line's time says only when it was drawn.
    public private(set) var anchors: [Anchor]
    public var style: Style
    /// What a text says; empty for other tools.
    public let text: String

    /// Characters a text has at most.
    public static let longestText = 200
    public static let years: ClosedRange<Int32> = 1900...2199

    public init(id: Int, tool: Tool, anchors: [Anchor], style: Style = .usual, text: String = "") throws(DrawingFault) {
        guard anchors.count == tool.anchors else { throw .anchors(tool, wanted: tool.anchors) }
        for anchor in anchors { guard anchor.time.isValid else { throw .time } }
        guard tool == .text || text.isEmpty else { throw .textNotTaken(tool) }
        if tool == .text {
            guard text.contains(where: { !$0.isWhitespace }) else { throw .textEmpty }
            guard text.count <= Self.longestText, text.utf8.count <= 4 * Self.longestText else { throw .textTooLong }
            guard !text.unicodeScalars.contains(where: { Self.isControl($0) || $0.isNoCharacter }) else { throw .textControl }
        }
        self.id = id
        self.tool = tool
        self.anchors = anchors
        self.style = style
        self.text = text
    }

    /// What moves the cursor, ends the line or turns it around.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127..<160, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// One anchor elsewhere; nothing where there is no such anchor or no such day.
    mutating func move(_ place: Int, to anchor: Anchor) {
        guard anchors.indices.contains(place), anchor.time.isValid else { return }
        anchors[place] = anchor
    }
}

public enum DrawingFault: Error, Hashable, Sendable {
    /// The tool takes another number of places.
    case anchors(Drawing.Tool, wanted: Int)
    /// No day of the calendar between 1900 and 2199, or no minute of it.
    case time
    case textEmpty
    case textTooLong
    case textControl
    case textNotTaken(Drawing.Tool)
    case colour
    case width
}

extension ChartTime {
    /// A day there is, of the years drawings may lie in.
    var isValid: Bool {
        Drawing.years.contains(day / 10_000) && TradingDay(yyyymmdd: day) != nil && (minute.map { (0..<1_440).contains($0) } ?? true)
    }
}
