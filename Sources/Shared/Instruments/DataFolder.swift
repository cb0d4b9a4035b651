import Foundation

/// Where the shipped data (`Data/`: symbols, dated tables, replay) lies.
public struct DataFolder: Hashable, Sendable {
    public var path: String
    /// A folder of the user's own tables, which win file by file over `tables/`; nil: none.
    public var ownTables: String?
    /// The names in it, e.g. `fees.csv`; what is overridden is said wherever tables are told of.
    public private(set) var overridden: [String] = []

    public init(path: String) { self.path = path }

    /// With a folder of the user's own tables. A file there that no table is called by is refused: a misspelt one would be silently
    /// without effect.
    public init(path: String, ownTables: String) throws(DataFault) {
        self.path = path
        self.ownTables = ownTables
        let shipped = Set(try Self.tables(path + "/tables"))
        overridden = try Self.tables(ownTables)
        for name in overridden where !shipped.contains(name) {
            let known = shipped.sorted().joined(separator: ", ")
            throw DataFault(file: ownTables + "/" + name, line: 0, reason: "is no table of this program, which are: \(known)")
        }
    }

    private static func tables(_ folder: String) throws(DataFault) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv") && !$0.hasPrefix(".") }
                .sorted()
        } catch {
            throw DataFault(file: folder, line: 0, reason: "cannot be read")
        }
    }

    public func file(_ name: String) -> String {
        let parts = name.split(separator: "/")
        if let ownTables, parts.count == 2, parts[0] == "tables", overridden.contains(String(parts[1])) {
            return ownTables + "/" + parts[1]
        }
        return path + "/" + name
    }

    /// A table by its name, e.g. `fees.csv`. Faults name a user's own file by its whole path.
    package func table(_ name: String, _ columns: [String]) throws(DataFault) -> CSVTable {
        let path = file("tables/" + name)
        let shown = overridden.contains(name) ? path : name
        let table = try CSVTable(path: path, name: shown, required: columns)
        // A table that says nothing is no table: what it holds back would hold nothing.
        guard !table.rows.isEmpty else { throw DataFault(file: shown, line: 1, reason: "has no rows") }
        return table
    }

    /// The first of: `CAUSEWAY_DATA`; `share/causeway` beside the executable's folder or `Data` in a folder above it; `Data` in the
    /// working folder or above. A folder counts when it holds `symbols.csv`. The user's own tables are in the folder that
    /// `CAUSEWAY_TABLES` names (empty: none), else in `causeway/tables` below `XDG_CONFIG_HOME`, where there is one. What is nil is this
    /// process's own.
    public static func locate(
        environment: [String: String]? = nil, executable: String? = nil, workingFolder: String? = nil
    ) throws(DataFault) -> DataFolder {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let shipped = try shipped(environment, executable: executable, workingFolder: workingFolder)
        guard let own = ownTables(environment) else { return shipped }
        return try DataFolder(path: shipped.path, ownTables: own)
    }

    /// One that is named has to be there; the usual one need not.
    private static func ownTables(_ environment: [String: String]) -> String? {
        if let named = environment["CAUSEWAY_TABLES"] { return named.isEmpty ? nil : named }
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        guard let config = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" }) else { return nil }
        var isFolder: ObjCBool = false
        let usual = config + "/causeway/tables"
        return FileManager.default.fileExists(atPath: usual, isDirectory: &isFolder) && isFolder.boolValue ? usual : nil
    }

    private static func shipped(
        _ environment: [String: String], executable: String?, workingFolder: String?
    ) throws(DataFault) -> DataFolder {
        func holds(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path + "/symbols.csv") }
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
