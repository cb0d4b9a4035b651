import Foundation
import Instruments
import Streams
import Texts

extension ErrorCode {
    /// valgrind is not installed.
    static let benchValgrind = ErrorCode("bench.valgrind")
}

/// Instructions of a `phase()` call: `causeway-probe`, a program beside this one, runs under callgrind twice, and what the second run
/// does more is divided by the calls it makes more. (valgrind 3.19 crashes on this program itself.)
struct CalendarBench: Sendable {
    var calls = 200_000

    static let quick = CalendarBench(calls: 5_000)

    func run() throws -> BenchReport {
        guard let valgrind = Self.valgrind() else { throw Failure(.benchValgrind) }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let probe = URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("causeway-probe").path
        guard FileManager.default.isExecutableFile(atPath: probe) else {
            throw Failure(ErrorCode("internal"), .init("reason", "causeway-probe is not beside this program: swift build -c release"))
        }
        let folder = try BenchFolder()
        defer { folder.remove() }
        let base = 1_000
        let few = try Self.instructions(valgrind, probe, base, folder)
        let many = try Self.instructions(valgrind, probe, base + calls, folder)
        return BenchReport(
            .calendar,
            figures: [.init("calls", Double(calls), "count"), .init("reading_the_tables", Double(few) / 1_000_000, "10⁶ instructions")],
            values: ["phase_instructions": Double(many - few) / Double(calls)])
    }

    private static func valgrind() -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").map { $0 + "/valgrind" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The last number of callgrind's `summary:` line.
    private static func instructions(_ valgrind: String, _ probe: String, _ calls: Int, _ folder: BenchFolder) throws -> Int64 {
        let out = folder.path + "/callgrind.\(calls)"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: valgrind)
        process.arguments = ["--tool=callgrind", "--quiet", "--callgrind-out-file=\(out)", probe, "calendar", String(calls)]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0, let text = try? String(contentsOfFile: out, encoding: .utf8),
            let line = text.split(separator: "\n").last(where: { $0.hasPrefix("totals:") || $0.hasPrefix("summary:") }),
            let count = line.split(separator: " ").last.flatMap({ Int64($0) })
        else {
            throw Failure(ErrorCode("internal"), .init("reason", "callgrind ended with \(process.terminationStatus) and counted nothing"))
        }
        return count
    }
}
