import Instruments
import Sealed

/// Rows by id in blocks of 512, each with the SHA-256 of its lines. Two databases agree
/// where their blocks do, so an update from any version fetches just the blocks that differ, and each is checked by itself.
public struct SymbolBlocks: Hashable, Sendable {
    public static let size: UInt32 = 512

    public struct Block: Hashable, Sendable {
        /// Holds the ids from `number × 512` on.
        public var number: UInt32
        /// 64 hexadecimal digits.
        public var hash: String
        public init(number: UInt32, hash: String) {
            self.number = number
            self.hash = hash
        }
    }

    /// In the order of their numbers, without the empty ones.
    public let blocks: [Block]

    public init(_ blocks: [Block]) { self.blocks = blocks.sorted { $0.number < $1.number } }

    /// - Parameter rows: in any order.
    public init(of rows: [SymbolRow]) {
        var lines: [UInt32: [(UInt32, String)]] = [:]
        for row in rows { lines[row.instrument.id.rawValue / Self.size, default: []].append((row.instrument.id.rawValue, row.line)) }
        self.init(
            lines.map { number, lines in
                Block(number: number, hash: Self.hash(lines.sorted { $0.0 < $1.0 }.map(\.1)))
            })
    }

    /// SHA-256 of lines, each with its line feed.
    public static func hash(_ lines: [String]) -> String {
        var bytes: [UInt8] = []
        for line in lines {
            bytes += line.utf8
            bytes.append(10)
        }
        return hexadecimal(Digest.sha256(bytes))
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
