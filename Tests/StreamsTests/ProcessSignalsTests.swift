import Glibc
import Streams
import Testing

@Suite struct ProcessSignalsTests {
    /// A server that was asked to end right after it had said that it listens went on for good.
    @Test func signalsRightAfterTheStartAreNotLost() async throws {
        for round in Int32(0)..<200 {
            let (arrived, continuation) = AsyncStream.makeStream(of: Int32.self)
            let signals = try #require(ProcessSignals([SIGUSR1, SIGUSR2]) { continuation.yield($0) })
            let number = round.isMultiple(of: 2) ? SIGUSR1 : SIGUSR2
            kill(getpid(), number)
            var got: Int32?
            for await found in arrived {
                got = found
                break
            }
            #expect(got == number)
            signals.cancel()
        }
    }
}
