import Accounts
import AuthCentre
import Diagnostics
import Exact
import Exchange
import Feeds
import HTTP
import Instruments
import Journal
import Messages
import Sealed
import Streams
import Texts
import TradeGateway
import Transport

/// Exchange and trade gateway, wired: the part of the server that takes orders.
struct Trading: Sendable {
    let exchange: Exchange
    let sockets: SocketIOServer
    private let gateway: TradeGateway
    private let pump: Task<Void, Never>
    private let clock: MonotonicClock

    /// Paper money of a new trading account.
    private static func funds() throws(Failure) -> [Money] {
        do throws(DecimalError) {
            return [try Money("1000000", currency: .hkd), try Money("100000", currency: .usd)]
        } catch {
            preconditionFailure("paper money that is no number: \(error)")
        }
    }

    static func start(
        _ configuration: ServerConfiguration, folder: String, contents: ExchangeContents, feed: FeedHub, auth: AuthCentre,
        marks: FolderMarks, watch: CommandWatch
    ) throws(Failure) -> Trading {
        let exchange = try Exchange(contents, clock: feed.marketClock, log: configuration.log)
        marks.begin(journalled: exchange.journalled)
        // Before anyone is told of what the journal took.
        exchange.subscribe { [weak exchange] _, _ in
            if let exchange { marks.reach(journalled: exchange.journalled) }
        }
        let store = sessions(folder + "/trading-sessions.json")
        feed.register("exchange") { await exchange.feed($0) }
        let money = try funds()
        let gateway = try TradeGateway(
            venue: venue(exchange, money, watch), authority: authority(auth), store: store,
            clock: configuration.clock, marketClock: feed.marketClock,
            firstEpoch: try marks.firstEpoch(wall: UInt64(clamping: WallClock.live.now() / 1_000_000)),
            log: configuration.log)
        // From the journal's thread to the gateway, in order. A gateway that is behind for a million changes has lost its clients long ago.
        let (changes, input) = AsyncStream.makeStream(
            of: (account: String, events: [AccountEvent]).self, bufferingPolicy: .bufferingOldest(1_000_000))
        exchange.subscribe { account, events in input.yield((account, events)) }
        let pump = Task {
            for await (account, events) in changes {
                for event in events { await gateway.deliver(event, of: account, on: TradingAccounts.counter(of: account)) }
            }
        }
        return Trading(
            exchange: exchange,
            sockets: SocketIOServer(policy: TradeGateway.policy, clock: configuration.clock, handlers: gateway.handlers), gateway: gateway,
            pump: pump, clock: configuration.clock)
    }

