public import Journal
import Messages
public import Streams
public import Texts
import WireCodec

/// What a journal's folder holds, read and not changed: what an `Exchange` goes on from.
public struct ExchangeContents {
    let path: String
    let journal: JournalContents
    let books: Books
    /// The latest market time among the records read; nil where there are none.
    public let last: MarketInstant?

    /// Refused where acknowledged records are missing, by what is in the folder or by `witness`, or all of it is and it `mustExist`.
    public init(
        folder: FileFolder, rules: ExchangeRules, mustExist: Bool = false, witness: JournalWitness? = nil
    ) throws(Failure) {
        path = folder.path
        do throws(JournalError) {
            journal = try JournalContents(folder: folder, mustExist: mustExist, witness: witness)
            (books, last) = try Books.rebuild(journal, rules)
        } catch { throw error.failure(in: folder.path) }
    }

    /// Every trading account there is.
    public var tradingAccounts: [String] { Array(books.accounts.keys) }
}

extension Books {
    /// The books as of the last record, and the latest time among those read.
    static func rebuild(
        _ journal: some ReadableJournal, _ rules: ExchangeRules
    ) throws(JournalError) -> (books: Books, last: MarketInstant?) {
        var books = Books(rules: rules)
        var from = JournalPosition.start
        if let snapshot = try journal.snapshot() {
            do {
                books = Books(rules: rules, snapshot: try ExchangeSnapshot(serializedBytes: Array(snapshot.payload)))
                from = snapshot.position
            } catch { throw .failed(reason: "a snapshot cannot be read: \(error)") }
        }
        var last: MarketInstant?
        // The record a snapshot ends with is read once more, for its time.
        try journal.replay(from: JournalPosition(sequence: max(from.sequence, 1) - 1)) { position, payload in
            let record = try JournalRecord(serializedBytes: Array(payload))
            let time = MarketInstant(nanoseconds: record.timeNs)
            last = max(last ?? time, time)
            if position > from { try books.replay(record) }
        }
        books.feed.earlierOrders = books.lastOrderID
        return (books, last)
    }
}
