import Texts

/// What a notification says. Plain text: nothing in it is markup.
public struct DesktopNote: Hashable, Sendable {
    /// A later one with the same key takes the place of an earlier one that is still shown.
    public var key: String
    /// One line.
    public var title: String
    /// May have several lines.
    public var body: String
    public var urgency: Urgency

    public enum Urgency: UInt8, Hashable, Sendable { case low, normal, critical }

    /// Characters; what is longer ends in `…`.
    public static let mostOfTitle = 120
    public static let mostOfBody = 1_000

    public init(key: String, title: String, body: String, urgency: Urgency = .normal) {
        self.key = key
        self.title = title
        self.body = body
        self.urgency = urgency
    }

    /// As they are sent: bounded, harmless (`Echo`), and the body escaped where it would be read as markup (Desktop Notifications
    /// Specification 1.2, "Markup"; a title never is).
    func sent(isMarkup: Bool) -> (title: String, body: String) {
        let body = Echo.bounded(body, to: Self.mostOfBody, keeping: ["\n"])
        return (Echo.bounded(title, to: Self.mostOfTitle), isMarkup ? Self.escaped(body) : body)
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}

/// Which notification of the server shows which key. Bounded: the oldest is forgotten, and a later one is then shown beside it.
struct ShownNotes: Sendable {
    static let most = 500

    private var ids: [String: UInt32] = [:]
    private var order: [String] = []

    /// 0: none.
    func id(_ key: String) -> UInt32 { ids[key] ?? 0 }

    mutating func note(_ key: String, _ id: UInt32) {
        if ids.updateValue(id, forKey: key) == nil { order.append(key) }
        if order.count > Self.most { ids[order.removeFirst()] = nil }
    }
}
