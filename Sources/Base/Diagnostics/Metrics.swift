import Synchronization

/// A number that only grows. Adding is one atomic instruction.
public final class Counter: Sendable {
    private let value = Atomic<UInt64>(0)
    init() {}
    public func add(_ amount: UInt64 = 1) { value.wrappingAdd(amount, ordering: .relaxed) }
    public var current: UInt64 { value.load(ordering: .relaxed) }
}

/// A number that goes up and down.
public final class Gauge: Sendable {
    private let value = Atomic<Int64>(0)
    init() {}
    public func add(_ amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }
    public func set(_ amount: Int64) { value.store(amount, ordering: .relaxed) }
    public var current: Int64 { value.load(ordering: .relaxed) }
}

/// How long things took, in buckets that Prometheus adds up. Adding is three atomic instructions.
public final class Histogram: Sendable {
    /// Upper bounds in microseconds.
    static let bounds: [Int64] = [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000,
    ]
    private let buckets: [Counter]
    private let sum = Counter()
    init() { buckets = (0...Self.bounds.count).map { _ in Counter() } }

    public func add(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let micros = max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
        buckets[Self.bounds.firstIndex { micros <= $0 } ?? Self.bounds.count].add()
        sum.add(UInt64(micros))
    }

    /// `name{labels,le=…}` lines; `labels` without braces.
    fileprivate func lines(_ name: String, _ labels: String) -> String {
        var (out, total) = ("", 0 as UInt64)
        let more = labels.isEmpty ? "" : labels + ","
        for (index, bucket) in buckets.enumerated() {
            total += bucket.current
            let bound = index < Self.bounds.count ? Self.seconds(UInt64(Self.bounds[index])) : "+Inf"
            out += "\(name)_bucket{\(more)le=\"\(bound)\"} \(total)\n"
        }
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        return out + "\(name)_sum\(braces) \(Self.seconds(sum.current))\n\(name)_count\(braces) \(total)\n"
    }

    private static func seconds(_ micros: UInt64) -> String {
        var fraction = String(micros % 1_000_000)
        fraction = String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return String(micros / 1_000_000) + (fraction.isEmpty ? "" : "." + fraction)
    }
}

/// The metrics of a process by name and labels; asking for one again gives the same one. Labels never hold a secret, and their
/// values come from a small fixed set.
public final class Metrics: Sendable {
    private struct Family {
        var help: String
        var type: String
        var series: [String: Series] = [:]
    }

    private enum Series {
        case counter(Counter)
        case gauge(Gauge)
        case histogram(Histogram)
    }

    private let families = Mutex<[String: Family]>([:])

    public init() {}

    public func counter(_ name: String, help: String, labels: [(name: String, value: String)] = []) -> Counter {
        let made = series(name, help: help, type: "counter", labels: labels) { .counter(Counter()) }
        guard case .counter(let counter) = made else { preconditionFailure("metric \(name) is no counter") }
        return counter
    }

    public func gauge(_ name: String, help: String, labels: [(name: String, value: String)] = []) -> Gauge {
        let made = series(name, help: help, type: "gauge", labels: labels) { .gauge(Gauge()) }
        guard case .gauge(let gauge) = made else { preconditionFailure("metric \(name) is no gauge") }
        return gauge
    }

    /// `name` ends in `_seconds`.
    public func histogram(_ name: String, help: String, labels: [(name: String, value: String)] = []) -> Histogram {
        let made = series(name, help: help, type: "histogram", labels: labels) { .histogram(Histogram()) }
        guard case .histogram(let histogram) = made else { preconditionFailure("metric \(name) is no histogram") }
        return histogram
    }

    /// Prometheus text exposition format 0.0.4, families and series in order of name.
    public func prometheusText() -> String {
        let copy = families.withLock { $0 }
        var out = ""
        for (name, family) in copy.sorted(by: { $0.key < $1.key }) {
            let help = family.help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
            out += "# HELP \(name) \(help)\n# TYPE \(name) \(family.type)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                switch series {
                case .counter(let counter): out += "\(name)\(labels) \(counter.current)\n"
                case .gauge(let gauge): out += "\(name)\(labels) \(gauge.current)\n"
                case .histogram(let histogram): out += histogram.lines(name, String(labels.dropFirst().dropLast()))
                }
            }
        }
        return out
    }

    private func series(
        _ name: String, help: String, type: String, labels: [(name: String, value: String)], make: () -> Series
    ) -> Series {
        precondition(Self.isName(name) && labels.allSatisfy { Self.isName($0.name) }, "metric names are [a-z_][a-z0-9_]*: \(name)")
        let key =
            labels.isEmpty
            ? "" : "{" + labels.sorted { $0.name < $1.name }.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
        return families.withLock { families in
            if let known = families[name]?.series[key] { return known }
            let made = make()
            families[name, default: Family(help: help, type: type)].series[key] = made
            return made
        }
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "_") || (97...122).contains(first) else { return false }
        return text.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (97...122).contains($0) || (48...57).contains($0) }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
