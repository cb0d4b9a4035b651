import Curl
import Diagnostics
import HTTP
import Testing

@testable import LWS
@testable import Server

@Suite(.timeLimit(.minutes(2))) struct QueueWatchTests {
    @Test("O-3: the gauges are what is queued when they are read")
    func gaugesFollow() async {
        let metrics = Metrics()
        let queues = QueueWatch(metrics) { .init(total: 70, largest: 40) }
        #expect(metrics.prometheusText().contains("\ncauseway_queued_bytes 0\n"))
        await queues.measure()
        let text = metrics.prometheusText()
        #expect(text.contains("\ncauseway_queued_bytes 70\n") && text.contains("\ncauseway_queued_bytes_largest 40\n"))
    }

    @Test("O-3: a running server tells them, though the asker itself waits for nothing")
    func served() async throws {
        let test = try TestServer()
        let server = try await test.start()
        let answer = try await test.curl.client.perform(HTTPRequest(method: "GET", url: "http://127.0.0.1:\(server.port)/metrics"))
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.status == 200)
        #expect(text.contains("\ncauseway_queued_bytes 0\n") && text.contains("\ncauseway_queued_bytes_largest 0\n"))
        await server.stop()
        await test.remove()
    }
}
