import Charting
import Drawings
import Exact
import HTTP
import Instruments
import Streams
import Texts

/// `draw add|list|remove`: what a user draws on an instrument's charts (G-5). It stays on this machine, with the profile.
enum DrawCommands {
    static func all(_ open: @escaping DrawClient.Opener) -> [Command] { [add(open), list(open), remove(open)] }

    private static func add(_ open: @escaping DrawClient.Opener) -> Command {
        Command(
            words: ["draw", "add"], summary: .helpCommandDrawAdd, arguments: "SYMBOL TOOL PLACE…", count: 1...5,
            options: [
                .value("text", "WORDS", .helpOptionDrawText), .value("colour", "N", .helpOptionDrawColour),
                .value("width", "N", .helpOptionDrawWidth), .value("dash", "KIND", .helpOptionDrawDash),
            ], isChange: true
        ) { invocation in
            let words = invocation.positional
            guard words.count > 1, let tool = Drawing.Tool(rawValue: words[1]) else {
                throw Usage.choice("TOOL", Drawing.Tool.allCases.map(\.rawValue))
            }
            guard words.count > 2 else { throw Usage.missing("PLACE…") }
            let style = try style(invocation)
            let text = invocation["text"] ?? ""
            let client = try await open(invocation)
            let anchors = try words.dropFirst(2).map { try place($0, tool, client.today()) }
            // What is wrong with it is told before anything is asked.
            do throws(DrawingFault) { _ = try Drawing(id: 1, tool: tool, anchors: anchors, style: style, text: text) } catch {
                throw Failure(error)
            }
            let instrument = try await client.instrument(words[0])
            let (drawing, setAside) = try await client.store.edit(instrument.id) { set throws(Failure) in
                try set.add(tool, anchors, style: style, text: text)
            }
            tell(setAside, invocation)
            invocation.output.show(
                .object([.init("symbol", .string(instrument.symbol)), .init("drawing", drawing.json)]),
                text: [Text.drawingAdded(id: String(drawing.id)).words(in: client.language) + "  " + instrument.symbol])
        }
    }

    private static func list(_ open: @escaping DrawClient.Opener) -> Command {
        Command(words: ["draw", "list"], summary: .helpCommandDrawList, arguments: "SYMBOL", count: 1...1) { invocation in
            let client = try await open(invocation)
            let language = client.language
            let instrument = try await client.instrument(invocation.positional[0])
            let found = try await client.store.load(instrument.id)
            tell(found.setAside, invocation)
            var table = Table(
                in: language, (.fieldDrawing, .right), (.fieldTool, .left), (.fieldPlaces, .left), (.fieldStyle, .left),
                (.fieldWords, .left))
            table.rows = found.set.drawings.map { drawing in
                [
                    String(drawing.id), drawing.tool.name.words(in: language), drawing.placesText, drawing.style.words(in: language),
                    drawing.text,
                ]
            }
            let lines = found.set.drawings.isEmpty ? [Text.drawingNone.words(in: language)] : table.lines(within: Output.width)
            invocation.output.show(
                .object([
                    .init("symbol", .string(instrument.symbol)), .init("drawings", .array(found.set.drawings.map(\.json))),
                ]), text: lines)
        }
    }

    private static func remove(_ open: @escaping DrawClient.Opener) -> Command {
        Command(
            words: ["draw", "remove"], summary: .helpCommandDrawRemove, arguments: "SYMBOL ID", count: 2...2, isChange: true
        ) { invocation in
            guard let id = Int(invocation.positional[1]), id > 0 else {
                throw Usage.invalid("ID", invocation.positional[1], .drawing)
            }
            let client = try await open(invocation)
            let instrument = try await client.instrument(invocation.positional[0])
            let (_, setAside) = try await client.store.edit(instrument.id) { set throws(Failure) in try set.remove(id) }
            tell(setAside, invocation)
            invocation.output.show(
                .object([.init("symbol", .string(instrument.symbol)), .init("removed", .int(id))]),
                text: [Text.drawingRemoved(id: String(id)).words(in: client.language) + "  " + instrument.symbol])
        }
    }

    /// A damaged file was found and put aside: one line beside what was asked for.
    static func tell(_ setAside: String?, _ invocation: Invocation) {
        guard let setAside else { return }
        Output.error("causeway: " + Text.drawingSetAside(path: setAside).words(in: invocation.language))
    }

    // MARK: As it is typed

    /// `2026-10-02,580`, `2026-10-02T10:30,580`; of a level `580` alone.
    static func place(_ text: String, _ tool: Drawing.Tool, _ today: TradingDay) throws(Failure) -> Drawing.Anchor {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let time: ChartTime?
        switch parts.count {
        case 1 where tool == .horizontal: time = ChartTime(day: today.yyyymmdd)
        case 2: time = self.time(parts[0])
        default: time = nil
        }
        guard let time, let written = parts.last else { throw Usage.invalid("PLACE", text, .drawingPlace(tool)) }
        do throws(DecimalError) { return Drawing.Anchor(time, try Price(written)) } catch {
            guard case .tooPrecise = error else { throw Usage.invalid("PLACE", text, .drawingPlace(tool)) }
            throw Usage.invalid("PLACE", text, .drawingDecimals(tool))
        }
    }

