import DesktopNotifications
import Texts

extension ErrorCode {
    /// More is to be shown than the desktop takes; the rest is printed only.
    static let desktopBehind = ErrorCode("desktop.behind")
}

/// Shows firings on the desktop, one after the other and beside the printing, which never waits for it.
actor AlertNotes {
    /// That wait to be shown; more are printed only.
    static let mostWaiting = 32

    private let send: @Sendable (DesktopNote) async throws(Failure) -> Void
    private let report: @Sendable (Failure) -> Void
    private var waiting: [DesktopNote] = []
    private var worker: Task<Void, Never>?
    /// The desktop did not take the last one; it was said.
    private var isUnseen = false

    init(send: @escaping @Sendable (DesktopNote) async throws(Failure) -> Void, report: @escaping @Sendable (Failure) -> Void) {
        self.send = send
        self.report = report
    }

    /// Returns at once.
    func add(_ notes: [DesktopNote]) {
        let room = Self.mostWaiting - waiting.count
        waiting += notes.prefix(room)
        if notes.count > room { fail(Failure(.desktopBehind)) }
        guard worker == nil, !waiting.isEmpty else { return }
        worker = Task { await work() }
    }

    /// Returns when nothing waits any more.
    func finish() async { await worker?.value }

    /// A desktop that takes nothing is told once. Where it does not even answer, what waits with that one is not tried; the next ones are.
    private func work() async {
        while !waiting.isEmpty {
            let note = waiting.removeFirst()
            do throws(Failure) {
                try await send(note)
                isUnseen = false
            } catch {
                if error.arguments.contains(where: { $0.value == DesktopNotifier.noAnswer }) { waiting.removeAll() }
                fail(error)
            }
        }
        worker = nil
    }

    private func fail(_ failure: Failure) {
        if !isUnseen { report(failure) }
        isUnseen = true
    }
}
