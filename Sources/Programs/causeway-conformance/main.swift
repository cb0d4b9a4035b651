import Foundation
import HTTP

// causeway-conformance FILE…: the product's own parts over vector files. One line a case, then the sums; exit 1 where one failed.

func results(of path: String) -> [CaseResult] {
    do {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let json = try JSONValue(parsing: bytes, limits: JSONLimits(bytes: 64 << 20))
        guard let layout = layouts.first(where: { $0.recognises(json) }) else {
            return [CaseResult(path, passes: false, got: "unknown layout")]
        }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return try layout.runBeside?(json, folder) ?? layout.run(json)
    } catch {
        return [CaseResult(path, passes: false, got: "\(error)")]
    }
}

/// One line whatever was got, and no longer than a reader bears.
func line(_ result: CaseResult) -> String {
    let got = result.got.unicodeScalars.map { $0.value < 0x20 ? " " : String($0) }.joined()
    return "\(result.id) \(result.verdict.rawValue) \(got.prefix(2000))"
}

let files = CommandLine.arguments.dropFirst()
guard !files.isEmpty else {
    FileHandle.standardError.write(Data("usage: causeway-conformance FILE...\n".utf8))
    exit(2)
}
let all = files.flatMap(results)
for result in all { print(line(result)) }
func count(_ verdict: CaseResult.Verdict) -> Int { all.count { $0.verdict == verdict } }
print("\(count(.pass)) passed, \(count(.fail)) failed, \(count(.skipped)) skipped")
exit(count(.fail) == 0 ? 0 : 1)
