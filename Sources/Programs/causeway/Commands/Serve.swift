import Curl
import Diagnostics
import Feeds
import Files
import Foundation
import HTTP
import Instruments
import LWS
import Server
import Streams
import Texts

extension Commands {
    /// What a server and a quote node share.
    private static let serving: [Command.Option] = [
        .value("port", "N", .helpOptionPort(port: "7701")), .value("host", "ADDRESS", .helpOptionHost),
        .value("feed", "NAME", .helpOptionFeed), .value("seed", "N", .helpOptionFeedSeed),
        .value("instruments", "N", .helpOptionFeedInstruments), .value("recording", "DIR", .helpOptionFeedRecording),
        .value("record", "DIR", .helpOptionFeedRecord),
        .value("finnhub-key-file", "FILE", .helpOptionFinnhubKeyFile), .value("finnhub-url", "URL", .helpOptionFinnhubUrl),
        .value("speed", "N", .helpOptionSpeed), .value("at", "TIME", .helpOptionAtFolder),
        .value("tls-cert", "FILE", .helpOptionTlsCert), .value("tls-key", "FILE", .helpOptionTlsKey),
        .value("public-host", "NAME,…", .helpOptionPublicHost),
        .flag("insecure-lan", .helpOptionInsecureLan),
    ]

    static let serve = Command(
        words: ["serve"], summary: .helpCommandServe,
        options: [.value("data", "DIR", .helpOptionData)] + serving + [
            .value("quote-node", "MARKET=URL,…", .helpOptionQuoteNode), .value("node-key", "FILE", .helpOptionNodeKey),
            .value("bar-days", "N", .helpOptionBarDays),
        ]
    ) { invocation in
        let configuration = try ServeOptions.configuration(invocation)
        let server = try await CausewayServer.start(configuration)
        await untilTermination(
            invocation, reload: { await server.reloadCertificate() }, isSecure: server.certificate != nil,
            announcing: {
                await server.hasBegun()
                if Task.isCancelled { return }
                announce(
                    "causeway", host: configuration.host, port: server.port, certificate: server.certificate,
                    marketTime: server.hub.marketClock.now, output: invocation.output)
            })
        await server.stop()
        stopped(invocation)
    }

    /// O-1: quotes alone.
    static let serveQuotes = Command(
        words: ["serve", "quotes"], summary: .helpCommandServeQuotes,
        options: [.value("key", "FILE", .helpOptionNodeKeyRead)] + serving
    ) { invocation in
        guard let path = invocation["key"] else { throw Usage.option(.missing, "key") }
        let key = try NodeKeyFile.read(path)
        let configuration = try ServeOptions.configuration(invocation)
        let node = try await QuoteNode.start(configuration, key: key)
        await untilTermination(
            invocation, reload: { await node.reloadCertificate() }, isSecure: node.certificate != nil,
            announcing: {
                await node.hasBegun()
                if Task.isCancelled { return }
                announce(
                    "quotes", host: configuration.host, port: node.port, certificate: node.certificate,
                    marketTime: node.hub.marketClock.now, output: invocation.output)
            })
        await node.stop()
        stopped(invocation)
    }

    private static func stopped(_ invocation: Invocation) {
        invocation.output.tell(.object([.init("event", .string("stopped"))]), text: Text.serveStopped.words(in: invocation.language))
    }

    /// Waits for SIGTERM or SIGINT; at SIGHUP the certificate is read anew, where there is one.
    private static func untilTermination(
        _ invocation: Invocation, reload: @escaping @Sendable () async -> Void, isSecure: Bool,
        announcing announce: @escaping @Sendable () async -> Void
    ) async {
        // One after the other, so that the files of the last signal are the ones that count.
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let hangUp = isSecure ? ProcessSignals([SIGHUP]) { _ in continuation.yield() } : nil
        let reloading = Task { for await _ in signals { await reload() } }
        let termination = Termination()
        let announcing = Task { await announce() }
        await termination.wait()
        announcing.cancel()
        hangUp?.cancel()
        reloading.cancel()
        // With what is under way this takes some seconds.
        invocation.output.tell(.object([.init("event", .string("stopping"))]), text: Text.serveStopping.words(in: invocation.language))
    }
}

