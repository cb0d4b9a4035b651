import Foundation
import Synchronization

/// How a log line is written.
public enum LogForm: Sendable {
    /// `2026-11-30T01:30:00.000Z info event key=value key="two words"`
    case text
    /// One JSON object a line: `time`, `level`, `event`, then the fields as strings.
    case json
}

extension Log {
    /// Lines of at least `floor` to standard error, one system call a line, whole lines only.
    public static func standardError(_ floor: LogLevel = .info, form: LogForm = .text, clock: WallClock = .live) -> Log {
        lines(floor, form: form, clock: clock, sink: putStandardError)
    }

    /// Lines of at least `floor` handed to `sink`, newline included, one at a time.
    public static func lines(
        _ floor: LogLevel, form: LogForm, clock: WallClock, sink: @escaping @Sendable ([UInt8]) -> Void
    ) -> Log {
        let turn = Turn()
        return Log { level, event, fields in
            guard level >= floor else { return }
            let line = logLine(form, nanoseconds: clock.now(), level: level, event: event, fields: fields)
            turn.mutex.withLock { _ in sink(Array(line.utf8)) }
        }
    }
}

private func putStandardError(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { buffer in
        var rest = buffer[...]
        while !rest.isEmpty {
            let written = write(2, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            // Standard error is gone or full: a log has nowhere to complain to.
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

private final class Turn: Sendable {
    let mutex = Mutex<Void>(())
}

/// One line with its newline. Values are escaped so that no value can start a line or a field of its own.
func logLine(
    _ form: LogForm, nanoseconds: Int64, level: LogLevel, event: String, fields: [(name: String, value: String)]
) -> String {
    let stamp = utcStamp(nanoseconds: nanoseconds)
    switch form {
    case .text:
        var line = "\(stamp) \(level.name) \(bare(event) ? event : quoted(event))"
        for (name, value) in fields {
            line += " \(bare(name) ? name : quoted(name))=\(bare(value) ? value : quoted(value))"
        }
        return line + "\n"
    case .json:
        var line = "{\"time\":\(quoted(stamp)),\"level\":\(quoted(level.name)),\"event\":\(quoted(event))"
        for (name, value) in fields { line += ",\(quoted(name)):\(quoted(value))" }
        return line + "}\n"
    }
}

/// Whether text needs no quotes: printable, without space, quote, backslash or `=`.
private func bare(_ text: String) -> Bool {
    !text.isEmpty
        && text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case " ", "\"", "\\", "=": false
            default: !needsEscape(scalar) && !scalar.properties.isWhitespace
            }
        }
}

private func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
}

/// A JSON string; control, format and line-breaking characters become `\u` escapes.
private func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": out += "\\\""
        case "\\": out += "\\\\"
        case "\n": out += "\\n"
        case "\r": out += "\\r"
        case "\t": out += "\\t"
        case _ where needsEscape(scalar):
            for unit in String(scalar).utf16 {
                let hex = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
            }
        default: out.unicodeScalars.append(scalar)
        }
    }
    return out + "\""
}

extension LogLevel {
    /// `debug`, `info`, `warning`, `error`.
    public var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }
}
