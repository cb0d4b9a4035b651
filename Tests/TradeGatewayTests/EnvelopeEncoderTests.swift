import Messages
import Testing
import WireCodec

@testable import TradeGateway

@Suite struct EnvelopeEncoderTests {
    /// Each payload, with the bytes it has alone.
    private func payloads() throws -> [(TradePayload, [UInt8])] {
        var order = Order()
        (order.orderID, order.tradingAccount, order.commandID, order.limit) = (7, "S000000000000000001", Array(0..<16), 380_000_000_000)
        var command = CommandReply()
        (command.order, command.sequence) = (order, 9)
        var orders = OrderList()
        orders.orders = Array(repeating: order, count: 100)
        var fill = Fill()
        (fill.fillID, fill.currency) = (3, "HKD")
        var fills = FillList()
        fills.fills = [fill, fill]
        var position = Position()
        position.quantity = -5
        var positions = PositionList()
        positions.positions = [position]
        var event = AccountEvent()
        event.body = .fill(fill)
        var since = SinceReply()
        (since.events, since.complete) = ([event], true)
        var funds = FundsReply()
        funds.baseCurrency = "HKD"
        var login = TradeLoginReply()
        (login.code, login.sessionID) = (.ok, "abc")
        var news = SessionNews()
        news.deviceID = "d"
        var ready = Ready()
        ready.epoch = 1 << 40
        return [
            (.none, []), (.echo([]), []), (.echo([1, 2]), [1, 2]), (.ready(ready), try ready.serializedBytes()),
            (.login(login), try login.serializedBytes()), (.news(news), try news.serializedBytes()),
            (.command(command), try command.serializedBytes()), (.command(.init()), []), (.orders(orders), try orders.serializedBytes()),
            (.fills(fills), try fills.serializedBytes()), (.positions(positions), try positions.serializedBytes()),
            (.since(since), try since.serializedBytes()), (.order(order), try order.serializedBytes()),
            (.fill(fill), try fill.serializedBytes()), (.position(position), try position.serializedBytes()),
            (.funds(funds), try funds.serializedBytes()),
        ]
    }

    @Test("C-2: an envelope and its payload written at once are, byte for byte, the envelope with the payload's bytes in it")
    func atOnce() throws {
        var encoder = EnvelopeEncoder()
        var envelope = TradeEnvelope()
        (envelope.requestID, envelope.type) = ("r-1", .orders)
        var argument = Argument()
        (argument.name, argument.value) = ("left", "3")
        (envelope.returnCode, envelope.arguments) = ("trade.wrong-password", [argument])
        (envelope.accountSequence, envelope.tradingAccount) = (12, "S1")
        for sent in [TradeEnvelope(), envelope] {
            for (payload, bytes) in try payloads() {
                var whole = sent
                whole.payload = bytes
                #expect(try encoder.encode(sent, payload) == whole.serializedBytes(), "\(payload)")
            }
        }
    }

    @Test("C-2: after a message that is too large the encoder begins anew")
    func tooLarge() throws {
        var encoder = EnvelopeEncoder()
        var failed = false
        do { _ = try encoder.encode(.init(), .echo(Array(repeating: 0, count: 17 << 20))) } catch { failed = error == .tooLarge }
        #expect(failed)
        #expect(try encoder.encode(.init(), .echo([5])) == [0x1A, 1, 5])
    }
}
