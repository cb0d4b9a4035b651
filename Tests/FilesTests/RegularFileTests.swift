import Foundation
import Glibc
import Testing

@testable import Files

struct RegularFileTests {
    let folder = NSTemporaryDirectory() + "files-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
        return folder + "/" + name
    }

    @Test(arguments: [0, 1, 4_096, 300_000]) func aFileIsReadWhole(length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try write(bytes, "whole")
        #expect(try RegularFile.read(path, limit: length) == bytes)
        #expect(try RegularFile.identity(path).size == Int64(length))
        guard length > 0 else { return }
        #expect(throws: RegularFile.Fault.tooLong) { try RegularFile.read(path, limit: length - 1) }
    }

    @Test(arguments: [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 2_500_000]) func aFileIsReadInPieces(length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try write(bytes, "pieces")
        var read: [UInt8] = []
        try RegularFile.pieces(path, limit: length) { read += $0 }
        #expect(read == bytes)
        #expect(throws: RegularFile.Fault.missing) { try RegularFile.pieces(folder + "/none", limit: 1) { _ in } }
        #expect(throws: RegularFile.Fault.notRegular) { try RegularFile.pieces("/dev/zero", limit: 1) { _ in } }
        guard length > 0 else { return }
        #expect(throws: RegularFile.Fault.tooLong) { try RegularFile.pieces(path, limit: length - 1) { _ in } }
        var pieces = 0
        #expect(throws: CancellationError.self) {
            try RegularFile.pieces(path, limit: length) { _ in
                pieces += 1
                throw CancellationError()
            }
        }
        #expect(pieces == 1)
    }

    /// A pipe without a writer, opened the usual way, waits for ever.
    @Test func whatIsNoFileIsRefusedAtOnce() throws {
        let pipe = folder + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let link = folder + "/link"
        try #require(symlink(pipe, link) == 0)
        for path in [pipe, link, folder, "/dev/null", "/dev/zero"] {
            #expect(throws: RegularFile.Fault.notRegular) { try RegularFile.read(path, limit: 100) }
            #expect(throws: RegularFile.Fault.notRegular) { try RegularFile.identity(path) }
        }
        for path in [folder + "/none", folder + "/none/file", try write([1], "file") + "/below", ""] {
            #expect(throws: RegularFile.Fault.missing) { try RegularFile.read(path, limit: 100) }
        }
    }

    /// What says it has no length and yet gives bytes is not taken as empty.
    @Test func aFileThatGrowsIsRefused() throws {
        #expect(throws: RegularFile.Fault.tooLong) { try RegularFile.read("/proc/self/status", limit: 1 << 20) }
    }

    @Test func aChangedFileIsAnother() throws {
        let path = try write([1, 2, 3], "changing")
        let before = try RegularFile.identity(path)
        #expect(try RegularFile.identity(path).text == before.text)
        // The same bytes and the same time of change of the contents, in another file.
        let other = try write([1, 2, 3], "other")
        var times = [timespec(), timespec()]
        let seconds = Int(before.modified / 1_000_000_000)
        times[0] = timespec(tv_sec: seconds, tv_nsec: Int(before.modified % 1_000_000_000))
        times[1] = times[0]
        try #require(utimensat(AT_FDCWD, other, &times, 0) == 0)
        try #require(rename(other, path) == 0)
        let after = try RegularFile.identity(path)
        #expect(after.modified == before.modified && after.size == before.size)
        #expect(after != before)
    }
}
