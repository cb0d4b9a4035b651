import HTTP
import Texts

/// `causeway bench`: the face by which speed is judged. A gate that does not hold ends the program with status 1.
enum BenchCommands {
    static let all = [
        list, codec, codecLoop, startup, orders, fanout, idle, calendar, feeds, search, searchLoop, indicators, indicatorsLoop, chart,
        quoteServer,
        quoteLoad,
    ]

    private static let quick = Command.Option.flag("quick", .helpOptionQuick)

    private static let list = Command(words: ["bench", "list"], summary: .helpCommandBenchList) { invocation in
        for bench in Bench.all {
            invocation.output.show(
                .object([
                    .init("bench", .string(bench.name)), .init("summary", .string(bench.summary.words(in: invocation.language))),
                    .init("targets", .array(bench.targets.map { .string($0.name) })),
                ]),
                text: [
                    "\(bench.name)  \(bench.summary.words(in: invocation.language))",
                    "  " + bench.targets.map(\.name).joined(separator: ", "),
                ])
        }
    }

    private static let codec = Command(
        words: ["bench", "codec"], summary: .helpCommandBench(what: Bench.codec.summary), options: [quick]
    ) { invocation in
        try show(try await (invocation.has("quick") ? CodecBench.quick : CodecBench()).run(), invocation)
    }

    private static let codecLoop = Command(
        words: ["bench", "codec-loop"], summary: .helpCommandBenchCodecLoop,
        options: [
            .value("work", "NAME", .helpOptionWork), .value("message", "NAME", .helpOptionPlan), .value("times", "N", .helpOptionTimes),
        ],
        isInternal: true
    ) { invocation in
        guard let work = CodecLoop.Work(rawValue: invocation["work"] ?? "decode") else { throw Failure.invalid("work") }
        let times = try invocation.integer("times", in: 1...1_000_000_000, default: 100_000)
        func counted(_ run: (_ times: Int) throws -> Void) throws { try Self.counted(times, invocation, run) }
        if let name = invocation["message"] {
            guard let message = HotLoop(rawValue: name) else { throw Failure.invalid("message") }
            try counted { try message.run(work, times: $0) }
        } else {
            let loop = try CodecLoop()
            try counted { try loop.run(work, times: $0) }
        }
    }

    /// Heap allocations of `run`, where a counting malloc is preloaded: what a run makes besides its work is in both and taken off.
    private static func counted(_ times: Int, _ invocation: Invocation, _ run: (_ times: Int) throws -> Void) throws {
        try run(1)
        guard let start = CodecPeer.allocationsSoFar() else { return try run(times) }
        try run(times)
        let once = CodecPeer.allocationsSoFar() ?? start
        try run(0)
        invocation.output.line("\(once - start - ((CodecPeer.allocationsSoFar() ?? once) - once))")
    }

    private static let indicators = Command(
        words: ["bench", "indicators"], summary: .helpCommandBench(what: Bench.indicators.summary), options: [quick]
    ) { invocation in
        try show(try (invocation.has("quick") ? IndicatorBench.quick : IndicatorBench()).run(), invocation)
    }

    private static let indicatorsLoop = Command(
        words: ["bench", "indicators-loop"], summary: .helpCommandBenchIndicatorsLoop, options: [.value("times", "N", .helpOptionTimes)],
        isInternal: true
    ) { invocation in
        let times = try invocation.integer("times", in: 1...1_000_000_000, default: 20_000)
        var loop = try IndicatorLoop()
        try counted(times, invocation) { loop.run(times: $0) }
    }

    private static let chart = Command(
        words: ["bench", "chart"], summary: .helpCommandBench(what: Bench.chart.summary), options: [quick]
    ) { invocation in
        try show(try (invocation.has("quick") ? ChartBench.quick : ChartBench()).run(), invocation)
    }

    private static let startup = Command(
        words: ["bench", "startup"], summary: .helpCommandBench(what: Bench.startup.summary), options: [quick]
    ) { invocation in
        let bench = StartupBench(idle: invocation.has("quick") ? .seconds(1) : .seconds(10))
        try show(try await bench.run(), invocation)
    }

