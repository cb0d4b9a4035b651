import Streams
import Testing
import Transport

struct ConnectionCredentialTests {
    private let start = MonotonicInstant(nanoseconds: 0)
    private let one = ConnectionCredential(value: "one", account: "a")
    private let two = ConnectionCredential(value: "two", account: "a")

    private func at(_ seconds: Int) -> MonotonicInstant { start.advanced(by: .seconds(seconds)) }

    private func machine(_ policy: ConnectionPolicy, _ events: [ConnectionEvent]) -> ConnectionMachine {
        var machine = ConnectionMachine(policy: policy, jitter: ConnectionJitter(fractions: [0]))
        for event in events { _ = machine.handle(event, at: start) }
        return machine
    }

    private var readyEvents: [ConnectionEvent] {
        [.credential(one), .connect, .opened(dial: 1, silence: nil), .authenticated(dial: 1), .ready(dial: 1)]
    }

    // MARK: Refused (B-4)

    @Test func `trade dials nothing without a credential and at once with one`() {
        var machine = machine(.trade, [.connect])
        #expect(machine.state == .disconnected)
        #expect(machine.handle(.credential(one), at: at(1)) == [.entered(.connecting), .dial(1)])
    }

    @Test func `a refused credential is renewed once, and for fifteen seconds nothing but a newer one dials`() {
        var machine = machine(.trade, [.credential(one), .connect, .opened(dial: 1, silence: nil)])
        #expect(machine.handle(.refused(dial: 1), at: start) == [.hangUp(1), .down(1), .entered(.cooling), .needCredential])
        for event in [ConnectionEvent.connect, .nudge, .credential(one), .foreground, .networkBack, .networkChanged] {
            #expect(machine.handle(event, at: at(14)) == [])
        }
        #expect(machine.handle(.credential(two), at: at(14)) == [.entered(.connecting), .dial(2)])
    }

    @Test func `the end of the cool-down dials nothing; the next request does`() {
        var machine = machine(.trade, [.credential(one), .connect, .failed(dial: 1, .unauthorized)])
        #expect(machine.state == .cooling)
        #expect(machine.nextDeadline == at(15))
        #expect(machine.handle(.clock, at: at(15)) == [.entered(.disconnected)])
        #expect(machine.nextDeadline == nil)
        #expect(machine.handle(.nudge, at: at(16)) == [.entered(.connecting), .dial(2)])
    }

    @Test func `a refusal of one already replaced dials with the newer at once`() {
        var machine = machine(.trade, [.credential(one), .connect, .opened(dial: 1, silence: nil), .credential(two)])
        #expect(machine.handle(.refused(dial: 1), at: at(1)) == [.hangUp(1), .down(1), .entered(.connecting), .dial(2)])
    }

    @Test func `any other answer backs off without a renewal`() {
        var machine = machine(.trade, [.credential(one), .connect, .opened(dial: 1, silence: nil)])
        #expect(machine.handle(.dead(dial: 1), at: start) == [.hangUp(1), .down(1), .entered(.waiting(attempt: 1))])
        #expect(machine.nextDeadline == at(2))
    }

    // MARK: Newer

    @Test func `a live link takes a newer credential in band`() {
        var machine = machine(.trade, readyEvents)
        #expect(machine.handle(.credential(two), at: at(1)) == [.renewInBand(1)])
        #expect(machine.handle(.credential(two), at: at(2)) == [])
        #expect(machine.state == .ready)
    }

    @Test func `one that comes while the older is judged is shown after the judgement`() {
        var machine = machine(.trade, [.credential(one), .connect, .opened(dial: 1, silence: nil)])
        #expect(machine.handle(.credential(two), at: at(1)) == [])
        #expect(machine.handle(.authenticated(dial: 1), at: at(2)) == [.renewInBand(1)])
    }

    @Test func `another account begins a new connection`() {
        var machine = machine(.trade, readyEvents)
        let other = ConnectionCredential(value: "three", account: "b")
        #expect(machine.handle(.credential(other), at: at(1)) == [.hangUp(1), .down(1), .entered(.connecting), .dial(2)])
    }

    @Test func `quotes do not show the user's credential`() {
        var machine = machine(.quote, readyEvents)
        #expect(machine.handle(.credential(two), at: at(1)) == [])
    }

    @Test func `a credential never shows its value in text`() {
        #expect("\(one)" == "credential")
        #expect(String(reflecting: one) == "credential")
        #expect(!"\(ConnectionEvent.credential(one))".contains("one"))
    }

    // MARK: Platform (B-5)

    @Test func `the background disconnects quotes only, coming back connects at once`() {
        var quote = machine(.quote, readyEvents)
        #expect(quote.handle(.background, at: at(1)) == [.hangUp(1), .down(1), .entered(.suspended)])
        #expect(quote.handle(.connect, at: at(2)) == [])
        #expect(quote.handle(.nudge, at: at(3)) == [])
        #expect(quote.nextDeadline == nil)
        #expect(quote.handle(.foreground, at: at(4)) == [.entered(.connecting), .dial(2)])
        var trade = machine(.trade, readyEvents)
        #expect(trade.handle(.background, at: at(1)) == [])
        #expect(trade.state == .ready)
    }

    @Test func `without a network nothing is dialled, its return dials at once`() {
        var machine = machine(.trade, [.credential(one), .networkLost, .connect])
        #expect(machine.state == .waiting(attempt: 1))
        #expect(machine.nextDeadline == nil)
        #expect(machine.handle(.nudge, at: at(60)) == [])
        #expect(machine.handle(.networkBack, at: at(61)) == [.entered(.connecting), .dial(1)])
    }

    @Test func `a change of network rebuilds when quiet for a second`() {
        var machine = machine(.trade, readyEvents)
        #expect(machine.handle(.networkChanged, at: at(1)) == [])
        let later = start.advanced(by: .milliseconds(1_500))
        #expect(machine.handle(.networkChanged, at: later) == [])
        #expect(machine.handle(.clock, at: at(2)) == [])
        #expect(machine.handle(.clock, at: later.advanced(by: .seconds(1))) == [.hangUp(1), .down(1), .entered(.connecting), .dial(2)])
    }

    @Test func `a change of network waits for the outcome of what is in flight`() {
        var machine = machine(.trade, readyEvents + [.busy(true), .networkChanged])
        #expect(machine.handle(.clock, at: at(1)) == [])
        #expect(machine.handle(.busy(true), at: at(2)) == [])
        #expect(machine.handle(.busy(false), at: at(3)) == [.hangUp(1), .down(1), .entered(.connecting), .dial(2)])
    }

    // MARK: Deadlines

    @Test func `deadlines fall due by time, then in the order they were set; setting again replaces`() {
        var table = DeadlineTable<String>()
        table.set("late", at: at(3))
        table.set("b", at: at(2))
        table.set("a", at: at(2))
        table.set("moved", at: at(1))
        table.set("moved", at: at(9))
        table.set("gone", at: at(1))
        table.cancel("gone")
        #expect(table.next == at(2))
        #expect(table.takeDue(at: at(1)) == nil)
        let due = [table.takeDue(at: at(5)), table.takeDue(at: at(5)), table.takeDue(at: at(5)), table.takeDue(at: at(5))]
        #expect(due == ["b", "a", "late", nil])
        #expect(table["moved"] == at(9))
    }
}
