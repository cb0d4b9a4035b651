public import Streams
public import Texts

extension ErrorCode {
    /// The text fits more than one instrument. Arguments: `symbol`, `candidates` (canonical symbols, comma and blank between).
    public static let symbolAmbiguous = ErrorCode("symbol.ambiguous")
}

/// The symbol table of this run: every instrument by id, and what people type resolved for a date (H-5).
public struct InstrumentTable: Sendable {
    /// Grows with every change of the shipped table; what logins exchange.
    public let version: UInt64
    public private(set) var all: [Instrument] = []
    private var byID: [InstrumentID: Int] = [:]
    private var bySymbol: [String: [Int]] = [:]
    private var byCode: [String: [Int]] = [:]
    private var byProduct: [String: [Int]] = [:]

    /// Rows in the table's order; ids are unique (checked by the reader).
    public init(version: UInt64, instruments: [Instrument]) {
        self.version = version
        for instrument in instruments { append(instrument) }
    }

    private mutating func append(_ instrument: Instrument) {
        let place = all.count
        all.append(instrument)
        byID[instrument.id] = place
        bySymbol[instrument.symbol, default: []].append(place)
        byCode[instrument.code, default: []].append(place)
        if let future = instrument.future { byProduct[future.product, default: []].append(place) }
    }

    /// Adds or replaces rows a server sent in band.
    public mutating func merge(_ rows: [Instrument]) {
        for row in rows {
            if let place = byID[row.id], all[place].symbol == row.symbol, all[place].code == row.code {
                all[place] = row
            } else if byID[row.id] == nil {
                append(row)
            } else {
                let kept = all.filter { $0.id != row.id } + [row]
                self = InstrumentTable(version: version, instruments: kept)
            }
        }
    }

    public subscript(id: InstrumentID) -> Instrument? { byID[id].map { all[$0] } }

    /// The contract of a product with the earliest expiry that is still listed on that day.
    public func front(product: String, on day: TradingDay) -> Instrument? {
        (byProduct[product] ?? []).map { all[$0] }.filter { $0.isListed(on: day) }
            .min { ($0.future?.expiry ?? day) < ($1.future?.expiry ?? day) }
    }

    /// What a person typed, as of a day. Case, full-width letters and blanks around do not matter. Understood:
    /// `700`, `0700`, `00700`, `700.HK`, `HK.00700`, `HK00700`, `SEHK:700` · `AAPL`, `AAPL.US`, `US.AAPL` · `HSI2612`, `HSI2612.HKFE` ·
    /// `HSIZ6`, `ESZ26` (a one-digit year is the first not yet expired on that day) · `ES` (the front contract) · `HSI.INDX`.
    /// A bare code that is both an index and a product (`HSI`) is ambiguous and an error: a wrong instrument is worse than none.
    public func resolve(_ text: String, on day: TradingDay) -> Result<Instrument, Failure> {
        let unknown = Failure(.symbolUnknown, .init("symbol", String(text.prefix(64))))
        guard let habit = SymbolHabit(text) else { return .failure(unknown) }
        var found = candidates(habit, on: day)
        let listed = found.filter { $0.isListed(on: day) }
        if !listed.isEmpty { found = listed }
        guard let first = found.first else { return .failure(unknown) }
        guard found.count == 1 else {
            let names = found.map(\.symbol).joined(separator: ", ")
            return .failure(Failure(.symbolAmbiguous, .init("symbol", String(text.prefix(64))), .init("candidates", names)))
        }
        return .success(first)
    }

    private func candidates(_ habit: SymbolHabit, on day: TradingDay) -> [Instrument] {
        func fits(_ instrument: Instrument) -> Bool { habit.suffix.map { $0 == instrument.market.suffix } ?? true }
        var found = (byCode[habit.code] ?? []).map { all[$0] }.filter(fits)
        if let month = habit.contract {
            found += (byProduct[month.product] ?? []).map { all[$0] }.filter { fits($0) && month.names($0, on: day) }
        } else if let front = front(product: habit.code, on: day), fits(front) {
            found.append(front)
        }
        var seen = Set<InstrumentID>()
        return found.filter { seen.insert($0.id).inserted }
    }
}

/// A typed symbol taken apart.
struct SymbolHabit: Hashable {
    var code: String
    /// Market suffix, where one was typed.
    var suffix: String?
    /// `HSIZ6`, `ESZ26`.
    var contract: ContractMonth?

    struct ContractMonth: Hashable {
        var product: String
        var month: Int
        /// As typed: one digit or two.
        var year: Int
        var digits: Int

        func names(_ instrument: Instrument, on day: TradingDay) -> Bool {
            guard let future = instrument.future, future.expiry.month == month else { return false }
            if digits == 2 { return future.expiry.year % 100 == year }
            // The first year ending in that digit whose month has not passed on the day.
            let passed = month < day.month ? day.year + 1 : day.year
            return future.expiry.year == passed + (year - passed % 10 + 10) % 10
        }
    }

    init?(_ text: String) {
        var letters: [UInt8] = []
        for scalar in text.unicodeScalars {
            let value = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
            switch value {
            case 0x200B...0x200F, 0xFEFF, 9, 10, 13: continue
            case 0x20, 0x3000, 0xA0: letters.append(32)
            case 97...122: letters.append(UInt8(value - 32))
            case 33...126: letters.append(UInt8(value))
            default: return nil
            }
            guard letters.count <= 40 else { return nil }
        }
        var words = String(decoding: letters, as: UTF8.self).split(separator: " ").map(String.init)
        if words.last == "EQUITY", words.count == 3 { words.removeLast() }
        guard let first = words.first, words.count <= 2 else { return nil }
        let whole = words.count == 2 ? first + "." + words[1] : first
        guard let (code, suffix) = Self.split(whole) else { return nil }
        self.suffix = suffix
        self.code = Self.isNumber(code) && code.utf8.count < 5 ? String(repeating: "0", count: 5 - code.utf8.count) + code : code
        if suffix == nil, Self.isNumber(code) { self.suffix = "HK" }
        contract = Self.contract(code)
    }

    private static func isNumber(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } }

    private static let venues = [
        "HK": "HK", "SEHK": "HK", "HKEX": "HK", "US": "US", "HKFE": "HKFE", "CME": "CME", "COMEX": "COMEX", "INDX": "INDX",
    ]

    private static func split(_ text: String) -> (String, String?)? {
        for mark: Character in [":", "."] {
            guard let place = text.lastIndex(of: mark) else { continue }
            let before = String(text[..<place])
            let after = String(text[text.index(after: place)...])
            if mark == ".", let venue = venues[after], !before.isEmpty { return (before, venue) }
            if let venue = venues[before], !after.isEmpty { return (after, venue) }
            return mark == "." ? (text, nil) : nil
        }
        if text.hasPrefix("HK"), text.utf8.count <= 7, isNumber(String(text.dropFirst(2))) { return (String(text.dropFirst(2)), "HK") }
        return text.isEmpty ? nil : (text, nil)
    }

    private static func contract(_ code: String) -> ContractMonth? {
        let digits = code.reversed().prefix { $0.isASCII && $0.isNumber }.count
        guard (1...2).contains(digits), let year = Int(code.suffix(digits)) else { return nil }
        let rest = code.dropLast(digits)
        guard let letter = rest.last, let month = Array("FGHJKMNQUVXZ").firstIndex(of: letter), rest.count >= 2 else { return nil }
        return ContractMonth(product: String(rest.dropLast()), month: month + 1, year: year, digits: digits)
    }
}