    /// Takes no more commands; returns when those under way are answered, or after that time.
    func drain(atMost limit: Duration) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let (gateway, clock) = (gateway, clock)
        let work = Task {
            await gateway.drain()
            end.finish()
        }
        let alarm = Task {
            do { try await clock.sleep(clock.now().advanced(by: limit)) } catch { return }
            end.finish()
        }
        for await _ in ends {}
        alarm.cancel()
        work.cancel()
    }

    /// A device's sign-in has ended.
    func revoked(account: String, device: String) async { await gateway.revoked(account: account, device: device) }

    func stop() {
        exchange.stop()
        pump.cancel()
    }

    /// Reads the journal and compares it with the rest of the folder, changing nothing: they know each other's accounts, each trading account
    /// has its account, each trading session its trading account. `hasAccount`: whether the account with that id is known.
    static func examine(
        _ folder: String, shipped: DataFolder, feed: FeedHub, mustExist: Bool, witness: JournalWitness?,
        hasAccount: (_ id: String) throws(Failure) -> Bool
    ) throws(Failure) -> ExchangeContents {
        let contents = try readExchange(folder + "/journal", shipped, feed, mustExist: mustExist, witness)
        let sessions = try sessions(folder + "/trading-sessions.json").load()
        let accounts = Set(contents.tradingAccounts)
        for account in accounts where try !hasAccount(TradingAccounts.owner(of: account)) {
            throw Failure(.dataMismatch, .init("path", folder + "/accounts.sqlite"), .init("other", folder + "/journal"))
        }
        guard sessions.allSatisfy({ accounts.contains($0.tradingAccount) }) else {
            throw Failure(.dataMismatch, .init("path", folder + "/journal"), .init("other", folder + "/trading-sessions.json"))
        }
        return contents
    }

    private static func readExchange(
        _ path: String, _ shipped: DataFolder, _ feed: FeedHub, mustExist: Bool, _ witness: JournalWitness?
    ) throws(Failure) -> ExchangeContents {
        let fees: FeeSchedule
        do throws(DataFault) { fees = try FeeSchedule(shipped) } catch { throw Failure(.dataCorrupt, .init("path", error.description)) }
        // An order that pays nothing because a table says nothing would be a wrong number.
        for instrument in feed.facts.instruments.all where instrument.isTradable && instrument.isListed(on: feed.marketDate) {
            try fees.check(instrument, on: feed.marketDate)
        }
        return try ExchangeContents(
            folder: FileFolder.live(path: path), rules: ExchangeRules(facts: feed.facts, fees: fees, feedEnds: feed.ends),
            mustExist: mustExist,
            witness: witness)
    }

    private static func venue(_ exchange: Exchange, _ funds: [Money], _ watch: CommandWatch) -> TradingVenue {
        @Sendable func order(_ result: CommandResult) throws(Failure) -> Order {
            if var failure = result.failure {
                // The number it took in the books: the next order's is one further.
                if let order = result.order, order.status == .rejected { failure.arguments.append(.init("order", String(order.orderID))) }
                throw failure
            }
            guard let order = result.order else { throw Failure(.serverUnavailable) }
            return order
        }
        return TradingVenue(
            open: { account, counter throws(Failure) in try await exchange.openAccount(account, counter: counter, funds: funds) },
            place: { command throws(Failure) in try order(await watch.timed(.place) { await exchange.place(command) }) },
            cancel: { command throws(Failure) in try order(await watch.timed(.cancel) { await exchange.cancel(command) }) },
            orders: { query throws(Failure) in try await exchange.orders(query) },
            orderByCommand: { query throws(Failure) in
                try await exchange.order(query.tradingAccount, byCommandID: query.commandID)
            },
            fills: { query throws(Failure) in try await exchange.fills(query) },
            positions: { account throws(Failure) in try await exchange.positions(account) },
            funds: { account throws(Failure) in try await exchange.funds(account) },
            since: { query throws(Failure) in try await exchange.since(query.tradingAccount, query.sequence) },
            sequence: { account throws(Failure) in try await exchange.sequence(account) })
    }

    private static func authority(_ auth: AuthCentre) -> GatewayAuthority {
        GatewayAuthority(
            verify: { auth.verify(access: $0) },
            tradingAccount: { account, counter in
                TradingAccounts.all(of: account).first { $0.counter == counter.rawValue }?.id
            },
            verifyPassword: { account, password in
                do throws(Failure) {
                    return .success(try await auth.verifyTradingPassword(account: account, password))
                } catch {
                    return .failure(error)
                }
            },
            makeSessionID: { Base64URL.encode(randomBytes(24)) },
            digest: { Base64URL.encode(Digest.sha256(Array($0.utf8))) })
    }

    /// Trading sessions in one private file, replaced whole (D-4).
    private static func sessions(_ path: String) -> TradingSessionStore {
        TradingSessionStore(
            load: { () throws(Failure) in
                let bytes: [UInt8]?
                do throws(SealedError) { bytes = try PrivateFile.read(path) } catch {
                    throw Failure(.storageFailed, .init("reason", error.reason))
                }
                guard let bytes else { return [] }
                guard let list = try? JSONValue(parsing: bytes).arrayValue else { throw Failure(.dataCorrupt, .init("path", path)) }
                return try list.map { (value) throws(Failure) in
                    TradingSession(
                        tradingAccount: try value.string("tradingAccount"), account: try value.string("account"),
                        device: try value.string("device"), platform: try value.string("platform"), digest: try value.string("digest"))
                }
            },
            save: { list throws(Failure) in
                let json = JSONValue.array(
                    list.map { session in
                        .object([
                            .init("tradingAccount", .string(session.tradingAccount)), .init("account", .string(session.account)),
                            .init("device", .string(session.device)), .init("platform", .string(session.platform)),
                            .init("digest", .string(session.digest)),
                        ])
                    })
                do throws(SealedError) { try PrivateFile.write(json.serializedBytes(), to: path) } catch {
                    throw if case .full = error { Failure(.storageFull) } else { Failure(.storageFailed, .init("reason", error.reason)) }
                }
            })
    }
}
