import Dispatch
import Foundation
import Glibc
import HTTP
import Server
import Streams
import Texts

/// Whether there is room for this program's threads, each of which reserves a stack and a heap of its own.
enum AddressSpace {
    /// Reserved, not used: with less (`ulimit -v`) threads cannot be made. A limit of memory really used (a control group's) is another one.
    static let needed = 320 << 20

    static var failure: Failure? {
        let room = mmap(nil, needed, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard room != MAP_FAILED else { return Failure(ErrorCode("process.address-space"), .init("needed", String(needed >> 20))) }
        munmap(room, needed)
        return nil
    }
}

/// Two lower-case digits a byte.
func hexText(_ bytes: [UInt8]) -> String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

/// Says where a server listens, as the first line of standard output, which certificate it shows and the market time it starts from.
func announce(
    _ what: String, host: String = "127.0.0.1", port: Int, certificate: CertificateFingerprint? = nil, marketTime: MarketInstant? = nil,
    output: Output
) {
    let url = (certificate == nil ? "http://" : "https://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    var members: [JSONValue.Member] = [.init("service", .string(what)), .init("port", .int(port)), .init("url", .string(url))]
    var text = ["listening on \(url)"]
    if let certificate {
        members.append(.init("certificate", .string(certificate.description)))
        text[0] += " certificate \(certificate)"
    }
    if let marketTime {
        members.append(.init("marketTime", .string(marketTime.isoText())))
        text.append("market time \(marketTime.isoText())")
    }
    output.show(.object([.init("listening", .object(members))]), text: text)
}

/// SIGTERM and SIGINT from `init` on. After the first, another one ends the program at once.
final class Termination: Sendable {
    private let arrived: AsyncStream<Int32>
    private let signals: ProcessSignals?

    init() {
        let (arrived, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        self.arrived = arrived
        signals = ProcessSignals([SIGTERM, SIGINT]) { continuation.yield($0) }
    }

    /// Returns after the first signal.
    func wait() async {
        for await _ in arrived { break }
        signals?.cancel()
    }
}

/// Lines of standard input, read on a thread of their own because reading blocks.
func standardInputLines() -> AsyncStream<String> {
    AsyncStream { continuation in
        let thread = Thread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        thread.start()
    }
}
