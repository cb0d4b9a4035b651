public import HTTP
public import Texts

/// What the server's symbol database holds (H-1): rows by id in blocks of 512, each with the SHA-256 of its lines.
public struct SymbolReleaseInfo: JSONCodable, Hashable {
    public var version: Int64
    /// Of the newest source, RFC 3339.
    public var timestamp: String
    public var rows: Int64
    /// Of the release: SHA-256 of the lines `version V`, `timestamp T`, `rows N` and one a block (its number, a blank, its hash), each with
    /// its line feed. Comes without blocks too: a client of this version compares it with its own.
    public var hash: String
    public var blocks: [Block]

    public struct Block: JSONCodable, Hashable {
        public var number: Int64
        public var hash: String

        public init(number: Int64, hash: String) {
            self.number = number
            self.hash = hash
        }

        public init(json: JSONValue) throws(Failure) {
            number = try json.integer("number")
            hash = try json.string("hash", limit: 64)
        }

        public var json: JSONValue { .object([.init("number", .int(number)), .init("hash", .string(hash))]) }
    }

    public init(version: Int64, timestamp: String, rows: Int64, hash: String, blocks: [Block]) {
        self.version = version
        self.timestamp = timestamp
        self.rows = rows
        self.hash = hash
        self.blocks = blocks
    }

    public init(json: JSONValue) throws(Failure) {
        version = try json.integer("version")
        timestamp = try json.string("timestamp", limit: 32)
        rows = try json.integer("rows")
        hash = try json.string("hash", limit: 64)
        blocks = try json.elements("blocks", limit: 4_096).map { value throws(Failure) in try Block(json: value) }
    }

    public var json: JSONValue {
        .object([
            .init("version", .int(version)), .init("timestamp", .string(timestamp)), .init("rows", .int(rows)),
            .init("hash", .string(hash)),
            .init("blocks", .array(blocks.map(\.json))),
        ])
    }
}

public struct SymbolBlockInput: JSONCodable, Hashable {
    public var number: Int64
    public init(number: Int64) { self.number = number }
    public init(json: JSONValue) throws(Failure) { number = try json.integer("number") }
    // A part of the path.
    public var json: JSONValue { .object([.init("number", .string(String(number)))]) }
}

/// The rows of a block, by id, each a line of fields between tabs.
public struct SymbolBlockRows: JSONCodable, Hashable {
    public var version: Int64
    public var rows: [String]

    public init(version: Int64, rows: [String]) {
        self.version = version
        self.rows = rows
    }

    public init(json: JSONValue) throws(Failure) {
        version = try json.integer("version")
        rows = try json.elements("rows", limit: 512).map { value throws(Failure) in
            guard let row = value.stringValue, row.utf8.count <= 2_048 else { throw Failure(.requestInvalid, .init("field", "rows")) }
            return row
        }
    }

    public var json: JSONValue { .object([.init("version", .int(version)), .init("rows", .array(rows.map { .string($0) }))]) }
}
