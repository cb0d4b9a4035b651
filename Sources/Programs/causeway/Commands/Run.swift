import Accounts
import Diagnostics
import Feeds
import Foundation
import HTTP
import Instruments
import Sealed
import Server
import Streams
import Terminal
import Texts
import TradeSession

extension Commands {
    static let run = Command(
        words: ["run"], summary: .helpCommandRun,
        options: [
            .value("speed", "N", .helpOptionSpeed), .value("at", "TIME", .helpOptionAt),
            .value("colours", "NAME", .helpOptionColours),
        ]
    ) { invocation in
        // Before anything is started: a terminal that cannot show the board is told in one line.
        let showsBoard = Board.isAvailable && !invocation.wantsJSON
        if showsBoard, let failure = TerminalKind(ProcessInfo.processInfo.environment).failure { throw failure }
        let folders = try Folders(profile: invocation["profile"])
        var configuration = try ServeOptions.configuration(invocation)
        configuration.dataFolder = folders.data + "/run"
        configuration.port = 0
        configuration.log = .none
        let account = try LocalAccount.open(folders.state + "/run-account")
        let (server, kept) = try await TourServer.start(configuration, goesOn: showsBoard)
        if let kept {
            let text = [Text.runKept(folder: kept).words(in: invocation.language)]
            invocation.output.show(.object([.init("kept", .string(kept))]), text: text)
        }
        let client = try await LiveClient(
            invocation, server: "http://127.0.0.1:\(server.port)", store: account.store(folders.state + "/run"))
        do {
            try await account.enter(client)
            if showsBoard {
                // The board covers what was printed before it.
                try await Desk.show(client, server, invocation, folders, notice: kept.map { .boardKept(folder: $0) })
            } else {
                try await RunScript.play(client, server, invocation)
            }
        } catch {
            await client.stop()
            await server.stop()
            throw error
        }
        await client.stop()
        await server.stop()
    }
}

/// The server of `causeway run`. Market time never goes back in one folder, so that no order is dated after now: the board goes on from the
/// time it had reached; a tour that begins earlier, and a board whose day is over, begin a new folder and keep the old one beside it.
enum TourServer {
    static func start(
        _ asked: ServerConfiguration, goesOn: Bool
    ) async throws(Failure) -> (server: CausewayServer, kept: String?) {
        let (server, kept) = try await found(asked, goesOn: goesOn)
        // Nobody is let in before.
        await server.hasBegun()
        return (server, kept)
    }

    private static func found(
        _ asked: ServerConfiguration, goesOn: Bool
    ) async throws(Failure) -> (server: CausewayServer, kept: String?) {
        var configuration = asked
        if configuration.start == nil { configuration.start = Timestamp.read(RunScript.morning) }
        do throws(Failure) { return (try await CausewayServer.start(configuration), nil) } catch {
            guard error.code == .serverTimePassed else { throw error }
        }
        if goesOn, asked.start == nil {
            var later = configuration
            later.start = nil
            let server = try await CausewayServer.start(later)
            if server.hub.marketClock.now < server.hub.end { return (server, nil) }
            await server.stop()
        }
        let kept = try ServerFolder.setAside(configuration.dataFolder)
        return (try await CausewayServer.start(configuration), kept)
    }
}

/// The account of `causeway run`: random, of this machine and profile only (O-3: no default password).
struct LocalAccount {
    var name: String
    var password: String

    static func open(_ path: String) throws -> LocalAccount {
        do throws(SealedError) {
            if let bytes = try PrivateFile.read(path), let json = try? JSONValue(parsing: bytes) {
                if let name = json["name"]?.stringValue, let password = json["password"]?.stringValue {
                    return LocalAccount(name: name, password: password)
                }
                throw .damaged
            }
            let fresh = LocalAccount(name: "local-" + hexText(randomBytes(4)), password: Base64URL.encode(randomBytes(24)))
            let json = JSONValue.object([.init("name", .string(fresh.name)), .init("password", .string(fresh.password))])
            try PrivateFile.write(json.serializedBytes(), to: path)
            return fresh
        } catch {
            throw Failure(error, path)
        }
    }

    /// Sealed with the password, which is random enough to need no costly hash.
    func store(_ folder: String) throws -> SecretStore {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure(.storageFailed, .init("reason", folder))
        }
        return .sealed(folder: folder, passphrase: Array(password.utf8), cost: .least)
    }

    /// Signs in, registers the first time, and logs in to both counters.
    func enter(_ client: LiveClient) async throws {
        do throws(Failure) {
            try await client.credentials.signIn(name: name, password: password)
        } catch {
            guard error.code == .authWrongPassword else { throw error }
            try await client.credentials.register(name: name, password: password)
        }
        for counter in TradeCounter.allCases {
            let trade = try await client.trade(counter)
            // A session kept from an earlier run may have ended with that sign-in; only an answer shows that it holds.
            if await trade.isLoggedIn(counter), (try? await trade.funds(counter)) != nil { continue }
            if let failure = await trade.login(counter, password: password).failure { throw failure }
        }
    }
}
