import CGIO
import Dispatch
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

    private let clock: MonotonicClock
    private let queue = DispatchQueue(label: "desktop-notifications")
    private let session: DesktopSession

    /// `name`: of the program, as the desktop shows it. `address`: of the bus (`SessionBus.address`).
    public init(name: String, address: String?, clock: MonotonicClock) {
        self.clock = clock
        session = DesktopSession(name: name, address: address)
    }

    /// Returns when the desktop has taken it; one after the other.
    /// - Throws: `desktop.no-bus`, `desktop.refused`. The next one tries again.
    public func send(_ note: DesktopNote) async throws(Failure) {
        let (clock, session, alarm) = (clock, session, Cancelling())
        let until = clock.now().advanced(by: Self.deadline)
        let timer = Task {
            do { try await clock.sleep(until) } catch { return }
            alarm.cancel()
        }
        defer { timer.cancel() }
        let result: Result<Void, Failure> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(Failure) in try session.send(note, alarm) })
            }
        }
        try result.get()
    }
}

/// A GCancellable; may be cancelled from any thread.
private final class Cancelling: @unchecked Sendable {
    let object: UnsafeMutablePointer<GCancellable>? = g_cancellable_new()

    func cancel() { g_cancellable_cancel(object) }

    deinit { if let object { g_object_unref(object) } }
}

/// The connection and what is known of its other end. Used on one queue.
private final class DesktopSession: @unchecked Sendable {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let name: String
    private let address: String?
    private var connection: OpaquePointer?
    private var hasMarkup = false
    private var shown = ShownNotes()

    init(name: String, address: String?) {
        self.name = name
        self.address = address
        causeway_quiet_bus()
    }

    deinit { if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) } }

    func send(_ note: DesktopNote, _ alarm: Cancelling) throws(Failure) {
        let connection = try connected(alarm)
        do throws(Failure) {
            let (title, body) = note.sent(isMarkup: hasMarkup)
            // Floating: the call takes it. The desktop decides how long it stays.
            let arguments = causeway_notify_arguments(name, shown.id(note.key), "", title, body, note.urgency.rawValue, -1)
            let answer = try call(connection, "Notify", arguments, "(u)", alarm)
            defer { g_variant_unref(answer) }
            shown.note(note.key, causeway_notify_id(answer))
        } catch {
            // Perhaps another server answers next, with numbers of its own.
            forget()
            throw error
        }
    }

    private func connected(_ alarm: Cancelling) throws(Failure) -> OpaquePointer {
        if let connection {
            if g_dbus_connection_is_closed(connection) == 0 { return connection }
            forget()
        }
        guard let address else { throw Failure(.desktopNoBus, .init("reason", "DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR")) }
        var error: UnsafeMutablePointer<GError>?
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let made = g_dbus_connection_new_for_address_sync(address, flags, nil, alarm.object, &error) else {
            throw Failure(.desktopNoBus, .init("reason", Self.reason(error)))
        }
        connection = made
        do throws(Failure) {
            let answer = try call(made, "GetCapabilities", nil, "(as)", alarm)
            defer { g_variant_unref(answer) }
            hasMarkup = causeway_has_capability(answer, "body-markup") != 0
        } catch {
            forget()
            throw error
        }
        return made
    }

    /// The last reference closes it; closing and waiting for that would have no deadline.
    private func forget() {
        if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
        (connection, hasMarkup, shown) = (nil, false, ShownNotes())
    }

    /// The answer, to be unreferenced.
    private func call(
        _ connection: OpaquePointer, _ method: String, _ arguments: OpaquePointer?, _ form: String,
        _ alarm: Cancelling
    ) throws(Failure) -> OpaquePointer {
        var error: UnsafeMutablePointer<GError>?
        let type = g_variant_type_new(form)
        defer { g_variant_type_free(type) }
        let milliseconds = Int32(DesktopNotifier.deadline.components.seconds * 1_000)
        let answer = g_dbus_connection_call_sync(
            connection, Self.service, Self.path, Self.service, method, arguments, type, G_DBUS_CALL_FLAGS_NONE, milliseconds, alarm.object,
            &error)
        guard let answer else { throw Failure(.desktopRefused, .init("reason", Self.reason(error))) }
        return answer
    }

    /// Bounded and printable: the other end may have written it. Frees the error.
    private static func reason(_ error: UnsafeMutablePointer<GError>?) -> String {
        guard let error else { return "" }
        defer { g_error_free(error) }
        if error.pointee.domain == g_io_error_quark(),
            [G_IO_ERROR_CANCELLED.rawValue, G_IO_ERROR_TIMED_OUT.rawValue].contains(UInt32(bitPattern: error.pointee.code))
        {
            return DesktopNotifier.noAnswer
        }
        g_dbus_error_strip_remote_error(error)
        let text = error.pointee.message.map { String(cString: $0) } ?? ""
        return DesktopNote(key: "", title: text, body: "").sent(isMarkup: false).title
    }
}
