import Exact
import Feeds
import Foundation
import Instruments
import MarketData
import Markets
import Messages
import Portfolio
import Server
import Streams
import Terminal
import Texts
import Trade
import TradeSession
import Transport

/// The board of `causeway run`: gathers quotes, books and the trading accounts into one value, at most ten times a second.
actor Desk {
    private static let watchlist = [
        "700.HK", "9988.HK", "HSI2612.HKFE", "HSI.INDX", "AAPL.US", "MSFT.US", "IBM.US", "GOOG.US", "ES2612.CME", "SPY.US",
    ]
    private var data: DeskData
    private var centres: [TradeCounter: DataCentre] = [:]
    private var quoteTimer = LinkTimer()
    private var tradeTimer = LinkTimer()

    private var commands = LateCommands()
    private let news: AsyncStream<DeskNews>.Continuation

    private init(_ data: DeskData, news: AsyncStream<DeskNews>.Continuation) {
        self.data = data
        self.news = news
    }

    /// `folders`: of the profile, where what is chosen with a key is kept. What the command line asks for wins over that.
    static func show(_ client: LiveClient, _ server: CausewayServer, _ invocation: Invocation, _ folders: Folders, notice: Text?)
        async throws
    {
        var (choices, notice) = (BoardChoices(), notice)
        do throws(Failure) { choices = try BoardChoices.read(folders) } catch { notice = notice ?? .boardChoicesUnread }
        let language = invocation["language"] == nil ? choices.language ?? invocation.language : invocation.language
        let facts = server.hub.facts
        let day = server.hub.marketDate
        let instruments = watchlist.compactMap { try? facts.instruments.resolve($0, on: day).get() }
        var data = DeskData(instruments: instruments, table: facts.instruments, ticks: facts.ticks, tradingDay: day)
        data.rates = try await client.rates()
        data.calendar = facts.calendar
        do throws(DataFault) { data.fees = try FeeSchedule(DataFolder.locate()) } catch {
            throw Failure(.dataCorrupt, .init("path", error.description))
        }
        let (news, newsFeed) = AsyncStream.makeStream(of: DeskNews.self, bufferingPolicy: .bufferingNewest(64))
        let desk = Desk(data, news: newsFeed)
        let quotes = try await client.quotes()
        let trade = try await client.trade()
        let (updates, continuation) = AsyncStream.makeStream(of: DeskData.self, bufferingPolicy: .bufferingNewest(1))
        let topics = instruments.flatMap { [QuoteTopic.snapshot($0.id), .book($0.id)] }
        let prices = try await quotes.subscribe(topics)
        let tasks = [
            Task { await desk.follow(prices) },
            Task { await desk.follow(trade, client) },
            Task { await desk.publish(quotes, trade, to: continuation) },
        ]
        defer { for task in tasks { task.cancel() } }
        let session = DeskSession(
            updates: updates, news: news,
            place: { placement in
                let counter: TradeCounter = facts.instruments[placement.instrument]?.kind == .future ? .futures : .securities
                let limit = placement.type == .limit ? placement.limit : nil
                return await desk.carryOut(.order, trade) { id in
                    await trade.place(
                        OrderTicket(instrument: placement.instrument, side: placement.side, quantity: placement.quantity, limit: limit),
                        on: counter, commandID: id)
                }
            },
            cancel: { order in
                let counter: TradeCounter = order.tradingAccount.hasPrefix("F") ? .futures : .securities
                return await desk.carryOut(.cancel, trade) { id in await trade.cancel(order: order.orderID, on: counter, commandID: id) }
            },
            nextSession: {
                let now = server.hub.marketClock.now
                let opens = Set(instruments.map(\.calendar)).compactMap { try? facts.calendar.nextOpen($0, after: now) }
                guard let next = opens.min(), server.hub.seek(to: next) else {
                    return .failure(Failure(ErrorCode("replay.no-later-session")))
                }
                return .success(next)
            },
            keep: { choice in
                do throws(Failure) { try BoardChoices.keep(choice, folders) } catch { return error }
                return nil
            })
        let wanted = invocation["colours"] ?? choices.colours?.rawValue
        guard let colours = Colours(option: wanted, environment: ProcessInfo.processInfo.environment) else {
            throw Usage.choice("--colours", ["green-up", "red-up", "none"])
        }
        try await Board.run(session: session, language: language, colours: colours, notice: notice)
    }

    private func follow(_ prices: MarketDataSubscription) async {
        for await update in prices {
            switch update {
            case .quote(let quote): data.quotes[InstrumentID(quote.instrument)] = quote
            case .book(let book): data.books[InstrumentID(book.instrument)] = book
            case .ticks, .bar, .status, .feed: continue
            }
        }
    }

    private func follow(_ trade: TradeConnection, _ client: LiveClient) async {
        let news = await trade.news()
        for counter in TradeCounter.allCases { await load(counter, trade) }
        for await item in news {
            switch item {
            case .account(let counter, _, let event):
                let effects = centres[counter]?.apply(event) ?? []
                if !effects.isEmpty { show() }
            case .resynchronise(let counter, _, _): await load(counter, trade)
            case .loggedIn(let counter): await load(counter, trade)
            case .resolved(let id, let result):
                switch commands.resolved(id, OrderOutcome(result)) {
                case (.order, let outcome)?: self.news.yield(.orderResolved(outcome))
                case (.cancel, let outcome)?: self.news.yield(.cancelResolved(outcome))
                case nil: break
                }
            case .sessionEnded(let counter): self.news.yield(.sessionEnded(counter: counter.text))
            case .loggedInElsewhere(let counter, let platform):
                self.news.yield(.loggedInElsewhere(counter: counter.text, platform: platform))
            case .kicked: self.news.yield(.kicked)
            case .connection, .counter, .clock: break
            }
        }
    }

    /// Sends a command and waits for its end; one that stays unknown is told when it is known (C-3).
    private func carryOut(
        _ kind: LateCommands.Kind, _ trade: TradeConnection, _ send: @Sendable (CommandID) async -> CommandResult
    ) async -> OrderOutcome {
        let id = CommandID()
        commands.sent(id, kind)
        return commands.ended(id, await settled(trade, id, send))
    }

    /// Everything of a counter anew; where it cannot be had now, the next ready message brings it.
    private func load(_ counter: TradeCounter, _ trade: TradeConnection) async {
        guard let orders = try? await trade.orders(counter), let fills = try? await trade.fills(counter),
            let positions = try? await trade.positions(counter), let funds = try? await trade.funds(counter)
        else { return }
        var centre = DataCentre(tradingAccount: funds.tradingAccount)
        _ = centre.load(orders: orders, fills: fills, positions: positions, funds: funds)
        centres[counter] = centre
        show()
    }

    private func show() {
        data.securitiesFunds = centres[.securities]?.funds ?? []
        data.futuresFunds = centres[.futures]?.funds ?? []
        data.positions = TradeCounter.allCases.flatMap { centres[$0]?.openPositions ?? [] }
        data.orders = TradeCounter.allCases.flatMap { centres[$0]?.orderList ?? [] }.sorted { $0.placedNs > $1.placedNs }
    }

    private func publish(_ quotes: QuoteRouter, _ trade: TradeConnection, to board: AsyncStream<DeskData>.Continuation) async {
        let clock = MonotonicClock.live
        while !Task.isCancelled {
            data.clock = await quotes.marketTime()
            data.quoteLink = quoteTimer.state(LinkState(await quotes.status, await quotes.feed), at: clock.now())
            data.tradeLink = tradeTimer.state(LinkState(await trade.state), at: clock.now())
            board.yield(data)
            do { try await clock.sleep(clock.now().advanced(by: .milliseconds(100))) } catch { return }
        }
    }
}

extension LinkState {
    init(_ status: ConnectionStatus, _ feed: FeedInfo) {
        switch status {
        case .connected: self = .quotes(feed)
        case .connecting: self = .connecting
        case .reconnecting: self = .reconnecting(.zero)
        case .offline, .ended, .updateNeeded: self = .offline
        }
    }

    init(_ state: ConnectionState) {
        switch state {
        case .ready: self = .connected
        case .closed, .suspended: self = .offline
        default: self = .connecting
        }
    }
}
