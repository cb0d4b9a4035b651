import HTTP
import Texts

/// `causeway bench`: the face by which speed is judged. A gate that does not hold ends the program with status 1.
enum BenchCommands {
    static let all = [list, startup, orders]

    private static let quick = Command.Option.flag("quick", "a short run, to see that it works; its figures say little")

    private static let list = Command(words: ["bench", "list"], summary: "list the benches and their targets") { invocation in
        for bench in Bench.all {
            invocation.output.show(
                .object([
                    .init("bench", .string(bench.name)), .init("summary", .string(bench.summary)),
                    .init("targets", .array(bench.targets.map { .string($0.name) })),
                ]), text: ["\(bench.name)  \(bench.summary)", "  " + bench.targets.map(\.name).joined(separator: ", ")])
        }
    }

    private static let startup = Command(
        words: ["bench", "startup"], summary: "measure \(Bench.startup.summary)", options: [quick]
    ) { invocation in
        let bench = StartupBench(idle: invocation.has("quick") ? .seconds(1) : .seconds(10))
        try show(try await bench.run(), invocation)
    }

    private static let orders = Command(
        words: ["bench", "orders"], summary: "measure \(Bench.orders.summary)", options: [quick]
    ) { invocation in
        let quick = invocation.has("quick")
        let bench = OrdersBench(paced: quick ? .milliseconds(400) : .seconds(4), sustained: quick ? .seconds(2) : .seconds(20))
        try show(try await bench.run(), invocation)
    }

    private static func show(_ report: BenchReport, _ invocation: Invocation) throws {
        #if DEBUG
            Output.error("causeway: a debug build; figures count in a release build only")
        #endif
        invocation.output.show(report.json, text: report.lines)
        if !report.gatesHold { throw ExitStatus.failed }
    }
}
