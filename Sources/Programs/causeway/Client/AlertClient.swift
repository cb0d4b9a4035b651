import Accounts
import DesktopNotifications
import Foundation
import HTTP
import Instruments
import Portfolio
import Streams
import Texts

/// What the alert commands stand on: one signed-in user of one server.
struct AlertClient: Sendable {
    var language: Language
    /// What was typed, as one that the server has prices of.
    var instrument: @Sendable (_ text: String) async throws -> Instrument
    /// Of a symbol the server named; UTC where this program does not know it.
    var clock: @Sendable (_ symbol: String) -> TimeFormat
    var list: @Sendable () async throws(Failure) -> [AlertInfo]
    var add: @Sendable (AlertInput) async throws(Failure) -> AlertInfo
    var remove: @Sendable (_ id: Int64) async throws(Failure) -> Void
    /// Waits for one.
    var firings: @Sendable (_ after: Int64?) async throws(Failure) -> AlertFirings
    /// Those that are kept above a number, oldest first, a page of them; waits for nothing.
    var kept: @Sendable (_ after: Int64) async throws(Failure) -> AlertFirings
    var acknowledge: @Sendable (_ number: Int64) async throws(Failure) -> Void
    /// Between two tries to reach the server.
    var pause: @Sendable (Duration) async throws -> Void
    /// Shows one on the desktop.
    var notify: @Sendable (DesktopNote) async throws(Failure) -> Void

    typealias Opener = @Sendable (Invocation) async throws -> AlertClient
}

extension AlertClient {
    /// The last that fired, the newest last; takes note of nothing.
    func newestFirings(_ count: Int) async throws(Failure) -> [AlertFiring] {
        var newest: [AlertFiring] = []
        var after: Int64 = 0
        // The server keeps a bounded number of them, so that there is a last page.
        while true {
            let page = try await kept(after).firings
            guard let last = page.last, last.number > after else { return newest }
            after = last.number
            newest = Array((newest + page).suffix(count))
        }
    }
}

extension LiveClient {
    nonisolated func alerts(_ invocation: Invocation) async -> AlertClient {
        let context = context(invocation)
        let facts = await context.facts()
        let clocks = Dictionary((facts?.instruments.all ?? []).map { ($0.symbol, Display.clock(of: $0)) }) { first, _ in first }
        let bus = SessionBus.address(ProcessInfo.processInfo.environment) { FileManager.default.fileExists(atPath: $0) }
        let desktop = DesktopNotifier(name: "Causeway", address: bus, clock: .live)
        return AlertClient(
            language: invocation.language, instrument: { try await context.instrument($0) }, clock: { clocks[$0] ?? .utc },
            list: { () throws(Failure) in try await self.credentials.call(AlertEndpoints.list, Empty()).alerts },
            add: { input throws(Failure) in try await self.credentials.call(AlertEndpoints.add, input) },
            remove: { id throws(Failure) in _ = try await self.credentials.call(AlertEndpoints.remove, AlertReference(id: id)) },
            firings: { after throws(Failure) in
                try await self.credentials.call(AlertEndpoints.firings, FiringsInput(after: after, wait: FiringsInput.longestWait))
            },
            kept: { after throws(Failure) in
                try await self.credentials.call(AlertEndpoints.firings, FiringsInput(after: after))
            },
            acknowledge: { number throws(Failure) in
                _ = try await self.credentials.call(AlertEndpoints.acknowledge, FiringMark(number: number))
            },
            pause: { try await MonotonicClock.live.sleep(MonotonicClock.live.now().advanced(by: $0)) },
            notify: { note throws(Failure) in try await desktop.send(note) })
    }
}
