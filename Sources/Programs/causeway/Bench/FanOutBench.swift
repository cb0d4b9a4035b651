import Foundation
import HTTP
import Streams
import Texts

/// What it takes to tell many subscribers every update. The server is a child, the clients another; both share this machine.
struct FanOutBench {
    var clients = 1_000
    var topics = 50
    var symbols = 500
    var rate = 2_000
    var seconds = 20
    var clock = MonotonicClock.live

    static let quick = FanOutBench(clients: 50, topics: 10, symbols: 50, rate: 500, seconds: 1)

    /// A fast market for half an hour: 2,000 instruments, five updates a second each, every one accounted for.
    static let soak = FanOutBench(clients: 10, topics: 200, symbols: 2_000, rate: 10_000, seconds: 1_800)

    private var updates: Int { rate * seconds / symbols }

    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let server = try BenchChild(
            ["bench", "quote-server", "--symbols", "\(symbols)", "--rate", "\(rate)", "--updates", "\(updates)"], data: folder.path)
        return try await server.serving(clock) { try await measure(server, folder) }
    }

    private func measure(_ server: BenchChild, _ folder: BenchFolder) async throws -> BenchReport {
        let told = try server.json(within: .seconds(20))
        guard let port = told["port"]?.intValue, let credential = told["credential"]?.stringValue,
            let version = told["symbolsVersion"]?.intValue
        else { throw Failure(.serverUnavailable) }
        let plan = QuoteLoad.Plan(
            port: Int(port), credential: credential, symbolsVersion: UInt64(version), clients: clients, topics: topics, symbols: symbols,
            firstSymbol: FanOutServer.firstSymbol, updates: Int64(updates))
        let load = try BenchChild(plan.arguments, data: folder.path)
        return try await load.serving(clock) {
            try load.say(credential)
            guard try load.line(within: .seconds(60)) == "ready" else { throw Failure(.serverUnavailable) }
            let before = try ProcessFigures(server.id)
            let loadBefore = try ProcessFigures(load.id)
            let begin = clock.now()
            try server.say("go")
            let result = try QuoteLoad.Result(json: try load.json(within: .seconds(seconds + 60)))
            let after = try ProcessFigures(server.id)
            let wall = Double(begin.duration(to: clock.now()).nanoseconds) / 1e9
            return report(result, wall, after.cpuSeconds - before.cpuSeconds, after, loadBefore)
        }
    }

    private func report(
        _ result: QuoteLoad.Result, _ wall: Double, _ cpu: Double, _ server: ProcessFigures, _ load: ProcessFigures
    ) -> BenchReport {
        BenchReport(
            .fanout,
            figures: [
                .init("clients", Double(clients), "count"), .init("deliveries", Double(result.received), "count"),
                .init("deliveries_per_second", Double(result.received) / wall, "per second"),
                .init("updates_per_message", Double(result.received) / Double(max(1, result.messages)), "count"),
                .init("wrong", Double(result.wrong), "count"), .init("ended", Double(result.ended), "count"),
                .init("seconds", wall, "s"), .init("server_cpu_seconds", cpu, "s"), .init("server_memory", server.residentMegabytes, "MB"),
                .init("p50", result.p50, "ms"), .init("longest", result.longest, "ms"), .init("load_average", LoadAverage.now(), "count"),
            ],
            values: ["server_cpu": cpu / wall, "lost_updates": Double(result.lost + result.wrong), "p99": result.p99])
    }
}

enum LoadAverage {
    /// Of the last minute; zero where the kernel does not say.
    static func now() -> Double {
        let text = (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)) ?? ""
        return text.split(separator: " ").first.flatMap { Double($0) } ?? 0
    }
}
