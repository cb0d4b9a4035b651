import Exact
import Instruments
import Messages
import Portfolio
import Streams
import Testing
import Texts

@testable import Trade

struct TicketTests {
    private func ticket(price: String? = "361.40", kind: Instrument.Kind = .stock) throws -> Ticket {
        // The dated tick tables of the package's own data folder.
        let folder = try DataFolder.locate()
        let facts = try MarketFacts(folder)
        let day = try #require(TradingDay(yyyymmdd: 20_261_130))
        var instrument = try facts.instruments.resolve("700.HK", on: day).get()
        instrument.kind = kind
        return Ticket(.buy, instrument, price: try price.map { try Price($0) }, ticks: facts.ticks, day: day)
    }

    @Test("design §1 edit, review, confirm; only confirm sends, and only once") func sends() throws {
        var ticket = try ticket()
        #expect(ticket.handle(.confirm) == [])
        #expect(ticket.handle(.stepQuantity(1)) == [])
        #expect(ticket.handle(.stepPrice(1)) == [])
        #expect(ticket.handle(.review) == [])
        #expect(ticket.stage == .confirming)
        #expect(ticket.handle(.stepQuantity(5)) == [])
        let quantity = try Quantity(whole: 200)
        let price = try Price("361.60")
        #expect(ticket.handle(.confirm) == [.place(side: .buy, type: .limit, quantity: quantity, limit: price)])
        #expect(ticket.handle(.confirm) == [])
        #expect(ticket.handle(.back) == [])
        #expect(ticket.stage == .sending)
    }

    @Test("C-3 an unknown outcome stays locked until it is resolved; B-6 not connected sends nothing") func outcomes() throws {
        var ticket = try ticket(price: nil)
        #expect(ticket.type == .market)
        _ = ticket.handle(.review)
        #expect(ticket.handle(.confirm).count == 1)
        _ = ticket.handle(.outcome(.unknown))
        #expect(ticket.handle(.confirm) == [])
        #expect(ticket.handle(.review) == [])
        #expect(ticket.stage == .unknown)
        _ = ticket.handle(.outcome(.notConnected))
        #expect(ticket.stage == .refused(Failure(ErrorCode("connection.not-connected"))))
    }

    @Test("N-2 lot, tick and index are refused before anything is sent") func faults() throws {
        var ticket = try ticket()
        _ = ticket.handle(.setQuantity(try Quantity(whole: 150)))
        #expect(ticket.fault?.text(in: .simplifiedChinese) == "数量须为 100 股的整数倍")
        _ = ticket.handle(.setQuantity(try Quantity(whole: 100)))
        _ = ticket.handle(.setLimit(try Price("361.41")))
        #expect(ticket.fault?.text(in: .english) == "361.41 is between ticks. Nearest: 361.40 or 361.60")
        _ = ticket.handle(.setLimit(try Price("361.400000001")))
        #expect(ticket.fault?.text(in: .english) == "361.400000001 is between ticks. Nearest: 361.40 or 361.60")
        #expect(ticket.handle(.review) == [])
        #expect(ticket.handle(.confirm) == [])
        #expect(try self.ticket(kind: .index).fault?.code.rawValue == "order.not-tradable")
    }

    @Test func question() throws {
        #expect(try ticket().question(in: .english).words(in: .english).hasPrefix("Buy 100 "))
    }
}

struct RowTests {
    @Test("C-6 an order without average price shows —; an unknown instrument does not hide the order") func order() {
        var order = Order()
        order.orderID = 7
        order.instrument = 99
        order.side = .sell
        order.type = .limit
        order.limit = 1_500_000_000
        order.quantity = 100_000_000
        order.status = .rejected
        order.reason.code = "order.lot"
        let row = OrderRow(order, nil, in: .english)
        #expect([row.symbol, row.price, row.average, row.quantity] == ["#99", "1.5", "—", "1"])
        #expect(row.reason?.code.rawValue == "order.lot")
        #expect(!row.canCancel)
    }
}
