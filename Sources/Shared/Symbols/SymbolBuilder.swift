import Exact
public import Instruments
import Streams

/// Makes the rows of a release: sources and ledger in, rows and the ledger with what is new out. Nothing else matters to the result.
public enum SymbolBuilder {
    public static func rows(_ sources: SymbolSources) throws(DataFault) -> (rows: [SymbolRow], ledger: SymbolLedger) {
        var ledger = sources.ledger
        var rows: [SymbolRow] = []
        let byHand = Dictionary(sources.byHand.map { (listing($0.market, $0.code), $0) }) { first, _ in first }
        // A code that was another's before is the present one's from the day after.
        var since: [String: TradingDay] = [:]
        for former in sources.former {
            let symbol = former.security.symbol
            since[symbol] = max(since[symbol] ?? former.to, former.to).following
        }
        var present: [String: InstrumentID] = [:]
        let order = Dictionary(uniqueKeysWithValues: Market.allCases.enumerated().map { ($0.element, $0.offset) })
        let listed = sources.listed.sorted { (order[$0.market] ?? 0, $0.code) < (order[$1.market] ?? 0, $1.code) }
        for security in listed {
            let place = listing(security.market, security.code)
            var row: SymbolRow
            if let known = byHand[place] {
                row = SymbolRow(known)
            } else {
                let id = ledger.id(
                    .init(
                        market: security.market, code: security.code, listedFrom: since[security.symbol],
                        isin: security.isReused ? security.isin : ""))
                row = SymbolRow(instrument(security, id, named(security, sources)))
                row.instrument.listedFrom = since[security.symbol]
            }
            (row.isin, row.flags, row.counter, row.roundLot) = (security.isin, security.flags, security.counter, security.roundLot)
            present[place] = row.instrument.id
            rows.append(row)
        }
        for var contract in sources.contracts where byHand[listing(contract.market, contract.code)] == nil {
            contract.id = ledger.id(.init(market: contract.market, code: contract.code, listedFrom: nil, isin: ""))
            rows.append(SymbolRow(contract))
        }
        rows += sources.byHand.filter { present[listing($0.market, $0.code)] == nil }.map { SymbolRow($0) }
        for former in sources.former {
            let key = SymbolLedger.Key(market: former.security.market, code: former.security.code, listedFrom: former.from, isin: "")
            var row = SymbolRow(instrument(former.security, ledger.id(key), nil))
            row.instrument.listedFrom = former.from
            if let successor = former.successor {
                guard let id = present[listing(successor.market, successor.code)] else {
                    throw DataFault(
                        file: "former.csv", line: former.security.line, reason: "names the successor \(successor.code), which is not listed"
                    )
                }
                row.instrument.successor = id
            }
            rows.append(row)
        }
        return (rows.sorted { $0.instrument.id < $1.instrument.id }, ledger)
    }

    private static func listing(_ market: Market, _ code: String) -> String { market.rawValue + ":" + code }

    private static func named(_ security: ListedSecurity, _ sources: SymbolSources) -> Instrument.Names? {
        security.market == .xhkg ? sources.names[security.code] : sources.chineseNames[security.symbol]
    }

    private static func instrument(_ security: ListedSecurity, _ id: InstrumentID, _ known: Instrument.Names?) -> Instrument {
        let english = known.map { $0.english.isEmpty ? security.name : $0.english } ?? security.name
        return Instrument(
            id: id, market: security.market, code: security.code, symbol: security.symbol, kind: security.kind, currency: security.currency,
            names: .init(english: english, simplified: known?.simplified ?? "", traditional: known?.traditional ?? ""),
            lot: Quantity(units: security.lot * 100_000_000), multiplier: 1, decimals: security.decimals, tickTable: security.tickTable,
            listedTo: security.listedTo)
    }
}

extension TradingDay {
    /// The next day of the civil calendar.
    var following: TradingDay { TradingDay(daysSince1970: daysSince1970 + 1) ?? self }
}
