/// Every command of the program, in the order `causeway help` lists them. A command is a file of its own in `Commands/`.
enum Commands {
    static let all: [Command] = [
        serve, serveSocketIOCommand, serveWebSocketCommand, connectSocketIOCommand, connectWebSocketCommand, passphraseCommand,
        versionCommand,
    ]
}
