import Messages
import Streams
import Synchronization
import Transport
import WireCodec

@testable import TradeSession

/// A trade gateway whose answers a test chooses; it keeps what it received.
actor ScriptedGateway {
    typealias Answer = @Sendable (TradeEnvelope) -> TradeEnvelope?
    private(set) var requests: [TradeEnvelope] = []
    private(set) var handshakes = 0
    /// Handshakes that are refused before one is let in.
    private var refusals = 0
    private var answers: [TradeMessageType: Answer] = [:]
    private var session: SocketIOSession?
    private var epoch: UInt64 = 0
    var sequence: UInt64 = 0
    private var waiters: [(TradeMessageType, Int, CheckedContinuation<TradeEnvelope, Never>)] = []

    nonisolated func server(_ clock: MonotonicClock) -> SocketIOServer {
        SocketIOServer(
            policy: .init(namespaces: ["/auth", "/securities"]), clock: clock,
            handlers: .init(
                connect: { _, _, _ in .accept(payload: nil) },
                connected: { session, namespace in await self.joined(session, namespace) },
                event: { session, namespace, _, arguments, _ in await self.received(session, namespace, arguments) },
                disconnected: { _, _, _ in }, closed: { _, _ in }))
    }

    func set(sequence: UInt64) { self.sequence = sequence }
    func refuse(_ count: Int) { refusals = count }
    func on(_ type: TradeMessageType, _ answer: @escaping Answer) { answers[type] = answer }
    /// Answers nothing to that type any more.
    func silence(_ type: TradeMessageType) { answers[type] = nil }

    func count(_ type: TradeMessageType) -> Int { requests.count { $0.type == type } }

    /// The n-th request of that type (from 1), now or when it comes.
    func request(_ type: TradeMessageType, _ number: Int = 1) async -> TradeEnvelope {
        let known = requests.filter { $0.type == type }
        if known.count >= number { return known[number - 1] }
        return await withCheckedContinuation { waiters.append((type, number, $0)) }
    }

    func push(_ type: TradeMessageType, _ message: some Message, sequence: UInt64 = 0) throws(WireError) {
        var envelope = TradeEnvelope()
        envelope.type = type
        envelope.tradingAccount = "S1"
        envelope.accountSequence = sequence
        envelope.payload = try message.serializedBytes()
        session?.emit(namespace: "/securities", name: "push", arguments: [.binary(try envelope.serializedBytes())])
    }

    func reply(_ request: TradeEnvelope, _ message: some Message, code: String = "") throws(WireError) {
        var envelope = request
        envelope.returnCode = code
        envelope.payload = try message.serializedBytes()
        session?.emit(namespace: "/securities", name: "reply", arguments: [.binary(try envelope.serializedBytes())])
    }

    private func joined(_ session: SocketIOSession, _ namespace: String) {
        if namespace == "/auth" {
            handshakes += 1
            let code = refusals > 0 ? "auth.expired" : "ok"
            refusals = max(0, refusals - 1)
            session.emit(namespace: "/auth", name: "auth", arguments: [.object([.init("code", .string(code))])])
            return
        }
        self.session = session
        epoch += 1
        var ready = Ready()
        ready.epoch = epoch
        var account = AccountSequence()
        account.tradingAccount = "S1"
        account.sequence = sequence
        ready.accounts = [account]
        do { try push(.ready, ready) } catch { preconditionFailure("\(error)") }
    }

    private func received(_ session: SocketIOSession, _ namespace: String, _ arguments: [SocketIOValue]) {
        guard namespace != "/auth", let bytes = arguments.first?.binaryValue, let request = try? TradeEnvelope(serializedBytes: bytes)
        else { return }
        requests.append(request)
        let number = count(request.type)
        for (index, waiter) in waiters.enumerated().reversed() where waiter.0 == request.type && waiter.1 == number {
            waiters.remove(at: index)
            waiter.2.resume(returning: request)
        }
        guard let reply = answers[request.type]?(request), let bytes = try? reply.serializedBytes() else { return }
        session.emit(namespace: namespace, name: "reply", arguments: [.binary(bytes)])
    }
}

/// Session ids in memory, shared by the "processes" of one device.
final class MemorySessions: Sendable {
    private let ids = Mutex<[TradeCounter: String]>([:])
    /// The id after each change.
    let changes: AsyncStream<String?>
    private let changed: AsyncStream<String?>.Continuation

    init() { (changes, changed) = AsyncStream.makeStream(of: String?.self) }

    var store: TradeSessionStore {
        TradeSessionStore(
            load: { counter in self.ids.withLock { $0[counter] } },
            save: { counter, id in self.change { $0[counter] = id } },
            clear: { counter, id in self.change { if $0[counter] == id { $0[counter] = nil } } })
    }

    private func change(_ body: (inout [TradeCounter: String]) -> Void) {
        let id = ids.withLock { ids in
            body(&ids)
            return ids[.securities]
        }
        changed.yield(id)
    }
}
