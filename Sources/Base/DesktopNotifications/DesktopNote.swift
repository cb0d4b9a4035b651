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

/// Where the session's bus is; what GIO would else start by itself is never started.
public enum SessionBus {
    /// `DBUS_SESSION_BUS_ADDRESS`, else `bus` in `XDG_RUNTIME_DIR` where that is a socket; nil: there is none.
    public static func address(_ environment: [String: String], exists: (String) -> Bool) -> String? {
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            return address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/"), exists(folder + "/bus") else { return nil }
        return "unix:path=" + escaped(folder + "/bus")
    }

    /// D-Bus Specification, "Server Addresses": what is not plain is written as %XX.
    private static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "*"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return text
    }
}
