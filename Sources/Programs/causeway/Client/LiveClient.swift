import Accounts
import Curl
import Diagnostics
import Exact
import Foundation
import HTTP
import Instruments
import LWS
import MarketData
import Messages
import Sealed
import Streams
import Texts
import Trade
import TradeSession
import Transport

/// What a client of one profile stands on, made live: stores, credential, quote and trade connection. Connections are made when first needed.
actor LiveClient {
    let server: String
    let credentials: Credentials
    let store: SecretStore
    let device: DeviceInfo
    private let folders: Folders
    private let sockets: LWSClient
    private let curl: CurlClient
    private let info: AccountInfoSource
    private let log: Log
    private var quotesMade: QuoteRouter?
    private var tradeMade: TradeConnection?

    /// The server: `--server`, else the one signed in to, else the one on this machine.
    init(_ invocation: Invocation, server: String? = nil, store: SecretStore? = nil, log: Log = .none) async throws {
        folders = try Folders(profile: invocation["profile"])
        self.log = log
        self.server = try Self.address(invocation, folders, server)
        self.store = try store ?? Self.secrets(folders)
        let identity: [UInt8]
        do throws(SealedError) { identity = try DeviceIdentity.load(from: self.store) } catch { throw Failure(error, folders.state) }
        device = DeviceInfo(
            id: hexText(identity), platform: "linux",
            name: ProcessInfo.processInfo.hostName)
        do throws(LWSFailure) { sockets = try LWSClient(log: log) } catch { throw Failure(.connectionNotConnected) }
        // Before anything is sent that must not be seen.
        trust = try await ServerTrust(invocation, folders).judge(self.server, by: sockets)
        curl = CurlClient(.init(trust: trust))
        credentials = Credentials(
            api: try APIClient(base: self.server, http: curl.client, clock: .live), clock: .live,
            configuration: .init(
                device: device, store: self.store, lockFile: self.store.isLasting ? folders.state + "/renewal.lock" : nil,
                alsoForgotten: TradeCounter.allCases.map(TradeSessionStore.item) + [Self.watchlistItem],
                wall: { WallClock.live.now() / 1_000_000 }))
        info = AccountInfoSource(credentials: credentials, clock: .live)
    }

    private let trust: TLSTrust

    /// The server a command talks to.
    static func address(_ invocation: Invocation, _ folders: Folders, _ server: String? = nil) throws -> String {
        let remembered = try? String(contentsOfFile: folders.config + "/server", encoding: .utf8)
        let text =
            server ?? invocation["server"] ?? remembered?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "http://127.0.0.1:7701"
        do throws(Failure) { return try ServerAddress(text).url } catch {
            throw error.code == .requestInvalid ? Usage.invalid("--server", text, .server) : error
        }
    }

    /// Sealed with the passphrase of `CAUSEWAY_PASSPHRASE_FILE` or the profile's own file; else in memory only.
    private static func secrets(_ folders: Folders) throws -> SecretStore {
        let environment = ProcessInfo.processInfo.environment
        let path = environment["CAUSEWAY_PASSPHRASE_FILE"] ?? folders.config + "/passphrase"
        guard environment["CAUSEWAY_PASSPHRASE_FILE"] != nil || FileManager.default.fileExists(atPath: path) else { return .memory() }
        guard let bytes = FileManager.default.contents(atPath: path), !bytes.isEmpty, bytes.count <= 4096 else {
            throw Failure(ErrorCode("password.file"), .init("path", path))
        }
        let passphrase = Array(bytes.prefix { $0 != 0x0A })
        try? FileManager.default.createDirectory(
            atPath: folders.state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return .sealed(folder: folders.state, passphrase: passphrase)
    }

    /// Remembers where this profile signed in.
    func rememberServer() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folders.config, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data((server + "\n").utf8).write(to: URL(fileURLWithPath: folders.config + "/server"), options: .atomic)
        } catch {
            throw Failure(.storageFailed, .init("reason", folders.config + "/server"))
        }
    }

    /// Takes up the stored sign-in; `auth.signed-out` where there is none.
    func restore() async throws(Failure) {
        try await credentials.restore()
        if let failure = await signedOut() { throw failure }
    }

    /// Why nobody is signed in any more; nil while somebody is.
    func signedOut() async -> Failure? {
        if await credentials.isSignedIn { return nil }
        return Failure(await credentials.signOutReason?.code ?? .authSignedOut)
    }

    func accountInfo() async throws(Failure) -> AccountInfo { try await info.info() }

    // MARK: Connections

    /// The quote nodes the server told, the first one logged in, with the symbol table.
    func quotes() async throws(Failure) -> QuoteRouter {
        if let quotesMade { return quotesMade }
        let account = try await info.info()
        let nodes = try QuoteNodes(account.quoteNodes)
        let info = info
        let made = QuoteRouter(
            nodes: nodes, dialer: sockets.dialer, clock: .live,
            configuration: .init(url: nodes.urls[0], deviceID: device.id, trust: trust), seed: UInt64.random(in: .min ... .max), log: log
        ) { try await info.quoteCredential(forced: $0) }
        quotesMade = made
        let credentials = credentials
        Task { [weak made] in
            // Signed out, here or by the server's word: nothing is dialled for nobody.
            for await access in await credentials.changes() where access == nil { await made?.disconnect() }
        }
        try await made.ready()
        return made
    }

    /// The trade connection, authenticated; each counter becomes ready by itself.
    func trade() async throws(Failure) -> TradeConnection {
        if let tradeMade { return tradeMade }
        let account = try await info.info()
        let accounts = Dictionary(
            account.tradingAccounts.compactMap { entry in TradeCounter(rawValue: entry.counter).map { ($0, entry.id) } }
        ) { first, _ in first }
        let (credentials, log) = (credentials, log)
        let made = TradeConnection(
            dialer: sockets.dialer, clock: .live,
            configuration: .init(url: account.tradeURL, trust: trust, deviceID: device.id, tradingAccounts: accounts),
            store: TradeSessionStore(store), seed: UInt64.random(in: .min ... .max), log: log
        ) { refused in
            // A renewal that came since that was sent is enough; what fails is tried again by the next occasion.
            do throws(Failure) { _ = try await credentials.credential(newerThan: refused) } catch {
                log.write(.warning, "trade.renewal-failed", [("code", error.code.rawValue)])
            }
        }
        tradeMade = made
        let name = account.account
        Task { [weak made] in
            for await access in await credentials.changes() {
                guard let made else { return }
                // Another account's is not for these trading accounts.
                let isOurs = await credentials.account?.account == name
                await made.credential(isOurs ? access : nil, account: name)
            }
        }
        await made.credential(try await credentials.credential(), account: name)
        await made.connect()
        return made
    }

    /// The trade connection with that counter ready.
    func trade(_ counter: TradeCounter) async throws(Failure) -> TradeConnection {
        let connection = try await trade()
        try await connection.ready(counter)
        return connection
    }

    func stop() async {
        await tradeMade?.stored()
        await tradeMade?.disconnect()
        await quotesMade?.disconnect()
        await sockets.stop()
        await curl.stop()
    }
}

