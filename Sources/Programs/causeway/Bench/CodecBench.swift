import Foundation
import Glibc
import HTTP
import Streams
import Texts

/// Our codec and C++ libprotobuf on the same quotes in the same run: rounds in turn, medians. Heap allocations are counted in a child
/// with a counting malloc preloaded.
struct CodecBench: Sendable {
    var rounds = 15
    var times = 200_000
    var clock = MonotonicClock.live

    static let quick = CodecBench(rounds: 3, times: 2_000)

    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let tools = try CodecPeer(folder)
        let loop = try CodecLoop()
        let file = folder.path + "/quotes"
        let framed = loop.ranges.flatMap { [UInt8($0.count)] + loop.bytes[$0] }
        try Data(framed).write(to: URL(fileURLWithPath: file))
        let peer = try BenchChild(program: tools.program, [file])
        var ours: [CodecLoop.Work: [Double]] = [:]
        var theirs: [CodecLoop.Work: [Double]] = [:]
        try await peer.serving(clock) {
            for round in 0...rounds {
                for work in CodecLoop.Work.allCases {
                    let begin = clock.now()
                    try loop.run(work, times: times)
                    let spent = Double(begin.duration(to: clock.now()).nanoseconds) / Double(times)
                    try peer.say("\(work.rawValue) \(times)")
                    let answer = try peer.line(within: .seconds(60)).split(separator: " ").first.flatMap { Double($0) }
                    guard let answer else { throw Failure(ErrorCode("internal"), .init("reason", "the peer said no time")) }
                    // The first round warms both up.
                    if round > 0 {
                        ours[work, default: []].append(spent)
                        theirs[work, default: []].append(answer)
                    }
                }
            }
        }
        return try report(tools, loop, ours: ours.mapValues(Samples.median), theirs: theirs.mapValues(Samples.median))
    }

    private func report(
        _ tools: CodecPeer, _ loop: CodecLoop, ours: [CodecLoop.Work: Double], theirs: [CodecLoop.Work: Double]
    ) throws -> BenchReport {
        let decode = (ours[.decode] ?? 0, theirs[.decode] ?? 0)
        let encode = (ours[.encode] ?? 0, theirs[.encode] ?? 0)
        let counted = 10_000
        func allocations(_ work: CodecLoop.Work, _ message: HotLoop? = nil) throws -> Double {
            Double(try tools.allocations(work, message, times: counted)) / Double(counted)
        }
        let decoded = try HotLoop.allCases.map { (message: $0, count: try allocations(.decode, $0)) }
        let encoded = try HotLoop.allCases.map { try allocations(.encode, $0) }
        var figures: [BenchFigure] = [
            .init("message", Double(loop.bytes.count) / Double(CodecLoop.count), "bytes"), .init("decode", decode.0, "ns"),
            .init("decode_libprotobuf", decode.1, "ns"), .init("encode", encode.0, "ns"), .init("encode_libprotobuf", encode.1, "ns"),
        ]
        figures += decoded.map { .init("decode_allocations_\($0.message.rawValue)", $0.count, "count") }
        return BenchReport(
            .codec, figures: figures,
            values: [
                "decode_vs_libprotobuf": decode.0 / decode.1, "encode_vs_libprotobuf": encode.0 / encode.1,
                "decode_allocations": try allocations(.decode),
                "encode_allocations": try max(allocations(.encode), encoded.max() ?? 0),
                "decode_allocations_price": decoded.filter { HotLoop.prices.contains($0.message) }.map(\.count).max() ?? 0,
                "decode_allocations_book": decoded.first { $0.message == .book }?.count ?? 0,
            ])
    }
}

/// Foreign tools of the codec bench, made from the sources beside this program: the C++ peer and the counting malloc.
struct CodecPeer {
    let program: String
    private let counter: String
    private let own: String

    /// Debian's package of each tool.
    private static let packages = ["protoc": "protobuf-compiler", "c++": "g++", "cc": "gcc"]

    init(_ folder: BenchFolder) throws {
        own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let root = try Self.sources(own)
        program = folder.path + "/peer"
        counter = folder.path + "/allocations.so"
        let protos = root + "/Protos"
        try Self.tool("protoc", ["-I", protos, "--cpp_out=" + folder.path, protos + "/common.proto", protos + "/quote.proto"])
        let made = ["/quote.pb.cc", "/common.pb.cc"].map { folder.path + $0 }
        try Self.tool(
            "c++",
            ["-O2", "-std=c++17", "-I", folder.path, root + "/Benchmarks/peers/protobuf.cpp"] + made + ["-lprotobuf", "-o", program],
            failing: "libprotobuf-dev")
        try Self.tool("cc", ["-O2", "-shared", "-fPIC", root + "/Benchmarks/peers/allocations.c", "-o", counter])
    }

    /// The folder above this program, or above the working folder, that holds the sources.
    static func sources(_ own: String? = nil) throws -> String {
        let own = try own ?? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        for start in [own, FileManager.default.currentDirectoryPath + "/x"] {
            var folder = URL(fileURLWithPath: start).deletingLastPathComponent()
            for _ in 0..<12 {
                if FileManager.default.fileExists(atPath: folder.path + "/Benchmarks/peers/protobuf.cpp") { return folder.path }
                folder.deleteLastPathComponent()
            }
        }
        throw Failure(.benchNeeds, .init("what", "Benchmarks/peers"))
    }

    static func tool(_ name: String, _ arguments: [String], failing: String? = nil) throws {
        let (status, output) = try run("/usr/bin/env", [name] + arguments)
        guard status != 0 else { return }
        // env says 127 where there is no such program.
        let package = status == 127 ? packages[name] : failing
        guard let package else { throw Failure(ErrorCode("internal"), .init("reason", "\(name): \(output.suffix(400))")) }
        throw Failure(.benchNeeds, .init("what", package))
    }

    static func run(_ path: String, _ arguments: [String], _ more: [String: String] = [:]) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 120, execute: watchdog)
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        watchdog.cancel()
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    private static func loop(_ work: CodecLoop.Work, _ message: HotLoop?, _ times: Int) -> [String] {
        ["bench", "codec-loop", "--work", work.rawValue, "--times", "\(times)"] + (message.map { ["--message", $0.rawValue] } ?? [])
    }

    /// Heap allocations of so many messages, counted by the malloc of a child that does nothing else meanwhile.
    func allocations(_ work: CodecLoop.Work, _ message: HotLoop?, times: Int) throws -> Int {
        let (status, text) = try Self.run(own, Self.loop(work, message, times), ["LD_PRELOAD": counter])
        guard status == 0, let count = Int(text.split(separator: "\n").last ?? "") else {
            throw Failure(ErrorCode("internal"), .init("reason", "allocations were not counted: \(text.suffix(200))"))
        }
        return count
    }

    /// What `bench codec-loop` counts itself: nil where no counting malloc is preloaded.
    static func allocationsSoFar() -> Int? {
        guard let symbol = dlsym(nil, "causeway_allocations") else { return nil }
        return Int(unsafeBitCast(symbol, to: (@convention(c) () -> UInt).self)())
    }
}

extension ErrorCode {
    /// A bench needs a tool that is not here. Argument: what, the package that has it.
    static let benchNeeds = ErrorCode("bench.needs")
}
