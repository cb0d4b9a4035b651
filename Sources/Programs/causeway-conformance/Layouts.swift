import HTTP

/// One case of a vector file: what the product's own part gave.
struct CaseResult {
    enum Verdict: String { case pass, fail, skipped }

    var id: String
    var verdict: Verdict
    /// What was got, or why the case is skipped; one line.
    var got: String

    init(_ id: String, passes: Bool, got: String) {
        self.id = id
        verdict = passes ? .pass : .fail
        self.got = got
    }

    init(skipped id: String, because reason: String) {
        self.id = id
        verdict = .skipped
        got = reason
    }
}

/// How one layout of vector files is recognised and run.
struct LayoutDriver: Sendable {
    var name: String
    var recognises: @Sendable (JSONValue) -> Bool
    /// One result a case, in the file's order.
    var run: @Sendable (JSONValue) throws -> [CaseResult] = { _ in [] }
    /// In place of `run` where further files lie in the same folder.
    var runBeside: (@Sendable (JSONValue, _ folder: String) throws -> [CaseResult])?
}

/// All layouts. A layout is added here and in a file of its own; a file that none recognises is a failure.
let layouts: [LayoutDriver] = [
    LayoutDriver(name: "money", recognises: MoneyCases.recognises, run: MoneyCases.run),
    LayoutDriver(name: "price steps", recognises: HongKongCases.recognisesTicks, run: HongKongCases.ticks),
    LayoutDriver(name: "price ladders", recognises: HongKongCases.recognisesLadders, run: HongKongCases.ladders),
    LayoutDriver(name: "Hong Kong fees", recognises: HongKongCases.recognisesFees, run: HongKongCases.fees),
    LayoutDriver(name: "symbols", recognises: SymbolCases.recognises, run: SymbolCases.run),
    LayoutDriver(name: "market days", recognises: CalendarCases.recognisesDays, run: CalendarCases.days),
    LayoutDriver(name: "moments of futures", recognises: CalendarCases.recognisesMoments, run: CalendarCases.moments),
    LayoutDriver(name: "indicators", recognises: IndicatorCases.recognisesLines, runBeside: IndicatorCases.lines),
    LayoutDriver(name: "odd series", recognises: IndicatorCases.recognisesEdges, run: IndicatorCases.edges),
    LayoutDriver(name: "bars", recognises: BarCases.recognises, run: BarCases.run),
    LayoutDriver(name: "protobuf", recognises: ProtobufCases.recognises, run: ProtobufCases.run),
    LayoutDriver(name: "Socket.IO packets", recognises: SocketIOPackets.recognises) { json in
        try cases(json, "cases") { test in SocketIOPackets.failure(of: test) }
    },
    LayoutDriver(name: "Engine.IO payloads", recognises: EngineIOPayloads.recognises) { json in
        try cases(json, "cases") { test in EngineIOPayloads.failure(of: test) }
    },
    LayoutDriver(name: "WebSocket frames", recognises: WebSocketFrameCase.recognises) { json in
        let runs = try WebSocketRuns()
        return try cases(json, "cases") { test in runs.failure(of: test) }
    },
    LayoutDriver(name: "scenarios", recognises: ScenarioFile.recognises) { json in
        let file = try ScenarioFile(json)
        return file.scenarios.map { scenario in
            let id = scenario["id"]?.stringValue ?? "(no id)"
            if let reason = skipReason(id) { return CaseResult(skipped: id, because: reason) }
            let report = file.run(scenario)
            return CaseResult(report.id, passes: report.failure == nil, got: report.failure ?? "as expected")
        }
    },
    // What scenarios are checked by: no cases of their own.
    LayoutDriver(name: "vocabulary", recognises: { $0["steps"] != nil && $0["parts"] != nil }) { _ in [] },
    LayoutDriver(name: "schema", recognises: { $0["$schema"] != nil }) { _ in [] },
]

/// One result for each element of a list whose cases carry their id.
private func cases(_ json: JSONValue, _ list: String, failure: (JSONValue) -> String?) throws -> [CaseResult] {
    try json.elements(list).map { test in
        let id = test["id"]?.stringValue ?? "(no id)"
        if let reason = skipReason(id) { return CaseResult(skipped: id, because: reason) }
        let failure = failure(test)
        return CaseResult(id, passes: failure == nil, got: failure ?? "as expected")
    }
}
