import Finder
import Instruments
import Streams
import Symbols
import Texts

/// What a search finds among the instruments listed on a day (H-2, H-5).
struct CatalogueSearch {
    struct Hit: Hashable {
        /// Listed on the day, unless the search is all of the past.
        var instrument: Instrument
        var rank: SearchHit.Rank
        var field: SearchHit.Field
        /// What was found, where the instrument is what became of it.
        var former: Instrument?
    }

    var hits: [Hit] = []
    /// The limit cut some off.
    var isCut = false
    /// Nothing that is listed was found; the hits are what was or will be.
    var isOver = false

    /// - Throws: `search.empty`, `search.long`, or what is wrong with the database.
    init(
        _ query: String, limit: Int, on day: TradingDay, _ index: SearchIndex, _ database: SymbolDatabase
    ) throws(Failure) {
        // Contracts that ended would take the places of those that trade.
        var asked = min(1000, limit + 40)
        while true {
            let found = try index.search(query, limit: asked)
            try take(found, limit: limit, on: day, database)
            if isCut || found.count < asked || asked == 1000 { break }
            asked = 1000
        }
        if let futures = FuturesQuery(query) { lead(with: try futures.instruments(on: day, database), limit: limit) }
    }

    /// What a name of futures means stands before what is found by its letters.
    private mutating func lead(with meant: [Instrument], limit: Int) {
        guard !meant.isEmpty else { return }
        let first = meant.map { Hit(instrument: $0, rank: .name, field: .name) }
        let known = Set(meant.map(\.id))
        let rest = isOver ? [] : hits.filter { !known.contains($0.instrument.id) }
        isCut = isCut || first.count + rest.count > limit
        (hits, isOver) = (Array((first + rest).prefix(limit)), false)
    }

    private mutating func take(
        _ found: [SearchHit], limit: Int, on day: TradingDay, _ database: SymbolDatabase
    ) throws(Failure) {
        (hits, isCut, isOver) = ([], false, false)
        var seen = Set<InstrumentID>()
        var others: [Hit] = []
        for hit in found {
            guard let row = try database.row(id: hit.id)?.instrument else { continue }
            var shown = Hit(instrument: row, rank: hit.rank, field: hit.field)
            if !row.isListed(on: day) {
                guard let heir = try database.heir(of: row, on: day) else {
                    others.append(shown)
                    continue
                }
                (shown.instrument, shown.former) = (heir, row)
            }
            guard seen.insert(shown.instrument.id).inserted else { continue }
            if hits.count == limit {
                isCut = true
                return
            }
            hits.append(shown)
        }
        guard hits.isEmpty else { return }
        isOver = !others.isEmpty
        (hits, isCut) = (Array(others.prefix(limit)), others.count > limit)
    }
}

extension InstrumentLookup {
    /// What a listing that ended became, where that is listed on the day.
    func heir(of former: Instrument, on day: TradingDay) throws(Failure) -> Instrument? {
        var last = former
        for _ in 0..<8 {
            guard let id = last.successor, let next = try instrument(id: id) else { return nil }
            if next.isListed(on: day) { return next }
            last = next
        }
        return nil
    }
}
