public import Charting
import Exact
public import HTTP
public import Texts

/// The drawings of one instrument, in the order they were made (G-5).
public struct DrawingSet: Hashable, Sendable {
    public private(set) var drawings: [Drawing] = []
    /// Of the next one; numbers are not given twice.
    private var next = 1

    /// Drawings an instrument has at most.
    public static let most = 500

    public init() {}

    /// - Throws: `drawing.invalid` with what is wrong, `drawing.too-many`.
    public mutating func add(
        _ tool: Drawing.Tool, _ anchors: [Drawing.Anchor], style: Drawing.Style = .usual, text: String = ""
    ) throws(Failure) -> Drawing {
        guard drawings.count < Self.most, next < .max else { throw Failure(.drawingTooMany, .init("most", "\(Self.most)")) }
        let drawing: Drawing
        do throws(DrawingFault) { drawing = try Drawing(id: next, tool: tool, anchors: anchors, style: style, text: text) } catch {
            throw Failure(error)
        }
        next += 1
        drawings.append(drawing)
        return drawing
    }

    /// Puts a drawing that was moved or restyled in its own place.
    /// - Throws: `drawing.unknown`.
    public mutating func replace(_ drawing: Drawing) throws(Failure) {
        guard let place = drawings.firstIndex(where: { $0.id == drawing.id }) else { throw Self.unknown(drawing.id) }
        drawings[place] = drawing
    }

    /// - Throws: `drawing.unknown`.
    public mutating func remove(_ id: Int) throws(Failure) {
        guard let place = drawings.firstIndex(where: { $0.id == id }) else { throw Self.unknown(id) }
        drawings.remove(at: place)
    }

    private static func unknown(_ id: Int) -> Failure { Failure(.drawingUnknown, .init("id", "\(id)")) }
}

extension Failure {
    /// `drawing.invalid`, its `reason` one of the words `form-…` of the catalogues.
    public init(_ fault: DrawingFault) {
        let reason =
            switch fault {
            case .anchors(_, let wanted): "anchors-\(wanted)"
            case .time: "time"
            case .textEmpty: "text-empty"
            case .textTooLong: "text-long"
            case .textControl: "text-control"
            case .textNotTaken: "text-not-taken"
            case .colour: "colour"
            case .width: "width"
            }
        self.init(.drawingInvalid, .init("reason", "drawing-" + reason))
    }
}

extension ErrorCode {
    /// A drawing cannot be like that: `reason`, a word.
    public static let drawingInvalid = ErrorCode("drawing.invalid")
    /// The instrument has as many as one may have: `most`.
    public static let drawingTooMany = ErrorCode("drawing.too-many")
    /// No drawing of the instrument has that number: `id`.
    public static let drawingUnknown = ErrorCode("drawing.unknown")
}

// MARK: As it is kept

extension DrawingSet: JSONCodable {
    public init(json: JSONValue) throws(Failure) {
        let next = try json.integer("next")
        guard next > 0, let last = Int(exactly: next) else { throw .invalid("next") }
        self.next = last
        var before = 0
        for value in try json.elements("drawings", limit: Self.most) {
            let drawing = try Drawing(json: value)
            guard drawing.id > before, drawing.id < last else { throw .invalid("id") }
            before = drawing.id
            drawings.append(drawing)
        }
    }

    public var json: JSONValue {
        .object([.init("next", .number("\(next)")), .init("drawings", .array(drawings.map(\.json)))])
    }
}

extension Drawing: JSONCodable {
    public init(json: JSONValue) throws(Failure) {
        guard let id = Int(exactly: try json.integer("id")), id > 0 else { throw .invalid("id") }
        guard let tool = Tool(rawValue: try json.string("tool")) else { throw .invalid("tool") }
        var anchors: [Anchor] = []
        for value in try json.elements("anchors", limit: 3) { anchors.append(try Anchor(json: value)) }
        guard let dash = Style.Dash(rawValue: try json.string("dash")) else { throw .invalid("dash") }
        let (colour, width) = (try json.integer("colour"), try json.integer("width"))
        let text = try json.optionalString("text", limit: 4 * Self.longestText) ?? ""
        do throws(DrawingFault) {
            let style = try Style(colour: Int(clamping: colour), width: Int(clamping: width), dash: dash)
            // Files from before what is no character was refused are still read.
            try self.init(id: id, tool: tool, anchors: anchors, style: style, text: text.ofCharacters)
        } catch { throw Failure(error) }
    }

    public var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .number("\(id)")), .init("tool", .string(tool.rawValue)), .init("anchors", .array(anchors.map(\.json))),
            .init("colour", .number("\(style.colour)")), .init("width", .number("\(style.width)")),
            .init("dash", .string(style.dash.rawValue)),
        ]
        if tool == .text { members.append(.init("text", .string(text))) }
        return .object(members)
    }
}

extension Drawing.Anchor {
    /// `day` as year × 10,000 + month × 100 + day, `minute` of the civil day where the bar had one, `price` as decimal text: exact.
    fileprivate init(json: JSONValue) throws(Failure) {
        guard let day = Int32(exactly: try json.integer("day")) else { throw .invalid("day") }
        var minute: Int?
        if let value = try json.optionalInteger("minute") {
            guard (0..<1_440).contains(value) else { throw .invalid("minute") }
            minute = Int(value)
        }
        let text = try json.string("price", limit: 40)
        do throws(DecimalError) { self.init(ChartTime(day: day, minute: minute), try Price(text)) } catch { throw .invalid("price") }
    }

    fileprivate var json: JSONValue {
        var members = [JSONValue.Member("day", .number("\(time.day)"))]
        if let minute = time.minute { members.append(.init("minute", .number("\(minute)"))) }
        members.append(.init("price", .string(price.description)))
        return .object(members)
    }
}
