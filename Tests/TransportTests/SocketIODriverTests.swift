import HTTP
import Streams
import Synchronization
import Testing
import Transport

/// Client and server joined in memory, on one manual clock.
@Suite(.timeLimit(.minutes(5)))
struct SocketIODriverTests {
    struct Rig: Sendable {
        let clock = ManualClock()
        let news = NewsQueue<SocketIOClientEvent>()
        let calls = NewsQueue<String>()
        let server: SocketIOServer
        let network: MemoryNetwork
        let client: SocketIOClient

        init(policy: SocketIOServerPolicy = .init(namespaces: ["/auth", "/securities"]), gate: Gate? = nil) {
            let calls = calls
            let server = SocketIOServer(
                policy: policy, clock: clock.clock,
                handlers: .init(
                    connect: { _, namespace, payload in
                        calls.add("connect \(namespace)")
                        return payload?["token"] == "T" ? .accept(payload: nil) : .refuse(message: "Not authorized", data: ["code": 7])
                    },
                    connected: { session, namespace in
                        calls.add("connected \(namespace)")
                        session.emit(namespace: namespace, name: "ready", arguments: [.number("1")])
                    },
                    event: { session, namespace, name, arguments, id in
                        await gate?.wait()
                        calls.add("event \(namespace) \(name) \(arguments.count)")
                        if name == "echo" { session.emit(namespace: namespace, name: "reply", arguments: arguments) }
                        if name == "ask" {
                            // Off the line of this session's news, which the answer need not pass.
                            Task { calls.add("answer \(await session.request(namespace: namespace, name: "asked?", arguments: []))") }
                        }
                        if let id, !policy.acknowledgesAtOnce { session.acknowledge(namespace: namespace, id: id, arguments: arguments) }
                    },
                    disconnected: { _, namespace, reason in calls.add("disconnected \(namespace) \(reason.rawValue)") },
                    closed: { _, closure in calls.add("closed \(closure.reason.rawValue)") }))
            self.server = server
            network = MemoryNetwork { server.accept($0) }
            let news = news
            client = SocketIOClient(dialer: network.dialer, clock: clock.clock) { news.add($0) }
        }

        let request = WebSocketDialRequest.socketIO(base: "http://127.0.0.1:1")

        func join(_ namespace: String, token: String = "T") async {
            await client.connect(request, namespace: namespace, payload: ["token": .string(token)])
        }

        func joined(_ namespace: String) async {
            await join(namespace)
            #expect(await news.next() == .opened(pingInterval: .seconds(10), pingTimeout: .seconds(10)))
            #expect(await news.next() == .namespaceConnected(namespace, recovered: false))
            #expect(await news.next() == .event(namespace: namespace, name: "ready", arguments: [.number("1")]))
            #expect(await calls.next() == "connect \(namespace)")
            #expect(await calls.next() == "connected \(namespace)")
        }
    }

