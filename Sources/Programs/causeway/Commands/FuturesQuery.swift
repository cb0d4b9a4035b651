import Instruments
import Streams
import Symbols
import Texts

/// What people call the contracts of Hong Kong's index futures, and a contract's month written behind a product: `恒指期货`, `期指`,
/// `HSI 12月`, `小恒指2027年3月`. The names in the symbol table hold neither.
struct FuturesQuery: Hashable {
    var product: String
    /// The index itself is meant as well, and first.
    var hasIndex = false
    var month: Int?
    var year: Int?

    private static let names: [String: String] = [
        "恒指": "HSI", "恒生指数": "HSI", "大恒指": "HSI", "期指": "HSI", "恒生期指": "HSI", "恒指期": "HSI", "大期": "HSI", "小恒指": "MHI", "小型恒指": "MHI",
        "小期": "MHI", "国指": "HHI", "国企指数": "HHI", "国企期指": "HHI", "国指期": "HHI", "科指": "HTI", "恒生科技指数": "HTI", "科指期": "HTI",
    ]
    /// Traditional characters of those names.
    private static let simplified: [Character: Character] = [
        "恆": "恒", "數": "数", "國": "国", "貨": "货", "細": "小", "细": "小",
    ]

    /// Nil where it is neither.
    init?(_ text: String) {
        guard text.unicodeScalars.count <= 64 else { return nil }
        var rest = text.uppercased().filter { !$0.isWhitespace }.map { Self.simplified[$0] ?? $0 }[...]
        func drop(_ end: String) -> Bool {
            guard rest.count > end.count, rest.suffix(end.count).elementsEqual(end) else { return false }
            rest = rest.dropLast(end.count)
            return true
        }
        func number(_ most: Int) -> Int? {
            let digits = rest.reversed().prefix { ("0"..."9").contains($0) }.reversed()
            guard (1...most).contains(digits.count) else { return nil }
            rest = rest.dropLast(digits.count)
            return Int(String(digits))
        }
        let isFuture = drop("期货")
        if drop("月") {
            guard let month = number(2), (1...12).contains(month) else { return nil }
            self.month = month
            if drop("年") {
                guard let year = number(4) else { return nil }
                self.year = year < 100 ? 2000 + year : year
            }
        }
        let isFuturesName = drop("期货") || isFuture
        let name = String(rest)
        if let known = Self.names[name] {
            product = known
            hasIndex = month == nil && !isFuturesName && !name.contains("期") && !name.hasPrefix("小")
        } else {
            guard month != nil, (1...6).contains(name.utf8.count),
                name.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) })
            else { return nil }
            product = name
        }
    }

    /// Listed on the day, the index first, then the contracts by their last day.
    func instruments(on day: TradingDay, _ database: some InstrumentLookup) throws(Failure) -> [Instrument] {
        let contracts = try database.instruments(product: product).filter { $0.isListed(on: day) && isWanted($0) }
            .sorted { ($0.future?.expiry ?? day, $0.symbol) < ($1.future?.expiry ?? day, $1.symbol) }
        let index = hasIndex ? try database.instruments(code: product).filter { $0.kind == .index && $0.isListed(on: day) } : []
        return index + contracts
    }

    /// Its code ends in two digits of the year and two of the month.
    private func isWanted(_ contract: Instrument) -> Bool {
        guard let month else { return true }
        guard let number = Int(contract.code.suffix(4)) else { return false }
        return number % 100 == month && (year.map { number / 100 == $0 % 100 } ?? true)
    }
}
