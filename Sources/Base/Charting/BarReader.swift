/// Bars in a text of comma-separated rows, fed in pieces: a header, then a row a bar, oldest first (RFC 4180 quotes, `\n` or `\r\n`).
///
/// Columns are found by name whatever their case and order: `date` or `time`, `open`, `high`, `low`, `close`, and `volume` where there is
/// one; others are passed over. An empty price is a missing bar. Memory is that of the bars, a piece and one row.
public struct BarReader {
    public private(set) var bars = BarColumns()
    public private(set) var times: [ChartTime] = []
    /// Most decimals a price has, six at most.
    public private(set) var decimals = 0

    public static let mostBars = 10_000_000
    static let mostColumns = 64
    static let mostBytesOfRow = 65_536

    public struct Fault: Error, Hashable, Sendable {
        /// From 1.
        public var line: Int
        /// In English; what it is about stands before a colon. The catalogues have each as `word.reason-…`.
        public var reason: String
    }

    private enum Column: Int, CaseIterable { case time, open, high, low, close, volume }

    /// The place of each column in a row, −1 for none; empty before the header.
    private var places: [Int] = []
    private var names: [String] = []
    /// Where each field of a row begins and, one after the last, where the row ends, with a comma or line end behind each.
    private var edges: [Int] = []
    private var isQuoted = false
    private var hasQuotes = false
    /// Of the row under way, and where it began.
    private var line = 1
    private var lines = 1
    /// What was fed of a row whose end was not.
    private var rest: [UInt8] = []
    private var before = Int64.min

    public init() {}

    /// - Throws: the line and what is wrong with it; nothing is to be fed after.
    public mutating func feed(_ piece: [UInt8]) throws(Fault) {
        // A row that was cut is put together first; it is short.
        let bytes = rest.isEmpty ? piece : rest + piece
        let scanned = rest.count
        rest = []
        let start = try bytes.withUnsafeBufferPointer { bytes throws(Fault) in try rows(bytes, from: scanned) }
        guard bytes.count - start <= Self.mostBytesOfRow else { throw fault("is longer than 65,536 bytes") }
        rest = Array(bytes[start...])
        for place in edges.indices { edges[place] -= start }
    }

    /// The last row, which may have no line end.
    public mutating func finish() throws(Fault) {
        if isQuoted { throw fault("ends inside quotes") }
        if !rest.isEmpty { try feed([10]) }
        if names.isEmpty { throw Fault(line: 1, reason: "has no header row") }
        if times.isEmpty { throw Fault(line: 1, reason: "has no bars") }
    }

    private func fault(_ reason: String) -> Fault { Fault(line: line, reason: reason) }

    /// Takes all whole rows; gives where the one that is not whole begins. What stands before `from` was looked at.
    private mutating func rows(_ bytes: UnsafeBufferPointer<UInt8>, from: Int) throws(Fault) -> Int {
        var start = 0
        if edges.isEmpty { edges.append(0) }
        for place in from..<bytes.count {
            let byte = bytes[place]
            if byte > 44 { continue }
            if byte == 34 {
                isQuoted.toggle()
                hasQuotes = true
            } else if byte == 10 {
                lines += 1
                if isQuoted { continue }
                edges.append(place + 1)
                try row(bytes)
                start = place + 1
                edges.removeAll(keepingCapacity: true)
                edges.append(start)
                hasQuotes = false
                line = lines
            } else if byte == 44, !isQuoted {
                guard edges.count < Self.mostColumns else { throw fault("has more than 64 columns") }
                edges.append(place + 1)
            }
        }
        return start
    }

    /// A field without the separator behind it, the spaces and quotes around it.
    private func field(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> UnsafeBufferPointer<UInt8> {
        var (first, end) = (edges[place], edges[place + 1] - 1)
        func trim() {
            while first < end, bytes[first] == 32 || bytes[first] == 9 { first += 1 }
            while first < end, bytes[end - 1] <= 32 { end -= 1 }
        }
        trim()
        if hasQuotes, end - first >= 2, bytes[first] == 34, bytes[end - 1] == 34 {
            (first, end) = (first + 1, end - 1)
            trim()
        }
        return UnsafeBufferPointer(rebasing: bytes[first..<end])
    }

    private mutating func row(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
        let count = edges.count - 1
        if count == 1, field(bytes, 0).isEmpty { return }
        guard !names.isEmpty else { return try header(bytes, count) }
        guard count == names.count else { throw fault("\(count), \(names.count): not as many fields as the header has") }
        guard times.count < Self.mostBars else { throw fault("is more than 10,000,000 bars") }
        guard let now = BarText.time(field(bytes, places[Column.time.rawValue])) else {
            throw fault("time is not YYYY-MM-DD or YYYY-MM-DD HH:MM")
        }
        let order = Int64(now.day) * 2_048 + Int64(now.minute ?? -1)
        guard order > before else { throw fault("time is not after that of the row before") }
        before = order
        try bar(bytes, now)
        times.append(now)
    }

    private mutating func bar(_ bytes: UnsafeBufferPointer<UInt8>, _ time: ChartTime) throws(Fault) {
        let open = try price(bytes, .open)
        let high = try price(bytes, .high)
        let low = try price(bytes, .low)
        let close = try price(bytes, .close)
        let missing = (open.isNaN ? 1 : 0) + (high.isNaN ? 1 : 0) + (low.isNaN ? 1 : 0) + (close.isNaN ? 1 : 0)
        guard missing == 0 || missing == 4 else { throw fault("has some of the four prices but not all") }
        guard missing == 4 || low <= min(open, close) && max(open, close) <= high else {
            throw fault("open and close do not lie between low and high")
        }
        var volume = Double.nan
        if places[Column.volume.rawValue] >= 0 {
            guard let traded = BarText.number(field(bytes, places[Column.volume.rawValue])), !(traded < 0) else {
                throw fault("volume is not a number from 0")
            }
            volume = traded
        }
        bars.append(.init(open: open, high: high, low: low, close: close, volume: volume, day: time.day))
    }

    private mutating func price(_ bytes: UnsafeBufferPointer<UInt8>, _ column: Column) throws(Fault) -> Double {
        let text = field(bytes, places[column.rawValue])
        guard let value = BarText.number(text) else { throw fault("\(names[places[column.rawValue]]): is not a number") }
        decimals = max(decimals, min(BarText.decimals(text), 6))
        return value
    }

    private mutating func header(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int) throws(Fault) {
        var names: [String] = []
        for place in 0..<count {
            var text = Array(field(bytes, place))
            if place == 0, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
            guard let name = String(validating: text, as: UTF8.self) else { throw fault("is not UTF-8") }
            names.append(name.lowercased().trimmed)
        }
        guard Set(names).count == names.count else { throw fault("has a column twice") }
        let known: [Column: [String]] = [
            .time: ["date", "time", "datetime", "timestamp"], .open: ["open", "o"], .high: ["high", "h"], .low: ["low", "l"],
            .close: ["close", "c"], .volume: ["volume", "vol", "v"],
        ]
        places = Column.allCases.map { column in names.firstIndex { known[column]?.contains($0) == true } ?? -1 }
        guard !places.dropLast().contains(-1) else { throw fault("has no columns date (or time), open, high, low, close") }
        self.names = names
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " || $0 == "\"" || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\"" || $0 == "\t" }.reversed())
    }
}
