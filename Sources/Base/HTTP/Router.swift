public import Texts

/// Who asks, as a handler sees it. The body has been read into the handler's input already.
public struct RequestContext: Sendable {
    /// Nil only where the endpoint asks for no authentication.
    public var principal: Principal?
    public var remoteAddress: String
    public var headers: HTTPFields

    /// The principal of an endpoint that asks for one.
    public func caller() throws(Failure) -> Principal {
        guard let principal else { throw Failure(.authInvalid) }
        return principal
    }
}

/// An answer, and what of its request may be counted and logged: never an address as it was written, a query or a body.
public struct Routed: Sendable {
    public var response: HTTPResponse
    /// Method and path template, e.g. `DELETE /auth/v1/devices/{id}`; `unknown` where there is no such address.
    public var endpoint: String
    public var principal: Principal?
    public var code: ErrorCode?

    public init(response: HTTPResponse, endpoint: String, principal: Principal? = nil, code: ErrorCode? = nil) {
        self.response = response
        self.endpoint = endpoint
        self.principal = principal
        self.code = code
    }
}

/// Finds the handler of a request, checks credential, scope and input, and makes every failure an error body.
/// A value: built once at start, then shared.
public struct Router: Sendable {
    /// Access credential → who it is. Fast; called for each request.
    public typealias Authenticate = @Sendable (_ access: String) -> Result<Principal, Failure>

    /// Whether a request that has a right to its answer may have it now; `rate.limited` otherwise. Fast; called for each request.
    public typealias Admit = @Sendable (_ kind: RateClass, _ key: String) -> Failure?

    private struct Route: Sendable {
        var method: HTTPMethod
        var name: String { method.rawValue + " " + template.path }
        var template: PathTemplate
        var authentication: EndpointAuthentication
        var answer: @Sendable (RequestContext, HTTPServerRequest, [JSONValue.Member]) async -> Result<HTTPResponse, Failure>
    }

    private var routes: [Route] = []
    private let authenticate: Authenticate
    private let describe: @Sendable (Failure) -> String
    private let bodyLimit: Int
    private let admit: Admit

    /// Most bytes of a body, where nothing else is said.
    public static let bodyLimit = 64 << 10
    public static let jsonDepth = 16

    /// `describe` gives the text of an error; `bodyLimit` in bytes.
    public init(
        bodyLimit: Int = Router.bodyLimit, describe: @escaping @Sendable (Failure) -> String = { $0.code.rawValue },
        authenticate: @escaping Authenticate, admit: @escaping Admit = { _, _ in nil }
    ) {
        self.admit = admit
        self.bodyLimit = bodyLimit
        self.describe = describe
        self.authenticate = authenticate
    }

    /// Serves an endpoint.
    public mutating func serve<Input, Output>(
        _ endpoint: Endpoint<Input, Output>,
        _ handle: @escaping @Sendable (RequestContext, Input) async throws(Failure) -> Output
    ) {
        let limit = bodyLimit
        let hasBody = endpoint.method.hasBody
        routes.append(
            Route(method: endpoint.method, template: endpoint.template, authentication: endpoint.authentication) {
                context, request, parameters in
                do throws(Failure) {
                    let input = try Self.input(of: request, parameters: parameters, hasBody: hasBody, limit: limit)
                    let output = try await handle(context, Input(json: input))
                    return .success(.json(output.json))
                } catch {
                    return .failure(error)
                }
            })
    }

    /// Serves an address whose answer is no JSON (metrics, health).
    public mutating func serveRaw(
        _ method: HTTPMethod, _ path: String, authentication: EndpointAuthentication = .none,
        _ handle: @escaping @Sendable (RequestContext, HTTPServerRequest) async throws(Failure) -> HTTPResponse
    ) {
        routes.append(
            Route(method: method, template: PathTemplate(path), authentication: authentication) { context, request, _ in
                do throws(Failure) {
                    return .success(try await handle(context, request))
                } catch {
                    return .failure(error)
                }
            })
    }

    /// The handler for the HTTP server.
    public var handler: HTTPHandler {
        { await self.answer($0) }
    }

    public func answer(_ request: HTTPServerRequest) async -> HTTPResponse { await respond(to: request).response }

    /// The addresses served, each with what it asks of its caller.
    public var served: [(endpoint: String, authentication: EndpointAuthentication)] { routes.map { ($0.name, $0.authentication) } }

