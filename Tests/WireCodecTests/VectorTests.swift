import Foundation
import Testing
import WireCodec

@Suite struct VectorTests {
    private struct File: Decodable {
        var cases: [Case]
    }

    private struct Case: Decodable {
        var id: String
        var message: String
        var hex: String?
        var verdict: String
        var reserialized_hex_upb: String?
        var pure_python: Pure?
    }

    private struct Pure: Decodable {
        var reserialized: String?
    }

    // C-7, PB-1…PB-10: fields are compared by causeway-conformance
    @Test func everyVectorIsTakenOrRefusedAsItSays() throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Fixtures/pb/protobuf_vectors.json")
        let file = try JSONDecoder().decode(File.self, from: try Data(contentsOf: url))
        #expect(file.cases.count > 40)
        for test in file.cases {
            guard let hex = test.hex else { continue }
            let written = test.message == "Tick" ? recoded(T_Tick.self, bytes(hex)) : recoded(T_Envelope.self, bytes(hex))
            switch test.verdict {
            case "accept": #expect(written == test.pure_python?.reserialized ?? test.reserialized_hex_upb, "\(test.id)")
            case "reject": #expect(written == nil, "\(test.id)")
            default: break
            }
        }
    }

    private func recoded<M: Message>(_ type: M.Type, _ bytes: [UInt8]) -> String? {
        guard let message = try? M(serializedBytes: bytes), let written = try? message.serializedBytes() else { return nil }
        #expect((try? M(serializedBytes: written)) == message || written.contains(0x7F) || "\(message)".contains("nan"))
        return written.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
