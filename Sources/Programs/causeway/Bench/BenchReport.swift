import HTTP
import Texts

/// A limit a bench is judged by: one row of `Benchmarks/targets.csv`, which is the only source of limits.
struct BenchTarget: Hashable, Sendable {
    /// A gate fails the bench; a report is only told.
    enum Kind: String, Hashable, Sendable { case gate, report }

    var name: String
    var limit: Double
    var unit: String
    var kind: Kind
    var higherIsBetter = false

    func holds(_ value: Double) -> Bool { higherIsBetter ? value >= limit : value <= limit }
}

/// One measured number.
struct BenchFigure: Hashable, Sendable {
    var name: String
    var value: Double
    var unit: String

    init(_ name: String, _ value: Double, _ unit: String) {
        self.name = name
        self.value = value
        self.unit = unit
    }
}

/// What a bench says: its figures, and the targets of its name with their values (DESIGN of the command's JSON: `bench`, `figures`, `targets`).
struct BenchReport: Hashable, Sendable {
    struct Judged: Hashable, Sendable {
        var target: BenchTarget
        var value: Double
        var holds: Bool { target.holds(value) }
    }

    var bench: String
    var figures: [BenchFigure]
    var targets: [Judged]

    /// `values` has one value for each target of the bench; anything else is a fault of the bench.
    init(_ bench: Bench, figures: [BenchFigure], values: [String: Double]) {
        precondition(Set(values.keys) == Set(bench.targets.map(\.name)), "bench \(bench.name) does not measure what it is judged by")
        self.bench = bench.name
        self.figures = figures
        targets = bench.targets.compactMap { target in values[target.name].map { Judged(target: target, value: $0) } }
    }

    var gatesHold: Bool { targets.allSatisfy { $0.holds || $0.target.kind == .report } }

    var json: JSONValue {
        .object([
            .init("bench", .string(bench)),
            .init(
                "figures",
                .array(
                    figures.map {
                        .object([
                            .init("name", .string($0.name)), .init("value", BenchNumber.json($0.value)), .init("unit", .string($0.unit)),
                        ])
                    })),
            .init(
                "targets",
                .array(
                    targets.map {
                        .object([
                            .init("name", .string($0.target.name)), .init("value", BenchNumber.json($0.value)),
                            .init("limit", BenchNumber.json($0.target.limit)), .init("unit", .string($0.target.unit)),
                            .init("kind", .string($0.target.kind.rawValue)), .init("holds", .bool($0.holds)),
                        ])
                    })),
        ])
    }

    var lines: [String] {
        var measured = Table(("figure", .left), ("value", .right), ("unit", .left))
        measured.rows = figures.map { [$0.name, BenchNumber.text($0.value), $0.unit] }
        var judged = Table(("target", .left), ("value", .right), ("limit", .right), ("unit", .left), ("kind", .left), ("holds", .left))
        judged.rows = targets.map {
            [
                $0.target.name, BenchNumber.text($0.value), ($0.target.higherIsBetter ? "≥ " : "≤ ") + BenchNumber.text($0.target.limit),
                $0.target.unit, $0.target.kind.rawValue, $0.holds ? "yes" : "no",
            ]
        }
        return measured.lines + [""] + judged.lines
    }
}

/// Numbers of a report, to a thousandth.
enum BenchNumber {
    static func text(_ value: Double) -> String {
        precondition(value.isFinite && abs(value) < 1e15, "no figure")
        let thousandths = Int64((abs(value) * 1000).rounded())
        var text = String(thousandths / 1000)
        var rest = thousandths % 1000
        if rest > 0 {
            var digits = ""
            for unit in [100, 10, 1] as [Int64] where rest > 0 {
                digits += String(rest / unit)
                rest %= unit
            }
            text += "." + digits
        }
        return value < 0 && thousandths > 0 ? "-" + text : text
    }

    static func json(_ value: Double) -> JSONValue { .number(text(value)) }
}

/// Order statistics of samples.
enum Samples {
    /// The smallest sample that a share of all samples does not exceed (nearest rank); zero without samples.
    static func percentile(_ share: Double, of sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let rank = Int((share * Double(sorted.count)).rounded(.up))
        return sorted[min(max(rank, 1), sorted.count) - 1]
    }

    static func median(_ samples: [Double]) -> Double { percentile(0.5, of: samples.sorted()) }
}
