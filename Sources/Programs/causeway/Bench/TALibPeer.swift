import Foundation
import HTTP
import Texts

/// TA-Lib called from Python: what its C functions take, with an array of the result made each time, as ours.
enum TALibPeer {
    /// Milliseconds by TA-Lib's name of an indicator.
    static func times(_ bars: String, rounds: Int) throws -> [String: Double] {
        let script = try CodecPeer.sources() + "/Benchmarks/peers/talib_times.py"
        let python = ProcessInfo.processInfo.environment["CAUSEWAY_PYTHON"] ?? "python3"
        let (status, text) = try CodecPeer.run("/usr/bin/env", [python, script, bars, "\(rounds)"])
        // 3: the packages are not there.
        guard status != 127, status != 3 else { throw Failure(.benchNeeds, .init("what", "python3 (CAUSEWAY_PYTHON): TA-Lib, numpy")) }
        guard status == 0, let json = try? JSONValue(parsing: Array(text.utf8)), let members = json.members else {
            throw Failure(ErrorCode("internal"), .init("reason", "TA-Lib's times were not told: \(text.suffix(200))"))
        }
        return Dictionary(members.compactMap { member in member.value.numberText.flatMap(Double.init).map { (member.name, $0) } }) { $1 }
    }
}

/// Counts the heap allocations of a child of this program with a counting malloc preloaded.
struct AllocationCounter {
    private let library: String

    init(_ folder: BenchFolder) throws {
        library = folder.path + "/allocations.so"
        let source = try CodecPeer.sources() + "/Benchmarks/peers/allocations.c"
        try CodecPeer.tool("cc", ["-O2", "-shared", "-fPIC", source, "-o", library])
    }

    /// What the child says in its last line.
    func count(_ arguments: [String]) throws -> Int {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let (status, text) = try CodecPeer.run(own, arguments, ["LD_PRELOAD": library])
        guard status == 0, let count = Int(text.split(separator: "\n").last ?? "") else {
            throw Failure(ErrorCode("internal"), .init("reason", "allocations were not counted: \(text.suffix(200))"))
        }
        return count
    }
}
