import Accounts
import HTTP
import Instruments
import MarketData
import Sealed
import Streams
import Texts
import TradeSession

/// Sign-in and what belongs to it.
enum SessionCommands {
    static let server = Command.Option.value("server", "URL", .helpOptionServer)
    static let password = Command.Option.value(
        "password-file", "FILE", .helpOptionPasswordFile)

    static let all = [signIn, signOut, whoami, devices, tradeLogin, doctor]

    static let signIn = Command(
        words: ["sign-in"], summary: .helpCommandSignIn,
        options: [server, password, .value("name", "NAME", .helpOptionName), .flag("register", .helpOptionRegister)],
        mayHaveActed: true, isChange: true
    ) { invocation in
        let language = invocation.language
        guard let name = invocation["name"] else { throw Usage.option(.missing, "name") }
        let isNew = invocation.has("register")
        let secret =
            isNew ? try PasswordInput.readNew(invocation, language: language) : try PasswordInput.read(invocation, language: language)
        let client = try await LiveClient(invocation)
        if isNew {
            try await client.credentials.register(name: name, password: secret)
        } else {
            try await client.credentials.signIn(name: name, password: secret)
        }
        try await client.rememberServer()
        let account = try await client.accountInfo()
        let isMemoryOnly = await client.credentials.isMemoryOnly
        let server = client.server
        invocation.output.show(
            .object([
                .init("account", .string(account.account)), .init("name", .string(account.name)), .init("server", .string(server)),
                .init("kept", .bool(!isMemoryOnly)),
            ]),
            text: [
                isNew
                    ? Text.signinRegistered(name: account.name, server: server).words(in: language)
                    : Text.signinDone(name: account.name, server: server).words(in: language)
            ] + (isMemoryOnly ? [Text.signinMemoryOnly.words(in: language)] : []))
        await client.stop()
    }

    static let signOut = Command(words: ["sign-out"], summary: .helpCommandSignOut) { invocation in
        let client = try await LiveClient(invocation)
        try await client.restore()
        let untold = await client.credentials.signOut()
        let text = untold == nil ? Text.signoutDone : .signoutOffline
        invocation.output.show(
            .object([.init("signedOut", .bool(true)), .init("told", .bool(untold == nil))]),
            text: [text.words(in: invocation.language)])
        await client.stop()
        // It is done here; why the server still holds the session is said too.
        if let untold { throw untold }
    }

    static let whoami = Command(words: ["whoami"], summary: .helpCommandWhoami) { invocation in
        let client = try await LiveClient(invocation)
        try await client.restore()
        let account = try await client.accountInfo()
        let server = client.server
        let rows = account.tradingAccounts.map { JSONValue.object([.init("id", .string($0.id)), .init("counter", .string($0.counter))]) }
        invocation.output.show(
            .object([
                .init("account", .string(account.account)), .init("name", .string(account.name)), .init("server", .string(server)),
                .init("baseCurrency", .string(account.baseCurrency)), .init("tradingAccounts", .array(rows)),
            ]),
            text: ["\(account.name)  \(server)"] + account.tradingAccounts.map { "  \($0.counter)  \($0.id)" })
        await client.stop()
    }

    static let devices = Command(words: ["devices"], summary: .helpCommandDevices) { invocation in
        let client = try await LiveClient(invocation)
        try await client.restore()
        let list = try await client.credentials.call(AccountEndpoints.devices, Empty())
        invocation.output.show(list.json, text: table(list, invocation.language).lines(within: Output.width))
        await client.stop()
    }

    /// One row a sign-in, the times in UTC: a device has no market. `*`: this one.
    static func table(_ list: DeviceList, _ language: Language) -> Table {
        var table = Table(
            in: language, (nil, .left), (.fieldDevice, .left), (.fieldPlatform, .left), (.fieldSignedIn, .left), (.fieldSignIn, .left))
        table.rows = list.devices.map { device in
            // A time no clock has is not shown as one.
            let (time, isOver) = device.signedInAt.multipliedReportingOverflow(by: 1_000_000)
            return [
                device.isCurrent ? "*" : "", device.name, device.platform, isOver ? "—" : TimeFormat.utc.dated(time), device.id,
            ]
        }
        return table
    }

