/// Header fields in order; names compare without case.
public struct HTTPFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var fields: [Field] = []

    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String
    }

    public init() {}
    public init(dictionaryLiteral elements: (String, String)...) { for (name, value) in elements { append(name, value) } }
    public mutating func append(_ name: String, _ value: String) { fields.append(.init(name: name, value: value)) }

    /// The first value of that name; setting replaces all of them.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { append(name, newValue) }
        }
    }
}

/// A client's request. `url` is absolute.
public struct HTTPRequest: Sendable {
    public var method: String
    public var url: String
    public var headers: HTTPFields
    public var body: [UInt8]
    public var timeout: Duration

    public init(method: String, url: String, headers: HTTPFields = [:], body: [UInt8] = [], timeout: Duration = .seconds(15)) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

public struct HTTPResponse: Hashable, Sendable {
    public var status: Int
    public var headers: HTTPFields
    public var body: [UInt8]

    public init(status: Int, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Why no answer came.
public enum HTTPFailure: Error, Hashable, Sendable {
    case offline(String)
    case timedOut
    /// The connection broke after the request may have reached the server.
    case connectionLost(String)
    /// The server's certificate is not trusted; `detail` never holds a secret.
    case untrusted(String)
    case tooLarge
    case cancelled
    case badURL(String)
}

/// How a server's certificate is judged (O-3).
public enum TLSTrust: Hashable, Sendable {
    case system
    /// PEM file of the only authorities that count.
    case authorities(file: String)
    /// SHA-256 of the server's public key, base64: trust on first use.
    case pinned(sha256: String)
}

/// Port: performs one request; never follows a redirect, never retries.
public struct HTTPClient: Sendable {
    public var perform: @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
    public init(perform: @escaping @Sendable (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse) { self.perform = perform }
}

/// What a server received: the request line, header and (bounded) body.
public struct HTTPServerRequest: Sendable {
    public var method: String
    /// Percent-decoded path without query; never contains `..` segments.
    public var path: String
    /// Raw query without `?`, empty where there is none.
    public var query: String
    public var headers: HTTPFields
    public var body: [UInt8]
    public var remoteAddress: String

    public init(method: String, path: String, query: String = "", headers: HTTPFields = [:], body: [UInt8] = [], remoteAddress: String) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
    }
}

/// Port: answers a request. Called off the service thread; the answer may come whenever it is ready.
public typealias HTTPHandler = @Sendable (HTTPServerRequest) async -> HTTPResponse
