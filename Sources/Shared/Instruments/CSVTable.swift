import Files
import Foundation

/// What is wrong with a data file: which file, which line, what was found.
public struct DataFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// From 1; 0 where the whole file is meant.
    public var line: Int
    public var reason: String

    public init(file: String, line: Int, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    public var description: String { line > 0 ? "\(file):\(line): \(reason)" : "\(file): \(reason)" }
}

/// A comma-separated table with a header row: UTF-8, `\n` or `\r\n`, RFC 4180 quotes. Bounded: 64 MB, 64 columns.
package struct CSVTable: Sendable {
    package let file: String
    package let columns: [String]
    package private(set) var rows: [Row] = []

    package struct Row: Sendable {
        package let line: Int
        package let fields: [Substring]
    }

    package static let maximumBytes = 64 << 20

    /// Reads a file whole; its header must hold every column of `required`. `name`: what faults call it; nil is the last of the path.
    package init(path: String, name: String? = nil, required: [String]) throws(DataFault) {
        let name = name ?? path.split(separator: "/").last.map(String.init) ?? path
        let bytes: [UInt8]
        do throws(RegularFile.Fault) { bytes = try RegularFile.read(path, limit: Self.maximumBytes) } catch {
            let reason =
                switch error {
                case .missing: "is not there"
                case .notRegular: "is no regular file"
                case .tooLong: "is longer than 64 MB"
                case .unreadable(let reason): "cannot be read: \(reason)"
                }
            throw DataFault(file: name, line: 0, reason: reason)
        }
        guard let text = String(bytes: bytes, encoding: .utf8) else { throw DataFault(file: name, line: 0, reason: "is not UTF-8") }
        try self.init(text: text, file: name, required: required)
    }

    package init(text: String, file: String, required: [String]) throws(DataFault) {
        self.file = file
        var lines = try Self.parse(text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text, file: file)
        guard !lines.isEmpty else { throw DataFault(file: file, line: 1, reason: "has no header row") }
        let header = lines.removeFirst()
        columns = header.fields.map(String.init)
        guard columns.count <= 64 else { throw DataFault(file: file, line: 1, reason: "has more than 64 columns") }
        guard Set(columns).count == columns.count else { throw DataFault(file: file, line: 1, reason: "has a column twice") }
        for name in required where !columns.contains(name) {
            throw DataFault(file: file, line: 1, reason: "has no column \(name)")
        }
        for row in lines where row.fields.count != columns.count {
            throw DataFault(file: file, line: row.line, reason: "has \(row.fields.count) fields, the header has \(columns.count)")
        }
        rows = lines
    }

    /// The place of a column the caller named in `required`.
    package func index(_ column: String) -> Int {
        guard let index = columns.firstIndex(of: column) else { preconditionFailure("column \(column) was not required of \(file)") }
        return index
    }

    private static func parse(_ text: String, file: String) throws(DataFault) -> [Row] {
        var rows: [Row] = []
        var text = text
        text.makeContiguousUTF8()
        if !text.utf8.contains(34) {
            var line = 0
            for raw in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
                line += 1
                let content = raw.last == 13 ? raw.dropLast() : raw
                if content.isEmpty { continue }
                let fields = content.split(separator: 44, omittingEmptySubsequences: false).map { Substring($0) }
                rows.append(Row(line: line, fields: fields))
            }
            return rows
        }
        return try parseQuoted(text, file: file)
    }

    private static func parseQuoted(_ text: String, file: String) throws(DataFault) -> [Row] {
        var rows: [Row] = []
        var fields: [Substring] = []
        var field = ""
        var quoted = false
        var line = 1
        var start = 1
        var bytes: [UInt8] = []
        func close() {
            field = String(decoding: bytes, as: UTF8.self)
            bytes.removeAll(keepingCapacity: true)
            fields.append(Substring(field))
        }
        var iterator = text.utf8.makeIterator()
        var pending = iterator.next()
        while let byte = pending {
            pending = iterator.next()
            if byte == 10 { line += 1 }
            if quoted {
                guard byte == 34 else {
                    bytes.append(byte)
                    continue
                }
                if pending == 34 {
                    bytes.append(34)
                    pending = iterator.next()
                } else {
                    quoted = false
                }
                continue
            }
            switch byte {
            case 34: quoted = true
            case 44: close()
            case 13: continue
            case 10:
                close()
                if fields.count > 1 || fields.first?.isEmpty == false { rows.append(Row(line: start, fields: fields)) }
                fields = []
                start = line
            default: bytes.append(byte)
            }
        }
        if quoted { throw DataFault(file: file, line: start, reason: "ends inside quotes") }
        if !bytes.isEmpty || !fields.isEmpty {
            close()
            rows.append(Row(line: start, fields: fields))
        }
        return rows
    }
}

/// Reads a plain decimal (`-12.50`, no exponent, no thousands marks) as a whole number of 10⁻ˢ. Nil: another form, more than
/// `scale` decimals that matter, or outside Int64.
@inlinable
package func scaledDecimal(_ text: some StringProtocol, scale: Int) -> Int64? {
    var value: Int64 = 0
    var decimals = -1
    var digits = 0
    var negative = false
    for (place, byte) in text.utf8.enumerated() {
        switch byte {
        case 45 where place == 0: negative = true
        case 46 where decimals < 0: decimals = 0
        case 48...57:
            if decimals >= scale {
                if byte != 48 { return nil }
                continue
            }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int64(byte - 48))
            if overflow || carried { return nil }
            value = sum
            digits += 1
            if decimals >= 0 { decimals += 1 }
        default: return nil
        }
    }
    guard digits > 0, decimals != 0 else { return nil }
    for _ in 0..<(scale - max(0, decimals)) {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        if overflow { return nil }
        value = product
    }
    return negative ? -value : value
}
