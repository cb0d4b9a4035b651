import Diagnostics
import HTTP
import Streams
import Synchronization
import Texts
import Transport

/// Rate limits of a running server: the pure table, a clock and a lock.
final class Admission: Sendable {
    private let limiter: Mutex<RateLimiter>
    private let policy: RatePolicy
    private let clock: MonotonicClock

    init(_ policy: RatePolicy, clock: MonotonicClock) {
        self.policy = policy
        self.clock = clock
        limiter = Mutex(RateLimiter(policy))
    }

    /// `key`: an address or an account, by class. On this machine everybody shares one address.
    func refusal(_ kind: RateClass, _ key: String) -> Failure? {
        let countsAddress = kind == .anonymous || kind == .upgrades
        if countsAddress && !policy.countsLoopback && HTTPServerRequest.isLoopback(key) { return nil }
        let now = clock.now()
        let wait = limiter.withLock { $0.take(kind, key, at: now) }
        return wait.map { Failure(.rateLimited, .init("seconds", String($0))) }
    }
}

/// What every request passes on its way in and its answer on the way out: host, rate, request id, log, metrics, draining.
struct FrontDoor: Sendable {
    let hosts: HostRules
    let router: Router
    let admission: Admission
    let readiness: Readiness
    let clock: MonotonicClock
    let log: Log
    let metrics: Metrics

    func answer(_ request: HTTPServerRequest, else next: (HTTPServerRequest) -> HTTPResponse?) async -> HTTPResponse {
        let started = clock.now()
        let id = RequestID.of(request.headers)
        var routed: Routed
        if !hosts.allows(request) {
            routed = refused(.requestHost)
        } else if let response = next(request) {
            routed = Routed(response: response, endpoint: "/socket.io/")
        } else if request.method != "GET" && readiness.isDraining {
            routed = refused(.serverUnavailable)
        } else {
            routed = await router.respond(to: request)
        }
        routed.response.headers[RequestID.field] = id
        record(routed, id, request, started)
        return routed.response
    }

    func accept(_ request: HTTPServerRequest, next: (HTTPServerRequest) -> WebSocketAcceptance) -> WebSocketAcceptance {
        let id = RequestID.of(request.headers)
        var failure: Failure?
        if !hosts.allows(request) {
            failure = Failure(.requestHost)
        } else if request.isFromForeignOrigin {
            failure = Failure(.requestOrigin)
        } else if !readiness.takesConnections {
            failure = Failure(.serverUnavailable)
        } else {
            failure = admission.refusal(.upgrades, request.remoteAddress)
        }
        guard let failure else {
            let accepted = next(request)
            guard case .refuse(var response) = accepted else {
                note(id, "upgrade", 101, request, nil, nil)
                return accepted
            }
            response.headers[RequestID.field] = id
            note(id, "upgrade", response.status, request, nil, nil)
            return .refuse(response)
        }
        var response = router.refusal(failure)
        response.headers[RequestID.field] = id
        if failure.code == .serverUnavailable { response.headers["Retry-After"] = "1" }
        note(id, "upgrade", response.status, request, nil, failure.code)
        return .refuse(response)
    }

    private func refused(_ code: ErrorCode) -> Routed {
        Routed(response: router.refusal(Failure(code)), endpoint: "unknown", code: code)
    }

    private func record(_ routed: Routed, _ id: String, _ request: HTTPServerRequest, _ started: MonotonicInstant) {
        let took = started.duration(to: clock.now())
        metrics.histogram(
            "causeway_http_request_seconds", help: "From a whole request to its answer", labels: [("endpoint", routed.endpoint)]
        ).add(took)
        note(id, routed.endpoint, routed.response.status, request, routed.principal, routed.code, took)
    }

    /// The access log's line and its counter. The address as it was written, the query and bodies stay out: they may hold secrets.
    private func note(
        _ id: String, _ endpoint: String, _ status: Int, _ request: HTTPServerRequest, _ principal: Principal?, _ code: ErrorCode?,
        _ took: Duration? = nil
    ) {
        metrics.counter(
            "causeway_http_requests_total", help: "Answers by address and class of status",
            labels: [("endpoint", endpoint), ("status", "\(status / 100)xx")]
        ).add()
        var fields: [(name: String, value: String)] = [
            ("id", id), ("endpoint", endpoint), ("status", String(status)), ("address", request.remoteAddress),
        ]
        if let took { fields.append(("micros", String(took.nanoseconds / 1000))) }
        if let principal { fields += [("account", principal.accountID), ("device", principal.deviceID)] }
        if let code { fields.append(("code", code.rawValue)) }
        // Who watches the server asks every few seconds.
        let isWatching = endpoint.hasSuffix("z") || endpoint.hasSuffix("/metrics")
        log.write(isWatching && status < 400 ? .debug : .info, "http.request", fields)
    }
}
