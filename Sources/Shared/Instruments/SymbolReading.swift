import Streams

/// What a typed symbol says by its form alone, before any table is asked (H-5).
public enum SymbolReading: Hashable, Sendable {
    /// Nothing but blanks.
    case empty
    /// `HK.`: a market and no code.
    case noCode(venue: String)
    /// Not the form of a code: `1e5`, `ES=F`, a name. Something to search for.
    case words
    case code(SymbolForm)
    /// `000001`: the markets it may mean, the likelier first.
    case ambiguous([SymbolForm])

    /// - Parameter venue: where a futures product is traded (`HSI` → `HKFE`), nil for no product.
    public init(_ text: String, venue: (_ product: String) -> String? = { _ in nil }) {
        guard var letters = Self.plain(text) else {
            self = .words
            return
        }
        var words = letters.split(separator: " ").map(String.init)
        if words.count > 1, ["EQUITY", "INDEX", "COMDTY", "CURNCY"].contains(words.last?.uppercased() ?? "") { words.removeLast() }
        guard let first = words.first else {
            self = .empty
            return
        }
        guard words.count <= 3 else {
            self = .words
            return
        }
        // `BRK B US`, `700 HK`, `BRK B`: as with dots. `ABR PR D`: a preferred share.
        if words.count == 3, words[1].uppercased() == "PR", words[2].utf8.count == 1 { words = [first + "$" + words[2]] }
        letters = words.joined(separator: ".")
        let isCashtag = letters.hasPrefix("$") && letters.dropFirst().first?.isLetter == true
        if isCashtag { letters.removeFirst() }
        guard let (code, place) = Self.split(Self.preferred(letters).uppercased()) else {
            self = .words
            return
        }
        if code.isEmpty {
            self = place.map { .noCode(venue: $0) } ?? .words
        } else {
            self = Self.reading(code, place ?? (isCashtag ? "US" : nil), venue)
        }
    }

