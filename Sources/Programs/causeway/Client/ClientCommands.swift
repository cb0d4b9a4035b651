/// The commands of a signed-in client, over whatever `open` makes.
enum ClientCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] {
        SymbolCommands.all(open) + [CalendarCommands.status(open), RecordCommand.record(open)] + QuoteCommands.all(open)
            + MarketCommands.all(open) + [ChartCommand.chart(open)]
            + OrderCommands.all(open)
            + AccountCommands.all(open)
    }
}
