public import Dispatch
import Glibc

/// Signals sent to this process, handed on one after the other. None that comes after `init` returned is lost: libdispatch's own signal
/// sources begin to listen some time after they were made, and a signal of that time is gone.
public final class ProcessSignals: Sendable {
    private let numbers: [Int32]
    // Cancelled only; libdispatch allows that from any thread.
    nonisolated(unsafe) private let reader: any DispatchSourceRead

    /// Calls `receive` with each of `numbers` on `queue`, in place of the signal's default action. One instance a signal at a time. Nil where
    /// the process may open no more files.
    public init?(_ numbers: [Int32], queue: DispatchQueue = .global(), receive: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (readEnd, writeEnd) = (ends[0], ends[1])
        reader = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: queue)
        self.numbers = numbers
        reader.setEventHandler {
            var number: UInt8 = 0
            while read(readEnd, &number, 1) == 1 { receive(Int32(number)) }
        }
        // The write end stays open for good: a handler may be about to write to it.
        reader.setCancelHandler { close(readEnd) }
        reader.resume()
        for number in numbers {
            writeEnds[Int(number)] = writeEnd
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let before = errno
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(writeEnds[Int(number)], &byte, 1)
                errno = before
            }
            action.sa_flags = SA_RESTART
            sigaction(number, &action, nil)
        }
    }

    /// The default actions again.
    public func cancel() {
        for number in numbers { signal(number, SIG_DFL) }
        reader.cancel()
    }
}

/// Where the handler of each signal writes. Plain memory: a handler may not allocate or lock.
nonisolated(unsafe) private let writeEnds: UnsafeMutablePointer<Int32> = {
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 65)
    ends.initialize(repeating: -1, count: 65)
    return ends
}()
