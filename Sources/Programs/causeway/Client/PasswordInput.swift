import Foundation
import Glibc
import Texts

/// Where a password comes from: `--password-file`, else the terminal without echo, else standard input. Never an argument (O-3).
enum PasswordInput {
    static let longest = 1024

    static func read(_ invocation: Invocation, language: Language) throws -> String {
        if let path = invocation["password-file"] { return try file(path) }
        if isatty(STDIN_FILENO) == 1 { return try prompt(.passwordPrompt, language) }
        return try checked(firstLine(readBytes(STDIN_FILENO)))
    }

    /// Twice, so that a slip is noticed; from a file or a pipe once.
    static func readNew(_ invocation: Invocation, language: Language) throws -> String {
        let first = try read(invocation, language: language)
        guard invocation["password-file"] == nil, isatty(STDIN_FILENO) == 1 else { return first }
        guard try prompt(.passwordAgain, language) == first else { throw Failure(ErrorCode("password.differ")) }
        return first
    }

    private static func file(_ path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(ErrorCode("password.file"), .init("path", path)) }
        defer { close(descriptor) }
        return try checked(firstLine(readBytes(descriptor)))
    }

    /// The first bytes, enough for the longest password and its line end.
    private static func readBytes(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while bytes.count <= longest + 2, !bytes.contains(0x0A) {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return bytes
    }

    private static func firstLine(_ bytes: [UInt8]) -> [UInt8] {
        var line = Array(bytes.prefix { $0 != 0x0A })
        if line.last == 0x0D { line.removeLast() }
        return line
    }

    static func checked(_ line: [UInt8]) throws -> String {
        guard !line.isEmpty else { throw Failure(ErrorCode("password.empty")) }
        guard line.count <= longest else { throw Failure(ErrorCode("password.too-long")) }
        guard let text = String(validating: line, as: UTF8.self) else { throw Failure(ErrorCode("password.empty")) }
        return text
    }

    /// Without echo, byte by byte, so that Ctrl C comes as a key and the terminal is always put back.
    private static func prompt(_ text: Text, _ language: Language) throws -> String {
        var saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { throw Failure(ErrorCode("terminal.failed")) }
        var quiet = saved
        quiet.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0 else { throw Failure(ErrorCode("terminal.failed")) }
        defer { _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved) }
        write(text.words(in: language))
        defer { write("\n") }
        var line: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count == 1, byte == 0x03 { throw Failure(ErrorCode("process.interrupted")) }
            guard count == 1, byte != 0x04 else { throw Failure(.requestCancelled) }
            switch byte {
            case 0x0A, 0x0D: return try checked(line)
            case 0x7F, 0x08:
                // One character back, not one byte.
                while let last = line.popLast(), last & 0xC0 == 0x80 {}
            default: if line.count <= longest { line.append(byte) }
            }
        }
    }

    /// To standard error: standard output may be a pipe of JSON.
    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
