import HTTP
import Texts
import TradeSession

/// What the trading accounts told, and which of them could not be asked: one counter that is not logged in hides nothing of the other.
struct CounterBooks<Row: Sendable>: Sendable {
    var rows: [(account: ClientContext.TradingAccount, row: Row)] = []
    var leftOut: [LeftOutCounter] = []
}

/// A counter whose books are not in an answer, and what to do about it.
struct LeftOutCounter: Hashable, Sendable {
    var counter: TradeCounter
    var failure: Failure

    func text(in language: Language) -> String {
        Text.tradeLeftOut(counter: counter.text, reason: failure.text(in: language)).words(in: language)
    }
}

extension [LeftOutCounter] {
    func lines(in language: Language) -> [String] { map { $0.text(in: language) } }

    /// The member `leftOut` of an answer: empty where every counter told.
    func json(in language: Language) -> JSONValue.Member {
        .init(
            "leftOut",
            .array(map { .object([.init("counter", .string($0.counter.rawValue)), .init("error", .init($0.failure, in: language))]) }))
    }
}

extension ClientContext {
    /// Asks every trading account.
    /// - Throws: why, where none of them is logged in; anything but a missing login, of any.
    func books<Row: Sendable>(
        _ read: @Sendable (TradingAccount) async throws(Failure) -> [Row]
    ) async throws(Failure) -> CounterBooks<Row> {
        var books = CounterBooks<Row>()
        let accounts = try await tradingAccounts()
        for account in accounts {
            do throws(Failure) {
                for row in try await read(account) { books.rows.append((account, row)) }
            } catch {
                guard error.code == .tradeNotLoggedIn || error.code == .tradeSessionInvalid else { throw error }
                let named = Failure(error.code, arguments: [.init("counter", account.counter.rawValue)])
                books.leftOut.append(LeftOutCounter(counter: account.counter, failure: named))
            }
        }
        guard let first = books.leftOut.first, books.leftOut.count == accounts.count else { return books }
        let ended = books.leftOut.first { $0.failure.code == .tradeSessionInvalid } ?? first
        let names = books.leftOut.map(\.counter.rawValue).joined(separator: "|")
        throw Failure(ended.failure.code, arguments: [.init("counter", names)])
    }
}
