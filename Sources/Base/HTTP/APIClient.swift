public import Streams
public import Texts

/// Calls endpoints of one server. Knows nothing of renewal: a bearer credential is handed in.
public struct APIClient: Sendable {
    /// `http(s)://host:port`, without a trailing slash.
    public let base: String
    private let http: HTTPClient
    private let clock: MonotonicClock
    private let retries: [Duration]

    /// - Parameter retries: waits before each repetition of a replay-safe request whose connection broke (B-12).
    /// - Throws: `connection.insecure` for `http:` to another machine (O-3), `request.invalid` for no URL.
    public init(
        base: String, http: HTTPClient, clock: MonotonicClock, retries: [Duration] = [.milliseconds(250), .seconds(1)]
    ) throws(Failure) {
        self.base = try ServerAddress(base).url
        self.http = http
        self.clock = clock
        self.retries = retries
    }

    /// The request of an endpoint as it goes over the wire, without credential.
    public func request<Input, Output>(_ endpoint: Endpoint<Input, Output>, _ input: Input) throws(Failure) -> HTTPRequest {
        let template = endpoint.template
        let value = input.json
        var url = base + (try template.filled(from: value))
        let named = Set(template.parameters)
        let rest = (value.members ?? []).filter { !named.contains($0.name) && !$0.value.isNull }
        var request = HTTPRequest(
            method: endpoint.method.rawValue, url: "", headers: ["accept": "application/json"], timeout: endpoint.timeout)
        if endpoint.method == .get || endpoint.method == .delete {
            let query = rest.compactMap { member in
                (member.value.stringValue ?? member.value.numberText).map {
                    PercentCoding.encode(member.name) + "=" + PercentCoding.encode($0)
                }
            }
            if !query.isEmpty { url += "?" + query.joined(separator: "&") }
        } else {
            request.headers.append("content-type", "application/json")
            request.body = JSONValue.object(rest).serializedBytes()
        }
        request.url = url
        return request
    }

    /// Calls without renewal; `bearer` is sent where the endpoint asks for it.
    public func call<Input, Output>(
        _ endpoint: Endpoint<Input, Output>, _ input: Input, bearer: String? = nil
    ) async throws(Failure) -> Output {
        var request = try self.request(endpoint, input)
        if endpoint.authentication.scope != nil, let bearer { request.headers["authorization"] = "Bearer " + bearer }
        var waits = (endpoint.isReplaySafe ? retries : []).makeIterator()
        while true {
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try await http.perform(request)
            } catch {
                guard error.mayRepeat, let wait = waits.next() else { throw error.failure }
                do { try await clock.sleep(clock.now().advanced(by: wait)) } catch { throw Failure(.requestCancelled) }
                continue
            }
            return try Self.output(of: response)
        }
    }

    /// Performs once, as it stands.
    public func perform(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse { try await http.perform(request) }

    /// The output of an answer, or the failure that its body or status says.
    public static func output<Output: JSONCodable>(of response: HTTPResponse) throws(Failure) -> Output {
        guard (200...299).contains(response.status) else { throw failure(of: response) }
        let value: JSONValue
        do { value = try JSONValue(parsing: response.body, limits: JSONLimits(bytes: 16 << 20, depth: 64)) } catch {
            throw Failure(.serverUnavailable)
        }
        return try Output(json: value)
    }

    /// What a refused request says.
    public static func failure(of response: HTTPResponse) -> Failure {
        if let failure = Failure(errorBody: response.body) { return failure }
        return switch response.status {
        case 401: Failure(.authInvalid)
        case 404: Failure(.requestUnknown)
        case 405: Failure(.requestMethod)
        case 413: Failure(.requestTooLarge)
        case 429: Failure(.rateLimited, .init("seconds", response.headers["retry-after"].flatMap { UInt32($0) }.map { "\($0)" } ?? "60"))
        case 400...499: Failure(.requestRefused, .init("status", "\(response.status)"))
        default: Failure(.serverUnavailable)
        }
    }
}

extension HTTPFailure {
    /// The connection broke or never stood; the same request may be tried again where a replay is safe.
    var mayRepeat: Bool {
        switch self {
        case .offline, .connectionLost: true
        case .timedOut, .untrusted, .tooLarge, .cancelled, .badURL: false
        }
    }
}

/// A server's address as the user gave it, checked (O-3).
public struct ServerAddress: Hashable, Sendable {
    /// `scheme://host[:port]`, lower case, without a trailing slash.
    public let url: String
    public let host: String
    public let isSecure: Bool

    public init(_ text: String) throws(Failure) {
        var rest = Substring(text.lowercased())
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.hasPrefix("https://") {
            isSecure = true
        } else if rest.hasPrefix("http://") {
            isSecure = false
        } else {
            throw .invalid("server")
        }
        let authority = rest.drop { $0 != "/" }.dropFirst(2)
        guard !authority.isEmpty, authority.utf8.count <= 255,
            authority.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || [45, 46, 58, 91, 93].contains($0) })
        else { throw .invalid("server") }
        let name: Substring
        var port: Substring = ""
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            name = authority[authority.index(after: authority.startIndex)..<end]
            port = authority[authority.index(after: end)...]
        } else {
            name = authority.prefix { $0 != ":" }
            port = authority[name.endIndex...]
        }
        guard !name.isEmpty, port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()).map { $0 > 0 } == true) else {
            throw .invalid("server")
        }
        host = String(name)
        url = String(rest)
        guard isSecure || Self.isLoopback(host) else { throw Failure(.connectionInsecure, .init("host", host)) }
    }

    /// `localhost`, 127.0.0.0/8 or ::1.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
