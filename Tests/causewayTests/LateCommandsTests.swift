import Testing
import Trade
import TradeSession

@testable import causeway

struct LateCommandsTests {
    @Test("C-3 a command that ended unknown is told once when it is known; one that was waited for is told to who waits") func late() {
        var commands = LateCommands()
        let (order, cancel, other) = (CommandID(), CommandID(), CommandID())
        commands.sent(order, .order)
        commands.sent(cancel, .cancel)
        #expect(commands.ended(order, .unknown) == .unknown)
        #expect(commands.resolved(other, .unknown) == nil)
        let told = commands.resolved(order, .accepted(orderID: 7))
        #expect(told?.kind == .order && told?.outcome == .accepted(orderID: 7))
        #expect(commands.resolved(order, .accepted(orderID: 7)) == nil)
        // Known while somebody waits: told there, even where the wait ends at that moment.
        #expect(commands.resolved(cancel, .accepted(orderID: 8)) == nil)
        #expect(commands.ended(cancel, .unknown) == .accepted(orderID: 8))
        commands.sent(other, .order)
        #expect(commands.ended(other, .notConnected) == .notConnected)
        #expect(commands.resolved(other, .unknown) == nil)
    }
}