    public func respond(to request: HTTPServerRequest) async -> Routed {
        var routed = Routed(response: HTTPResponse(status: 500), endpoint: "unknown")
        switch await result(of: request, &routed) {
        case .success(let response): routed.response = response
        case .failure(let failure):
            routed.code = failure.code
            routed.response = refusal(failure)
        }
        return routed
    }

    /// The answer that says a failure.
    public func refusal(_ failure: Failure) -> HTTPResponse { .refusal(failure, text: describe(failure)) }

    private func result(of request: HTTPServerRequest, _ routed: inout Routed) async -> Result<HTTPResponse, Failure> {
        var pathExists = false
        for route in routes {
            guard let parameters = route.template.match(request.path) else { continue }
            pathExists = true
            guard route.method.rawValue == request.method else { continue }
            routed.endpoint = route.name
            if let failure = refusal(of: request, route.method) { return .failure(failure) }
            var context = RequestContext(remoteAddress: request.remoteAddress, headers: request.headers)
            var limit = (kind: RateClass.anonymous, key: request.remoteAddress)
            if let scope = scope(asked: route.authentication, of: request) {
                switch Self.bearer(of: request).flatMap(authenticate) {
                case .failure(let failure): return .failure(failure)
                case .success(let principal):
                    guard principal.scopes.contains(scope) else { return .failure(Failure(.authScope, .init("scope", scope.rawValue))) }
                    context.principal = principal
                    routed.principal = principal
                    limit = (route.method == .get ? .reads : .changes, principal.accountID)
                }
            }
            if let failure = admit(limit.kind, limit.key) { return .failure(failure) }
            return await route.answer(context, request, parameters)
        }
        return .failure(Failure(pathExists ? .requestMethod : .requestUnknown))
    }

    private func scope(asked authentication: EndpointAuthentication, of request: HTTPServerRequest) -> Scope? {
        if case .loopbackOr = authentication, request.isFromLoopback { return nil }
        return authentication.scope
    }

    /// What changes something is not taken from another site's page, nor as anything but JSON (O-3).
    private func refusal(of request: HTTPServerRequest, _ method: HTTPMethod) -> Failure? {
        if method != .get && request.isFromForeignOrigin { return Failure(.requestOrigin) }
        guard request.body.count <= bodyLimit else { return Failure(.requestTooLarge) }
        return method.hasBody && !request.hasJSONBody ? Failure(.requestMediaType) : nil
    }

    private static func bearer(of request: HTTPServerRequest) -> Result<String, Failure> {
        guard let field = request.headers["authorization"], field.utf8.count <= 1024 else { return .failure(Failure(.authInvalid)) }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", !parts[1].isEmpty else { return .failure(Failure(.authInvalid)) }
        return .success(String(parts[1]))
    }

    private static func input(
        of request: HTTPServerRequest, parameters: [JSONValue.Member], hasBody: Bool, limit: Int
    ) throws(Failure) -> JSONValue {
        var members = parameters
        guard let query = PercentCoding.members(ofQuery: request.query) else { throw .invalid("query") }
        // What has a body says everything there: a password in an address would end in somebody's log.
        if hasBody && !query.isEmpty { throw .invalid("query") }
        members += query
        if hasBody, !request.body.isEmpty {
            let body: JSONValue
            do {
                body = try JSONValue(parsing: request.body, limits: JSONLimits(bytes: limit, depth: Self.jsonDepth))
            } catch {
                throw .invalid("body")
            }
            guard let fields = body.members else { throw .invalid("body") }
            members += fields
        }
        for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.name == member.name }) {
            throw .invalid(member.name)
        }
        return .object(members)
    }
}

extension HTTPResponse {
    /// The answer that says a failure, with the fields its status asks for.
    public static func refusal(_ failure: Failure, text: String) -> HTTPResponse {
        var response = HTTPResponse.json(failure.json(text: text), status: failure.httpStatus)
        if failure.httpStatus == 401 { response.headers.append("www-authenticate", "Bearer") }
        if failure.code == .rateLimited, let seconds = failure.arguments.first(where: { $0.name == "seconds" })?.value {
            response.headers.append("retry-after", seconds)
        }
        return response
    }

    /// A JSON answer that nobody may keep.
    public static func json(_ value: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["content-type": "application/json", "cache-control": "no-store"], body: value.serializedBytes())
    }
}
