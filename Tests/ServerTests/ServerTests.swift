import Foundation
import Testing
import Texts

@testable import Server

@Suite struct ServerFolderTests {
    private func scratch() -> String { NSTemporaryDirectory() + "causeway-test-" + UUID().uuidString }

    @Test("Q-5: a second server on the same folder is refused, and let in after the first is gone")
    func secondServer() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let first = try ServerFolder(path: path)
            #expect(throws: Failure(.dataInUse, .init("path", path))) { _ = try ServerFolder(path: path) }
            _ = first.path
        }
        _ = try ServerFolder(path: path)
    }

    @Test("Q-5: a data folder of a newer version is refused untouched")
    func newerFormat() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try "2\n".write(toFile: path + "/format", atomically: true, encoding: .utf8)
        #expect(throws: Failure(.dataNewer, .init("path", path), .init("found", "2"), .init("supported", "1"))) {
            _ = try ServerFolder(path: path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["format"])
    }

    @Test("Q-5: a folder that holds something else is not taken over")
    func foreignFolder() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try "x".write(toFile: path + "/thesis.txt", atomically: true, encoding: .utf8)
        #expect(throws: Failure.self) { _ = try ServerFolder(path: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["thesis.txt"])
    }
}
