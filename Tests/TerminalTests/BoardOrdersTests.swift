import Exact
import Messages
import Portfolio
import Testing
import Texts
import Trade

@testable import Terminal

/// Which order `c` is about, and what the board says of those that ended.
struct BoardOrdersTests {
    private func board(_ data: DeskData, _ language: Language = .english, keys: [Key] = []) -> BoardState {
        var state = BoardState(language: language)
        _ = state.handle(.data(data))
        for key in keys { _ = state.handle(.key(key)) }
        return state
    }

    private func rows(_ state: BoardState) -> [String] { BoardRenderer(state, columns: 80, rows: 24).lines.map(\.plain) }

    /// The orders' part of rows that are wholly in the voice of choice.
    private func marked(_ state: BoardState) -> [String] {
        BoardRenderer(state, columns: 80, rows: 24).lines.dropFirst(12).compactMap { line in
            guard let edge = line.spans.firstIndex(where: { $0.text.contains("│") }) else { return nil }
            let right = line.spans[(edge + 1)...].filter { $0.text.contains { $0 != " " } }
            guard !right.isEmpty, right.allSatisfy({ $0.voice == .chosen }) else { return nil }
            return right.map(\.text).joined(separator: " ")
        }
    }

    /// Newest first: one that was filled, one refused, then the two of the sample (2 works, 1 is filled).
    private func four() throws -> DeskData {
        var data = try sampleData()
        var order = data.orders[1]
        order.orderID = 4
        var refused = data.orders[0]
        refused.orderID = 3
        refused.status = .rejected
        refused.reason.code = "order.unknown"
        data.orders.insert(contentsOf: [order, refused], at: 0)
        return data
    }

    private func cancelled(_ state: BoardState) -> UInt64? {
        var state = state
        for case .cancel(let order) in state.handle(.key(.character("y"))) { return order.orderID }
        return nil
    }

    @Test("design §1 c without a choice is about the newest order that works, and marks its row") func newestWorking() throws {
        let data = try four()
        #expect(marked(board(data)).isEmpty)
        let asked = board(data, keys: [.character("c")])
        #expect(asked.asked?.orderID == 2)
        #expect(marked(asked).count == 1)
        #expect(marked(asked).first?.contains("Working") == true)
        #expect(cancelled(asked) == 2)
        var newer = data
        newer.orders.insert(data.orders[2], at: 0)
        newer.orders[0].orderID = 9
        #expect(cancelled(board(newer, keys: [.character("c")])) == 9)
    }

    @Test("design §1 without a working order c says so in one sentence", arguments: Language.allCases) func none(language: Language) throws
    {
        var data = try four()
        data.orders.remove(at: 2)
        for orders in [data.orders, []] {
            data.orders = orders
            let state = board(data, language, keys: [.character("c")])
            #expect(state.asked == nil)
            #expect(rows(state)[22] == Text.boardNoWorking.words(in: language))
        }
    }

    @Test("design §1 the marked row is whole, stays on its order although the list grows, and c is about it") func choice() throws {
        var state = board(try four(), keys: [.tab])
        #expect(marked(state).first?.contains("Working") == true)
        var data = try four()
        data.orders.insert(data.orders[2], at: 0)
        data.orders[0].orderID = 9
        _ = state.handle(.data(data))
        _ = state.handle(.key(.character("c")))
        #expect(cancelled(state) == 2)
        // Chosen, working and seen still with the other list in focus.
        state = board(data, keys: [.tab, .tab])
        #expect(marked(state).count == 1)
        _ = state.handle(.key(.character("c")))
        #expect(state.asked?.orderID == 9)
        // Chosen and ended: the next c is about one that works.
        data.orders[0].status = .filled
        state = board(data, keys: [.tab, .up, .tab, .character("c")])
        #expect(state.asked?.orderID == 2)
    }

    @Test("design §1 c on an order that ended says a sentence", arguments: Language.allCases) func ended(language: Language) throws {
        let sentences: [(OrderStatus, Text)] = [
            (.rejected, .boardOrderRefused), (.cancelled, .boardOrderCancelled), (.expired, .boardOrderExpired),
            (.filled, .orderCancelLate),
        ]
        for (status, sentence) in sentences {
            var data = try four()
            data.orders[1].status = status
            let state = board(data, language, keys: [.tab, .up, .character("c")])
            #expect(state.asked == nil)
            #expect(rows(state)[22] == sentence.words(in: language))
        }
        #expect(Text.boardOrderRefused.words(in: .english) == "This order was refused; there is nothing to cancel")
        #expect(Text.boardOrderRefused.words(in: .simplifiedChinese) == "此委托已被拒绝，无可撤")
    }

    @Test("C-3 the reason of the marked order stays in the message line", arguments: Language.allCases) func reason(language: Language)
        throws
    {
        var data = try four()
        data.orders[1].reason.code = "market.closed"
        data.orders[1].reason.arguments = []
        let reason = data.orders[1].reasonFailure?.text(in: language) ?? "—"
        let state = board(data, language, keys: [.tab, .up])
        #expect(rows(state).suffix(4).joined().contains(reason.prefix(20)))
        #expect(rows(state).suffix(4).joined().contains(OrderStatus.rejected.text.words(in: language)))
    }

    @Test("a key without meaning is explained, once", arguments: Language.allCases) func strangeKey(language: Language) throws {
        var state = board(try sampleData(), language, keys: [.escape])
        #expect(state.notice == nil)
        _ = state.handle(.key(.character("x")))
        #expect(rows(state)[22] == Text.boardNoKey.words(in: language))
        _ = state.handle(.key(.character("j")))
        _ = state.handle(.key(.character("x")))
        #expect(state.notice == nil)
    }

    @Test("E-5 the explanation says that fees are not in it", arguments: Language.allCases) func fees(language: Language) throws {
        let text = rows(board(try sampleData(), language, keys: [.character("e")])).joined(separator: "\n")
        #expect(text.contains(Text.pnlFees.words(in: language)))
    }

    @Test("O-5 what happened before the board opened is told on it, whole", arguments: Language.allCases) func kept(language: Language)
        throws
    {
        let folder = "/home/somebody/.local/share/causeway/default/run-2026-11-30-160000"
        var state = BoardState(language: language, notice: .boardKept(folder: folder))
        _ = state.handle(.data(try sampleData()))
        let lines = BoardRenderer(state, columns: 80, rows: 24).lines
        #expect(lines.count == 24 && lines.allSatisfy { $0.columns == 80 })
        #expect(lines.suffix(5).map(\.plain).joined().filter { $0 != " " }.contains(folder))
        _ = state.handle(.key(.character("j")))
        #expect(state.notice == nil)
    }
}
