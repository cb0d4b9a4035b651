import Accounts
import Curl
import Foundation
import HTTP
import Streams
import Texts

/// What a server takes while many logged-in quote connections do nothing but say that they live.
struct IdleBench {
    var clients = 10_000
    /// How long the connections stand before memory is read, and processor time counted.
    var idle = Duration.seconds(10)
    var clock = MonotonicClock.live

    static let quick = IdleBench(clients: 200, idle: .seconds(1))

    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let server = try BenchChild(
            ["serve", "--port", "0", "--data", folder.path + "/server", "--feed", "replay", "--speed", "0", "--json"], data: folder.path)
        return try await server.serving(clock) { try await measure(server, folder) }
    }

    private func measure(_ server: BenchChild, _ folder: BenchFolder) async throws -> BenchReport {
        guard let port = try server.json(within: .seconds(20))["listening"]?["port"]?.intValue else { throw Failure(.serverUnavailable) }
        let (credential, version) = try await register("http://127.0.0.1:\(port)")
        let before = try ProcessFigures(server.id)
        let load = try BenchChild(
            QuoteLoad.Plan(port: Int(port), credential: credential, symbolsVersion: version, clients: clients).arguments, data: folder.path)
        return try await load.serving(clock) {
            let opening = clock.now()
            try load.say(credential)
            guard try load.line(within: .seconds(120)) == "ready" else { throw Failure(.serverUnavailable) }
            let opened = Double(opening.duration(to: clock.now()).nanoseconds) / 1e9
            let begin = clock.now()
            let start = try ProcessFigures(server.id)
            try await clock.sleep(begin.advanced(by: idle))
            let end = try ProcessFigures(server.id)
            let seconds = Double(begin.duration(to: clock.now()).nanoseconds) / 1e9
            try load.say("enough")
            let result = try QuoteLoad.Result(json: try load.json(within: .seconds(20)))
            guard result.ended == 0 else { throw Failure(.connectionLost) }
            return BenchReport(
                .idle,
                figures: [
                    .init("connections", Double(clients), "count"), .init("memory_before", before.residentMegabytes, "MB"),
                    .init(
                        "per_connection", (end.residentMegabytes - before.residentMegabytes) * 1000 / Double(clients), "kB"),
                    .init("memory_peak", end.peakMegabytes, "MB"), .init("opening_seconds", opened, "s"),
                    .init("cpu_idle", 100 * (end.cpuSeconds - start.cpuSeconds) / seconds, "% of a core"),
                    .init("load_average", LoadAverage.now(), "count"),
                ], values: ["memory_10k": end.residentMegabytes])
        }
    }

    /// An account, its quote credential and the version of the server's table, as a client gets them.
    private func register(_ base: String) async throws -> (String, UInt64) {
        let curl = CurlClient()
        let api = try APIClient(base: base, http: curl.client, clock: clock)
        let device = DeviceInfo(id: String(repeating: "0", count: 32), platform: "linux", name: "bench")
        let grant = try await api.call(
            AccountEndpoints.register, SignInInput(name: "bench", password: "a bench's password", device: device))
        let account = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
        let start = try await api.call(GatewayEndpoints.startUp, Empty(), bearer: grant.access)
        await curl.stop()
        return (account.quoteCredential, UInt64(start.symbolsVersion))
    }
}
