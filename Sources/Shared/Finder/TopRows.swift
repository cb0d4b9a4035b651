/// The best rows found so far: lower numbers are better. Never longer than asked.
struct TopRows {
    struct Found: Hashable {
        var row: UInt32
        var field: SearchHit.Field
    }

    let most: Int
    private(set) var found: [Found] = []
    /// Rows that a better class has already.
    private let excluded: Set<UInt32>

    init(most: Int, excluding excluded: Set<UInt32>) {
        self.most = most
        self.excluded = excluded
    }

    /// No row from here on is of use.
    var limit: UInt32 {
        if most == 0 { return 0 }
        return found.count == most ? found[most - 1].row : .max
    }

    func wants(_ row: UInt32) -> Bool {
        row < limit && !excluded.contains(row) && !found.contains { $0.row == row }
    }

    mutating func add(_ row: UInt32, _ field: SearchHit.Field) {
        if found.count == most { found.removeLast() }
        let place = found.firstIndex { $0.row > row } ?? found.count
        found.insert(Found(row: row, field: field), at: place)
    }

    /// Takes the best rows of a range of a suffix table for which `isThere` says yes to the place and `holds` to the row. Blocks without a position before the last row wanted are not
    /// looked at: a text stands in the order of rows.
    mutating func take(
        _ range: Range<Int>, of table: SuffixTable, in text: SearchText, _ field: SearchHit.Field, _ file: borrowing RawSpan,
        where holds: (UInt32) -> Bool = { _ in true }, at isThere: (UInt32) -> Bool = { _ in true }
    ) {
        var end = end(text, file)
        var place = range.lowerBound
        while place < range.upperBound {
            let block = place / SearchLayout.block
            let next = min((block + 1) * SearchLayout.block, range.upperBound)
            if table.minima.number(block, file) < end {
                for place in place..<next {
                    let position = table.positions.number(place, file)
                    guard position < end, isThere(position) else { continue }
                    let row = UInt32(text.row(of: position, file))
                    guard wants(row), holds(row) else { continue }
                    add(row, field)
                    end = self.end(text, file)
                }
            }
            place = next
        }
    }

    /// The first position of a text that is of no use.
    private func end(_ text: SearchText, _ file: borrowing RawSpan) -> UInt32 {
        let limit = limit
        return limit == .max ? .max : text.offsets.number(Int(limit), file)
    }
}
