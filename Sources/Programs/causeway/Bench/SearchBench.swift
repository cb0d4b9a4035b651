import Finder
import Foundation
import Glibc
import HTTP
import Instruments
import Streams
import Symbols
import Texts

/// Searching 150,000 instruments, beside SQLite's FTS5 with trigrams over the same rows in the same run. Every query is asked in turn of
/// both; what FTS5 cannot answer is asked of ours alone.
struct SearchBench: Sendable {
    var instruments = 150_000
    var perForm = 300
    var clock = MonotonicClock.live

    static let quick = SearchBench(instruments: 8_000, perForm: 20)
    static let limit = 20
    private static let seed: UInt64 = 2026_11_30

    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let work = try prepared(folder)
        let child = try await measured(work.file, work.asked)
        return report(try compared(work), child, built: work.built, size: work.size)
    }

    /// What is asked of whom. A plain function: the compiler of Swift 6.3.1 crashes where `run` does this between its waits.
    private struct Work {
        var rows: [Instrument]
        var forms: [SearchForms]
        var queries: SearchQueries
        var folder: String
        var built: Double
        var size: Double
        var file: String { folder + "/search.index" }
        var asked: String { folder + "/queries" }
    }

    private func prepared(_ folder: BenchFolder) throws -> Work {
        let rows = try SearchRows(count: instruments, seed: Self.seed).instruments
        let forms = SearchForms.all(of: rows)
        let queries = SearchQueries(rows, forms, perForm: perForm, seed: Self.seed)
        let begin = clock.now()
        let bytes = SearchIndexBuilder.build(rows, version: 1)
        let built = Double(begin.duration(to: clock.now()).nanoseconds) / 1e6
        let work = Work(rows: rows, forms: forms, queries: queries, folder: folder.path, built: built, size: Double(bytes.count) / 1e6)
        try Data(bytes).write(to: URL(fileURLWithPath: work.file))
        try Data(queries.all.map(\.text).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: work.asked))
        return work
    }

    private func compared(_ work: Work) throws -> Times {
        let peer = try TrigramPeer(work.rows, work.forms, work.folder + "/fts5.sqlite")
        return try compare(work.queries, try SearchIndex(contentsOf: URL(fileURLWithPath: work.file)), peer)
    }

    private struct Times {
        var ours: [SearchQueries.Form: [Double]] = [:]
        var ranked: [Double] = []
        var unranked: [Double] = []
    }

    /// Milliseconds of each query; a first pass warms both up.
    private func compare(_ queries: SearchQueries, _ index: SearchIndex, _ peer: TrigramPeer) throws -> Times {
        var times = Times()
        func timed(_ body: () throws -> Void) rethrows -> Double {
            let begin = clock.now()
            try body()
            return Double(begin.duration(to: clock.now()).nanoseconds) / 1e6
        }
        for isWarm in [false, true] {
            for (form, text) in queries.all {
                let ours = try timed { _ = try index.search(text, limit: Self.limit) }
                if isWarm { times.ours[form, default: []].append(ours) }
                guard form.isForTrigrams else { continue }
                let ranked = try timed { _ = try peer.search(text, isRanked: true) }
                let unranked = try timed { _ = try peer.search(text, isRanked: false) }
                if isWarm {
                    times.ranked.append(ranked)
                    times.unranked.append(unranked)
                }
            }
        }
        return times
    }

    private func report(_ times: Times, _ child: (open: Double, memory: Double), built: Double, size: Double) -> BenchReport {
        func p99(_ samples: [Double]) -> Double { Samples.percentile(0.99, of: samples.sorted()) }
        let all = times.ours.values.flatMap { $0 }
        let shared = times.ours.filter { $0.key.isForTrigrams }.values.flatMap { $0 }
        var figures = SearchQueries.Form.allCases.map { form in
            BenchFigure("p99_\(form.rawValue)", p99(times.ours[form] ?? []) * 1000, "us")
        }
        figures += [
            .init("p50", Samples.median(all) * 1000, "us"), .init("worst", (all.max() ?? 0) * 1000, "us"),
            .init("p99_shared", p99(shared) * 1000, "us"), .init("fts5_p50", Samples.median(times.ranked) * 1000, "us"),
            .init("fts5_p99", p99(times.ranked) * 1000, "us"), .init("fts5_unranked_p99", p99(times.unranked) * 1000, "us"),
            .init("instruments", Double(instruments), "count"), .init("queries", Double(all.count), "count"),
            .init("file", size, "MB"), .init("build", built, "ms"),
        ]
        return BenchReport(
            .search, figures: figures,
            values: [
                "p99_vs_fts5": p99(shared) / p99(times.ranked), "p99": p99(all), "memory": child.memory, "open": child.open,
            ])
    }

    /// Opening and what it keeps in memory, in a process that does nothing else.
    private func measured(_ file: String, _ asked: String) async throws -> (open: Double, memory: Double) {
        let child = try BenchChild(["bench", "search-loop", "--file", file, "--queries", asked], data: file)
        return try await child.serving(clock) {
            let told = try child.json(within: .seconds(60))
            guard let open = told["open"]?.numberText.flatMap(Double.init), let memory = told["memory"]?.numberText.flatMap(Double.init)
            else { throw Failure(ErrorCode("internal"), .init("reason", "the child did not say its figures")) }
            return (open, memory)
        }
    }

    /// What `bench search-loop` is: opens the index five times, asks it everything, says the median and how its memory grew.
    static func loop(file: String, queries: String, clock: MonotonicClock = .live) throws -> JSONValue {
        let asked = try String(contentsOfFile: queries, encoding: .utf8).split(separator: "\n").map(String.init)
        let before = try ProcessFigures(getpid()).residentMegabytes
        var opens: [Double] = []
        // As a command opens it: read whole when it was put there, then known.
        let verified = VerifiedFiles(folder: file + ".verified")
        var open: SearchIndex? = try Catalogue.opened(file, "bench", verified)
        for _ in 0..<5 {
            open = nil
            let begin = clock.now()
            open = try Catalogue.opened(file, "bench", verified)
            opens.append(Double(begin.duration(to: clock.now()).nanoseconds) / 1e6)
        }
        var found = 0
        for text in asked { found += try open?.search(text, limit: limit).count ?? 0 }
        let memory = try ProcessFigures(getpid()).residentMegabytes - before
        return .object([
            .init("open", BenchNumber.json(Samples.median(opens))), .init("memory", BenchNumber.json(memory)), .init("found", .int(found)),
        ])
    }
}