    private static func time(_ text: Substring) -> ChartTime? {
        guard let day = TradingDay(text.prefix(10)) else { return nil }
        if text.utf8.count == 10 { return ChartTime(day: day.yyyymmdd) }
        let bytes = Array(text.utf8)
        let digits = [11, 12, 14, 15]
        guard bytes.count == 16, bytes[10] == 84 || bytes[10] == 32, bytes[13] == 58, digits.allSatisfy({ (48...57).contains(bytes[$0]) })
        else { return nil }
        let numbers = digits.map { Int(bytes[$0] - 48) }
        let (hour, minute) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
        return hour < 24 && minute < 60 ? ChartTime(day: day.yyyymmdd, minute: hour * 60 + minute) : nil
    }

    private static func style(_ invocation: Invocation) throws -> Drawing.Style {
        let dashes = Drawing.Style.Dash.allCases
        guard let dash = Drawing.Style.Dash(rawValue: invocation["dash"] ?? "solid") else {
            throw Usage.choice("--dash", dashes.map(\.rawValue))
        }
        let usual = Drawing.Style.usual
        let colour = try invocation.integer("colour", in: Drawing.Style.colours, default: usual.colour)
        let width = try invocation.integer("width", in: Drawing.Style.widths, default: usual.width)
        do throws(DrawingFault) { return try Drawing.Style(colour: colour, width: width, dash: dash) } catch { throw Failure(error) }
    }
}

extension Usage.Form {
    static let drawing = Self(name: "form-drawing", example: "3")
    /// Of a level the price alone.
    static func drawingPlace(_ tool: Drawing.Tool) -> Self {
        tool == .horizontal ? Self(name: "form-price", example: "580") : Self(name: "form-drawing-place", example: "2026-10-02,580")
    }
    static func drawingDecimals(_ tool: Drawing.Tool) -> Self { Self(name: "form-price-places", example: drawingPlace(tool).example) }
}

extension Drawing.Tool {
    var name: Text {
        switch self {
        case .trend: .drawingToolTrend
        case .ray: .drawingToolRay
        case .horizontal: .drawingToolHorizontal
        case .channel: .drawingToolChannel
        case .fibonacci: .drawingToolFibonacci
        case .rectangle: .drawingToolRectangle
        case .text: .drawingToolText
        }
    }
}

extension Drawing {
    /// As one types them; of a level the price alone.
    fileprivate var placesText: String {
        anchors.map { tool == .horizontal ? $0.price.description : "\($0.time),\($0.price)" }.joined(separator: "  ")
    }
}

extension Drawing.Style {
    fileprivate func words(in language: Language) -> String {
        Text.drawingStyle(colour: String(colour), dash: dash.rawValue, width: String(width)).words(in: language)
    }
}

extension ChartCommand {
    /// What the user drew, of which the prices are as printed. What keeps it from being shown is told, and the chart goes on without.
    static func drawings(_ instrument: Instrument, isPrinted: Bool, _ invocation: Invocation) async throws -> [Drawing] {
        guard !invocation.has("no-drawings") else { return [] }
        let language = invocation.language
        let store = try DrawingStore(invocation)
        let found: DrawingStore.Found
        do throws(Failure) { found = try await store.load(instrument.id) } catch {
            Output.error("causeway: " + Text.drawingNotRead(error: error.text(in: language)).words(in: language))
            return []
        }
        DrawCommands.tell(found.setAside, invocation)
        guard isPrinted || found.set.drawings.isEmpty else {
            Output.error("causeway: " + Text.drawingAdjusted.words(in: language))
            return []
        }
        return found.set.drawings
    }

    /// The trading days from the one shown to those of the drawings' places: as far as the tables reach, and two thousand each way at most.
    static func days(_ drawings: [Drawing], around day: TradingDay, _ calendar: MarketCalendar, _ instrument: Instrument) -> [Int32] {
        let places = drawings.flatMap(\.anchors).map(\.time.day)
        var days = [day.yyyymmdd]
        func extend(_ step: Int, while isShort: (Int32) -> Bool) -> [Int32] {
            var (found, last): ([Int32], TradingDay) = ([], day)
            while found.count < 2_000, isShort(last.yyyymmdd), let next = try? calendar.tradingDay(step, from: last, instrument.calendar) {
                found.append(next.yyyymmdd)
                last = next
            }
            return found
        }
        if let oldest = places.min() { days = extend(-1) { $0 > oldest }.reversed() + days }
        if let newest = places.max() { days += extend(1) { $0 < newest } }
        return days
    }

    /// The trading days after the newest bar's: as far as a chart has room for, and the tables reach.
    static func coming(_ instrument: Instrument, _ calendar: MarketCalendar?, _ content: inout ChartContent) {
        guard let calendar, var day = content.times.last.flatMap({ TradingDay(yyyymmdd: $0.day) }) else { return }
        for _ in 0..<60 {
            guard let next = try? calendar.tradingDay(1, from: day, instrument.calendar) else { return }
            content.comingDays.append(next.yyyymmdd)
            day = next
        }
    }
}
