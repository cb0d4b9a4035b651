import Foundation

/// Where the shipped data (`Data/`: symbols, dated tables, replay) lies.
public struct DataFolder: Hashable, Sendable {
    public var path: String

    public init(path: String) { self.path = path }

    public func file(_ name: String) -> String { path + "/" + name }

    /// The first of: `CAUSEWAY_DATA`; `share/causeway` beside the executable's folder or `Data` in a folder above it; `Data` in the
    /// working folder or above. A folder counts when it holds `symbols.csv`. What is nil is this process's own.
    public static func locate(
        environment: [String: String]? = nil, executable: String? = nil, workingFolder: String? = nil
    ) throws(DataFault) -> DataFolder {
        func holds(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/symbols.csv") }
        let environment = environment ?? ProcessInfo.processInfo.environment
        let executable = executable ?? CommandLine.arguments.first ?? ""
        let workingFolder = workingFolder ?? FileManager.default.currentDirectoryPath
        if let named = environment["CAUSEWAY_DATA"], !named.isEmpty {
            guard holds(named) else { throw DataFault(file: "symbols.csv", line: 0, reason: "is not in the folder CAUSEWAY_DATA names") }
            return DataFolder(path: named)
        }
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? executable
        for start in [own, executable, workingFolder + "/x"] where start.hasPrefix("/") {
            var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
            for _ in 0..<12 {
                for candidate in ["/share/causeway", "/../share/causeway", "/Data"] where holds(folder.path + candidate) {
                    return DataFolder(path: URL(fileURLWithPath: folder.path + candidate).standardizedFileURL.path)
                }
                if folder.path == "/" { break }
                folder.deleteLastPathComponent()
            }
        }
        throw DataFault(file: "symbols.csv", line: 0, reason: "was not found; name the data folder in CAUSEWAY_DATA")
    }
}
