import Accounts
import Diagnostics
import HTTP
import Sealed
import Streams
import Texts

/// An auth centre and a gateway of a few lines: rotates, refuses, and holds its renewals until the test lets them go.
actor ScriptedServer {
    enum Refresh {
        case rotates
        case breaks(HTTPFailure)
        case answers(status: Int, body: [UInt8])
    }

    private(set) var refreshes = 0
    private(set) var requests: [HTTPRequest] = []
    private var refresh = Refresh.rotates
    private var generation: Int64 = 0
    private var account = ""
    private var refusesAccess = false
    private var gateway: (status: Int, body: [UInt8])?
    private var isHolding = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [CheckedContinuation<Void, Never>] = []

    nonisolated var http: HTTPClient {
        HTTPClient { request throws(HTTPFailure) in try await self.perform(request) }
    }

    func setRefresh(_ refresh: Refresh) { self.refresh = refresh }
    /// What the gateway says whatever is shown to it.
    func setGateway(status: Int, body: [UInt8]) { gateway = (status, body) }
    /// The access credential that is out counts no more.
    func expireAccess() { refusesAccess = true }
    func holdRefreshes() { isHolding = true }

    func letRefreshesGo() {
        isHolding = false
        for continuation in held { continuation.resume() }
        held = []
    }

    func untilRefreshIsHeld() async {
        if !held.isEmpty { return }
        await withCheckedContinuation { arrivals.append($0) }
    }

    private func perform(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        requests.append(request)
        let body = (try? JSONValue(parsing: request.body)) ?? .null
        switch request.url.dropFirst("http://127.0.0.1:7701".count) {
        case "/auth/v1/sign-in", "/auth/v1/register":
            account = body["name"]?.stringValue ?? ""
            generation = 1
            refusesAccess = false
            return grant()
        case "/auth/v1/refresh": return try await renew(body["refresh"]?.stringValue)
        case "/auth/v1/sign-out": return HTTPResponse(status: 200, body: Array("{}".utf8))
        default: return answer(request)
        }
    }

    private func renew(_ shown: String?) async throws(HTTPFailure) -> HTTPResponse {
        refreshes += 1
        if isHolding {
            for waiter in arrivals { waiter.resume() }
            arrivals = []
            await withCheckedContinuation { held.append($0) }
        }
        switch refresh {
        case .breaks(let failure): throw failure
        case .answers(let status, let body): return HTTPResponse(status: status, body: body)
        case .rotates:
            guard shown == "refresh-\(account)-\(generation)" else { return errorResponse(401, .authRefreshReused) }
            generation += 1
            refusesAccess = false
            return grant()
        }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        if let gateway { return HTTPResponse(status: gateway.status, body: gateway.body) }
        guard !refusesAccess, request.headers["authorization"] == "Bearer access-\(account)-\(generation)" else {
            return errorResponse(401, .authExpired)
        }
        let info = AccountInfo(
            account: account, name: account, baseCurrency: "HKD", tradingAccounts: [], quoteCredential: "quote-\(requests.count)",
            quoteExpiresIn: 7200, quoteNodes: [], tradeURL: "")
        return HTTPResponse(status: 200, body: info.json.serializedBytes())
    }

    private func grant() -> HTTPResponse {
        let grant = SessionGrant(
            account: account, name: account, access: "access-\(account)-\(generation)", refresh: "refresh-\(account)-\(generation)",
            expiresIn: 7200, generation: generation)
        return HTTPResponse(status: 200, body: grant.json.serializedBytes())
    }
}

func errorResponse(_ status: Int, _ code: ErrorCode) -> HTTPResponse {
    HTTPResponse(status: status, body: Failure(code).json(text: "").serializedBytes())
}

/// One or more processes' credentials over one server, one store, one clock.
struct Bench {
    let server = ScriptedServer()
    let clock = ManualClock(at: .init(nanoseconds: 1_000_000_000))
    var store = SecretStore.memory()
    var lockFile: String?

    func credentials() throws -> Credentials {
        let manual = clock
        // The lock is asked again at once instead of after 20 ms; everything longer waits for the test to move the clock.
        let clock = MonotonicClock(now: { manual.now }) { instant in
            if manual.now.duration(to: instant) < .milliseconds(100) { await Task.yield() } else { try await manual.clock.sleep(instant) }
        }
        return Credentials(
            api: try APIClient(base: "http://127.0.0.1:7701", http: server.http, clock: clock, retries: [.seconds(1)]), clock: clock,
            configuration: .init(
                device: DeviceInfo(id: String(repeating: "a", count: 32), platform: "linux", name: "test"), store: store,
                lockFile: lockFile, alsoForgotten: ["trade-session-futures"],
                wall: { 1_796_000_000_000 + manual.now.nanoseconds / 1_000_000 }))
    }

    func signedIn(_ name: String = "ann") async throws -> Credentials {
        let credentials = try credentials()
        try await credentials.signIn(name: name, password: "hunter2hunter2")
        return credentials
    }
}
