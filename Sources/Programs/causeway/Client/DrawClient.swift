import Drawings
import Exact
import Instruments
import Streams
import Texts

/// What the drawing commands stand on: the profile's drawings, and the instrument that was meant. Neither needs a server that answers.
struct DrawClient: Sendable {
    var language: Language
    var store: DrawingStore
    /// What was typed, as an instrument.
    var instrument: @Sendable (_ text: String) async throws -> Instrument
    /// Of a level that was given without a date.
    var today: @Sendable () -> TradingDay

    typealias Opener = @Sendable (Invocation) async throws -> DrawClient
}

extension DrawClient {
    /// The server is asked which instrument is meant, as it has prices; where it is not there, or nobody is signed in, this program knows
    /// itself, as of today.
    static func live(_ invocation: Invocation) async throws -> DrawClient {
        DrawClient(
            language: invocation.language, store: try DrawingStore(invocation),
            instrument: { text in
                do {
                    let client = try await LiveClient(invocation)
                    try await client.restore()
                    return try await client.context(invocation).instrument(text)
                } catch let failure as Failure where failure.isOfNoServer {
                    return try Catalogue(invocation).resolve(
                        text, in: try CalendarCommands.shipped().instruments, on: Catalogue.civilDay, invocation.language)
                }
            }, today: { Catalogue.civilDay })
    }
}

extension DrawingStore {
    /// That of the profile.
    init(_ invocation: Invocation) throws {
        self.init(folder: try Folders(profile: invocation["profile"]).state + "/drawings") {
            let clock = MonotonicClock.live
            // A cancelled wait tries once more at once, and the tries are counted.
            try? await clock.sleep(clock.now().advanced(by: .milliseconds(10)))
        }
    }
}

extension Failure {
    /// There is no server to ask, or no user to ask it for.
    fileprivate var isOfNoServer: Bool {
        [.connectionNotConnected, .connectionLost, .connectionTimedOut, .serverUnavailable].contains(code)
            || code.rawValue.hasPrefix("auth.")
    }
}
