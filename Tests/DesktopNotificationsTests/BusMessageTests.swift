import Streams
import Testing

@testable import DesktopNotifications

/// F-5 B-10: messages as Python's dbus-fast writes them, and bytes of a hostile bus.
struct BusMessageTests {
    private static func bytes(_ hex: String) -> [UInt8] {
        var rest = hex[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private static let hello = bytes(
        "6c01000100000000010000006d00000001016f00150000002f6f72672f667265656465736b746f702f4442757300000002017300140000006f72672e6672656564"
            + "65736b746f702e4442757300000000030173000500000048656c6c6f00000006017300140000006f72672e667265656465736b746f702e4442757300000000"
    )
    private static let notify = bytes(
        "6c0100014c000000050000009b00000001016f001e0000002f6f72672f667265656465736b746f702f4e6f74696669636174696f6e730000020173001d000000"
            + "6f72672e667265656465736b746f702e4e6f74696669636174696f6e7300000003017300060000004e6f746966790000060173001d0000006f72672e66726565"
            + "6465736b746f702e4e6f74696669636174696f6e73000000080167000d73757373736173617b73767d69000000000000080000004361757365776179000000"
            + "00070000000000000000000000060000003730302e484b000003000000e885be00000000001000000007000000757267656e63790001790001ffffffff")
    private static let capabilities = bytes(
        "6c020001200000000900000020000000050175000300000006017300040000003a312e340000000008016700026173001c00000004000000626f647900000000"
            + "0b000000626f64792d6d61726b757000")
    private static let number = bytes("6c020001040000000a0000000f000000050175000500000008016700017500002a000000")
    private static let error = bytes(
        "6c0300010e0000000b0000001f0000000401730005000000612e622e430000000501750005000000080167000173000009000000746f6f206d616e790a00")
    private static let signal = bytes(
        "6c04000109000000020000005f00000001016f00150000002f6f72672f667265656465736b746f702f4442757300000002017300140000006f72672e6672656564"
            + "65736b746f702e44427573000000000301"
            + "73000c0000004e616d654163717569726564000000000801670001730000040000003a312e3400")
    /// The number 42 for call 5, big endian.
    private static let bigEndian = bytes("4202000100000004000000090000000f05017500000000050801670001750000" + "0000002a")

    @Test("F-5: calls are the bytes that another implementation writes")
    func calls() {
        #expect(BusCall.hello.bytes(serial: 1) == Self.hello)
        var body = BusWriter()
        body.string("Causeway")
        body.number(7)
        for text in ["", "700.HK", "腾"] { body.string(text) }
        body.number(0)
        body.array {
            $0.string("urgency")
            $0.signature("y")
            $0.byte(1)
        }
        body.number(.max)
        let service = "org.freedesktop.Notifications"
        #expect(BusCall(service, "/org/freedesktop/Notifications", "Notify", "susssasa{sv}i", body).bytes(serial: 5) == Self.notify)
    }

    @Test("F-5: answers are read whole and byte by byte; signals and calls are passed over", arguments: [1, 7, 4_096])
    func answers(piece: Int) throws {
        var inbox = BusInbox()
        var found: [BusAnswer] = []
        let all = Self.signal + Self.capabilities + Self.hello + Self.number + Self.error + Self.bigEndian
        for start in stride(from: 0, to: all.count, by: piece) {
            inbox.feed(all[start..<min(start + piece, all.count)])
            while let answer = try inbox.answer() { found.append(answer) }
        }
        #expect(found.map(\.serial) == [3, 5, 5, 5])
        #expect(try found[0].strings() == ["body", "body-markup"])
        #expect(try found[1].number() == 42 && found[3].number() == 42)
        #expect(found[2].error == "a.b.C" && found[2].reason == "too many\n")
        #expect(throws: BusFault.garbled) { try found[0].number() }
        #expect(throws: BusFault.garbled) { try found[1].strings() }
    }

    @Test("B-10: a message is bounded by what it announces, before it is there")
    func bounded() {
        for place in [4, 12] {
            var bytes = Array(Self.number[..<16])
            bytes[place + 3] = 0x07
            var inbox = BusInbox()
            inbox.feed(bytes[...])
            #expect(throws: BusFault.tooMuch) { try inbox.answer() }
        }
        var inbox = BusInbox()
        inbox.feed([UInt8](repeating: UInt8(ascii: "A"), count: 1_025)[...])
        #expect(throws: BusFault.tooMuch) { try inbox.line() }
        var garbled = BusInbox()
        garbled.feed(Array("HTTP/1.1 400 Bad".utf8)[...])
        #expect(throws: BusFault.garbled) { try garbled.answer() }
    }

    @Test("B-10: whatever the bytes, they are read or refused", arguments: UInt64(0)..<200)
    func hostile(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let kept = [Self.capabilities, Self.number, Self.error, Self.signal, Self.bigEndian]
        for _ in 0..<50 {
            var bytes = kept[random.below(kept.count)]
            for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            var inbox = BusInbox()
            inbox.feed(bytes[...])
            do throws(BusFault) {
                while let answer = try inbox.answer() {
                    _ = answer.reason
                    _ = try? answer.number()
                    _ = try? answer.strings()
                }
            } catch { #expect(error == .garbled || error == .tooMuch) }
        }
    }

    @Test("F-5: a bus is a socket of this machine; what else an address names is passed over")
    func places() {
        #expect(SessionBus.places("unix:path=/run/a%2cb%3Bc/bus,guid=1") == [.file(Array("/run/a,b;c/bus".utf8))])
        #expect(SessionBus.places("tcp:host=x,port=1;unix:guid=2,abstract=/tmp/x") == [.abstract(Array("/tmp/x".utf8))])
        for none in ["", ";", "unix:", "unix:path=", "unix:path=%zz", "unix:path=a%0", "unix:path=a%00b", "unix:tmpdir=/tmp", "nonsense"] {
            #expect(SessionBus.places(none).isEmpty, "\(none)")
        }
        #expect(SessionBus.Place.file([47]).socketName == [47, 0] && SessionBus.Place.abstract([47]).socketName == [0, 47])
    }
}
