/// Every command of the program, in the order `causeway help` lists them. A command is a file of its own in `Commands/` or `Client/`.
enum Commands {
    static let all: [Command] =
        [run, serve, serveQuotes] + SessionCommands.all.map(\.forServer)
        + [SymbolSearch.command]
        + ofAccount.map(\.forServer) + [IndicatorCommand.command, tickSize, fees] + [
            CalendarCommands.calendar, passphraseCommand, dataImport, serveSocketIOCommand, serveWebSocketCommand,
            connectSocketIOCommand,
            connectWebSocketCommand,
            versionCommand, api,
        ] + SymbolDatabaseCommands.all + BenchCommands.all

    /// Those of a signed-in user.
    private static let ofAccount: [Command] =
        ClientCommands.all { try await signedIn($0).context($0) }
        + AlertCommands.all { try await signedIn($0).alerts($0) }
        + WatchlistCommands.all { try await signedIn($0).watchlists($0) }
        + DrawCommands.all { try await DrawClient.live($0) }

    private static func signedIn(_ invocation: Invocation) async throws -> LiveClient {
        let client = try await LiveClient(invocation)
        try await client.restore()
        return client
    }

    /// What `causeway help` lists.
    static var listed: [Command] { all.filter { !$0.isInternal } }
}
