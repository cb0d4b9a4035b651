public import AuthCentre
import Foundation
import HTTP
import Instruments
import Sealed
public import Texts

extension ErrorCode {
    /// Two quote nodes of one market: `market`.
    public static let nodeTwice = ErrorCode("node.twice")
    /// Not a key that a server wrote for its quote nodes: `path`.
    public static let nodeKey = ErrorCode("node.key")
    /// A key that others than its owner may read: `path`.
    public static let nodeKeyOpen = ErrorCode("node.key-open")
    /// Something else lies where the key of the quote nodes is to be written: `path`.
    public static let nodeKeyTaken = ErrorCode("node.key-taken")
}

/// Where clients find the quotes of a market, as account info tells them (B-11, B-13).
public struct QuoteNodeAddress: Hashable, Sendable {
    /// What follows the dot of a symbol, or `rest`.
    public let market: String
    public let url: String

    /// All markets that have no node of their own.
    public static let rest = "*"
    /// Words for `market`.
    public static var markets: [String] {
        var suffixes: [String] = []
        for market in Market.allCases where !suffixes.contains(market.suffix) { suffixes.append(market.suffix) }
        return suffixes + [rest]
    }

    /// - Throws: `connection.insecure` for `ws:` to another machine (O-3), `request.invalid` with `market` or `url`.
    public init(market: String, url: String) throws(Failure) {
        guard Self.markets.contains(market) else { throw .invalid("market") }
        self.market = market
        self.url = try WebSocketAddress(url).url
    }
}

extension ServerConfiguration {
    /// What it listens on and what it announces (O-3).
    func checkAddresses() throws(Failure) {
        guard isLoopback || tls != nil || allowsPlainLAN else { throw Failure(.serverInsecure, .init("host", host)) }
        var markets: Set<String> = []
        for node in quoteNodes where !markets.insert(node.market).inserted { throw Failure(.nodeTwice, .init("market", node.market)) }
    }
}

/// The file that carries a gateway's node key to its quote nodes.
public enum NodeKeyFile {
    /// Nothing where the key is there already; never over anything else.
    static func write(_ key: NodeKey, to path: String) throws(Failure) {
        do throws(SealedError) {
            if try PrivateFile.create(key.fileBytes, at: path) { return }
        } catch { throw failure(error, path) }
        guard let known = try? read(path), known == key else { throw Failure(.nodeKeyTaken, .init("path", path)) }
    }

    /// - Throws: `node.key`, `node.key-open`.
    public static func read(_ path: String) throws(Failure) -> NodeKey {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw Failure(.nodeKey, .init("path", path)) }
        guard status.st_mode & 0o077 == 0 else { throw Failure(.nodeKeyOpen, .init("path", path)) }
        let bytes: [UInt8]?
        do throws(SealedError) { bytes = try PrivateFile.read(path, limit: 1 << 10) } catch { throw Failure(.nodeKey, .init("path", path)) }
        guard let bytes, let key = NodeKey(fileBytes: bytes) else { throw Failure(.nodeKey, .init("path", path)) }
        return key
    }

    private static func failure(_ error: SealedError, _ path: String) -> Failure {
        if case .full = error { return Failure(.storageFull) }
        if case .file(_, let reason) = error { return Failure(.storageFailed, .init("reason", "\(path): \(reason)")) }
        return Failure(.storageFailed, .init("reason", path))
    }
}
