import Foundation
import Glibc
import HTTP
import Terminal
import Texts

/// Where a command's results go: aligned text for people, one JSON object a line for programs. Every line is written at once.
struct Output: Sendable {
    var json: Bool

    static let standard = Output(json: false)

    /// Columns of the terminal (`COLUMNS`, where it is set); nil for a pipe or a file.
    static let width: Int? = {
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 { return columns }
        return terminalColumns
    }()

    /// Columns of the terminal now, whatever its size was; nil where there is none.
    static var terminalColumns: Int? {
        var window = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return nil }
        return Int(window.ws_col)
    }

    /// Whether standard output is a terminal that has the characters for more than text.
    static var showsBlocks: Bool { terminalColumns != nil && TerminalKind(ProcessInfo.processInfo.environment) == .capable }

    func line(_ text: String) { Self.write((json ? text : Self.harmless(text)) + "\n", to: .standardOutput) }

    /// Prints the object when `--json` is on, else the lines.
    func show(_ object: @autoclosure () -> JSONValue, text: @autoclosure () -> [String]) {
        if json { line(object().serialized()) } else { text().forEach(line) }
    }

    /// A line that nothing depends on: where nobody reads any more it is lost, and the program goes on.
    func tell(_ object: JSONValue, text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(((json ? object.serialized() : Self.harmless(text)) + "\n").utf8))
    }

    static func error(_ text: String) { write(harmless(text) + "\n", to: .standardError) }

    /// What others wrote into a text (an argument, a file's words) moves no cursor, rings no bell and turns no line around.
    static func harmless(_ text: String) -> String { isPlain(text) ? text : Echo.harmless(text, keeping: ["\t", "\n"]) }

    /// Whether there is nothing but printable ASCII, tabs and ends of lines, told eight bytes at a time: tables of numbers are long.
    private static func isPlain(_ text: String) -> Bool {
        let plain = text.utf8.withContiguousStorageIfAvailable { (bytes) -> Bool in
            let bytes = UnsafeRawBufferPointer(bytes)
            func arePlain(_ places: Range<Int>) -> Bool {
                bytes[places].allSatisfy { (32..<127).contains($0) || $0 == 9 || $0 == 10 }
            }
            let ones: UInt64 = 0x0101_0101_0101_0101
            var place = 0
            while place + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                // A byte's highest bit: it is below 32, it is 127, or it is above.
                let odd = (((word &- 32 &* ones) & ~word) | (word &+ ones) | word) & (128 &* ones)
                if odd != 0, !arePlain(place..<place + 8) { return false }
                place += 8
            }
            return arePlain(place..<bytes.count)
        }
        return plain ?? false
    }

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
    /// The first column that may move, with those behind it, to a line of its own below the row, where not all of them fit.
    var folding: Int?
    /// The column whose texts are cut, with an ellipsis, where rows are wider than the terminal: names.
    var cutting: Int?

    init(_ columns: (String, Alignment)...) { self.columns = columns.map { (title: $0.0, alignment: $0.1) } }

    init(in language: Language, folding: Int? = nil, _ columns: (Text?, Alignment)...) {
        self.columns = columns.map { (title: $0.0?.words(in: language) ?? "", alignment: $0.1) }
        self.folding = folding
    }

    /// Columns that a cut text keeps.
    private static let leastCut = 12

    var lines: [String] { lines(within: nil) }

    /// `width`: of the terminal; nil where there is none, and every row is one line.
    func lines(within width: Int?) -> [String] {
        // Before anything is measured: what is written out has a width.
        let all = ([columns.map(\.title)] + rows).map { row in row.map { Echo.harmless($0) } }
        var widths = columns.indices.map { column in all.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
        if let width, let cutting {
            let over = widths.reduce(0, +) + 2 * (widths.count - 1) - width
            if over > 0 { widths[cutting] = max(min(widths[cutting], Self.leastCut), widths[cutting] - over) }
        }
        func fits(_ count: Int) -> Bool { width.map { widths[..<count].reduce(0, +) + 2 * (count - 1) <= $0 } ?? true }
        guard !fits(widths.count), let folding else { return all.map { line($0, widths, 0..<widths.count) } }
        let shown = (folding..<widths.count).last(where: fits) ?? folding
        return all.flatMap { row in
            let below = row[shown...].filter { !$0.isEmpty }.joined(separator: "  ")
            return [line(row, widths, 0..<shown)] + (below.isEmpty ? [] : ["  " + below])
        }
    }

    private func line(_ row: [String], _ widths: [Int], _ shown: Range<Int>) -> String {
        var text = shown.map { DisplayWidth.pad(row[$0], to: widths[$0], edge: columns[$0].alignment == .left ? .left : .right) }
            .joined(separator: "  ")
        while text.last == " " { text.removeLast() }
        return text
    }
}
