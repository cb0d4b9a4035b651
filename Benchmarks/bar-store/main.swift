import Glibc

// Minutes of bars in SQLite against one file a day of frames with a checksum: figures of docs/decisions/0012-bar-store.md.
//   swiftc -O -package-name causeway -I Sources/Base/CSQLite -o /tmp/bar-store Benchmarks/bar-store/main.swift \
//     Sources/Base/SQLite/Database.swift Sources/Base/Journal/CRC32C.swift && /tmp/bar-store FOLDER

struct Minute {
    var symbol: String
    var start: Int64
    var day: Int64
    var prices: (Int64, Int64, Int64, Int64)
    var volume: Int64
}

let symbols = (0..<2_000).map { "S\(1_000 + $0).US" }
let opening: Int64 = 1_796_049_000

func minute(_ number: Int, _ symbol: Int) -> Minute {
    let day = number / 390
    let base = Int64(100_000 + (symbol * 37 + number * 13) % 50_000) * 10_000_000
    return Minute(
        symbol: symbols[symbol], start: opening + Int64(day * 86_400 + number % 390 * 60), day: Int64(20_261_101 + day),
        prices: (base, base + 50_000_000, base - 30_000_000, base + 10_000_000), volume: Int64(number % 900 + 1) * 10_000_000_000)
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
    let begin = ContinuousClock.now
    try body()
    return Double((ContinuousClock.now - begin) / .microseconds(1)) / 1_000
}

func varint(_ value: Int64, _ bytes: inout [UInt8]) {
    var rest = UInt64(bitPattern: value << 1 ^ value >> 63)
    while rest >= 128 {
        bytes.append(UInt8(rest & 127) | 128)
        rest >>= 7
    }
    bytes.append(UInt8(rest))
}

func little(_ value: UInt32, _ bytes: inout [UInt8]) { for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(value >> shift & 255)) } }

func frame(_ minute: Minute, _ bytes: inout [UInt8]) {
    var body = [UInt8(minute.symbol.utf8.count)] + Array(minute.symbol.utf8)
    let prices = minute.prices
    for value in [minute.start, minute.day, prices.0, prices.1, prices.2, prices.3, minute.volume, 1] { varint(value, &body) }
    little(UInt32(body.count), &bytes)
    little(CRC32C.checksum(body), &bytes)
    bytes += body
}

/// The frames of one symbol in a file: every frame is looked at.
func frames(_ path: String, of symbol: String) -> Int {
    let file = open(path, O_RDONLY)
    defer { close(file) }
    var status = stat()
    fstat(file, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard read(file, &bytes, bytes.count) == bytes.count else { return 0 }
    var (at, found) = (0, 0)
    let wanted = Array(symbol.utf8)
    while at + 8 <= bytes.count {
        let length = Int(bytes[at]) | Int(bytes[at + 1]) << 8
        let body = bytes[at + 8..<at + 8 + length]
        let sum = CRC32C.checksum(body)
        guard UInt8(sum & 255) == bytes[at + 4] else { return found }
        if body.dropFirst().prefix(Int(body[at + 8])).elementsEqual(wanted) { found += 1 }
        at += 8 + length
    }
    return found
}

func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

let folder = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "."
let minutes = 13 * 390  // of each symbol: a little more than 5,000

func report(_ what: String, _ writes: [Double], _ reads: [Double], _ size: Int) {
    let (writes, reads) = (writes.sorted(), reads.sorted())
    print("\(what): write \(writes[writes.count / 2]) ms (worst \(writes.last ?? 0)), read \(reads[reads.count / 2]) ms, \(size >> 20) MiB")
}

func inSQLite(_ mode: String) throws(SQLiteError) {
    let path = folder + "/bars-\(mode).sqlite"
    let database = try Database(path: path)
    try database.execute("PRAGMA journal_mode = \(mode)")
    try database.execute(
        """
        CREATE TABLE bars (symbol TEXT NOT NULL, start INTEGER NOT NULL, day INTEGER NOT NULL, open INTEGER NOT NULL, high INTEGER NOT NULL,
        low INTEGER NOT NULL, close INTEGER NOT NULL, volume INTEGER NOT NULL, turnover INTEGER, provenance INTEGER NOT NULL,
        PRIMARY KEY (symbol, start)) STRICT, WITHOUT ROWID
        """)
    func write(_ number: Int, _ count: Int) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            for symbol in 0..<count {
                let one = minute(number, symbol)
                try database.run(
                    "INSERT OR REPLACE INTO bars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        .text(one.symbol), .integer(one.start), .integer(one.day), .integer(one.prices.0), .integer(one.prices.1),
                        .integer(one.prices.2), .integer(one.prices.3), .integer(one.volume), .null, .integer(1),
                    ])
            }
        }
    }
    // Fifty symbols of many days, then batches of 2,000.
    for number in 0..<minutes { if number % 390 == 0 { try database.execute("BEGIN") }; try quick(number); if number % 390 == 389 { try database.execute("COMMIT") } }
    func quick(_ number: Int) throws(SQLiteError) {
        for symbol in 0..<50 {
            let one = minute(number, symbol)
            try database.run(
                "INSERT OR REPLACE INTO bars VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    .text(one.symbol), .integer(one.start), .integer(one.day), .integer(one.prices.0), .integer(one.prices.1),
                    .integer(one.prices.2), .integer(one.prices.3), .integer(one.volume), .null, .integer(1),
                ])
        }
    }
    let before = size(path)
    var (writes, reads): ([Double], [Double]) = ([], [])
    for number in minutes..<minutes + 30 {
        var fault: SQLiteError?
        writes.append(milliseconds { do throws(SQLiteError) { try write(number, 2_000) } catch { fault = error } })
        if let fault { throw fault }
    }
    for symbol in 0..<20 {
        var count = 0
        reads.append(
            milliseconds {
                let rows = try? database.query("SELECT * FROM bars WHERE symbol = ? ORDER BY start DESC LIMIT 5000", [.text(symbols[symbol])]) {
                    $0.integer(1) &+ $0.integer(2) &+ $0.integer(3) &+ $0.integer(4) &+ $0.integer(5) &+ $0.integer(6) &+ $0.integer(7)
                }
                count = rows?.count ?? 0
            })
        precondition(count == 5_000)
    }
    report("SQLite \(mode), 50 symbols × \(minutes) minutes", writes, reads, before)
}

func inFrames() {
    func path(_ number: Int) -> String { folder + "/bars-\(number / 390)" }
    func write(_ number: Int, _ count: Int, sync: Bool) {
        let file = open(path(number), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        var bytes: [UInt8] = []
        for symbol in 0..<count { frame(minute(number, symbol), &bytes) }
        precondition(Glibc.write(file, bytes, bytes.count) == bytes.count)
        if sync { fsync(file) }
    }
    for number in 0..<minutes { write(number, 50, sync: false) }
    let before = (0..<13).reduce(0) { $0 + size(folder + "/bars-\($1)") }
    var (writes, reads): ([Double], [Double]) = ([], [])
    for number in minutes..<minutes + 30 { writes.append(milliseconds { write(number, 2_000, sync: true) }) }
    for symbol in 0..<20 {
        reads.append(
            milliseconds { precondition((0..<13).reduce(0) { $0 + frames(folder + "/bars-\($1)", of: symbols[symbol]) } == minutes) })
    }
    report("Frames, one file a day", writes, reads, before)
}

do throws(SQLiteError) {
    try inSQLite("DELETE")
    try inSQLite("WAL")
    inFrames()
} catch { print("failed: \(error)") }
