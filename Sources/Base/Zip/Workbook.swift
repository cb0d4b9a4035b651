/// What is wrong with an .xlsx file: which part of it.
public struct WorkbookFault: Error, Hashable, Sendable {
    /// `xl/worksheets/sheet1.xml`; empty where the file itself is meant.
    public var part: String
    public var reason: String
}

/// The first sheet of an Office Open XML workbook as text, cell by cell (ECMA-376 part 1, section 18.3). Formulas give their stored
/// result, numbers the text the file holds. Bounded: 64 MB of XML a part, a million cells' worth of rows, 256 columns.
public struct Workbook: Sendable {
    /// The sheet's rows that hold anything: number from 1, cells by column from 0; a gap is an empty text.
    public private(set) var rows: [(number: Int, cells: [String])] = []

    public static let maximumPart = 64 << 20
    static let maximumColumns = 256
    static let maximumRows = 200_000

    public init(_ bytes: [UInt8]) throws(WorkbookFault) {
        let archive: ZipArchive
        do throws(ZipFault) { archive = try ZipArchive(bytes) } catch { throw WorkbookFault(part: "", reason: Self.words(error)) }
        let sheet = archive.names.filter { $0.hasPrefix("xl/worksheets/sheet") && $0.hasSuffix(".xml") }
            .min { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        guard let sheet else { throw WorkbookFault(part: "", reason: "has no sheet") }
        let strings = archive.names.contains("xl/sharedStrings.xml") ? try Self.strings(archive) : []
        try read(archive, sheet, strings)
    }

    private static func words(_ fault: ZipFault) -> String {
        switch fault {
        case .notZip: "is no .xlsx file, or cut short"
        case .damaged(let name): "is damaged: \(name.prefix(80))"
        case .missing(let name): "has no part \(name.prefix(80))"
        case .tooLarge(let name): "would unpack to more than \(maximumPart >> 20) MB: \(name.prefix(80))"
        case .unsupported(let what): "cannot be read: \(what.prefix(120))"
        }
    }

    private static func part(_ archive: ZipArchive, _ name: String) throws(WorkbookFault) -> XMLScanner {
        do throws(ZipFault) { return XMLScanner(try archive.contents(of: name, limit: maximumPart)) } catch {
            throw WorkbookFault(part: name, reason: words(error))
        }
    }

    private static func next(_ scanner: inout XMLScanner, _ part: String) throws(WorkbookFault) -> XMLScanner.Event? {
        do throws(XMLFault) { return try scanner.next() } catch {
            throw WorkbookFault(part: part, reason: "is no good XML at byte \(error.byte): \(error.reason)")
        }
    }

    /// The shared texts: each `si` is the `t` of its runs, without phonetic hints.
    private static func strings(_ archive: ZipArchive) throws(WorkbookFault) -> [String] {
        let name = "xl/sharedStrings.xml"
        var scanner = try part(archive, name)
        var strings: [String] = []
        var current = ""
        var inText = false
        var hints = 0
        while let event = try next(&scanner, name) {
            switch event {
            case .start("si", _): current = ""
            case .start("rPh", _): hints += 1
            case .end("rPh"): hints -= 1
            case .start("t", _): inText = hints == 0
            case .end("t"): inText = false
            case .text(let text) where inText: current += text
            case .end("si"): strings.append(current)
            default: break
            }
        }
        return strings
    }

    private mutating func read(_ archive: ZipArchive, _ part: String, _ strings: [String]) throws(WorkbookFault) {
        var scanner = try Self.part(archive, part)
        var row: (number: Int, cells: [String])?
        var cell: (column: Int, type: String, text: String)?
        var takesText = false
        while let event = try Self.next(&scanner, part) {
            switch event {
            case .start("row", let attributes):
                let number = attributes["r"].flatMap { Int($0) } ?? (rows.last?.number ?? 0) + 1
                guard number > rows.last?.number ?? 0, rows.count < Self.maximumRows else {
                    throw WorkbookFault(part: part, reason: "has its rows out of order, or too many")
                }
                row = (number, [])
            case .end("row"):
                if let row, !row.cells.isEmpty { rows.append(row) }
                row = nil
            case .start("c", let attributes):
                guard let column = Self.column(attributes["r"]) ?? row?.cells.count, column < Self.maximumColumns else {
                    throw WorkbookFault(part: part, reason: "has a cell at \(attributes["r"]?.prefix(16) ?? "")")
                }
                cell = (column, attributes["t"] ?? "n", "")
            case .start("v", _), .start("t", _): takesText = cell != nil
            case .end("v"), .end("t"): takesText = false
            case .text(let text) where takesText: cell?.text += text
            case .end("c"):
                guard let done = cell else { continue }
                cell = nil
                if done.text.isEmpty { continue }
                let text = try Self.value(done.type, done.text, strings, part)
                while (row?.cells.count ?? done.column) < done.column { row?.cells.append("") }
                guard row?.cells.count == done.column else { throw WorkbookFault(part: part, reason: "has its cells out of order") }
                row?.cells.append(text)
            default: break
            }
        }
    }

    private static func value(_ type: String, _ text: String, _ strings: [String], _ part: String) throws(WorkbookFault) -> String {
        guard type == "s" else { return text }
        guard let place = Int(text), strings.indices.contains(place) else {
            throw WorkbookFault(part: part, reason: "names the shared text \(text.prefix(16)), which is not there")
        }
        return strings[place]
    }

    /// `C7` is column 2.
    private static func column(_ reference: String?) -> Int? {
        guard let reference else { return nil }
        var column = 0
        var letters = 0
        for byte in reference.utf8 {
            guard (65...90).contains(byte) else { break }
            letters += 1
            guard letters <= 3 else { return nil }
            column = column * 26 + Int(byte - 64)
        }
        return letters == 0 ? nil : column - 1
    }
}