extension TradeSessionStore {
    /// The name of a counter's secret.
    static func item(_ counter: TradeCounter) -> String { "trade-session-\(counter.rawValue)" }

    /// Session ids in the profile's secrets, shared by all processes of the device (D-8).
    init(_ store: SecretStore) {
        @Sendable func item(_ counter: TradeCounter) -> String { Self.item(counter) }
        @Sendable func stored(_ counter: TradeCounter) -> String? {
            guard let bytes = try? store.read(item(counter)) else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        self.init(
            load: { stored($0) },
            save: { counter, session in
                // Where it cannot be kept, this process still has it.
                do throws(SealedError) { try store.write(item(counter), Array(session.utf8)) } catch { return }
            },
            clear: { counter, session in
                guard stored(counter) == session else { return }
                do throws(SealedError) { try store.write(item(counter), nil) } catch { return }
            })
    }
}

extension Failure {
    init(_ error: SealedError, _ path: String) {
        switch error {
        case .wrongKey: self.init(ErrorCode("passphrase.wrong"), .init("path", path))
        case .damaged: self.init(.dataCorrupt, .init("path", path))
        case .newer: self.init(.dataNewer, .init("path", path))
        case .full: self.init(.storageFull)
        case .outOfMemory: self.init(.storageFailed, .init("reason", "memory"))
        case .file(let path, let reason): self.init(.storageFailed, .init("reason", "\(path): \(reason)"))
        }
    }
}
