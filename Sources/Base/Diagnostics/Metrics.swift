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
