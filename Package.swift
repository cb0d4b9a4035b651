// swift-tools-version: 6.2
import PackageDescription

// The folder tree is the architecture: a part may import only parts above it in this table.
// CAUSEWAY_ONLY=Exact,Transport builds and tests just these parts and what they stand on.

/// One target of the package and where it stands.
struct Part {
    var name: String
    var folder: String
    var imports: [String] = []
    var kind: Kind = .library
    var tests = false
    /// What its tests import beyond the part itself.
    var testImports: [String] = []

    enum Kind: Equatable {
        case library
        case program
        case system(pkgConfig: String, apt: String)
        /// Inline C functions over a system library, where Swift cannot call it directly.
        case shim
        /// Decoders under hostile bytes: a test of the kept corpus, or libFuzzer's program where CAUSEWAY_FUZZ is set (scripts/fuzz).
        case fuzz
    }
}

let parts: [Part] = [
    // Base: knows no business.
    Part(name: "CWebSockets", folder: "Base", kind: .system(pkgConfig: "libwebsockets", apt: "libwebsockets-dev")),
    Part(name: "CCurl", folder: "Base", kind: .system(pkgConfig: "libcurl", apt: "libcurl4-openssl-dev")),
    Part(name: "CSodium", folder: "Base", kind: .system(pkgConfig: "libsodium", apt: "libsodium-dev")),
    Part(name: "CSQLite", folder: "Base", kind: .system(pkgConfig: "sqlite3", apt: "libsqlite3-dev")),
    Part(name: "CZlib", folder: "Base", kind: .system(pkgConfig: "zlib", apt: "zlib1g-dev")),
    Part(name: "CCairo", folder: "Base", kind: .system(pkgConfig: "pangocairo", apt: "libpango1.0-dev")),
    Part(name: "CGIO", folder: "Base", kind: .system(pkgConfig: "gio-2.0", apt: "libglib2.0-dev")),
    Part(name: "Exact", folder: "Base", tests: true, testImports: ["Streams"]),
    Part(name: "WireCodec", folder: "Base", tests: true, testImports: ["Streams"]),
    Part(name: "Streams", folder: "Base", tests: true),
    Part(name: "Texts", folder: "Base", tests: true),
    Part(name: "Files", folder: "Base", tests: true),
    Part(name: "HTTP", folder: "Base", imports: ["Streams", "Texts"], tests: true),
    Part(name: "Transport", folder: "Base", imports: ["Streams", "HTTP"], tests: true),
    Part(name: "Charting", folder: "Base", imports: ["Exact", "Streams", "Texts"], tests: true),
    Part(name: "Cairo", folder: "Base", imports: ["CCairo", "Charting", "Texts"], tests: true, testImports: ["Streams"]),
    Part(name: "DesktopNotifications", folder: "Base", imports: ["CGIO", "Streams", "Texts"], tests: true),
    Part(name: "Journal", folder: "Base", imports: ["Streams"], tests: true),
    Part(name: "Diagnostics", folder: "Base", imports: ["Streams"], tests: true),
    Part(
        name: "LWS", folder: "Base", imports: ["CWebSockets", "HTTP", "Transport", "Streams", "Diagnostics"], tests: true),
    Part(name: "Curl", folder: "Base", imports: ["CCurl", "HTTP", "Streams"], tests: true, testImports: ["LWS", "Transport"]),
    Part(name: "SQLite", folder: "Base", imports: ["CSQLite"], tests: true),
    Part(name: "Zip", folder: "Base", imports: ["CZlib"], tests: true),
    Part(name: "Sealed", folder: "Base", imports: ["CSodium"], tests: true),
    // Shared: the business every line stands on.
    Part(name: "Messages", folder: "Shared", imports: ["WireCodec"], tests: true),
    Part(
        name: "Instruments", folder: "Shared", imports: ["Exact", "Files", "Streams", "Messages", "Texts"], tests: true,
        testImports: ["WireCodec"]),
    Part(name: "Bars", folder: "Shared", imports: ["Exact", "Instruments", "Messages", "Streams"], tests: true),
    Part(
        name: "Finder", folder: "Shared", imports: ["Files", "Instruments", "Texts"], tests: true, testImports: ["Exact", "Streams"]),
    Part(
        name: "Symbols", folder: "Shared",
        imports: ["Exact", "Files", "HTTP", "Instruments", "SQLite", "Sealed", "Streams", "Texts", "Zip"],
        tests: true),
    Part(
        name: "Drawings", folder: "Shared", imports: ["Charting", "Exact", "Files", "HTTP", "Instruments", "Sealed", "Texts"], tests: true,
        testImports: ["Streams"]),
    Part(name: "Watchlists", folder: "Shared", imports: ["HTTP", "Texts"], tests: true, testImports: ["Streams"]),
    Part(
        name: "Accounts", folder: "Shared", imports: ["HTTP", "Streams", "Texts", "Diagnostics", "Sealed", "Watchlists"], tests: true),
    Part(
        name: "MarketData", folder: "Shared",
        imports: ["Accounts", "Exact", "HTTP", "Instruments", "Messages", "Streams", "Transport", "Texts", "Diagnostics", "WireCodec"],
        tests: true),
    Part(
        name: "TradeSession", folder: "Shared",
        imports: ["Accounts", "Exact", "HTTP", "Instruments", "Messages", "Streams", "Transport", "Texts", "Diagnostics", "WireCodec"],
        tests: true),
    Part(
        name: "Portfolio", folder: "Shared",
        imports: ["Exact", "Instruments", "Messages", "Streams", "Texts"], tests: true),
    // Lines: one target per business line; none imports another.
    Part(
        name: "Markets", folder: "Lines",
        imports: ["Exact", "Instruments", "Messages", "Portfolio", "Streams", "Texts"], tests: true),
    Part(
        name: "Trade", folder: "Lines",
        imports: ["Exact", "Instruments", "Messages", "Portfolio", "Streams", "Texts"], tests: true),
    // Backend.
    Part(
        name: "Persistence", folder: "Backend", imports: ["SQLite", "Streams", "Diagnostics", "Texts"], tests: true),
    Part(
        name: "Feeds", folder: "Backend",
        imports: ["Bars", "Exact", "HTTP", "Instruments", "Journal", "Messages", "Streams", "Diagnostics", "Texts", "WireCodec"],
        tests: true),
    Part(
        name: "BarStore", folder: "Backend",
        imports: ["Bars", "Diagnostics", "Feeds", "Instruments", "Messages", "Persistence", "SQLite", "Streams", "Texts"], tests: true,
        testImports: ["Exact"]),
    Part(
        name: "Exchange", folder: "Backend",
        imports: ["Exact", "Feeds", "Instruments", "Journal", "Messages", "Streams", "Diagnostics", "Texts", "WireCodec"], tests: true,
        testImports: ["Portfolio", "Trade"]),
    Part(
        name: "AuthCentre", folder: "Backend",
        imports: ["Accounts", "HTTP", "Persistence", "Sealed", "Streams", "Diagnostics", "Texts"], tests: true),
    Part(
        name: "Alerts", folder: "Backend",
        imports: [
            "Accounts", "Bars", "Charting", "Diagnostics", "Exact", "Feeds", "HTTP", "Instruments", "Messages", "Persistence", "Streams",
            "Texts",
        ], tests: true, testImports: ["QuoteServer", "WireCodec"]),
    Part(
        name: "BusinessGateway", folder: "Backend",
        imports: [
            "Accounts", "AuthCentre", "Exact", "Feeds", "HTTP", "Instruments", "Persistence", "Streams", "Diagnostics", "Texts",
            "Watchlists",
        ], tests: true),
    Part(
        name: "QuoteServer", folder: "Backend",
        imports: [
            "Bars", "Exact", "Feeds", "HTTP", "Instruments", "Messages", "Streams", "Transport", "Diagnostics", "Texts", "WireCodec",
        ], tests: true),
    Part(
        name: "TradeGateway", folder: "Backend",
        imports: [
            "Accounts", "Exact", "Exchange", "HTTP", "Instruments", "Messages", "Streams", "Transport", "Diagnostics", "Texts", "WireCodec",
        ], tests: true),
    Part(
        name: "Server", folder: "Backend",
        imports: [
            "Accounts", "Alerts", "AuthCentre", "BarStore", "BusinessGateway", "Diagnostics", "Exact", "Exchange", "Feeds", "HTTP",
            "Instruments", "Journal", "LWS", "Messages", "Persistence", "QuoteServer", "Sealed", "Streams", "Symbols", "Texts",
            "TradeGateway", "Transport",
        ], tests: true, testImports: ["Curl", "MarketData", "TradeSession", "Portfolio", "SQLite", "Watchlists", "WireCodec"]),
    Part(
        name: "Fuzz", folder: "Tests",
        imports: [
            "Exact", "Feeds", "HTTP", "Instruments", "Journal", "LWS", "Messages", "Streams", "Transport", "WireCodec",
        ], kind: .fuzz),
    // Programs: they only wire things together.
    Part(
        name: "Terminal", folder: "Programs",
        imports: ["Exact", "Instruments", "Markets", "Messages", "Portfolio", "Streams", "Texts", "Trade"], tests: true),
    Part(name: "causeway-probe", folder: "Programs", imports: ["Instruments", "Messages", "Streams"], kind: .program),
    Part(name: "protoc-gen-causeway", folder: "Programs", imports: ["WireCodec"], kind: .program),
    Part(
        name: "causeway-conformance", folder: "Programs",
        imports: [
            "Accounts", "AuthCentre", "Bars", "Charting", "Exact", "Finder", "HTTP", "Instruments", "LWS", "MarketData", "Messages",
            "Persistence",
            "Sealed", "Streams", "Symbols", "Texts", "TradeSession", "Transport", "WireCodec",
        ], kind: .program, tests: true),
    Part(
        name: "causeway", folder: "Programs",
        imports: [
            "Accounts", "AuthCentre", "Bars", "BusinessGateway", "Cairo", "Charting", "Curl", "DesktopNotifications", "Diagnostics",
            "Drawings", "Exact",
            "Exchange",
            "Feeds", "Files",
            "Finder",
            "HTTP", "Instruments", "Journal", "LWS", "MarketData", "Markets", "Messages", "Persistence", "Portfolio", "QuoteServer",
            "Sealed",
            "Server", "SQLite", "Streams", "Symbols",
            "Texts", "Terminal", "Trade", "TradeGateway", "TradeSession", "Transport", "Watchlists", "WireCodec",
        ], kind: .program, tests: true),
]

