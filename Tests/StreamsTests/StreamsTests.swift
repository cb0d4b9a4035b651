import Streams
import Synchronization
import Testing

@Suite struct TradingDayTests {
    @Test func `a date is read in its one form`() {
        #expect(TradingDay("2026-11-30")?.yyyymmdd == 20_261_130)
        #expect(TradingDay("x2024-02-29y".dropFirst().dropLast())?.yyyymmdd == 20_240_229)
        for text in [
            "", "2026-11-3", "2026-11-301", "2026-13-01", "2023-02-29", "20261130", "2026/11/30", "-026-11-30", "2026-11-3\u{666}",
        ] {
            #expect(TradingDay(text) == nil, "\(text)")
        }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct ClockTests {
    @Test func `timers fire in order of time, then of setting, at their own time`() {
        let clock = ManualClock()
        let log = Log()
        for (milliseconds, name) in [(20, "c"), (10, "a"), (10, "b")] {
            clock.schedule(at: .init(nanoseconds: Int64(milliseconds) * 1_000_000)) {
                log.add("\(name)@\(clock.now.nanoseconds / 1_000_000)")
            }
        }
        clock.schedule(at: .init(nanoseconds: 5_000_000)) {
            clock.schedule(at: .init(nanoseconds: 15_000_000)) { log.add("later") }
        }
        let cancelled = clock.schedule(at: .init(nanoseconds: 1)) { log.add("cancelled") }
        clock.cancel(cancelled)
        clock.advance(by: .milliseconds(19))
        #expect(log.lines == ["a@10", "b@10", "later"])
        clock.advance(by: .milliseconds(1))
        #expect(log.lines.last == "c@20")
        #expect(clock.timerCount == 0)
    }

    @Test func `a sleeper wakes at its time and a cancelled one at once`() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.clock.sleep(.init(nanoseconds: 100)) }
        await clock.untilWaiting()
        clock.advance(by: .nanoseconds(100))
        try await sleeper.value
        let cancelled = Task { try await clock.clock.sleep(.init(nanoseconds: 1000)) }
        await clock.untilWaiting()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.timerCount == 0)
    }

    @Test func `the live clock goes on and its sleep keeps the time`() async throws {
        let clock = MonotonicClock.live
        let start = clock.now()
        try await clock.sleep(start.advanced(by: .milliseconds(2)))
        #expect(start.duration(to: clock.now()) >= .milliseconds(2))
        try await clock.sleep(start)
        let cancelled = Task { try await clock.sleep(start.advanced(by: .seconds(3600))) }
        cancelled.cancel()
        await #expect(throws: (any Error).self) { try await cancelled.value }
    }
}

@Suite(.timeLimit(.minutes(5)))
struct SingleFlightTests {
    //
    @Test func `callers of one key share one operation and its result`() async throws {
        let flight = SingleFlight<String, Int>()
        let gate = Gate()
        let runs = Log()
        let callers = (0..<10).map { _ in
            Task {
                try await flight.run("k") {
                    await gate.wait()
                    runs.add("run")
                    return runs.lines.count
                }
            }
        }
        while await flight.inFlight.isEmpty { await Task.yield() }
        gate.open()
        // A caller that came after the landing starts a flight of its own; the gate is open then.
        for caller in callers { #expect(try await caller.value >= 1) }
        #expect(await flight.inFlight.isEmpty)
    }

    //
    @Test func `a cancelled caller leaves at once and marks nothing`() async throws {
        let flight = SingleFlight<String, Int>()
        let gate = Gate()
        let first = Task {
            try await flight.run("k") {
                await gate.wait(); return 7
            }
        }
        while await flight.inFlight.isEmpty { await Task.yield() }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(await flight.inFlight == ["k"])
        let second = Task { try await flight.run("k") { 8 } }
        gate.open()
        #expect([7, 8].contains(try await second.value))
        #expect(try await flight.run("k") { 9 } == 9)
        await #expect(throws: Refused.self) { try await flight.run("k") { throw Refused() } }
        #expect(await flight.inFlight.isEmpty)
    }

    // B-12
    @Test func `an abandoned operation is cancelled where that is asked for`() async throws {
        let flight = SingleFlight<String, Int>(cancelsWhenAbandoned: true)
        let clock = ManualClock()
        let caller = Task {
            try await flight.run("k") {
                try await clock.clock.sleep(.init(nanoseconds: 1))
                return 1
            }
        }
        await clock.untilWaiting()
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(await flight.inFlight.isEmpty)
        #expect(try await flight.run("k") { 2 } == 2)
    }

    struct Refused: Error {}
}

@Suite(.timeLimit(.minutes(5)))
struct ConflatingSequenceTests {
    // B-7
    @Test func `a slow consumer finds the newest of each key in line, counted`() async {
        let sequence = ConflatingSequence<String, Int>()
        for value in 1...5 { sequence.send(value, for: "a") }
        sequence.send(10, for: "b")
        sequence.send(6, for: "a")
        #expect(sequence.waitingCount == 2)
        sequence.finish()
        var taken: [Int] = []
        for await value in sequence { taken.append(value) }
        #expect(taken == [6, 10])
        #expect(sequence.counts.conflated == 5 && sequence.counts.dropped == 0)
    }

