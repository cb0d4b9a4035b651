import Foundation
import Glibc
import Testing

@testable import Files

struct OutputFileTests {
    let folder = NSTemporaryDirectory() + "output-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test(arguments: [0, 1, 300_000]) func aFileIsNewOrReplacedWhole(length: Int) throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = folder + "/picture"
        try OutputFile.write(bytes, to: path)
        #expect(try RegularFile.read(path, limit: length) == bytes)
        try #require(chmod(path, 0o640) == 0)
        try OutputFile.write([1, 2, 3], to: path)
        #expect(try RegularFile.read(path, limit: 3) == [1, 2, 3])
        var found = stat()
        try #require(stat(path, &found) == 0)
        #expect(found.st_mode & 0o777 == 0o640)
        #expect(try names() == ["picture"])
    }

    /// A link stays a link and what it names is not written; a pipe stays a pipe and nobody waits.
    @Test func whatIsNoFileIsRefusedAndStays() throws {
        let (pipe, link, loose, target) = (folder + "/pipe", folder + "/link", folder + "/loose", folder + "/target")
        try #require(mkfifo(pipe, 0o600) == 0)
        try OutputFile.write([7], to: target)
        try #require(symlink(target, link) == 0)
        try #require(symlink(folder + "/none", loose) == 0)
        let before = try names()
        for path in [pipe, link, loose, folder, folder + "/", "/dev/null", "/dev/stdout"] {
            #expect(throws: OutputFile.Fault.notRegular, "\(path)") { try OutputFile.write([1], to: path) }
            #expect(throws: OutputFile.Fault.notRegular, "\(path)") { try OutputFile.check(path) }
        }
        #expect(try names() == before)
        #expect(try RegularFile.read(target, limit: 1) == [7])
    }

    /// Process ids come again, in containers at once: what a killed run left is in nobody's way and stays.
    @Test func whatAKilledRunLeftIsInNobodysWay() throws {
        let left = ".causeway-\(getpid()).new"
        try #require(FileManager.default.createFile(atPath: folder + "/" + left, contents: nil))
        try OutputFile.write([1, 2], to: folder + "/picture")
        #expect(try RegularFile.read(folder + "/picture", limit: 2) == [1, 2])
        #expect(try names() == [left, "picture"])
    }

    @Test func aFolderIsOneOrCanBe() throws {
        let (pipe, file, link, loose) = (folder + "/pipe", folder + "/file", folder + "/link", folder + "/loose")
        try #require(mkfifo(pipe, 0o600) == 0)
        try OutputFile.write([7], to: file)
        try #require(symlink(folder, link) == 0)
        try #require(symlink(folder + "/none", loose) == 0)
        for path in [folder, folder + "/", link, folder + "/new", folder + "/new//", "/", "a-name-that-is-free"] {
            #expect(throws: Never.self, "\(path)") { try OutputFolder.check(path) }
        }
        for path in [pipe, file, loose, "/dev/null"] {
            #expect(throws: OutputFolder.Fault.notFolder, "\(path)") { try OutputFolder.check(path) }
        }
        let missing = OutputFolder.Fault.unwritable(String(cString: strerror(ENOENT)))
        for path in [folder + "/none/new", ""] { #expect(throws: missing, "\(path)") { try OutputFolder.check(path) } }
        #expect(throws: OutputFolder.Fault.self) { try OutputFolder.check(file + "/new") }
        #expect(try names() == ["file", "link", "loose", "pipe"])
    }

    @Test func aFolderThatIsNotThereIsTold() throws {
        let name = String(repeating: "n", count: 300)
        for path in [folder + "/none/picture", folder + "/" + name, folder + "/none/", ""] {
            #expect(throws: OutputFile.Fault.self, "\(path)") { try OutputFile.write([1], to: path) }
        }
        #expect(try names() == [])
    }
}
