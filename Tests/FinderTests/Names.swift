import Exact
import Foundation
import Instruments

@testable import Finder

/// Real names, as the bench has them.
enum Names {
    static let all: [Instrument] = load()

    /// All of Hong Kong's with Chinese names, and some of the others.
    static let some: [Instrument] = all.enumerated()
        .filter { !$0.element.names.simplified.isEmpty || $0.offset % 5 == 0 || known.contains($0.element.code) }.map(\.element)

    private static let known: Set<String> = ["AAPL", "MSFT", "META", "BRK.B", "BRK.A", "TSLA", "NVDA", "SHOP", "ON", "NA", "GOOG", "T"]

    static let index: SearchIndex? = try? SearchIndex(Data(SearchIndexBuilder.build(some, version: 7)))

    private static func load() -> [Instrument] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Benchmarks/search-names.csv")
        guard let table = try? CSVTable(path: file.path, required: ["code", "market", "kind", "name_en", "name_zh_hans", "name_zh_hant"])
        else { return [] }
        return table.rows.enumerated().compactMap { place, row in
            let fields = row.fields.map(String.init)
            guard let market = Market(rawValue: fields[1]), let kind = Instrument.Kind(rawValue: fields[2]) else { return nil }
            return instrument(
                UInt32(place + 1), fields[0], fields[3], fields[4], fields[5].isEmpty ? fields[4] : fields[5], market: market, kind: kind)
        }
    }

    static func instrument(
        _ id: UInt32, _ code: String, _ english: String, _ simplified: String = "", _ traditional: String = "", market: Market = .xhkg,
        kind: Instrument.Kind = .stock
    ) -> Instrument {
        let short = market == .xhkg ? String(code.drop { $0 == "0" }) : code
        return Instrument(
            id: InstrumentID(id), market: market, code: code, symbol: short + "." + market.suffix, kind: kind,
            currency: market == .xhkg ? .hkd : .usd,
            names: .init(english: english, simplified: simplified, traditional: traditional), lot: Quantity(units: 100_000_000),
            multiplier: 1, decimals: 2, tickTable: "US")
    }
}
