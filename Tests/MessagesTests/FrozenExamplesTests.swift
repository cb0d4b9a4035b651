import Foundation
import Messages
import Testing
import WireCodec

/// One message of every type as Python's protobuf wrote it when version 1 was frozen: read field by field and written again, for ever
/// (C-7). `Tests/Peers/freeze.py` adds examples of new types and changes none.
@Suite struct FrozenExamplesTests {
    private struct File: Decodable { var messages: [Example] }
    private struct Example: Decodable {
        var name: String
        var hex: String
        var text: String
    }

    private func examples() throws -> [Example] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/messages/v1.json")
        return try JSONDecoder().decode(File.self, from: try Data(contentsOf: url)).messages
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    // C-7
    @Test func everyTypeIsReadAsItWas() throws {
        let examples = try examples()
        #expect(examples.map(\.name).sorted() == MessageTypes.all.map { $0.protoMessageName }.sorted())
        for example in examples {
            let type = try #require(MessageTypes.all.first { $0.protoMessageName == example.name })
            try check(type, example)
        }
    }

    private func check<M: Message>(_ type: M.Type, _ example: Example) throws {
        let bytes = bytes(example.hex)
        let message = try M(serializedBytes: bytes)
        #expect(message.unknownFields.isEmpty, "\(example.name)")
        #expect(FieldText.of(message) == example.text, "\(example.name)")
        #expect(try message.serializedBytes() == bytes, "\(example.name)")
        // Merged into itself: what is single stays, so an encoding sent twice is read as protobuf says.
        var twice = message
        try twice.merge(serializedBytes: bytes.span.bytes)
        #expect(twice.unknownFields.isEmpty)
        // Cut anywhere it is read or refused.
        for end in bytes.indices {
            if let cut = try? M(serializedBytes: Array(bytes[..<end])) { _ = try cut.serializedBytes() }
        }
    }

    // C-7: presence is said by the bytes, not by the value
    @Test func anAbsentFieldIsNotShown() throws {
        var quote = Quote()
        quote.ask = 5
        quote.instrument = 7
        #expect(FieldText.of(quote) == "{ask:5,instrument:7}")
    }
}