    // B-4, C-2
    @Test func `a namespace is joined, an event and its binary answer pass, all in order`() async {
        let rig = Rig()
        #expect(rig.request.url == "ws://127.0.0.1:1/socket.io/?EIO=4&transport=websocket")
        await rig.joined("/securities")
        for number in 0..<20 {
            let arguments: [SocketIOValue] = [.number("\(number)"), .object([.init("b", .binary([UInt8(number)]))])]
            #expect(await rig.client.emit(namespace: "/securities", name: "echo", arguments: arguments) == .sent)
        }
        for number in 0..<20 {
            let arguments: [SocketIOValue] = [.number("\(number)"), .object([.init("b", .binary([UInt8(number)]))])]
            #expect(await rig.news.next() == .event(namespace: "/securities", name: "reply", arguments: arguments))
        }
        await rig.client.close()
        #expect(await rig.news.next() == .closed(.init(.user)))
        for _ in 0..<20 { #expect(await rig.calls.next() == "event /securities echo 2") }
        #expect(await rig.calls.next() == "disconnected /securities client")
        #expect(await rig.calls.next() == "closed client")
        #expect(rig.server.sessionCount == 0)
        #expect(await rig.client.emit(namespace: "/securities", name: "echo", arguments: []) == .notConnected)  // B-6
    }

    // C-3
    @Test func `acknowledgements pass both ways`() async {
        let rig = Rig(policy: .init(namespaces: ["/auth"], acknowledgesAtOnce: false))
        await rig.joined("/auth")
        let answer = await rig.client.request(namespace: "/auth", name: "x", arguments: [.binary([1, 2]), .null])
        #expect(answer == .acknowledged([.binary([1, 2]), .null]))
        #expect(await rig.calls.next() == "event /auth x 2")
        #expect(await rig.client.emit(namespace: "/auth", name: "ask", arguments: []) == .sent)
        #expect(await rig.news.next() == .event(namespace: "/auth", name: "asked?", arguments: []))
        #expect(await rig.calls.next() == "event /auth ask 0")
        #expect(await rig.calls.next() == "answer acknowledged([])")
    }

    // B-4
    @Test func `a refusal and an unknown name stay with their namespace`() async {
        let rig = Rig()
        await rig.joined("/auth")
        await rig.join("/securities", token: "wrong")
        #expect(await rig.news.next() == .namespaceRefused("/securities", message: "Not authorized", data: ["code": 7]))
        await rig.join("/nowhere")
        #expect(await rig.news.next() == .namespaceRefused("/nowhere", message: "Invalid namespace", data: nil))
        #expect(await rig.client.state(of: "/auth") == .ready)
        #expect(await rig.client.emit(namespace: "/securities", name: "echo", arguments: []) == .notConnected)
    }

    // B-2
    @Test func `pings keep the link, a dead line ends it at both ends`() async {
        let rig = Rig()
        await rig.joined("/auth")
        for _ in 0..<3 {
            rig.clock.advance(by: .seconds(10))
            #expect(await rig.news.next() == .pinged)
        }
        rig.network.mute()
        rig.clock.advance(by: .seconds(10))
        rig.clock.advance(by: .seconds(10))
        #expect(await rig.news.next() == .closed(.init(.pingTimeout)))
        #expect(await rig.calls.next() != nil)
        #expect(rig.server.sessionCount == 0)
    }

    @Test func `a broken line loses what is awaited, exactly once`() async {
        let gate = Gate()
        let rig = Rig(policy: .init(namespaces: ["/auth"], acknowledgesAtOnce: false), gate: gate)
        await rig.joined("/auth")
        async let answer = rig.client.request(namespace: "/auth", name: "never answered", arguments: [], timeout: .seconds(5))
        await rig.clock.untilWaiting(2)
        while await rig.client.awaitedCount == 0 { await Task.yield() }
        rig.network.breakAll()
        #expect(await answer == .lost)
        guard case .closed(let closure) = await rig.news.next() else {
            Issue.record("the client was not told")
            return
        }
        #expect(closure == .init(.lost, webSocket: .init(code: 1006)))
        await rig.joined("/auth")
        gate.open()
        #expect(await rig.calls.next() == "event /auth never answered 0")
        #expect(await rig.calls.next() == "disconnected /auth lost")
        #expect(await rig.calls.next() == "closed lost")
    }

    // O-3
    @Test func `a client that floods a slow program is put out, what it had sent is still done in order`() async {
        let gate = Gate()
        let rig = Rig(policy: .init(namespaces: ["/auth"], maximumQueuedNews: 8), gate: gate)
        await rig.joined("/auth")
        for _ in 0..<20 { await rig.client.emit(namespace: "/auth", name: "x", arguments: []) }
        #expect(await rig.news.next() == .closed(.init(.lost, webSocket: .init(code: 1013))))
        gate.open()
        for _ in 0..<8 { #expect(await rig.calls.next() == "event /auth x 0") }
        #expect(await rig.calls.next() == "disconnected /auth overflow")
        #expect(await rig.calls.next() == "closed overflow")
    }

    // B-2, B-10
    @Test func `dials that cannot be served are refused with their code`() async {
        let rig = Rig()
        func status(_ query: String) -> (Int, Int?) {
            let response = rig.server.answer(.init(method: "GET", path: "/socket.io/", query: query, remoteAddress: ""))
            return (response.status, (try? JSONValue(parsing: response.body))?["code"]?.intValue)
        }
        #expect(status("EIO=4&transport=polling") == (400, 0))
        #expect(status("EIO=4&transport=websocket&sid=x") == (400, 1))
        #expect(status("EIO=3&transport=websocket") == (400, 5))
        #expect(status("") == (400, 0))
        var old = rig.request
        old.url = "ws://127.0.0.1:1/socket.io/?EIO=3&transport=websocket"
        await rig.client.connect(old, namespace: "/auth")
        guard case .closed(let closure) = await rig.news.next() else {
            Issue.record("not closed")
            return
        }
        #expect(closure.reason == .unsupported)
    }

    @Test func `the program can put a client out of a namespace, and close all`() async {
        let rig = Rig()
        await rig.joined("/auth")
        rig.server.closeAll(.init(code: 4001, reason: "other device"))
        #expect(await rig.news.next() == .closed(.init(.lost, webSocket: .init(code: 4001, reason: "other device"))))
        #expect(await rig.calls.next() == "disconnected /auth user")
    }
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