/// Reads what `serve` and `run` share.
enum ServeOptions {
    static func configuration(_ invocation: Invocation) throws -> ServerConfiguration {
        let folders = try Folders(profile: invocation["profile"])
        var configuration = ServerConfiguration(dataFolder: invocation["data"] ?? folders.data + "/server")
        configuration.port = try invocation.integer("port", in: 0...65_535, default: ServerConfiguration.defaultPort)
        if let host = invocation["host"] { configuration.host = host }
        configuration.publicHosts = try publicHosts(invocation["public-host"])
        configuration.quoteNodes = try quoteNodes(invocation["quote-node"])
        configuration.nodeKeyFile = invocation["node-key"]
        configuration.recordings = folders.data + "/replay"
        configuration.allowsPlainLAN = invocation.has("insecure-lan")
        configuration.speed = try speed(invocation["speed"])
        configuration.start = try invocation["at"].map { text in
            guard let time = Timestamp.read(text) else { throw Usage.invalid("--at", text, .time) }
            return time
        }
        configuration.feed = try feed(invocation)
        if case .finnhub = configuration.feed, let start = configuration.start {
            // Only beside a stand-in: the real market has its own time.
            let ahead = start.nanoseconds - WallClock.live.now()
            configuration.wall = WallClock { WallClock.live.now() + ahead }
            configuration.start = nil
        }
        if let folder = invocation["record"] {
            do throws(OutputFolder.Fault) { try OutputFolder.check(folder) } catch { throw Failure(error, folder) }
            configuration.recordingFolder = folder
        }
        configuration.barDays = try invocation.integer("bar-days", in: 1...400, default: ServerConfiguration.defaultBarDays)
        switch (invocation["tls-cert"], invocation["tls-key"]) {
        case (let certificate?, let key?): configuration.tls = .init(certificate: certificate, key: key)
        case (nil, nil): break
        case (nil, _): throw Usage.option(.missing, "tls-cert")
        case (_, nil): throw Usage.option(.missing, "tls-key")
        }
        configuration.log = .standardError(.info, form: invocation.wantsJSON ? .json : .text, clock: .live)
        return configuration
    }

    /// An option of another feed is a mistake, not ignored.
    private static func feed(_ invocation: Invocation) throws -> ServerConfiguration.Feed {
        let name = invocation["feed"] ?? (invocation["recording"] == nil ? "replay" : "recording")
        func refuse(_ options: [String]) throws {
            if let other = options.first(where: { invocation[$0] != nil }) { throw Usage.conflict(other, "feed \(name)") }
        }
        if name != "finnhub" { try refuse(["finnhub-key-file", "finnhub-url", "bar-days"]) }
        switch name {
        case "replay":
            try refuse(["seed", "instruments", "recording"])
            return .replay
        case "synthetic":
            try refuse(["recording"])
            let seed = try invocation.integer("seed", in: 0...Int.max, default: 1)
            let count = try invocation.integer("instruments", in: 1...SyntheticPlan.mostInstruments, default: 2_000)
            return .synthetic(SyntheticPlan(seed: UInt64(seed), instruments: count))
        case "recording":
            try refuse(["seed", "instruments"])
            guard let folder = invocation["recording"] else { throw Usage.option(.missing, "recording") }
            guard FileManager.default.fileExists(atPath: folder) else { throw Usage.noFile(folder) }
            return .recording(folder: folder)
        case "finnhub":
            try refuse(["seed", "instruments", "recording", "speed"] + (invocation["finnhub-url"] == nil ? ["at"] : []))
            return try finnhub(invocation)
        default: throw Usage.choice("--feed", ["replay", "synthetic", "recording", "finnhub"])
        }
    }

    /// The key comes from a file, never from the command line (O-3).
    private static func finnhub(_ invocation: Invocation) throws -> ServerConfiguration.Feed {
        guard let path = invocation["finnhub-key-file"] ?? ProcessInfo.processInfo.environment["FINNHUB_KEY_FILE"], !path.isEmpty else {
            throw Failure(ErrorCode("feed.key-missing"))
        }
        guard let text = firstBytes(of: path), var plan = FinnhubPlan(key: text) else {
            throw Failure(ErrorCode("feed.key-file"), .init("path", path))
        }
        if let url = invocation["finnhub-url"] {
            guard let standIn = plan.standIn(at: url) else { throw Usage.invalid("--finnhub-url", url, .standIn) }
            plan = standIn
        }
        let (log, http) = (
            Log.standardError(.info, form: invocation.wantsJSON ? .json : .text, clock: .live), CurlClient(.init(threads: 1))
        )
        do throws(LWSFailure) {
            return .finnhub(plan, LivePorts(dialer: try LWSClient(log: log).dialer, http: http.client))
        } catch {
            throw Failure(.serverCannotStart, .init("reason", error.reason))
        }
    }

    /// More than any key has; nil where the file cannot be read or holds more.
    private static func firstBytes(of path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let data = try? file.read(upToCount: 1_025), data.count <= 1_024 else { return nil }
        return String(data: data, encoding: .utf8)
    }

    private static func quoteNodes(_ text: String?) throws -> [QuoteNodeAddress] {
        let parts = text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        return try parts.map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            do throws(Failure) {
                guard sides.count == 2 else { throw .invalid("market") }
                return try QuoteNodeAddress(market: sides[0], url: sides[1])
            } catch {
                if error.code == .connectionInsecure { throw error }
                throw Usage.invalid("--quote-node", String(part), .quoteNodes)
            }
        }
    }

    private static func publicHosts(_ text: String?) throws -> [String] {
        let names = text?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        for name in names {
            let isName =
                (1...253).contains(name.utf8.count)
                && name.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 32) || $0 == 45 || $0 == 46 }
            guard isName else { throw Usage.invalid("--public-host", name, .host) }
        }
        return names
    }

    private static func speed(_ text: String?) throws -> ReplaySpeed {
        guard let text else { return .live }
        if text == "max" { return .max }
        guard let number = try? NumberText.micros(text), number >= 0, number <= 1_000_000_000_000 else {
            throw Usage.invalid("--speed", text, .speed)
        }
        return number == 0 ? .paused : .times(micros: number)
    }
}
