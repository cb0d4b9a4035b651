import Messages

/// A row of a list that comes in pages.
protocol ListRow {
    var rowID: UInt64 { get }
    /// The row an account event tells; nil: it tells of something else.
    static func row(of event: AccountEvent) -> Self?
}

extension Order: ListRow {
    var rowID: UInt64 { orderID }
    static func row(of event: AccountEvent) -> Order? { if case .order(let order) = event.body { order } else { nil } }
}

extension Fill: ListRow {
    var rowID: UInt64 { fillID }
    static func row(of event: AccountEvent) -> Fill? { if case .fill(let fill) = event.body { fill } else { nil } }
}

/// One list as of one account sequence, out of pages that were answered while the account went on (C-9): rows of a later page may be newer
/// than those of an earlier one, so everything that happened since the first page is applied to all of them.
struct PagedList<Row: ListRow> {
    /// What is to be done next.
    enum Step: Hashable {
        case askPage(after: UInt64)
        case askSince(UInt64)
        case done
        /// Too much has happened meanwhile: from the first page again.
        case again
        /// The answer is not one of this list.
        case broken
    }

    /// Rows a list may have before it is given up.
    static var maximumRows: Int { 1_000_000 }

    private var byID: [UInt64: Row] = [:]
    private var last: UInt64 = 0
    /// The list is as of this account sequence.
    private(set) var sequence: UInt64?

    /// Ascending by id.
    var rows: [Row] { byID.values.sorted { $0.rowID < $1.rowID } }

    mutating func take(page: [Row], sequence now: UInt64, more: Bool) -> Step {
        let first = sequence ?? now
        guard now >= first, byID.count + page.count <= Self.maximumRows else { return .broken }
        for row in page {
            guard row.rowID > last else { return .broken }
            last = row.rowID
            byID[row.rowID] = row
        }
        sequence = first
        if more { return page.isEmpty ? .broken : .askPage(after: last) }
        return now == first ? .done : .askSince(first)
    }

    mutating func take(_ reply: SinceReply) -> Step {
        guard var known = sequence else { return .broken }
        guard reply.complete else { return .again }
        for event in reply.events where event.sequence > known {
            guard event.sequence == known + 1 else { return .broken }
            known = event.sequence
            if let row = Row.row(of: event) { byID[row.rowID] = row }
        }
        guard known == reply.sequence else { return .broken }
        sequence = known
        return .done
    }
}