/// Set by scripts/fuzz: everything is built for libFuzzer and the address sanitizer.
let isFuzzing = Context.environment["CAUSEWAY_FUZZ"] != nil

let strict: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-enable-testing", "-parse-as-library"])] : [])

func wanted() -> Set<String> {
    let all = Set(parts.map(\.name))
    guard let only = Context.environment["CAUSEWAY_ONLY"], !only.isEmpty else { return all }
    var chosen = Set<String>()
    var open = only.split(separator: ",").map(String.init)
    let table = Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0) })
    let named = Set(open)
    while let name = open.popLast() {
        guard let part = table[name], chosen.insert(name).inserted else { continue }
        open += part.imports
        if named.contains(name) { open += part.testImports }
    }
    return chosen
}

let chosen = wanted()
let named = Context.environment["CAUSEWAY_ONLY"].map { Set($0.split(separator: ",").map(String.init)) } ?? chosen

let package = Package(
    name: "causeway",
    products: parts.filter { chosen.contains($0.name) }.compactMap { part -> Product? in
        if case .program = part.kind { return .executable(name: part.name, targets: [part.name]) }
        return nil
    },
    targets: parts.filter { chosen.contains($0.name) }.flatMap { part -> [Target] in
        let dependencies = part.imports.map { Target.Dependency(stringLiteral: $0) }
        let path = part.kind == .fuzz ? "Tests/Fuzz" : "Sources/\(part.folder)/\(part.name)"
        var targets: [Target] = []
        switch part.kind {
        case .library:
            targets.append(.target(name: part.name, dependencies: dependencies, path: path, swiftSettings: strict))
        case .program:
            targets.append(.executableTarget(name: part.name, dependencies: dependencies, path: path, swiftSettings: strict))
        case .system(let pkgConfig, let apt):
            targets.append(.systemLibrary(name: part.name, path: path, pkgConfig: pkgConfig, providers: [.apt([apt])]))
        case .shim:
            targets.append(.target(name: part.name, path: path))
        case .fuzz where isFuzzing:
            targets.append(
                .executableTarget(
                    name: "causeway-fuzz", dependencies: dependencies, path: path, exclude: ["corpus", "CorpusTests.swift"],
                    swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]))
        case .fuzz where named.contains(part.name):
            targets.append(
                .testTarget(
                    name: "FuzzTests", dependencies: dependencies, path: path, exclude: ["corpus", "Fuzzer"], swiftSettings: strict))
        case .fuzz: break
        }
        if part.tests && named.contains(part.name) {
            targets.append(
                .testTarget(
                    name: "\(part.name)Tests",
                    dependencies: dependencies + [.init(stringLiteral: part.name)]
                        + part.testImports.map { Target.Dependency(stringLiteral: $0) },
                    path: "Tests/\(part.name)Tests", swiftSettings: strict))
        }
        return targets
    },
    swiftLanguageModes: [.v6]
)
