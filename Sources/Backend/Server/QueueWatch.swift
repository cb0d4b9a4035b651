import Diagnostics
import LWS

/// Tells what waits for slow peers, looked at whenever somebody reads the metrics.
struct QueueWatch: Sendable {
    private let total: Gauge
    private let largest: Gauge
    private let look: @Sendable () async -> LWSServer.QueuedBytes

    init(_ metrics: Metrics, look: @escaping @Sendable () async -> LWSServer.QueuedBytes) {
        total = metrics.gauge("causeway_queued_bytes", help: "Bytes that wait for peers to take them")
        largest = metrics.gauge("causeway_queued_bytes_largest", help: "Bytes that wait for the peer with the most of them")
        self.look = look
    }

    func measure() async {
        let queued = await look()
        total.set(Int64(queued.total))
        largest.set(Int64(queued.largest))
    }
}