    // B-7
    @Test func `where nothing may be lost, one that lags is given what waits and then the end`() async {
        let sequence = ConflatingSequence<Int, Int>(maximumKeys: 3, endsWhenFull: true)
        for value in 1...3 { sequence.send(value, for: value) }
        sequence.send(30, for: 3)
        #expect(!sequence.isOverrun)
        for value in 4...6 { sequence.send(value, for: value) }
        #expect(sequence.isOverrun)
        var taken: [Int] = []
        for await value in sequence { taken.append(value) }
        #expect(taken == [1, 2, 30] && sequence.counts.dropped == 0)
    }

    // B-7
    @Test func `memory is bounded by keys; the oldest key goes`() async {
        // What must not be lost is joined (F-7).
        let joining = ConflatingSequence<Int, [Int]>(joined: { $0 + $1 })
        for number in 1...3 { joining.send([number], for: 0) }
        var joinedReader = joining.makeAsyncIterator()
        #expect(await joinedReader.next() == [1, 2, 3])
        #expect(joining.counts.conflated == 0 && joining.counts.dropped == 0)
        let sequence = ConflatingSequence<Int, Int>(maximumKeys: 3)
        for key in 0..<1000 { sequence.send(key, for: key) }
        sequence.finish()
        var taken: [Int] = []
        for await value in sequence { taken.append(value) }
        #expect(taken == [997, 998, 999])
        #expect(sequence.counts.dropped == 997)
    }

    @Test func `a waiting consumer is served, and let go by cancellation`() async {
        let sequence = ConflatingSequence<Int, Int>()
        let consumer = Task {
            var all: [Int] = []; for await value in sequence { all.append(value) }; return all
        }
        sequence.send(1, for: 1)
        sequence.finish()
        #expect(await consumer.value == [1])
        let other = ConflatingSequence<Int, Int>()
        let waiting = Task { for await _ in other {} }
        waiting.cancel()
        await waiting.value
    }

    @Test(arguments: UInt64(0)..<200)
    func `the last element of each key always arrives`(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        let sequence = ConflatingSequence<Int, Int>(maximumKeys: 64)
        var newest: [Int: Int] = [:]
        var got: [Int: Int] = [:]
        var iterator = sequence.makeAsyncIterator()
        for value in 0..<300 {
            let key = Int.random(in: 0..<40, using: &random)
            newest[key] = value
            sequence.send(value * 100 + key, for: key)
            if Int.random(in: 0..<5, using: &random) == 0, let element = await iterator.next() {
                #expect(got[element % 100] ?? -1 < element / 100)
                got[element % 100] = element / 100
            }
        }
        sequence.finish()
        while let element = await iterator.next() { got[element % 100] = element / 100 }
        #expect(got == newest)
        #expect(sequence.counts.dropped == 0)
    }
}

struct SubscriptionTableTests {
    // B-7
    @Test func `page B before page A goes: their common topic stays`() {
        var table = SubscriptionTable<String, String>()
        #expect(table.set("A", to: ["700", "9988"]) == .init(added: ["700", "9988"]))
        #expect(table.set("B", to: ["700", "AAPL"]) == .init(added: ["AAPL"]))
        #expect(table.remove("A") == ["9988"])
        #expect(table.topics == ["700", "AAPL"])
        #expect(table.consumers(of: "700") == ["B"])
        #expect(table.remove("A") == [])
    }

    @Test(arguments: UInt64(0)..<200)
    func `the differences add up to what is wanted`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var table = SubscriptionTable<Int, Int>()
        var model: [Int: Set<Int>] = [:]
        var server = Set<Int>()
        for _ in 0..<200 {
            let (consumer, topic) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<10, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                model[consumer, default: []].insert(topic)
                if table.add(consumer, topic) { #expect(server.insert(topic).inserted) }
            case 1:
                model[consumer]?.remove(topic)
                if table.remove(consumer, topic) { #expect(server.remove(topic) != nil) }
            case 2:
                model[consumer] = nil
                for gone in table.remove(consumer) { #expect(server.remove(gone) != nil) }
            default:
                let wanted = (0..<10).filter { _ in Bool.random(using: &random) }
                model[consumer] = Set(wanted)
                let difference = table.set(consumer, to: wanted)
                for gone in difference.removed { #expect(server.remove(gone) != nil) }
                for new in difference.added { #expect(server.insert(new).inserted) }
            }
            #expect(server == model.values.reduce(into: []) { $0.formUnion($1) })
            #expect(Set(table.topics) == server)
        }
    }
}

final class Log: Sendable {
    private let store = Mutex<[String]>([])
    var lines: [String] { store.withLock { $0 } }
    func add(_ line: String) { store.withLock { $0.append(line) } }
}

/// Lets tasks through once it is open.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