    static let tradeLogin = Command(
        words: ["trade-login"], summary: .helpCommandTradeLogin, arguments: "securities|futures", count: 1...1,
        options: [password], mayHaveActed: true, isChange: true
    ) { invocation in
        guard let counter = TradeCounter(rawValue: invocation.positional[0]) else {
            throw Usage.choice(invocation.positional[0], TradeCounter.allCases.map(\.rawValue))
        }
        let secret = try PasswordInput.read(invocation, language: invocation.language)
        let client = try await LiveClient(invocation)
        try await client.restore()
        let trade = try await client.trade(counter)
        if let failure = await trade.login(counter, password: secret).failure { throw failure }
        await trade.stored()
        invocation.output.show(
            .object([.init("counter", .string(counter.rawValue)), .init("loggedIn", .bool(true))]),
            text: [Text.tradeloginDone(counter: counter.text).words(in: invocation.language)])
        await client.stop()
    }

    static let doctor = Command(
        words: ["doctor"], summary: .helpCommandDoctor, options: [server]
    ) { invocation in
        let language = invocation.language
        var rows: [(name: String, title: Text, isGood: Bool, text: String)] = []
        var ends: Set<ExitStatus> = []
        let client = try await LiveClient(invocation)
        func check(_ name: String, _ title: Text, _ body: () async throws -> String) async -> Bool {
            do {
                rows.append((name, title, true, try await body()))
                return true
            } catch {
                let failure = error as? Failure ?? Failure(.serverUnavailable)
                ends.insert(ExitStatus(failure.code))
                let none = NoConnection(server: client.server, isChange: false)
                let isNone = failure.code == .connectionNotConnected
                rows.append((name, title, false, isNone ? none.text(in: language) : failure.text(in: language)))
                return false
            }
        }
        _ = await check("secrets", .doctorStore) {
            (client.store.isLasting ? Text.doctorStoreSealed : .doctorStoreMemory).words(in: language)
        }
        let isSignedIn = await check("sign-in", .doctorSignedIn) {
            try await client.restore()
            return try await client.accountInfo().name
        }
        // Without it the others cannot be tried, and would only say the same again.
        if isSignedIn {
            _ = await check("quotes", .connectionQuotes) {
                let quotes = try await client.quotes()
                let (all, day) = await (quotes.instruments.all, quotes.marketDate)
                let listed = all.filter { instrument in day.map { instrument.isListed(on: $0) } ?? true }
                return Text.doctorQuotes(count: listed.count, date: day?.description ?? "—").words(in: language)
            }
        }
        for counter in isSignedIn ? TradeCounter.allCases : [] {
            _ = await check(counter.rawValue, counter.text) {
                let isIn = await (try await client.trade(counter)).isLoggedIn(counter)
                return (isIn ? Text.doctorLoggedIn : .doctorNotLoggedIn(counter: counter.rawValue)).words(in: language)
            }
        }
        let shown = rows
        var table = Table(("", .left), ("", .left), ("", .left))
        table.rows =
            [["", Text.fieldServer.words(in: language), client.server]]
            + shown.map { [($0.isGood ? Text.doctorOk : .doctorFailed).words(in: language), $0.title.words(in: language), $0.text] }
        let lines = Array(table.lines.dropFirst())
        invocation.output.show(
            .object([
                .init("server", .string(client.server)),
                .init(
                    "checks",
                    .array(
                        shown.map {
                            .object([.init("check", .string($0.name)), .init("ok", .bool($0.isGood)), .init("result", .string($0.text))])
                        })),
            ]), text: lines)
        await client.stop()
        // What keeps the others from being tried comes first.
        for end in [ExitStatus.noConnection, .notSignedIn, .failed] where ends.contains(end) { throw end }
        if !ends.isEmpty { throw ExitStatus.failed }
    }
}

extension TradeCounter {
    var text: Text { self == .securities ? .counterSecurities : .counterFutures }
}

extension Invocation {
    var language: Language { self["language"].flatMap { Language(tag: $0) } ?? Causeway.chosenLanguage([]) }
}
