import Dispatch
import Glibc
public import Streams
public import Texts

extension ErrorCode {
    /// There is no session bus to reach a desktop by: `reason`.
    public static let desktopNoBus = ErrorCode("desktop.no-bus")
    /// The desktop does not take the notification: `reason`.
    public static let desktopRefused = ErrorCode("desktop.refused")
}

/// Sends notifications to the desktop over the session bus: org.freedesktop.Notifications, Desktop Notifications Specification 1.2.
public final class DesktopNotifier: Sendable {
    /// All of a notification: connecting, asking what the server can, and being answered.
    public static let deadline = Duration.seconds(5)

    /// The `reason`, a word, where the deadline passed.
    public static let noAnswer = "desktop-no-answer"

    private let queue = DispatchQueue(label: "desktop-notifications")
    private let session: DesktopSession

    /// `name`: of the program, as the desktop shows it. `address`: of the bus (`SessionBus.address`).
    public init(name: String, address: String?, clock: MonotonicClock) {
        session = DesktopSession(name: name, address: address, clock: clock)
    }

    /// Returns when the desktop has taken it; one after the other.
    /// - Throws: `desktop.no-bus`, `desktop.refused`. The next one tries again.
    public func send(_ note: DesktopNote) async throws(Failure) {
        let session = session
        let result: Result<Void, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try session.send(note) }) }
        }
        try result.get()
    }
}

/// The connection and what is known of its other end. Used on one queue.
private final class DesktopSession: @unchecked Sendable {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let name: String
    private let address: String?
    private let clock: MonotonicClock
    private var line: BusLine?
    private var hasMarkup = false
    private var shown = ShownNotes()

    init(name: String, address: String?, clock: MonotonicClock) { (self.name, self.address, self.clock) = (name, address, clock) }

    func send(_ note: DesktopNote) throws(Failure) {
        let until = clock.now().advanced(by: DesktopNotifier.deadline)
        if let line, !line.isOpen() { forget() }
        let line = try connected(until)
        do throws(BusFault) {
            let answer = try line.call(notification(note), until)
            shown.note(note.key, try answer.number())
        } catch {
            // Perhaps another server answers next, with numbers of its own.
            forget()
            throw Failure(.desktopRefused, .init("reason", error.reason))
        }
    }

    private func notification(_ note: DesktopNote) -> BusCall {
        let (title, text) = note.sent(isMarkup: hasMarkup)
        var body = BusWriter()
        body.string(name)
        body.number(shown.id(note.key))
        for text in ["", title, text] { body.string(text) }
        // No actions.
        body.number(0)
        body.array { hints in
            hints.string("urgency")
            hints.signature("y")
            hints.byte(note.urgency.rawValue)
        }
        // The desktop decides how long it stays.
        body.number(UInt32(bitPattern: -1))
        return BusCall(Self.service, Self.path, "Notify", "susssasa{sv}i", body)
    }

    private func connected(_ until: MonotonicInstant) throws(Failure) -> BusLine {
        if let line { return line }
        guard let address else { throw Failure(.desktopNoBus, .init("reason", "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR")) }
        let made: BusLine
        do throws(BusFault) { made = try BusLine.open(address, clock, until) } catch {
            throw Failure(.desktopNoBus, .init("reason", error.reason))
        }
        do throws(BusFault) {
            hasMarkup = try made.call(BusCall(Self.service, Self.path, "GetCapabilities"), until).strings().contains("body-markup")
        } catch { throw Failure(.desktopRefused, .init("reason", error.reason)) }
        line = made
        return made
    }

    private func forget() { (line, hasMarkup, shown) = (nil, false, ShownNotes()) }
}

extension BusFault {
    /// A word of the catalogues, the system's, or what the other end said: bounded.
    fileprivate var reason: String {
        switch self {
        case .address: "desktop-address"
        case .system(let reason): reason
        case .closed: "desktop-closed"
        case .rejected: "desktop-rejected"
        case .garbled: "desktop-garbled"
        case .tooMuch: "desktop-too-much"
        case .noAnswer: DesktopNotifier.noAnswer
        case .said(let text): Echo.bounded(text, to: DesktopNote.mostOfTitle)
        }
    }
}

/// A connection to a bus on which one call at a time is made.
private final class BusLine {
    /// Bytes that are read while one answer is waited for: what others send is passed over, not for ever.
    private static let mostPerAnswer = 1 << 20

    private let socket: BusSocket
    private var inbox = BusInbox()
    private var serial: UInt32 = 0

    private init(_ socket: BusSocket) { self.socket = socket }

    /// The first of the address's places that takes this program.
    static func open(_ address: String, _ clock: MonotonicClock, _ until: MonotonicInstant) throws(BusFault) -> BusLine {
        var fault = BusFault.address
        for place in SessionBus.places(address) {
            do throws(BusFault) {
                let line = BusLine(try BusSocket(place, clock: clock, until: until))
                try line.signIn(until)
                return line
            } catch { fault = error }
        }
        throw fault
    }

    /// "Authentication Protocol", EXTERNAL: the system tells the bus whose this program is.
    private func signIn(_ until: MonotonicInstant) throws(BusFault) {
        let user = String(getuid()).utf8.map { "3\(Character(Unicode.Scalar($0)))" }.joined()
        try socket.write(Array("\0AUTH EXTERNAL \(user)\r\n".utf8), until: until)
        var line: String?
        while line == nil {
            line = try inbox.line()
            if line == nil { inbox.feed(try received(until)[...]) }
        }
        guard line?.hasPrefix("OK ") == true else { throw .rejected }
        try socket.write(Array("BEGIN\r\n".utf8), until: until)
        _ = try call(.hello, until)
    }

    func call(_ call: BusCall, _ until: MonotonicInstant) throws(BusFault) -> BusAnswer {
        // Zero is no number of a call.
        serial = serial == .max ? 1 : serial + 1
        try socket.write(call.bytes(serial: serial), until: until)
        var taken = 0
        while true {
            while let answer = try inbox.answer() {
                guard answer.serial == serial else { continue }
                if answer.error != nil { throw .said(answer.reason) }
                return answer
            }
            let piece = try received(until)
            taken += piece.count
            guard taken <= Self.mostPerAnswer else { throw .tooMuch }
            inbox.feed(piece[...])
        }
    }

    /// Passes over what came meanwhile; false where the other end has gone or sends what cannot be read.
    func isOpen() -> Bool {
        do throws(BusFault) {
            var taken = 0
            while taken <= Self.mostPerAnswer {
                while try inbox.answer() != nil {}
                let piece = try socket.read()
                if piece.isEmpty { return true }
                taken += piece.count
                inbox.feed(piece[...])
            }
            return false
        } catch { return false }
    }

    /// Something, at the latest when time is up.
    private func received(_ until: MonotonicInstant) throws(BusFault) -> [UInt8] {
        while true {
            let piece = try socket.read()
            if !piece.isEmpty { return piece }
            try socket.wait(until: until)
        }
    }
}
