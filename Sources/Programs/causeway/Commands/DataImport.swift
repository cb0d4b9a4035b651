import Feeds
import Foundation
import HTTP
import Instruments
import Streams
import Texts

extension Commands {
    static let dataImport = Command(
        words: ["data", "import"], summary: .helpCommandDataImport, arguments: "FILE…",
        count: 1...1000
    ) { invocation in
        for path in invocation.positional where !FileManager.default.fileExists(atPath: path) { throw Usage.noFile(path) }
        let folder = try Folders(profile: invocation["profile"]).data + "/replay"
        do {
            let shipped = try DataFolder.locate()
            let facts = try MarketFacts(shipped)
            let date = try Recordings(shipped, facts: facts).marketDate
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let replay = ReplayImport(facts: facts, marketDate: date, folder: folder)
            for path in invocation.positional {
                let report = try replay.add(path)
                invocation.output.show(
                    .object([
                        .init("file", .string(path)), .init("symbol", .string(report.symbol)), .init("kind", .string(report.kind)),
                        .init("recordedOn", .string(report.recordedOn.description)), .init("day", .string(report.mappedDay.description)),
                        .init("accepted", .int(report.accepted)), .init("quarantined", .int(report.quarantine.total)),
                    ]),
                    text: [
                        "\(report.symbol)  \(report.kind)  \(report.recordedOn) → \(report.mappedDay)  \(report.accepted) + \(report.quarantine.total)"
                    ])
            }
        } catch let fault as DataFault {
            throw Failure(.dataCorrupt, .init("path", fault.description))
        }
    }
}