    private static let orders = Command(
        words: ["bench", "orders"], summary: .helpCommandBench(what: Bench.orders.summary), options: [quick]
    ) { invocation in
        let quick = invocation.has("quick")
        let bench = OrdersBench(paced: quick ? .milliseconds(400) : .seconds(4), sustained: quick ? .seconds(2) : .seconds(20))
        try show(try await bench.run(), invocation)
    }

    private static let fanout = Command(
        words: ["bench", "fanout"], summary: .helpCommandBench(what: Bench.fanout.summary),
        options: [quick, .flag("soak", .helpOptionSoak)]
    ) { invocation in
        if invocation.has("quick"), invocation.has("soak") { throw Usage.conflict("quick", "soak") }
        let bench = invocation.has("soak") ? FanOutBench.soak : invocation.has("quick") ? .quick : FanOutBench()
        try show(try await bench.run(), invocation)
    }

    private static let idle = Command(words: ["bench", "idle"], summary: .helpCommandBench(what: Bench.idle.summary), options: [quick]) {
        invocation in
        try show(try await (invocation.has("quick") ? IdleBench.quick : IdleBench()).run(), invocation)
    }

    private static let calendar = Command(
        words: ["bench", "calendar"], summary: .helpCommandBench(what: Bench.calendar.summary), options: [quick]
    ) { invocation in
        try show(try (invocation.has("quick") ? CalendarBench.quick : CalendarBench()).run(), invocation)
    }

    private static let search = Command(
        words: ["bench", "search"], summary: .helpCommandBench(what: Bench.search.summary), options: [quick]
    ) { invocation in
        try show(try await (invocation.has("quick") ? SearchBench.quick : SearchBench()).run(), invocation)
    }

    private static let searchLoop = Command(
        words: ["bench", "search-loop"], summary: .helpCommandBenchSearchLoop,
        options: [.value("file", "FILE", .helpOptionBenchFile), .value("queries", "FILE", .helpOptionBenchFile)], isInternal: true
    ) { invocation in
        guard let file = invocation["file"], let queries = invocation["queries"] else { throw Failure.invalid("file") }
        invocation.output.line(try SearchBench.loop(file: file, queries: queries).serialized())
    }

    private static let feeds = Command(
        words: ["bench", "feeds"], summary: .helpCommandBench(what: Bench.feeds.summary), options: [quick]
    ) { invocation in
        try show(try await (invocation.has("quick") ? FeedsBench.quick : FeedsBench()).run(), invocation)
    }

    private static let quoteServer = Command(
        words: ["bench", "quote-server"], summary: .helpCommandBenchQuoteServer,
        options: [
            .value("symbols", "N", .helpOptionBenchSymbols), .value("rate", "N", .helpOptionRate),
            .value("updates", "N", .helpOptionUpdates),
        ],
        isInternal: true
    ) { invocation in
        try await FanOutServer(
            symbols: try invocation.integer("symbols", in: 1...100_000, default: 500),
            rate: try invocation.integer("rate", in: 1...1_000_000, default: 2_000),
            updates: try invocation.integer("updates", in: 1...1_000_000, default: 80)
        ).run(invocation.output)
    }

    private static let quoteLoad = Command(
        words: ["bench", "quote-load"], summary: .helpCommandBenchQuoteLoad,
        options: ["port", "symbols-version", "clients", "topics", "symbols", "first-symbol", "updates"].map {
            .value($0, "N", .helpOptionPlan)
        },
        isInternal: true
    ) { invocation in
        guard let credential = readLine() else { throw Failure.invalid("credential") }
        var load = try QuoteLoad(try QuoteLoad.Plan(invocation, credential: credential))
        let result = try load.run { invocation.output.line("ready") }
        invocation.output.line(result.json.serialized())
    }

    private static func show(_ report: BenchReport, _ invocation: Invocation) throws {
        #if DEBUG
            Output.error("causeway: a debug build; figures count in a release build only")
        #endif
        invocation.output.show(report.json, text: report.lines)
        if !report.gatesHold { throw ExitStatus.failed }
    }
}
