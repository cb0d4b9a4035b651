// Where `timespec` belongs to: the compiler finds it in this module or in Glibc, by the order in which they are loaded.
import CDispatch
import Foundation
import Glibc
import Streams
import Texts

/// How fast this program is ready to serve, and what it takes while it has nothing to do. Each run is a process of its own.
struct StartupBench: Sendable {
    /// How long an idle server's CPU time is counted.
    var idle: Duration
    var clock = MonotonicClock.live

    /// Starts that count, after one that makes the data folder.
    private static let runs = 5
    /// What follows a start (the first announcements, lazy initialisation) is not idling.
    private static let settling = Duration.seconds(2)

    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        try await stop(try start(folder))
        var ready: [Double] = []
        for _ in 0..<Self.runs {
            let server = try start(folder)
            ready.append(server.ready)
            try await stop(server)
        }
        let server = try start(folder)
        let idling: Idling
        do { idling = try await watch(server) } catch {
            try await stop(server)
            throw error
        }
        try await stop(server)
        return BenchReport(
            .startup,
            figures: ready.enumerated().map { BenchFigure("ready_\($0.offset + 1)", $0.element, "ms") } + [
                .init("ready_worst", ready.max() ?? 0, "ms"), .init("idle_seconds", idling.seconds, "s"),
                .init("idle_cpu", idling.cpu * 1000, "ms"), .init("memory_peak", idling.peak, "MB"),
            ],
            values: [
                "ready": Samples.median(ready), "memory_idle": idling.resident, "cpu_idle": 100 * idling.cpu / idling.seconds,
            ])
    }

    // MARK: The server under test

    private struct Running {
        var process: Process
        /// Milliseconds from exec to the line that says where it listens.
        var ready: Double
    }

    private func start(_ folder: BenchFolder) throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try ownProgram())
        process.arguments = ["serve", "--port", "0", "--data", folder.path + "/server", "--feed", "replay", "--speed", "0"]
        // The shipped replay only: a user's own recordings would make another figure of it.
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": folder.path + "/xdg"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let begin = clock.now()
        try process.run()
        // A server that says nothing is ended, which ends the reading.
        let watchdog = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 20, execute: watchdog)
        let first = output.fileHandleForReading.availableData
        let ready = begin.duration(to: clock.now())
        watchdog.cancel()
        guard first.starts(with: Data("listening on ".utf8)) else {
            process.terminate()
            throw Failure(.serverUnavailable)
        }
        return Running(process: process, ready: Double(ready.nanoseconds) / 1e6)
    }

    /// Asks it to end, and ends it hard where it does not within ten seconds.
    private func stop(_ server: Running) async throws {
        server.process.terminate()
        let deadline = clock.now().advanced(by: .seconds(10))
        while server.process.isRunning, clock.now() < deadline { try await clock.sleep(clock.now().advanced(by: .milliseconds(5))) }
        if server.process.isRunning { kill(server.process.processIdentifier, SIGKILL) }
        server.process.waitUntilExit()
    }

    private func ownProgram() throws -> String { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }

    // MARK: Idling

    private struct Idling {
        var seconds: Double
        var cpu: Double
        /// Megabytes (10⁶ bytes), at the end and at most.
        var resident: Double
        var peak: Double
    }

    private func watch(_ server: Running) async throws -> Idling {
        let id = server.process.processIdentifier
        try await clock.sleep(clock.now().advanced(by: Self.settling))
        let begin = clock.now()
        let before = try ProcessFigures(id)
        try await clock.sleep(begin.advanced(by: idle))
        let after = try ProcessFigures(id)
        return Idling(
            seconds: Double(begin.duration(to: clock.now()).nanoseconds) / 1e9, cpu: after.cpuSeconds - before.cpuSeconds,
            resident: after.residentMegabytes, peak: after.peakMegabytes)
    }
}

/// What the kernel says of a process (proc(5)).
struct ProcessFigures: Hashable, Sendable {
    /// User and system time of all threads.
    var cpuSeconds: Double
    /// VmRSS and VmHWM in 10⁶ bytes.
    var residentMegabytes: Double
    var peakMegabytes: Double

    init(_ process: Int32) throws {
        // The process's CPU clock counts nanoseconds of all its threads, ended ones too.
        var id = clockid_t()
        var spent = timespec()
        guard clock_getcpuclockid(process, &id) == 0, clock_gettime(id, &spent) == 0 else { throw Self.unreadable }
        try self.init(
            cpuSeconds: Double(spent.tv_sec) + Double(spent.tv_nsec) / 1e9,
            status: String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8))
    }

    init(cpuSeconds: Double, status: String) throws {
        func kilobytes(_ name: String) -> Double? {
            status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?.split(whereSeparator: \.isWhitespace).dropFirst().first
                .flatMap { Double($0) }
        }
        guard let resident = kilobytes("VmRSS"), let peak = kilobytes("VmHWM") else { throw Self.unreadable }
        self.cpuSeconds = cpuSeconds
        residentMegabytes = resident * 1024 / 1e6
        peakMegabytes = peak * 1024 / 1e6
    }

    private static var unreadable: Failure { Failure(ErrorCode("internal"), .init("reason", "/proc cannot be read")) }
}

/// A folder of the bench's own, on the disk that temporary files are on; `TMPDIR` chooses another.
struct BenchFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/causeway-bench-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    func remove() {
        do { try FileManager.default.removeItem(atPath: path) } catch { Output.error("causeway: \(path) could not be removed") }
    }
}
