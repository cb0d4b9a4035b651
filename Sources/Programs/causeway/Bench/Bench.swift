import Texts

/// The benches of this program and the rows of `Benchmarks/targets.csv` they are judged by (a test compares the two).
struct Bench: Sendable {
    var name: String
    var summary: Text
    var targets: [BenchTarget]

    static let all = [codec, startup, orders, fanout, idle, calendar, feeds, search, indicators, chart]

    static let codec = Bench(
        name: "codec", summary: .benchCodec,
        targets: [
            .init(name: "decode_vs_libprotobuf", limit: 0.6, unit: "ratio", kind: .gate),
            .init(name: "encode_vs_libprotobuf", limit: 0.6, unit: "ratio", kind: .gate),
            .init(name: "decode_allocations", limit: 0, unit: "count", kind: .gate),
            .init(name: "encode_allocations", limit: 0, unit: "count", kind: .gate),
            .init(name: "decode_allocations_price", limit: 0, unit: "count", kind: .gate),
            .init(name: "decode_allocations_book", limit: 2, unit: "count", kind: .gate),
        ])

    static let startup = Bench(
        name: "startup", summary: .benchStartup,
        targets: [
            .init(name: "memory_idle", limit: 100, unit: "MB", kind: .gate),
            .init(name: "cpu_idle", limit: 1, unit: "% of a core", kind: .gate),
            .init(name: "ready", limit: 500, unit: "ms", kind: .report),
        ])

    static let orders = Bench(
        name: "orders", summary: .benchOrders,
        targets: [
            .init(name: "lost", limit: 0, unit: "count", kind: .gate), .init(name: "p50_at_1000", limit: 1, unit: "ms", kind: .report),
            .init(name: "p99_at_1000", limit: 5, unit: "ms", kind: .report),
            .init(name: "sustained", limit: 10_000, unit: "per second", kind: .report, higherIsBetter: true),
        ])

    static let fanout = Bench(
        name: "fanout", summary: .benchFanout,
        targets: [
            .init(name: "server_cpu", limit: 1, unit: "cores", kind: .gate),
            .init(name: "lost_updates", limit: 0, unit: "count", kind: .gate), .init(name: "p99", limit: 30, unit: "ms", kind: .report),
        ])

    static let search = Bench(
        name: "search", summary: .benchSearch,
        targets: [
            .init(name: "p99_vs_fts5", limit: 0.2, unit: "ratio", kind: .gate), .init(name: "p99", limit: 1, unit: "ms", kind: .report),
            .init(name: "memory", limit: 60, unit: "MB", kind: .gate), .init(name: "open", limit: 20, unit: "ms", kind: .report),
        ])

    static let idle = Bench(
        name: "idle", summary: .benchIdle,
        targets: [.init(name: "memory_10k", limit: 200, unit: "MB", kind: .gate)])

    static let calendar = Bench(
        name: "calendar", summary: .benchCalendar,
        targets: [.init(name: "phase_instructions", limit: 2000, unit: "count", kind: .gate)])

    static let feeds = Bench(
        name: "feeds", summary: .benchFeeds,
        targets: [.init(name: "cpu_20k", limit: 25, unit: "% of a core", kind: .gate)])

    static let indicators = Bench(
        name: "indicators", summary: .benchIndicators,
        targets: [
            .init(name: "median_vs_talib", limit: 0.8, unit: "ratio", kind: .gate),
            .init(name: "worst_vs_talib", limit: 1.5, unit: "ratio", kind: .gate),
            .init(name: "tick_all", limit: 5, unit: "us", kind: .report),
            .init(name: "tick_allocations", limit: 0, unit: "count", kind: .gate),
        ])

    static let chart = Bench(
        name: "chart", summary: .benchChart,
        targets: [
            .init(name: "scene_300_of_200k", limit: 1, unit: "ms", kind: .report),
            .init(name: "paint_1280", limit: 5, unit: "ms", kind: .report),
            .init(name: "tick_redraw", limit: 0.5, unit: "ms", kind: .report),
            .init(name: "pan_p99", limit: 8, unit: "ms", kind: .report),
        ])
}