    private static func reading(_ code: String, _ place: String?, _ venue: (String) -> String?) -> SymbolReading {
        if SymbolForm.isNumber(code) { return number(code, place) }
        guard code.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || $0 == 46 || $0 == 36 }), code.first != ".",
            code.last != "."
        else { return .words }
        var form = SymbolForm(code: code, venue: place)
        form.contract = SymbolForm.ContractMonth(code)
        let product = form.contract?.product ?? code
        if place == nil, let known = venue(product) {
            // A bare product's name may be an index or a share too.
            if form.contract != nil { form.venue = known }
        } else if code.first?.isNumber == true, form.contract == nil, place == nil {
            return .words
        } else if place == nil, form.contract == nil, code.utf8.allSatisfy({ $0 >= 65 || $0 == 46 || $0 == 36 }) {
            (form.venue, form.isGuess) = ("US", true)
        }
        if place.map({ SymbolForm.foreign.contains($0) }) ?? false { form.orClassShare = code + "." + (place ?? "") }
        return .code(form)
    }

    /// Up to five digits are Hong Kong's. Six are the mainland's, where the same number may be a share in Shenzhen and an index in Shanghai.
    private static func number(_ code: String, _ place: String?) -> SymbolReading {
        if place == "HK" || (place == nil && code.utf8.count <= 5) {
            return .code(SymbolForm(code: String(repeating: "0", count: max(0, 5 - code.utf8.count)) + code, venue: "HK"))
        }
        if let place { return .code(SymbolForm(code: code, venue: place)) }
        guard code.utf8.count == 6 else { return .words }
        if code.hasPrefix("000") { return .ambiguous([SymbolForm(code: code, venue: "SZ"), SymbolForm(code: code, venue: "SH")]) }
        switch code.first {
        case "0", "1", "2", "3": return .code(SymbolForm(code: code, venue: "SZ"))
        case "4", "8": return .code(SymbolForm(code: code, venue: "BJ"))
        default: return .code(SymbolForm(code: code, venue: code.hasPrefix("92") ? "BJ" : "SH"))
        }
    }

    /// Full-width letters made plain, marks without width dropped, blanks alike. Nil: a sign no code has, or too long.
    private static func plain(_ text: String) -> String? {
        var letters: [UInt8] = []
        for scalar in text.unicodeScalars {
            let value = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
            switch value {
            case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0xFEFF, 9, 10, 13: continue
            case 0x20, 0x3000, 0xA0, 0x2000...0x200A: letters.append(32)
            case 33...126: letters.append(UInt8(value))
            default: return nil
            }
            guard letters.count <= 40 else { return nil }
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// `ABRpD`, as the consolidated tape writes a preferred share.
    private static func preferred(_ text: String) -> String {
        let head = text.prefix { ("A"..."Z").contains($0) }
        let tail = text.dropFirst(head.count)
        guard head.count >= 1, tail.first == "p", tail.utf8.count == 2, let series = tail.last, ("A"..."Z").contains(series) else {
            return text
        }
        return head + "$" + String(series)
    }

    /// The code and the market that was named with it; class shares with their dot.
    private static func split(_ text: String) -> (code: String, venue: String?)? {
        func parts(_ place: String.Index) -> (String, String) { (String(text[..<place]), String(text[text.index(after: place)...])) }
        if let place = text.lastIndex(of: ":") {
            let (before, after) = parts(place)
            if let venue = SymbolForm.venues[before] { return (dotted(after), venue) }
            return SymbolForm.venues[after].map { (dotted(before), $0) }
        }
        if let place = text.lastIndex(of: ".") {
            let (before, after) = parts(place)
            if let venue = SymbolForm.venues[after] ?? (SymbolForm.foreign.contains(after) ? after : nil) { return (dotted(before), venue) }
        }
        if let place = text.firstIndex(of: ".") {
            let (before, after) = parts(place)
            if let venue = SymbolForm.venues[before] { return (dotted(after), venue) }
        }
        for (head, venue, count) in [("HK", "HK", 1...5), ("SH", "SH", 6...6), ("SZ", "SZ", 6...6), ("BJ", "BJ", 6...6)] {
            let rest = String(text.dropFirst(2))
            if text.hasPrefix(head), SymbolForm.isNumber(rest), count.contains(rest.utf8.count) { return (rest, venue) }
        }
        return (dotted(text), nil)
    }

    /// The class after `.`, `-` or `/`: `BRK.B`.
    private static func dotted(_ code: String) -> String {
        guard let place = code.lastIndex(where: { $0 == "-" || $0 == "/" }) else { return code }
        let tail = code[code.index(after: place)...]
        guard place > code.startIndex, (1...2).contains(tail.utf8.count) else { return code }
        return tail == "PR" ? code[..<place] + "$" : code[..<place] + "." + tail
    }
}

/// A code and the market it is of, as far as its form tells.
public struct SymbolForm: Hashable, Sendable {
    /// As the exchange writes it: `00700`, `BRK.B`, `HSI2612`.
    public var code: String
    /// What follows the dot of a symbol (`HK`, `US`), also of markets without a table here (`SH`, `SZ`, `L`). Nil: any.
    public var venue: String?
    /// `HSIZ6`, `ESZ26`, `HSI2612`.
    public var contract: ContractMonth?
    /// Letters alone are a US share's unless an index or a product has the name.
    var isGuess = false
    /// `VOD.L` may be a class of a US share before it is London's.
    var orClassShare: String?

    public init(code: String, venue: String?) {
        self.code = code
        self.venue = venue
    }

    /// The codes it may stand under, the likelier first: a class after a dot may be a series of preferred shares (`ABR-D` is `ABR$D`).
    var codes: [String] {
        guard let place = code.lastIndex(of: "."), venue == "US" || venue == nil else { return [code] }
        return [code, code[..<place] + "$" + code[code.index(after: place)...]]
    }

    /// `BRKB` may mean `BRK.B`: what a search may offer where no such code is.
    public var withClass: String? {
        guard venue == "US" || venue == nil, code.utf8.count >= 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        return code.dropLast() + "." + code.suffix(1)
    }

    /// Whether a table here holds instruments of that market.
    public static func isCarried(_ venue: String) -> Bool { Market.allCases.contains { $0.suffix == venue } }

    static func isNumber(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) } }

    static let venues: [String: String] = {
        let names = [
            "HK": "HK SEHK HKEX HKG XHKG", "US": "US NASDAQ NYSE AMEX ARCA NYSEARCA BATS IEX XNAS XNYS ARCX XASE IEXG", "HKFE": "HKFE XHKF",
            "CME": "CME XCME", "CBOT": "CBOT CBT XCBT", "NYMEX": "NYMEX NYM XNYM", "COMEX": "COMEX CMX XCEC", "SHFE": "SHFE XSGE",
            "CFFEX": "CFFEX CCFX", "INDX": "INDX", "SH": "SH SS SSE XSHG", "SZ": "SZ SZSE XSHE", "BJ": "BJ BSE",
        ]
        return Dictionary(uniqueKeysWithValues: names.flatMap { venue, all in all.split(separator: " ").map { (String($0), venue) } })
    }()

    /// What other vendors write after the dot for London, Tokyo, Toronto and so on.
    static let foreign: Set<String> = ["L", "T", "TO", "DE", "PA", "SI", "AX", "KS", "TW"]

    public struct ContractMonth: Hashable, Sendable {
        public var product: String
        public var month: Int
        /// As typed: one digit or two.
        public var year: Int
        var digits: Int

        /// `ESZ6`, `ESZ26`, `ES2612`; nil for another form.
        init?(_ code: String) {
            let digits = code.utf8.reversed().prefix { (48...57).contains($0) }.count
            guard let number = Int(code.suffix(digits)) else { return nil }
            let head = code.dropLast(digits)
            switch digits {
            case 1, 2:
                guard let letter = head.last, let place = Array("FGHJKMNQUVXZ").firstIndex(of: letter), head.utf8.count >= 2 else {
                    return nil
                }
                self.init(product: String(head.dropLast()), month: place + 1, year: number, digits: digits)
            case 4:
                guard !head.isEmpty, (1...12).contains(number % 100) else { return nil }
                self.init(product: String(head), month: number % 100, year: number / 100, digits: 2)
            default: return nil
            }
            guard product.utf8.count <= 6, product.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) }) else { return nil }
        }

        private init(product: String, month: Int, year: Int, digits: Int) {
            self.product = product
            self.month = month
            self.year = year
            self.digits = digits
        }

        /// Whether the instrument is that contract, seen from a day: a one-digit year is the first whose month has not passed.
        func names(_ instrument: Instrument, on day: TradingDay) -> Bool {
            guard let named = instrument.contractMonth, named.month == month else { return false }
            if digits == 2 { return named.year % 100 == year }
            let passed = month < day.month ? day.year + 1 : day.year
            return named.year == passed + (year - passed % 10 + 10) % 10
        }
    }
}

extension Instrument {
    /// The month a futures contract is named after, which may not be the month it expires in (crude oil): from its code, `CL2612`.
    public var contractMonth: (year: Int, month: Int)? {
        guard let future else { return nil }
        let digits = code.utf8.suffix(4)
        guard digits.count == 4, digits.allSatisfy({ (48...57).contains($0) }), let number = Int(code.suffix(4)),
            (1...12).contains(number % 100)
        else { return (future.expiry.year, future.expiry.month) }
        return (2000 + number / 100, number % 100)
    }
}
