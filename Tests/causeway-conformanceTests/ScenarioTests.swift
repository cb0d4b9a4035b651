import Foundation
import HTTP
import Testing

@testable import causeway_conformance

/// The scripted runs and packet vectors under `Tests/Fixtures` (B-1, B-2, B-4, B-6, B-9, B-10, C-2, C-3).
struct ScenarioTests {
    @Test(arguments: ["connection", "credentials", "socketio-client", "socketio-server"])
    func `every scenario of the file passes`(file: String) throws {
        let reports = try ScenarioFile(try fixture("scenarios/\(file).json")).run()
        #expect(!reports.isEmpty)
        for report in reports { #expect(report.failure == nil, "\(report.id)") }
    }

    @Test func `every packet vector passes`() throws {
        let json = try fixture("sio/socketio_packets.json")
        #expect(SocketIOPackets.recognises(json))
        for test in json["cases"]?.arrayValue ?? [] {
            let failure = SocketIOPackets.failure(of: test)
            #expect(failure == nil, "\(test["id"]?.stringValue ?? "")")
        }
    }

    // B-4, SIO-2: each packet of a payload as one WebSocket message.
    @Test func `every payload vector that can travel as WebSocket messages passes`() throws {
        let json = try fixture("sio/engineio_payloads.json")
        #expect(EngineIOPayloads.recognises(json))
        let run = (json["cases"]?.arrayValue ?? []).filter { skipReason($0["id"]?.stringValue ?? "") == nil }
        #expect(run.count == 13)
        for test in run { #expect(EngineIOPayloads.failure(of: test) == nil, "\(test["id"]?.stringValue ?? "")") }
    }

    // B-10: the shipped client and server over loopback; the whole file is run by the program (`make test`).
    @Test(arguments: [
        (#"{"server_bytes_hex":["8101","61"],"expect":{"messages":[{"text":"a"}]}}"#, true),
        (#"{"server_bytes_hex":["8101","61"],"expect":{"messages":[{"text":"b"}]}}"#, false),
        (#"{"server_bytes_hex":["8101","61"],"expect":{"fail":1002}}"#, false),
        (#"{"server_bytes_hex":["8300"],"expect":{"fail":1002}}"#, true), (#"{"server_bytes_hex":["8300"],"expect":{"fail":1007}}"#, false),
        (#"{"server_bytes_hex":["890161"],"expect":{"pongs":["61"]}}"#, true),
        (#"{"server_bytes_hex":["890161"],"expect":{"pongs":["62"]}}"#, false),
        (#"{"server_bytes_hex":["880203e8"],"expect":{"close":1000}}"#, true),
        (#"{"server_bytes_hex":["880203e8"],"expect":{"close":1001}}"#, false),
    ])
    func `WebSocket vectors are judged`(vector: String, passes: Bool) throws {
        #expect((try WebSocketRuns().failure(of: try JSONValue(parsing: vector)) == nil) == passes)
    }

    @Test func `the program's vocabulary is the fixture's`() throws {
        #expect(try JSONValue(parsing: scenarioVocabularyText) == fixture("scenarios/vocabulary.json"))
    }

    @Test(arguments: [
        #"[{"call":{"op":"connekt"}}]"#, #"[{"call":{"op":"connect","namespce":"/"}}]"#, #"[{"peer":{"opened":{}}}]"#,
        #"[{"peer":{"open":{}}}]"#, #"[{"event":"foreground"}]"#, #"[{"use":"nothing"}]"#, #"[{"expect":{"sended":[]}}]"#,
        #"[{"expect":{"state":"up"}}]"#, #"[{"expect":{"sent":["dail"]}}]"#, #"[{"expect":{"sent":["dial"]}}]"#,
        #"[{"never":{"send":"dial"}}]"#, #"[{"at":5},{"at":4}]"#, #"[{"at":5,"call":{}}]"#, #"[{"wait":5}]"#,
        #"[{"expect":{"state":"ready"}}]"#, #"[{"expect":{"result":{"x":"ok"}}}]"#, #"[{"expect":{"count":{"dial":1}}}]"#,
        #"[{"never":{"sent":"dial"}},{"call":{"op":"connect","namespace":"/t"}}]"#,
        #"[{"never":{"state":"connecting"}},{"call":{"op":"connect","namespace":"/t"}}]"#,
    ])
    func `a script with an unknown name or a false expectation fails`(steps: String) throws {
        let script = #"{"scenarios":[{"id":"t","part":"socketio-client","policy":{},"steps":\#(steps)}]}"#
        let reports = try ScenarioFile(try JSONValue(parsing: script)).run()
        #expect(reports.count == 1 && reports.allSatisfy { $0.failure != nil })
    }

    @Test func `unknown parts, policies and keys fail`() throws {
        for scenario in [
            #"{"id":"t","part":"nobody","policy":{},"steps":[]}"#, #"{"id":"t","part":"socketio-client","policy":{"x":1},"steps":[]}"#,
            #"{"id":"t","part":"socketio-client","policy":{},"stepz":[]}"#,
        ] {
            let reports = try ScenarioFile(try JSONValue(parsing: "{\"scenarios\":[\(scenario)]}")).run()
            #expect(reports.allSatisfy { $0.failure != nil })
        }
    }
}

func fixture(_ path: String) throws -> JSONValue {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try JSONValue(parsing: [UInt8](Data(contentsOf: folder.appending(path: "Fixtures/\(path)"))))
}
