import Exact
import Instruments
import Streams

/// What an official list says of one security, before it has an id.
struct ListedSecurity: Hashable, Sendable {
    /// Line or row of the list.
    var line: Int
    var market: Market
    var code: String
    var kind: Instrument.Kind
    var currency: Currency
    var name: String
    var lot: Int64
    var tickTable: String
    var decimals: Int
    var listedTo: TradingDay?
    var isin = ""
    var flags: SymbolRow.Flags = []
    var counter = ""
    var roundLot = 0

    /// Canonical text: `700.HK`, `BRK.B.US`, `ABR-D.US` for a series of preferred shares the tape writes `ABR$D`.
    var symbol: String {
        if market == .xhkg { return code.drop { $0 == "0" } + ".HK" }
        let written = code.hasSuffix("$") ? code.dropLast() + "-PR" : code.replacing("$", with: "-")
        return written + "." + market.suffix
    }

    /// Codes of products that end are given to others afterwards; their ISIN tells them apart.
    var isReused: Bool { [.structured, .debt, .warrant, .right].contains(kind) }
}

/// A list as a table: cells by column, whatever file it came from.
struct ListTable {
    var file: String
    var columns: [String]
    var rows: [(line: Int, cells: [String])]

    /// The first column whose name begins so.
    func index(_ prefix: String) -> Int? {
        columns.firstIndex { $0.lowercased().hasPrefix(prefix.lowercased()) }
    }

    func required(_ prefix: String, line: Int) throws(DataFault) -> Int {
        guard let index = index(prefix) else { throw DataFault(file: file, line: line, reason: "has no column \(prefix)") }
        return index
    }

    /// UTF-8 without a mark of another encoding.
    static func text(_ bytes: [UInt8], _ file: String) throws(DataFault) -> String {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard !body.contains(0), let text = String(validating: body, as: UTF8.self) else {
            throw DataFault(file: file, line: 0, reason: "is not UTF-8")
        }
        return text
    }
}
