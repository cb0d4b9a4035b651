/// Where the session's bus is. None is ever started.
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

    /// A socket of this machine, by the bytes of its name.
    enum Place: Hashable, Sendable {
        case file([UInt8])
        case abstract([UInt8])

        /// As the system takes it.
        var socketName: [UInt8] {
            switch self {
            case .file(let name): name + [0]
            case .abstract(let name): [0] + name
            }
        }
    }

    /// Those of an address, the first to be tried first. A bus elsewhere (`tcp:`) could not know whose this program is, and is none.
    static func places(_ address: String) -> [Place] {
        address.utf8.split(separator: UInt8(ascii: ";")).compactMap { one in
            guard one.starts(with: "unix:".utf8) else { return nil }
            for pair in one.dropFirst(5).split(separator: UInt8(ascii: ",")) {
                guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), let value = unescaped(pair[pair.index(after: equals)...]),
                    !value.isEmpty, !value.contains(0)
                else { continue }
                if pair[..<equals].elementsEqual("path".utf8) { return .file(value) }
                if pair[..<equals].elementsEqual("abstract".utf8) { return .abstract(value) }
            }
            return nil
        }
    }

    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2 else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
