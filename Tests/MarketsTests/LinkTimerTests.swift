import Markets
import Streams
import Testing

/// B-8: how long a connection has been away.
struct LinkTimerTests {
    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test("B-8 the first connecting is not a loss; later ones count from the loss") func counts() {
        var timer = LinkTimer()
        #expect(timer.state(.connecting, at: at(0)) == .connecting)
        #expect(timer.state(.connected, at: at(1)) == .connected)
        #expect(timer.state(.connecting, at: at(5)) == .reconnecting(.zero))
        #expect(timer.state(.reconnecting(.zero), at: at(17)) == .reconnecting(.seconds(12)))
        #expect(timer.state(.offline, at: at(18)) == .offline)
        #expect(timer.state(.connecting, at: at(20)) == .reconnecting(.seconds(15)))
        #expect(timer.state(.connected, at: at(21)) == .connected)
        #expect(timer.state(.connecting, at: at(30)) == .reconnecting(.zero))
    }
}
