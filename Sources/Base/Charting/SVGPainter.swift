/// A scene as SVG 1.1.
public struct SVGPainter: Sendable {
    public var theme: Theme
    /// As in CSS.
    public var fontFamily: String

    public init(_ theme: Theme, fontFamily: String = "Inter, 'Noto Sans CJK SC', 'WenQuanYi Micro Hei', sans-serif") {
        self.theme = theme
        self.fontFamily = fontFamily
    }

    public func svg(_ scene: Scene) -> String {
        var text =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(number(scene.size.width))\" height=\"\(number(scene.size.height))\" "
        text += "viewBox=\"0 0 \(number(scene.size.width)) \(number(scene.size.height))\" font-family=\"\(escaped(fontFamily))\">\n"
        text += "<rect width=\"100%\" height=\"100%\" fill=\"\(colour(.view))\"/>\n"
        var clips = 0
        for mark in scene.marks { write(mark, &text, &clips) }
        return text + "</svg>\n"
    }

    private func write(_ mark: Mark, _ text: inout String, _ clips: inout Int) {
        switch mark {
        case .line(let from, let to, let stroke):
            text += "<path d=\"M\(pair(from))L\(pair(to))\" \(attributes(stroke))/>\n"
        case .polyline(let points, let stroke):
            guard points.count > 1 else { return }
            text += "<path d=\"M\(points.map(pair).joined(separator: "L"))\" \(attributes(stroke)) stroke-linejoin=\"round\"/>\n"
        case .polygon(let points, let ink, let opacity):
            guard points.count > 2 else { return }
            text += "<path d=\"M\(points.map(pair).joined(separator: "L"))Z\" fill=\"\(colour(ink))\"\(alpha(opacity))/>\n"
        case .box(let box, let fill, let stroke, let radius, let opacity):
            text += "<rect x=\"\(number(box.x))\" y=\"\(number(box.y))\" width=\"\(number(box.width))\" height=\"\(number(box.height))\""
            if radius > 0 { text += " rx=\"\(number(radius))\"" }
            text += " " + (stroke.map { attributes($0, fill: fill) } ?? "fill=\"\(fill.map(colour) ?? "none")\"") + alpha(opacity) + "/>\n"
        case .boxes(let boxes, let ink, let opacity):
            guard !boxes.isEmpty else { return }
            let shape = boxes.map {
                "M\(number($0.x)) \(number($0.y))h\(number($0.width))v\(number($0.height))h\(number(-$0.width))z"
            }
            text += "<path d=\"\(shape.joined())\" fill=\"\(colour(ink))\"\(alpha(opacity))/>\n"
        case .circle(let centre, let radius, let ink, let opacity):
            text +=
                "<circle cx=\"\(number(centre.x))\" cy=\"\(number(centre.y))\" r=\"\(number(radius))\" fill=\"\(colour(ink))\"\(alpha(opacity))/>\n"
        case .text(let words, let place, let style): write(words, place, style, &text)
        case .clipped(let box, let marks):
            clips += 1
            let name = "c\(clips)"
            text += "<clipPath id=\"\(name)\"><rect x=\"\(number(box.x))\" y=\"\(number(box.y))\" width=\"\(number(box.width))\" "
            text += "height=\"\(number(box.height))\"/></clipPath>\n<g clip-path=\"url(#\(name))\">\n"
            for mark in marks { write(mark, &text, &clips) }
            text += "</g>\n"
        }
    }

    private func write(_ words: String, _ place: Point, _ style: TextStyle, _ text: inout String) {
        text += "<text x=\"\(number(place.x))\" y=\"\(number(place.y))\" font-size=\"\(number(style.size))\" fill=\"\(colour(style.ink))\""
        if style.isBold { text += " font-weight=\"600\"" }
        if style.anchor != .start { text += " text-anchor=\"\(style.anchor.rawValue)\"" }
        if style.hasHalo { text += " stroke=\"\(colour(.view))\" stroke-width=\"3\" paint-order=\"stroke\" stroke-linejoin=\"round\"" }
        text += ">\(escaped(words))</text>\n"
    }

    private func attributes(_ stroke: Stroke, fill: Ink? = nil) -> String {
        var text = "fill=\"\(fill.map(colour) ?? "none")\" stroke=\"\(colour(stroke.ink))\" stroke-width=\"\(number(stroke.width))\""
        if !stroke.dash.isEmpty { text += " stroke-dasharray=\"\(stroke.dash.map(number).joined(separator: " "))\"" }
        return text
    }

    private func alpha(_ opacity: Double) -> String { opacity == 1 ? "" : " opacity=\"\(number(opacity))\"" }

    private func colour(_ ink: Ink) -> String {
        let hex = String(theme.colour(ink), radix: 16, uppercase: true)
        return "#" + String(repeating: "0", count: 6 - hex.count) + hex
    }

    private func pair(_ point: Point) -> String { "\(number(point.x)) \(number(point.y))" }

    /// Two decimals at most; what is no number is 0 and never reaches a reader as one.
    private func number(_ value: Double) -> String {
        guard !value.isNaN else { return "0" }
        // Far outside of any picture; readers count in 32 bits.
        let rounded = (min(max(value, -Self.farthest), Self.farthest) * 100).rounded() / 100
        return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    private static let farthest = 1e7

    private func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case _ where scalar.value < 32 && scalar.value != 9: result += " "
            case _ where scalar.isNoCharacter: result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
