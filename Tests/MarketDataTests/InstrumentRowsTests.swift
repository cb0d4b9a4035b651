import Exact
import HTTP
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import Texts
import Transport
import WireCodec

@testable import MarketData

/// A server whose table comes in messages that are sent when the test says so.
private final class PiecewiseServer: Sendable {
    private let receive = Mutex<(@Sendable (WebSocketEvent) -> Void)?>(nil)
    let total: UInt32

    init(total: UInt32) { self.total = total }

    var dialer: WebSocketDialer {
        WebSocketDialer { [self] _, receive in
            self.receive.withLock { $0 = receive }
            receive(.opened)
            return WebSocket(
                send: { [self] message in
                    answer(message)
                    return true
                }, ping: { _ in true }, close: { _ in }, queuedBytes: { 0 })
        }
    }

    private func answer(_ message: WebSocketMessage) {
        guard case .binary(let bytes) = message, let asked = try? QuoteEnvelope(serializedBytes: bytes), asked.type == .login else {
            return
        }
        var reply = QuoteLoginReply()
        (reply.code, reply.protocol, reply.symbolsVersion, reply.marketDate) = (.ok, 1, 2, 20_261_130)
        tell(.loginReply, reply, asked.sequence)
        rows([1, 2])
    }

    /// The rows of these instruments.
    func rows(_ ids: [UInt32]) {
        var rows = InstrumentRows()
        (rows.symbolsVersion, rows.total) = (2, total)
        let name = Instrument.Names(english: "Test", simplified: "测试", traditional: "測試")
        rows.rows = ids.map {
            Instrument(
                id: InstrumentID($0), market: .xnas, code: "T\($0)", symbol: "T\($0).US", kind: .stock, currency: .usd, names: name,
                lot: .one, multiplier: 1, decimals: 2, tickTable: "US"
            ).row
        }
        tell(.instrumentRows, rows, 0)
    }

    private func tell(_ type: QuoteMessageType, _ message: some Message, _ sequence: UInt64) {
        var envelope = QuoteEnvelope()
        (envelope.type, envelope.version, envelope.sequence) = (type, 1, sequence)
        guard let payload = try? message.serializedBytes() else { return }
        envelope.payload = payload
        guard let bytes = try? envelope.serializedBytes() else { return }
        receive.withLock { $0 }?(.message(.binary(bytes)))
    }
}

struct InstrumentRowsTests {
    /// With a market of 2,000 instruments, of which 500 come in a message, most were unknown for a while.
    @Test func aConnectionIsReadyWhenTheWholeTableHasCome() async throws {  // H-5
        let server = PiecewiseServer(total: 3)
        let connection = QuoteConnection(
            dialer: server.dialer, clock: .live,
            configuration: .init(
                url: "ws://127.0.0.1/quotes", deviceID: "test", instruments: InstrumentTable(version: 1, instruments: [])),
            seed: 1, credential: { _ in (value: "good", left: .seconds(3_600), lifetime: .seconds(7_200)) })
        let ready = Task { try await connection.ready() }
        while await connection.instruments.all.count < 2 { await Task.yield() }
        #expect(await connection.instruments.version == 1)
        server.rows([3])
        try await ready.value
        #expect(await connection.instruments.all.map(\.symbol).sorted() == ["T1.US", "T2.US", "T3.US"])
        #expect(await connection.instruments.version == 2)
        await connection.disconnect()
    }
}
