public import Accounts
import HTTP
public import Instruments
public import Texts

extension ErrorCode {
    /// No quote node has that market: `market`.
    public static let nodeNone = ErrorCode("node.none")
    /// A quote node's market time is not the first one's.
    public static let nodeTime = ErrorCode("node.time")
    /// A quote node knows another instrument by a number: `symbol`.
    public static let nodeTable = ErrorCode("node.table")
    /// What was asked for all at once is on different nodes.
    public static let nodeSeveral = ErrorCode("node.several")
}

/// Which node has the quotes of a market, by what account info says (B-11, B-13). Pure.
public struct QuoteNodes: Hashable, Sendable {
    /// Distinct addresses. The first is the one of the markets that have none of their own, else the first that was told: it gives the
    /// symbol table and market time.
    public let urls: [String]
    private let byMarket: [String: Int]
    private let rest: Int?

    /// What stands for every market that has no node of its own.
    private static let others = "*"

    /// Of two nodes for one market the first counts.
    /// - Throws: `server.unavailable` where there is none, `connection.insecure` for one that a credential must not be sent to (O-3).
    public init(_ announced: [AccountInfo.Node]) throws(Failure) {
        let first = announced.filter { $0.market == Self.others } + announced.filter { $0.market != Self.others }
        guard !first.isEmpty else { throw Failure(.serverUnavailable) }
        var (urls, byMarket) = ([String](), [String: Int]())
        for node in first where byMarket[node.market] == nil {
            let url: String
            do throws(Failure) { url = try WebSocketAddress(node.url).url } catch {
                throw error.code == .connectionInsecure ? error : Failure(.serverUnavailable)
            }
            let place = urls.firstIndex(of: url) ?? urls.count
            if place == urls.count { urls.append(url) }
            byMarket[node.market] = place
        }
        rest = byMarket.removeValue(forKey: Self.others)
        self.urls = urls
        self.byMarket = byMarket
    }

    /// The place in `urls` of the node that has a market's quotes; nil: none has. One that is alone is asked for everything.
    public func node(of market: Market) -> Int? { urls.count == 1 ? 0 : byMarket[market.suffix] ?? rest }
}

/// How several connections stand, taken as one: connected only when all are.
struct JointStatus: Sendable {
    private var each: [Int: ConnectionStatus] = [:]
    private var told = ConnectionStatus.connected

    /// The worst counts, what ends a connection for good most.
    private static func rank(_ status: ConnectionStatus) -> Int {
        switch status {
        case .connected: 0
        case .connecting: 1
        case .reconnecting: 2
        case .offline: 3
        case .ended: 4
        case .updateNeeded: 5
        }
    }

    static func joint(_ all: some Sequence<ConnectionStatus>) -> ConnectionStatus {
        all.max { rank($0) < rank($1) } ?? .offline
    }

    /// What is to be told of it; nil: it is as it was.
    mutating func set(_ node: Int, _ status: ConnectionStatus) -> ConnectionStatus? {
        each[node] = status
        let now = Self.joint(each.values)
        defer { told = now }
        return now == told ? nil : now
    }
}
