import Dispatch
import Glibc
import Streams
import Synchronization
public import Texts

// What a crash needs to put the terminal back. Written once before the handlers are installed, only read after that.
nonisolated(unsafe) private var savedMode = termios()
nonisolated(unsafe) private var leaveBytes: [UInt8] = []
private let isRaw = Atomic<Bool>(false)

/// Puts the terminal back; safe in a signal handler (write and tcsetattr only).
private func restoreTerminal() {
    guard isRaw.exchange(false, ordering: .sequentiallyConsistent) else { return }
    leaveBytes.withUnsafeBufferPointer { bytes in _ = write(STDOUT_FILENO, bytes.baseAddress, bytes.count) }
    _ = tcsetattr(STDIN_FILENO, TCSANOW, &savedMode)
}

/// The terminal in raw mode on its alternate screen. Put back on `close`, on exit, and when the program crashes or is ended.
final class RawTerminal: Sendable {
    // Cancelled only; libdispatch allows that from any thread.
    nonisolated(unsafe) private let reader: any DispatchSourceRead
    private let signals: ProcessSignals?
    private let queue = DispatchQueue(label: "causeway.terminal")
    private let decoder = Mutex(KeyDecoder())

    enum Input: Sendable {
        case key(Key)
        case resized
        /// SIGTERM, SIGHUP, or the end of standard input.
        case ended
    }

    static var isAvailable: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    init(receive: @escaping @Sendable (Input) -> Void) throws(Failure) {
        guard Self.isAvailable, tcgetattr(STDIN_FILENO, &savedMode) == 0 else { throw Failure(.terminalFailed) }
        leaveBytes = Array(Ansi.leave.utf8)
        var mode = savedMode
        cfmakeraw(&mode)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { throw Failure(.terminalFailed) }
        isRaw.store(true, ordering: .sequentiallyConsistent)
        Self.restoreOnCrash()
        atexit { restoreTerminal() }
        signals = ProcessSignals([SIGWINCH, SIGTERM, SIGHUP, SIGINT], queue: queue) { receive($0 == SIGWINCH ? .resized : .ended) }
        reader = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
        reader.setEventHandler { [weak self] in self?.read(receive) }
        reader.resume()
        draw(Ansi.enter)
    }

    func close() {
        reader.cancel()
        restoreTerminal()
        signals?.cancel()
    }

    var size: (columns: Int, rows: Int) {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    func draw(_ text: String) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBufferPointer { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                // Wait until the terminal takes more, a second at most: a stopped terminal loses a frame, not the program.
                var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, 1000) <= 0 { return }
            } else if errno != EINTR {
                return
            }
        }
    }

    private func read(_ receive: @escaping @Sendable (Input) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) {
                reader.cancel()
                receive(.ended)
            }
            return
        }
        let (keys, isWaiting) = decoder.withLock { ($0.feed(buffer.prefix(count)), $0.isWaiting) }
        keys.forEach { receive(.key($0)) }
        guard isWaiting else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
            self?.decoder.withLock { $0.flush() }.forEach { receive(.key($0)) }
        }
    }

    private static func restoreOnCrash() {
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                restoreTerminal()
                // Default action again, so that the crash is still one.
                signal(number, SIG_DFL)
                raise(number)
            }
            _ = sigaction(number, &action, nil)
        }
    }
}

extension ErrorCode {
    /// The terminal cannot be put into raw mode.
    public static let terminalFailed = ErrorCode("terminal.failed")
}
