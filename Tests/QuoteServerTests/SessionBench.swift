import Bars
import Diagnostics
import Exact
import Feeds
import HTTP
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import Texts
import Transport
import WireCodec

@testable import QuoteServer

enum Shipped {
    static let result = Result { () throws -> (MarketFacts, Recordings) in
        let folder = try DataFolder.locate()
        let facts = try MarketFacts(folder)
        return (facts, try Recordings(folder, facts: facts))
    }
}

func board() throws -> QuoteBoard {
    let (facts, recordings) = try Shipped.result.get()
    return QuoteBoard(facts: facts, marketDate: recordings.marketDate) { recordings.history($0) }
}

/// 2026-11-30 at that Hong Kong time.
func hongKong(_ hour: Int64, _ minute: Int64) -> MarketInstant {
    MarketInstant(nanoseconds: (1_795_996_800 + (hour - 8) * 3600 + minute * 60) * 1_000_000_000)
}

let principal = Principal(accountID: "a", deviceID: "d", platform: "linux", scopes: [.quotes])
let tencent: UInt32 = 1

func envelope(_ type: QuoteMessageType, _ sequence: UInt64, _ payload: some Message) throws -> QuoteSession.Event {
    var envelope = QuoteEnvelope()
    envelope.type = type
    envelope.sequence = sequence
    envelope.payload = try payload.serializedBytes()
    return .message(.binary(try envelope.serializedBytes()))
}

func login(_ versions: ClosedRange<UInt32> = 1...1, symbols: UInt64 = 0) -> QuoteLogin {
    var login = QuoteLogin()
    login.credential = "good"
    login.protocol.minimum = versions.lowerBound
    login.protocol.maximum = versions.upperBound
    login.symbolsVersion = symbols
    return login
}

func subscription(_ topics: [(UInt32, QuoteKind, UInt32)]) -> SubscriptionRequest {
    var request = SubscriptionRequest()
    request.topics = topics.map {
        var topic = Topic()
        (topic.instrument, topic.kind, topic.depth) = $0
        return topic
    }
    return request
}

/// A session under test with its surroundings.
struct Bench {
    var session = QuoteSession(at: .init(nanoseconds: 0))
    var board: QuoteBoard
    var limits = QuoteLimits.standard
    var now = MonotonicInstant(nanoseconds: 0)

    init() throws { board = try QuoteServerTests.board() }

    var view: QuoteSession.View {
        .init(board: board, clock: .init(time: .init(nanoseconds: 7), speedMicros: 1_000_000, epoch: 3), limits: limits)
    }
    mutating func send(_ event: QuoteSession.Event) -> [QuoteSession.Effect] { session.handle(event, view, at: now) }
    mutating func send(_ type: QuoteMessageType, _ payload: some Message) throws -> [QuoteSession.Effect] {
        try send(envelope(type, 9, payload))
    }

    mutating func logIn() throws {
        _ = try send(.login, login(symbols: board.facts.instruments.version))
        _ = send(.authorized(.success(principal)))
    }

    mutating func play(until: MarketInstant) throws {
        let (facts, recordings) = try Shipped.result.get()
        var schedule = try ReplaySchedule(recordings, facts: facts)
        for event in schedule.next(until: until) { _ = board.apply(event) }
    }
}

func reply<M: Message>(_ effects: [QuoteSession.Effect], _ type: QuoteMessageType, as: M.Type = M.self) throws -> M {
    for case .reply(type, sequence: 9, let payload) in effects { return try M(serializedBytes: payload) }
    throw Failure(.requestUnknown)
}
