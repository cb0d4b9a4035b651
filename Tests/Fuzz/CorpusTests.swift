import Foundation
import Testing

/// Every kept input, and every crasher ever found, through its decoder: what the fuzzer once reached stays sound (B-10, B-12, C-1).
@Suite struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "corpus")

    @Test(arguments: FuzzDecoder.allCases)
    func keptInputsAreReadOrRefused(decoder: FuzzDecoder) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appending(path: decoder.rawValue), includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
            let input = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(decoder) \(file.lastPathComponent)") { try decoder.check(input) }
        }
    }

    /// Every kept input through every other decoder too, each cut short.
    @Test(arguments: FuzzDecoder.allCases)
    func foreignInputsAreReadOrRefused(decoder: FuzzDecoder) throws {
        for other in FuzzDecoder.allCases where other != decoder {
            let files = try FileManager.default.contentsOfDirectory(
                at: Self.folder.appending(path: other.rawValue), includingPropertiesForKeys: nil)
            for file in files.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }).prefix(5) {
                let input = [UInt8](try Data(contentsOf: file)).prefix(2048)
                #expect(throws: Never.self, "\(decoder) \(other) \(file.lastPathComponent)") { try decoder.check(Array(input)) }
            }
        }
    }

    @Test func theCorpusIsSmall() throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
        #expect(names.count < 320)
    }
}
