import Testing
import Texts

@testable import HTTP

@Suite struct WebSocketAddressTests {
    @Test("O-3: an address keeps its path; scheme and host are in lower case")
    func good() throws {
        #expect(try WebSocketAddress("ws://127.0.0.1:7711/quotes").url == "ws://127.0.0.1:7711/quotes")
        #expect(try WebSocketAddress("WSS://Quotes.Example.org/Quotes").url == "wss://quotes.example.org/Quotes")
        #expect(try WebSocketAddress("ws://[::1]:7711/quotes").url == "ws://[::1]:7711/quotes")
    }

    @Test("O-3: another machine without TLS is refused")
    func plain() {
        #expect(throws: Failure(.connectionInsecure, .init("host", "10.0.0.1"))) { _ = try WebSocketAddress("ws://10.0.0.1/quotes") }
        #expect(throws: Failure(.connectionInsecure, .init("host", "127.example.org"))) {
            _ = try WebSocketAddress("ws://127.example.org/quotes")
        }
    }

    @Test(
        "O-3: what is no WebSocket address, or could hold a secret, is refused",
        arguments: [
            "", "http://127.0.0.1/quotes", "ws://", "ws:///quotes", "ws://127.0.0.1", "ws://127.0.0.1:0/q", "ws://127.0.0.1:70000/q",
            "ws://me:secret@127.0.0.1/q", "ws://127.0.0.1/q?token=1", "ws://127.0.0.1/q#1", "ws://127.0.0.1/q q",
            "ws://127.0.0.1/q\r\nX: y",
            "ws://127.0.0.1/é",
        ])
    func bad(text: String) {
        #expect(throws: Failure.invalid("url")) { _ = try WebSocketAddress(text) }
    }
}
