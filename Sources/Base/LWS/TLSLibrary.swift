import CWebSockets

/// OpenSSL, which all connections of the process share.
public enum TLSLibrary {
    /// Leaves its cleanup at exit undone: `exit` does not wait for service threads, which would find its locks gone. To be called before
    /// anything else uses the library.
    public static func outliveThreads() { _ = causeway_keep_tls_at_exit() }
}
