import Foundation
import Testing
import Transport

@testable import LWS

/// What a peer may say to a reader, and what it may make it hold.
@Suite struct HostileFrameTests {
    private func read(_ bytes: [UInt8], _ side: WebSocketSide = .client, limit: Int = 100_000) -> [WebSocketArrival] {
        var reader = WebSocketReader(side: side, maximumMessageSize: limit)
        var arrivals: [WebSocketArrival] = []
        bytes.withUnsafeBytes { reader.read($0, into: &arrivals) }
        return arrivals
    }

    private static func isProtocolError(_ arrival: WebSocketArrival) -> Bool {
        if case .failure(let closure) = arrival { closure.code == 1002 } else { false }
    }

    // B-10, RFC 6455 §7.4: just the codes that may travel are taken.
    @Test func everyCloseCode() {
        for code in UInt16.min...UInt16.max {
            let arrivals = read([0x88, 0x02, UInt8(code >> 8), UInt8(code & 0xFF)])
            let mayTravel =
                switch code {
                case 1004, 1005, 1006: false
                case 1000...1014, 3000...4999: true
                default: false
                }
            #expect(arrivals == [mayTravel ? .close(.init(code: code)) : .failure(.protocolError("close code \(code)"))])
        }
    }

    // B-10: every first byte, in and out of a message.
    @Test func everyFirstByte() {
        for first in UInt8.min...UInt8.max {
            let (isFinal, opcode) = (first & 0x80 != 0, first & 0x0F)
            let isPlain = first & 0x70 == 0
            let isControl = (8...10).contains(opcode)
            let alone = read([first, 0])
            let inside = read([0x02, 0x00, first, 0])
            let failsAlone = !isPlain || !(isControl && isFinal || opcode == 1 || opcode == 2)
            let failsInside = !isPlain || !(isControl && isFinal || opcode == 0)
            #expect(alone.contains(where: Self.isProtocolError) == failsAlone, "\(first)")
            #expect(inside.contains(where: Self.isProtocolError) == failsInside, "\(first)")
        }
    }

    // B-10: text is judged as it comes, before the frame or the message has ended.
    @Test func textFailsAtTheFirstWrongByte() {
        #expect(read([0x81, 0x7D, 0x61, 0xC0]) == [.failure(.notUTF8)])
        #expect(read([0x01, 0x01, 0xE8, 0x00, 0x7D, 0x61]) == [.failure(.notUTF8)])
        #expect(read([0x01, 0x01, 0xE8, 0x89, 0x01, 0x61, 0x80, 0x02, 0x85, 0xBE]) == [.ping([0x61]), .message(.text("腾"))])
    }

    // B-10: nothing after the close frame, or after a failure, counts.
    @Test func nothingAfterTheEnd() {
        #expect(read([0x88, 0x00, 0x81, 0x01, 0x61, 0x88, 0x02, 0x03, 0xE8]) == [.close(.init(code: 1005))])
        #expect(read([0x83, 0x00, 0x81, 0x01, 0x61]).count == 1)
    }

    // B-10: a message's limit is over its fragments, and a header beyond it fails before a byte of the payload.
    @Test func theLimitIsOverFragments() {
        #expect(read([0x02, 0x05, 1, 2, 3, 4, 5, 0x80, 0x06], limit: 10) == [.failure(.tooBig)])
        #expect(read([0x02, 0x05, 1, 2, 3, 4, 5, 0x80, 0x05, 6, 7, 8, 9, 10], limit: 10) == [.message(.binary(Array(1...10)))])
        for size in [UInt64(1) << 31, 1 << 62, UInt64(Int64.max)] {
            let header = [0x82, 0x7F] + (0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * $0)) }
            #expect(read(header) == [.failure(.tooBig)])
        }
        #expect(read([0x82, 0x7F, 0x80] + [UInt8](repeating: 0, count: 7)) == [.failure(.protocolError("length beyond 63 bits"))])
    }

    // B-10: a length is believed only as bytes come. Sixty-four readers that are promised 2^40 bytes each hold next to nothing.
    @Test func announcedLengthsReserveNothing() throws {
        let before = try reservedBytes()
        let header: [UInt8] = [0x82, 0x7F, 0, 0, 1, 0, 0, 0, 0, 0, 0x61]
        var readers = (0..<64).map { _ in WebSocketReader(side: .client, maximumMessageSize: .max) }
        var arrivals: [WebSocketArrival] = []
        for index in readers.indices { header.withUnsafeBytes { readers[index].read($0, into: &arrivals) } }
        #expect(arrivals.isEmpty)
        #expect(try reservedBytes() - before < 1 << 38)
        withExtendedLifetime(readers) {}
    }
}

/// Bytes of private memory that this process has reserved, touched or not.
private func reservedBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
    return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) << 10
}
