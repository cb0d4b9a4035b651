public import Texts

extension Failure {
    /// The HTTP status this failure travels with: 401 credentials, 403 scope, 404, 405, 409 conflict, 413, 415, 421, 429, 5xx ours, else 400.
    public var httpStatus: Int {
        switch code {
        case .authInvalid, .authExpired, .authRefreshInvalid, .authRefreshReused, .authWrongPassword, .authSignedOutElsewhere: 401
        case .authFrozen, .authScope, .requestOrigin: 403
        case .requestUnknown, .symbolUnknown: 404
        case .requestHost: 421
        case .requestMethod: 405
        case .authNameTaken: 409
        case .requestTooLarge: 413
        case .requestMediaType: 415
        case .rateLimited: 429
        case .serverUnavailable, .serverFull: 503
        case .storageFull: 507
        case .storageFailed, .dataCorrupt: 500
        default: code.rawValue.hasSuffix(".unknown") ? 404 : 400
        }
    }

    /// `{"error":{"code","args","text"}}`.
    public func json(text: String) -> JSONValue {
        var args: [JSONValue.Member] = []
        for argument in arguments where !args.contains(where: { $0.name == argument.name }) {
            args.append(.init(argument.name, .string(argument.value)))
        }
        return ["error": ["code": .string(code.rawValue), "args": .object(args), "text": .string(text)]]
    }

    /// Reads the error body; nil where it is none.
    public init?(errorBody body: [UInt8]) {
        guard let value = try? JSONValue(parsing: body, limits: JSONLimits(bytes: 64 << 10, depth: 8)),
            let error = value["error"], let code = error["code"]?.stringValue,
            (1...64).contains(code.utf8.count),
            code.utf8.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 46 })
        else { return nil }
        let arguments = (error["args"]?.members ?? []).prefix(16).compactMap { member in
            member.value.stringValue.map { Argument(member.name, $0) }
        }
        self.init(ErrorCode(code), arguments: Array(arguments))
    }
}

extension HTTPFailure {
    /// As the user is told.
    public var failure: Failure {
        switch self {
        case .offline: Failure(.connectionNotConnected)
        case .timedOut: Failure(.connectionTimedOut)
        case .connectionLost: Failure(.connectionLost)
        case .untrusted: Failure(.connectionUntrusted)
        case .tooLarge: Failure(.requestTooLarge)
        case .cancelled: Failure(.requestCancelled)
        case .badURL: .invalid("url")
        }
    }
}
