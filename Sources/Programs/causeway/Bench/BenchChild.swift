import Foundation
import Glibc
import HTTP
import Streams
import Texts

/// This program's own executable as a child of a bench, spoken to by lines.
final class BenchChild {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Of a user's environment only what does not change the figures: no recordings of his own.
    init(_ arguments: [String], data: String) throws {
        process.executableURL = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": data]) { $1 }
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Another program, spoken to in the same way.
    init(program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    var id: Int32 { process.processIdentifier }

    /// The next line; the child is ended where none comes in time.
    func line(within time: DispatchTimeInterval) throws -> String {
        let watchdog = DispatchWorkItem { [process] in process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time, execute: watchdog)
        defer { watchdog.cancel() }
        while true {
            if let end = unread.firstIndex(of: 0x0A) {
                defer { unread = Data(unread[(end + 1)...]) }
                return String(decoding: unread[..<end], as: UTF8.self)
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else {
                throw Failure(ErrorCode("internal"), .init("reason", "a child of the bench ended: status or time"))
            }
            unread += more
        }
    }

    func json(within time: DispatchTimeInterval) throws -> JSONValue {
        let text = try line(within: time)
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
            throw Failure(ErrorCode("internal"), .init("reason", "a child of the bench said: \(text.prefix(200))"))
        }
        return value
    }

    func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// What `body` gives; the child is ended however that ends.
    func serving<Value>(_ clock: MonotonicClock, _ body: () async throws -> Value) async throws -> Value {
        let value: Value
        do { value = try await body() } catch {
            try await stop(clock)
            throw error
        }
        try await stop(clock)
        return value
    }

    /// Asks it to end, and ends it hard where it does not within ten seconds.
    private func stop(_ clock: MonotonicClock) async throws {
        try? input.fileHandleForWriting.close()
        process.terminate()
        let deadline = clock.now().advanced(by: .seconds(10))
        while process.isRunning, clock.now() < deadline { try await clock.sleep(clock.now().advanced(by: .milliseconds(5))) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}

extension QuoteLoad.Plan {
    /// As options of `bench quote-load`; the credential goes by standard input, where no other user can see it.
    var arguments: [String] {
        [
            "bench", "quote-load", "--port", "\(port)", "--symbols-version", "\(symbolsVersion)", "--clients", "\(clients)", "--topics",
            "\(topics)", "--symbols", "\(symbols)", "--first-symbol", "\(firstSymbol)", "--updates", "\(updates)",
        ]
    }

    init(_ invocation: Invocation, credential: String) throws {
        func number(_ name: String, _ most: Int = .max) throws -> Int { try invocation.integer(name, in: 0...most, default: 0) }
        self.init(
            port: try number("port", 65_535), credential: credential, symbolsVersion: UInt64(try number("symbols-version")),
            clients: try number("clients", 1_000_000), topics: try number("topics", 500), symbols: try number("symbols", 1_000_000),
            firstSymbol: UInt32(try number("first-symbol", Int(Int32.max))), updates: Int64(try number("updates")))
    }
}

extension QuoteLoad.Result {
    var json: JSONValue {
        .object([
            .init("received", .int(received)), .init("lost", .int(lost)), .init("wrong", .int(wrong)), .init("messages", .int(messages)),
            .init("ended", .int(ended)), .init("p50", BenchNumber.json(p50)), .init("p99", BenchNumber.json(p99)),
            .init("longest", BenchNumber.json(longest)),
        ])
    }

    init(json: JSONValue) throws {
        func number(_ name: String) throws -> Double {
            guard let value = json[name]?.numberText.flatMap(Double.init) else {
                throw Failure(ErrorCode("internal"), .init("reason", "the load did not say its \(name)"))
            }
            return value
        }
        received = Int(try number("received"))
        lost = Int(try number("lost"))
        wrong = Int(try number("wrong"))
        messages = Int(try number("messages"))
        ended = Int(try number("ended"))
        (p50, p99, longest) = (try number("p50"), try number("p99"), try number("longest"))
    }
}
