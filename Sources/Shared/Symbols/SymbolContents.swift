import Instruments
import Streams
public import Texts

extension ErrorCode {
    /// What is offered contradicts itself or says of an id something else than what is here does: `symbol`, `field`.
    public static let symbolsInconsistent = ErrorCode("symbols.inconsistent")
}

/// What rows must be to one another and to the rows before them. Hashes say that nothing was changed on the way; a list made wrongly, or to
/// do harm, has right hashes.
enum SymbolContents {
    /// - Throws: `symbols.inconsistent`.
    static func check(_ rows: [SymbolRow], known: [SymbolRow]) throws(Failure) {
        try checkIdentities(rows, known)
        var listings: [String: [Instrument]] = [:]
        for row in rows {
            let instrument = row.instrument
            if let from = instrument.listedFrom, let to = instrument.listedTo, from > to { throw fault(instrument, "listed_to") }
            guard instrument.id < .firstSimulated else { throw fault(instrument, "id") }
            // A symbol may have had another owner, never two on one day.
            for other in listings[instrument.symbol] ?? [] where overlap(instrument, other) { throw fault(instrument, "symbol") }
            listings[instrument.symbol, default: []].append(instrument)
        }
        try checkSuccessors(rows)
    }

    /// An id is one instrument for ever: positions, orders and drawings are kept by it.
    private static func checkIdentities(_ rows: [SymbolRow], _ known: [SymbolRow]) throws(Failure) {
        let before = Dictionary(known.map { ($0.instrument.id, $0.instrument) }) { first, _ in first }
        for row in rows {
            guard let old = before[row.instrument.id] else { continue }
            let new = row.instrument
            if old.market != new.market { throw fault(new, "market") }
            if old.code != new.code { throw fault(new, "code") }
            if old.currency != new.currency { throw fault(new, "currency") }
            if old.multiplier != new.multiplier { throw fault(new, "multiplier") }
            if old.future?.product != new.future?.product || old.future?.expiry != new.future?.expiry { throw fault(new, "product") }
        }
    }

    /// Each leads to a row, and none in a circle.
    private static func checkSuccessors(_ rows: [SymbolRow]) throws(Failure) {
        let instruments = Dictionary(rows.map { ($0.instrument.id, $0.instrument) }) { first, _ in first }
        for row in rows where row.instrument.successor != nil {
            var steps = 0
            var next = row.instrument.successor
            while let id = next {
                guard let instrument = instruments[id], steps < 100, id != row.instrument.id else {
                    throw fault(row.instrument, "successor")
                }
                steps += 1
                next = instrument.successor
            }
        }
    }

    private static func overlap(_ one: Instrument, _ other: Instrument) -> Bool {
        func ends(_ first: Instrument, before second: Instrument) -> Bool {
            guard let to = first.listedTo, let from = second.listedFrom else { return false }
            return to < from
        }
        return !ends(one, before: other) && !ends(other, before: one)
    }

    private static func fault(_ instrument: Instrument, _ field: String) -> Failure {
        Failure(.symbolsInconsistent, .init("symbol", instrument.symbol), .init("field", field))
    }
}
