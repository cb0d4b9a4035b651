import Diagnostics
import HTTP
import Transport

/// A server's connection: requests one after the other, then perhaps a WebSocket.
final class ServerConnection: WebSocketChannel {
    private unowned let server: ServerCore
    let remoteAddress: String
    private var reader: HTTPRequestReader
    private var phase = Phase.waiting
    private var task: Task<Void, Never>?
    /// Tells a late answer from the one awaited.
    private var serial = 0
    private var limits: LWSServerConfiguration.Limits { server.configuration.limits }

    /// Bytes of later requests taken while an earlier one is answered.
    private static let mostPipelined = 64 << 10

    private enum Phase: Hashable {
        /// For the first byte of a request.
        case waiting
        case header
        case body
        /// A handler works.
        case handling(isHead: Bool, keepAlive: Bool)
        case answering(keepAlive: Bool)
        case webSocket
        case ended
    }

    init(core: LoopCore, id: UInt64, server: ServerCore, remoteAddress: String) {
        self.server = server
        self.remoteAddress = remoteAddress
        reader = HTTPRequestReader(headerLimit: server.configuration.limits.headerBytes, bodyLimit: server.configuration.limits.bodyBytes)
        super.init(core: core, id: id)
        setDeadline(limits.headerDeadline)
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        if isLeaving { return }
        switch phase {
        case .webSocket: receivedFrames(bytes)
        case .waiting:
            reader.feed(bytes)
            phase = .header
            setDeadline(limits.headerDeadline)
            readOn()
        case .header, .body:
            reader.feed(bytes)
            readOn()
        case .handling, .answering:
            // The next requests of a pipeline. Reading goes on, for else a peer that leaves would not be noticed.
            reader.feed(bytes)
            if reader.bufferedBytes > Self.mostPipelined { allowReading(false) }
        case .ended: break
        }
    }

    private func readOn() {
        do {
            while true {
                guard let event = try reader.next() else {
                    if reader.hasHead && phase == .header {
                        phase = .body
                        setDeadline(limits.bodyDeadline)
                    }
                    return
                }
                switch event {
                case .wantsContinue: put(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                case .request(let head, let body): return try serve(head, body)
                }
            }
        } catch {
            refuse(error)
        }
    }

    private func refuse(_ refusal: HTTPRefusal) {
        let id = RequestID.make()
        server.configuration.log.write(
            .info, "http.refused",
            [("id", id), ("status", String(refusal.status)), ("reason", refusal.reason), ("address", remoteAddress)])
        var response = httpRefusalResponse(refusal)
        response.headers[RequestID.field] = id
        answer(response, isHead: false, keepAlive: false)
    }

    private func serve(_ head: HTTPRequestHead, _ body: [UInt8]) throws(HTTPRefusal) {
        guard head.method != "CONNECT", head.method != "TRACE" else { throw .init(405, "method") }
        // A HEAD is handled as GET; its answer's body stays here (RFC 9110 §9.3.2).
        let request = HTTPServerRequest(
            method: head.method == "HEAD" ? "GET" : head.method, path: head.path, query: head.query, headers: head.fields, body: body,
            remoteAddress: remoteAddress)
        if let key = try webSocketKey(head) { return upgrade(request, head, key) }
        let keepAlive = head.keepAlive && !server.isDraining
        phase = .handling(isHead: head.method == "HEAD", keepAlive: keepAlive)
        setDeadline(limits.answerDeadline)
        serial += 1
        guard let loop = core.loop else { return kill() }
        task = Task { [http = server.configuration.http, id, serial] in
            let response = await http(request)
            loop.submit { core in (core.channels[id] as? ServerConnection)?.handled(response, serial) }
        }
    }

    private func handled(_ response: HTTPResponse, _ serial: Int) {
        guard serial == self.serial, case .handling(let isHead, let keepAlive) = phase else { return }
        answer(response, isHead: isHead, keepAlive: keepAlive && !server.isDraining)
    }

    private func answer(_ response: HTTPResponse, isHead: Bool, keepAlive: Bool) {
        task = nil
        phase = .answering(keepAlive: keepAlive)
        setDeadline(limits.answerDeadline)
        put(httpAnswer(response, isHead: isHead, keepAlive: keepAlive))
        if !keepAlive {
            phase = .ended
            allowReading(true)
            leave()
            setDeadline(limits.answerDeadline)
        }
    }

    override func filled() {
        guard case .answering = phase else {
            if phase == .ended && isHeadSent { setDeadline(Self.closeTime) }
            return
        }
        guard isHeadSent else { return setDeadline(limits.answerDeadline) }
        phase = reader.isMidway ? .header : .waiting
        setDeadline(reader.isMidway ? limits.headerDeadline : limits.idleDeadline)
        allowReading(true)
        if server.isDraining && phase == .waiting { return finish() }
        if reader.isMidway { readOn() }
    }

    private func finish() {
        phase = .ended
        leave()
    }

    // MARK: WebSocket

    private func upgrade(_ request: HTTPServerRequest, _ head: HTTPRequestHead, _ key: String) {
        if server.isDraining { return refuse(.init(503, "going down")) }
        switch server.configuration.webSocket(request) {
        case .refuse(let response): answer(response, isHead: false, keepAlive: false)
        case .accept(let options, let attach):
            let offered = head.fields.list("sec-websocket-protocol")
            if let subprotocol = options.subprotocol, !offered.contains(subprotocol) {
                return refuse(.init(400, "Sec-WebSocket-Protocol \(subprotocol) is needed"))
            }
            let deflate = options.deflate ? deflateAnswer(to: head.fields) : nil
            put(webSocketUpgradeAnswer(key: key, subprotocol: options.subprotocol, extensions: deflate?.field))
            guard let loop = core.loop else { return kill() }
            let outbox = Outbox(maximumQueuedBytes: options.maximumQueuedBytes, loop: loop, id: id)
            outbox.open()
            phase = .webSocket
            setDeadline(nil)
            session = WebSocketSession(
                side: .server, maximumMessageSize: options.maximumMessageSize, deflate: deflate?.agreement,
                inflater: deflate.map { _ in core.inflater }, outbox: outbox,
                receive: attach(outbox.webSocket))
            let rest = reader.takeRest()
            if !rest.isEmpty { rest.withUnsafeBytes { receivedFrames($0) } }
        }
    }

    // MARK: End

    /// The server goes down.
    func drain() {
        switch phase {
        case .webSocket:
            session?.outbox.close(.init(code: 1001, reason: "server going down"))
            touched()
            wantToWrite()
        case .waiting: finish()
        case .header, .body, .handling, .answering, .ended: break
        }
    }

    override func expired() {
        switch phase {
        case .header, .body: refuse(.init(408, "the request took too long"))
        case .waiting where serial == 0: kill()
        case .waiting: finish()
        case .handling:
            task?.cancel()
            refuse(.init(503, "no answer in time"))
        case .webSocket:
            session?.lost()
            kill()
        case .answering, .ended: kill()
        }
    }

    override func lost(_ reason: String) {
        task?.cancel()
        session?.lost()
        session = nil
        phase = .ended
        server.lost(self)
    }
}
