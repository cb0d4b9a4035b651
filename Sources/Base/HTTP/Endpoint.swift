import Texts

public enum HTTPMethod: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// Whether input travels in a body; else in path and query.
    var hasBody: Bool {
        switch self {
        case .post, .put: true
        case .get, .delete: false
        }
    }
}

/// What an endpoint asks of its caller.
public enum EndpointAuthentication: Hashable, Sendable {
    case none
    /// `Authorization: Bearer ACCESS` of a principal that has the scope.
    case bearer(Scope)
    /// This machine without a credential, others as `bearer`: what operates the server.
    case loopbackOr(Scope)

    /// The scope a caller from elsewhere needs; nil: none.
    public var scope: Scope? {
        switch self {
        case .none: nil
        case .bearer(let scope), .loopbackOr(let scope): scope
        }
    }
}

/// One address of the HTTP API, written once for client and server.
///
/// Input members named in the path (`/devices/{id}`) travel there; with GET and DELETE the others travel in the query, else in a
/// JSON body. The server puts them together again.
public struct Endpoint<Input: JSONCodable, Output: JSONCodable>: Sendable {
    public var method: HTTPMethod
    public var path: String
    public var authentication: EndpointAuthentication
    /// May be sent again after a broken connection (B-12). A request refused for authentication was not executed and may always be.
    public var isReplaySafe: Bool
    public var timeout: Duration

    /// `isReplaySafe` nil: true for GET.
    public init(
        _ method: HTTPMethod, _ path: String, authentication: EndpointAuthentication, isReplaySafe: Bool? = nil,
        timeout: Duration = .seconds(15)
    ) {
        self.method = method
        self.path = path
        self.authentication = authentication
        self.isReplaySafe = isReplaySafe ?? (method == .get)
        self.timeout = timeout
    }

    var template: PathTemplate { PathTemplate(path) }
}

/// A path whose `{name}` segments stand for any one segment.
struct PathTemplate: Hashable, Sendable {
    enum Segment: Hashable, Sendable {
        case literal(String)
        case parameter(String)
    }

    var segments: [Segment]
    let path: String

    init(_ path: String) {
        self.path = path
        segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { text in
            text.hasPrefix("{") && text.hasSuffix("}") ? .parameter(String(text.dropFirst().dropLast())) : .literal(String(text))
        }
    }

    var parameters: [String] {
        segments.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The parameters' values; nil where the path is another one.
    func match(_ path: String) -> [JSONValue.Member]? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.count == segments.count else { return nil }
        var values: [JSONValue.Member] = []
        for (part, segment) in zip(parts, segments) {
            switch segment {
            case .literal(let text): if part != text { return nil }
            case .parameter(let name):
                if part.isEmpty { return nil }
                values.append(.init(name, .string(String(part))))
            }
        }
        return values
    }

    /// The path with the parameters filled in, percent-encoded.
    func filled(from input: JSONValue) throws(Failure) -> String {
        var path = ""
        for segment in segments {
            switch segment {
            case .literal(let text): path += "/" + text
            case .parameter(let name):
                let value = try input.string(name)
                guard !value.isEmpty, value != ".", value != ".." else { throw .invalid(name) }
                path += "/" + PercentCoding.encode(value)
            }
        }
        return path
    }
}

/// Percent-encoding of RFC 3986: only unreserved characters stand for themselves.
public enum PercentCoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    public static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
            default: bytes += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Nil where an escape is cut off or the bytes are no UTF-8. `plusIsSpace`: as in a query.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var source = text.utf8.makeIterator()
        while let byte = source.next() {
            switch byte {
            case 37:
                guard let high = source.next().flatMap(nibble), let low = source.next().flatMap(nibble) else { return nil }
                bytes.append(high << 4 | low)
            case 43 where plusIsSpace: bytes.append(32)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }

    /// The members of a query, each name once; nil where it is malformed.
    static func members(ofQuery query: String) -> [JSONValue.Member]? {
        var members: [JSONValue.Member] = []
        for pair in query.split(separator: "&") {
            let cut = pair.firstIndex(of: "=") ?? pair.endIndex
            guard let name = decode(pair[..<cut], plusIsSpace: true),
                let value = decode(cut == pair.endIndex ? "" : pair[pair.index(after: cut)...], plusIsSpace: true),
                !members.contains(where: { $0.name == name }), members.count < 64
            else { return nil }
            members.append(.init(name, .string(value)))
        }
        return members
    }
}
