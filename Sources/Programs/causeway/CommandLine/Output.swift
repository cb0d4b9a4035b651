import Foundation
import HTTP
import Texts

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
        let widths = columns.indices.map { column in all.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
        return all.map { row in
            var text = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - DisplayWidth.columns(of: cell))
                text += columns[column].alignment == .left ? cell + padding : padding + cell
                text += "  "
            }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}
