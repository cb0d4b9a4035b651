public import Texts

/// The board on a real terminal: reads keys, draws frames, carries out what the state asks for.
public enum Board {
    /// True where standard input and output are a terminal.
    public static var isAvailable: Bool { RawTerminal.isAvailable }

    /// Runs until the user quits, the terminal goes away, or the task is cancelled; the terminal is as before then. `notice`: what the first screen tells.
    public static func run(
        session: DeskSession, language: Language, colours: Colours, notice: Text? = nil
    ) async throws(Failure) {
        let (events, feed) = AsyncStream.makeStream(of: Happening.self, bufferingPolicy: .bufferingNewest(4096))
        let terminal = try RawTerminal { input in
            switch input {
            case .key(let key): feed.yield(.event(.key(key)))
            case .resized: feed.yield(.resized)
            case .ended: feed.yield(.ended)
            }
        }
        defer { terminal.close() }
        let updates = Task {
            for await data in session.updates { feed.yield(.event(.data(data))) }
            feed.yield(.ended)
        }
        defer { updates.cancel() }
        let news = Task { for await item in session.news { feed.yield(.event(.news(item))) } }
        defer { news.cancel() }
        var state = BoardState(language: language, colours: colours, notice: notice)
        var ansi = Ansi(colours: colours)
        func draw() {
            ansi.colours = state.colours
            let size = terminal.size
            terminal.draw(ansi.frame(BoardRenderer(state, columns: size.columns, rows: size.rows).lines))
        }
        draw()
        for await happening in events {
            switch happening {
            case .ended: return
            case .resized: ansi.reset()
            case .event(let event):
                for effect in state.handle(event) {
                    if case .quit = effect { return }
                    perform(effect, session) { feed.yield(.event($0)) }
                }
            }
            draw()
        }
    }

    private enum Happening: Sendable {
        case event(BoardState.Event)
        case resized
        case ended
    }

    private static func perform(
        _ effect: BoardState.Effect, _ session: DeskSession, _ tell: @escaping @Sendable (BoardState.Event) -> Void
    ) {
        // Not tied to the board's life: a command that was sent is seen through, its outcome told if anybody still looks.
        switch effect {
        case .place(let placement): Task { tell(.placed(await session.place(placement))) }
        case .cancel(let order): Task { tell(.cancelled(await session.cancel(order))) }
        case .nextSession: Task { tell(.jumped(await session.nextSession())) }
        case .keep(let choice): if let failure = session.keep(choice) { tell(.unkept(failure)) }
        case .quit: break
        }
    }
}
