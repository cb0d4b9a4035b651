package import Exact
import HTTP

/// What Finnhub's stream says in one text message. Prices and sizes are read from the JSON text digit by digit (C-6).
package enum FinnhubMessage: Hashable, Sendable {
    /// The trades that can be read, in the order they came, and how many beside them cannot.
    case trades([FinnhubTrade], unreadable: Int)
    /// Nothing has traded for a while; wants no answer.
    case ping
    /// What the service objects to, in its words.
    case error(String)
    /// A kind of message this feed has no use for.
    case other(String)
}

/// One element of a `trade` message.
package struct FinnhubTrade: Hashable, Sendable {
    package var symbol: String
    package var price: Price
    /// Zero: the price changed, nothing was traded.
    package var size: Quantity
    /// Milliseconds since 1970.
    package var time: Int64
    package var conditions: [String]
}

/// The answer of `/api/v1/quote`: the last price and the figures of the day it is of.
package struct FinnhubQuote: Hashable, Sendable {
    package var last: Price
    /// Seconds since 1970.
    package var time: Int64
    package var open: Price?
    package var high: Price?
    package var low: Price?
    package var previousClose: Price?
}

/// Why a message or an answer says nothing.
package enum FinnhubFault: Error, Hashable, Sendable {
    case unreadable
    /// All figures are zero, which is how the service says that it does not know a symbol.
    case unknownSymbol
}

extension FinnhubMessage {
    static let limits = JSONLimits(bytes: 1 << 20, depth: 8)
    /// More trades than any message has.
    static let mostTrades = 10_000

    package init(parsing text: String) throws(FinnhubFault) {
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: text, limits: Self.limits) } catch { throw .unreadable }
        guard let type = json["type"]?.stringValue else { throw .unreadable }
        switch type {
        case "ping": self = .ping
        case "error": self = .error(json["msg"]?.stringValue ?? "")
        case "trade":
            guard let list = json["data"]?.arrayValue, list.count <= Self.mostTrades else { throw .unreadable }
            let trades = list.compactMap(FinnhubTrade.init)
            self = .trades(trades, unreadable: list.count - trades.count)
        default: self = .other(String(type.prefix(32)))
        }
    }
}

extension FinnhubTrade {
    /// Nil where a member is missing or is no number that can be held exactly.
    init?(_ json: JSONValue) {
        guard let symbol = json["s"]?.stringValue, let price = json["p"].flatMap(Price.init(json:)),
            let size = json["v"].flatMap(Quantity.init(json:)), !size.isNegative, let time = json["t"]?.int64Value
        else { return nil }
        let conditions = json["c"]?.arrayValue?.compactMap(\.stringValue) ?? []
        self.init(symbol: symbol, price: price, size: size, time: time, conditions: conditions)
    }
}

extension FinnhubQuote {
    package init(parsing body: [UInt8]) throws(FinnhubFault) {
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: body, limits: FinnhubMessage.limits) } catch { throw .unreadable }
        guard let last = json["c"].flatMap(Price.init(json:)), let time = json["t"]?.int64Value else { throw .unreadable }
        if last.isZero || time == 0 { throw .unknownSymbol }
        /// Zero: there was none yet.
        func figure(_ name: String) -> Price? { json[name].flatMap(Price.init(json:)).flatMap { $0.isZero ? nil : $0 } }
        self.init(
            last: last, time: time, open: figure("o"), high: figure("h"), low: figure("l"), previousClose: figure("pc"))
    }
}

extension Scaled {
    /// The number as written; nil where this type cannot hold it exactly, or there is none.
    fileprivate init?(json: JSONValue) {
        guard let text = json.numberText else { return nil }
        do throws(DecimalError) {
            self =
                try text.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
                ? Self(NumberReader(.point, allowing: [.exponent]).read(text)) : Self(text)
        } catch { return nil }
    }
}

/// What is said to the stream.
package enum FinnhubCommand {
    package static func subscribe(_ symbol: String) -> String { text("subscribe", symbol) }
    package static func unsubscribe(_ symbol: String) -> String { text("unsubscribe", symbol) }

    private static func text(_ type: String, _ symbol: String) -> String {
        let json: JSONValue = ["type": .string(type), "symbol": .string(symbol)]
        return String(decoding: json.serializedBytes(), as: UTF8.self)
    }
}

/// A user's key. It is in the address of the stream and in a header of each request, and nowhere else: neither described nor mirrored.
package struct FinnhubKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Nil unless it is 1 to 128 letters, digits, `-` and `_`, white space around it aside: what fits into an address unchanged.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 }) else { return nil }
        let key = bytes[first...last]
        let isKey = key.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        guard isKey, key.count <= 128 else { return nil }
        self.text = String(decoding: key, as: UTF8.self)
    }

    /// For the address and the header alone.
    package var secret: String { text }
    package var description: String { "FinnhubKey" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// Words of others, cut short, with the key taken out wherever they repeat it.
    package func redacting(_ words: String) -> String {
        String(words.replacing(text, with: "…").prefix(200))
    }
}
