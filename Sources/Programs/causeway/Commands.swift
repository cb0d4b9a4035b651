/// Every command of the program, in the order `causeway help` lists them. A command is a file of its own in `Commands/` or `Client/`.
enum Commands {
    static let all: [Command] =
        [run, serve] + SessionCommands.all.map(\.forServer)
        + [SymbolSearch.command]
        + ClientCommands.all { invocation in
            let client = try await LiveClient(invocation)
            try await client.restore()
            return client.context(invocation)
        }.map(\.forServer)
        + AlertCommands.all { invocation in
            let client = try await LiveClient(invocation)
            try await client.restore()
            return await client.alerts(invocation)
        }.map(\.forServer) + [IndicatorCommand.command, tickSize, fees] + [
            CalendarCommands.calendar, passphraseCommand, dataImport, serveSocketIOCommand, serveWebSocketCommand,
            connectSocketIOCommand,
            connectWebSocketCommand,
            versionCommand, api,
        ] + SymbolDatabaseCommands.all + BenchCommands.all

    /// What `causeway help` lists.
    static var listed: [Command] { all.filter { !$0.isInternal } }
}
