import Foundation
import HTTP

/// Where a command's results go: aligned text for people, one JSON object a line for programs. Every line is written at once.
struct Output: Sendable {
    var json: Bool

    static let standard = Output(json: false)

    func line(_ text: String) { Self.write(text + "\n", to: .standardOutput) }

    /// Prints the object when `--json` is on, else the lines.
    func show(_ object: @autoclosure () -> JSONValue, text: @autoclosure () -> [String]) {
        if json { line(object().serialized()) } else { text().forEach(line) }
    }

    static func error(_ text: String) { write(text + "\n", to: .standardError) }

    private static func write(_ text: String, to handle: FileHandle) {
        // A reader that went away (`causeway watch | head`) ends the program by SIGPIPE, as is usual.
        do { try handle.write(contentsOf: Data(text.utf8)) } catch { exit(1) }
    }
}

/// Text in aligned columns; widths count terminal cells, so Chinese names line up.
struct Table {
    enum Alignment { case left, right }

    var columns: [(title: String, alignment: Alignment)]
    var rows: [[String]] = []

    init(_ columns: (String, Alignment)...) { self.columns = columns.map { (title: $0.0, alignment: $0.1) } }

    var lines: [String] {
        let all = [columns.map(\.title)] + rows
        let widths = columns.indices.map { column in all.map { $0[column].cellWidth }.max() ?? 0 }
        return all.map { row in
            var text = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.cellWidth)
                text += columns[column].alignment == .left ? cell + padding : padding + cell
                text += "  "
            }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}

extension StringProtocol {
    /// Terminal cells this text takes: two for East Asian wide characters, none for combining marks.
    var cellWidth: Int {
        unicodeScalars.reduce(0) { width, scalar in
            switch scalar.value {
            case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: width
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
                0x1F300...0x1FAFF, 0x20000...0x3FFFD:
                width + 2
            default: width + 1
            }
        }
    }
}
