import Foundation
import HTTP
import Instruments
import Testing

@testable import causeway

/// The benches' form and limits (N-5; DESIGN: `causeway bench`).
struct BenchTests {
    /// Every row of the file for a bench of ours, and nothing else, in its words.
    @Test func `limits are the rows of the targets file`() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Benchmarks/targets.csv").path
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map { row in
            row.split(separator: ",", maxSplits: 5, omittingEmptySubsequences: false).map(String.init)
        }
        for bench in Bench.all {
            let expected = rows.filter { $0[0] == bench.name }.map { row in
                BenchTarget(
                    name: row[1], limit: Double(row[2]) ?? .nan, unit: row[3], kind: row[4] == "gate" ? .gate : .report,
                    higherIsBetter: row[5].contains("higher is better"))
            }
            #expect(!expected.isEmpty)
            #expect(bench.targets == expected)
        }
    }

    @Test func `a gate fails the bench, a report does not`() {
        func report(_ lost: Double, _ p50: Double, _ sustained: Double) -> BenchReport {
            BenchReport(
                .orders, figures: [], values: ["lost": lost, "p50_at_1000": p50, "p99_at_1000": 5, "sustained": sustained])
        }
        #expect(report(0, 1, 10_000).targets.map(\.holds) == [true, true, true, true])
        #expect(report(0, 1.001, 9_999).targets.map(\.holds) == [true, false, true, false])
        #expect(report(0, 1.001, 9_999).gatesHold)
        #expect(!report(1, 1, 10_000).gatesHold)
    }

    @Test(arguments: [
        (0.0, "0"), (1, "1"), (0.46, "0.46"), (88.1, "88.1"), (0.0004, "0"), (0.0006, "0.001"), (-1.25, "-1.25"),
        (12_345.6789, "12345.679"),
        (-0.0001, "0"), (2.005, "2.005"),
    ]) func `figures to a thousandth`(value: Double, text: String) { #expect(BenchNumber.text(value) == text) }

    @Test func `percentiles by nearest rank`() {
        let samples = (1...200).map(Double.init)
        #expect(Samples.percentile(0.5, of: samples) == 100)
        #expect(Samples.percentile(0.99, of: samples) == 198)
        #expect(Samples.percentile(1, of: samples) == 200)
        #expect(Samples.percentile(0.99, of: [7]) == 7)
        #expect(Samples.median([5, 1, 9, 3, 7]) == 5)
    }

    @Test func `the searched instruments are the same for the same seed`() throws {
        let (one, other) = (try SearchRows(count: 18_000, seed: 7).instruments, try SearchRows(count: 18_000, seed: 7).instruments)
        #expect(one == other && one.count == 18_000)
        #expect(Set(one.map(\.code)).count == one.count && Set(one.map(\.id)).count == one.count)
    }

    @Test func `memory as the kernel says it`() throws {
        let status = "Name:\tcauseway\nVmPeak:\t  900000 kB\nVmHWM:\t   48828 kB\nVmRSS:\t   31250 kB\n"
        let figures = try ProcessFigures(cpuSeconds: 1.5, status: status)
        #expect(figures.residentMegabytes == 32 && figures.peakMegabytes == 49.999872)
        #expect(throws: (any Error).self) { try ProcessFigures(cpuSeconds: 1, status: "Name:\tcauseway\n") }
        #expect(try ProcessFigures(ProcessInfo.processInfo.processIdentifier).residentMegabytes > 1)
    }

    /// A short run on real files: the JSON's form, and no acknowledged order lost (N-5).
    @Test func `orders in its JSON form`() async throws {
        let report = try await OrdersBench(paced: .milliseconds(50), sustained: .milliseconds(200)).run()
        let json = try JSONValue(parsing: report.json.serializedBytes())
        #expect(json["bench"]?.stringValue == "orders")
        let targets = try #require(json["targets"]?.arrayValue)
        #expect(targets.map { $0["name"]?.stringValue } == Bench.orders.targets.map(\.name))
        #expect(targets.first?["value"]?.intValue == 0 && targets.first?["holds"]?.boolValue == true)
        for target in targets {
            #expect(target["limit"] != nil && target["kind"]?.stringValue != nil && target["unit"]?.stringValue != nil)
        }
        let figures = try #require(json["figures"]?.arrayValue)
        for figure in figures {
            #expect(figure["name"]?.stringValue != nil && figure["value"] != nil && figure["unit"]?.stringValue != nil)
        }
        let acknowledged = figures.first { $0["name"]?.stringValue == "acknowledged" }?["value"]?.intValue ?? 0
        #expect(acknowledged >= 250)
    }
}
