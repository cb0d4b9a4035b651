/// The codes every part knows. A part adds its own in an extension of its own; the texts of all of them stand in the catalogues.
extension ErrorCode {
    /// The access credential is missing, unknown or revoked.
    public static let authInvalid = ErrorCode("auth.invalid")
    /// The access credential's life is over.
    public static let authExpired = ErrorCode("auth.expired")
    /// The refresh credential is unknown, revoked or expired: sign in again.
    public static let authRefreshInvalid = ErrorCode("auth.refresh-invalid")
    /// A rotated refresh credential came again: every credential of that sign-in is revoked.
    public static let authRefreshReused = ErrorCode("auth.refresh-reused")
    /// The account is frozen by the operator.
    public static let authFrozen = ErrorCode("auth.frozen")
    /// Name and password do not go together; says nothing about which is wrong.
    public static let authWrongPassword = ErrorCode("auth.wrong-password")
    /// Registration: the name belongs to somebody.
    public static let authNameTaken = ErrorCode("auth.name-taken")
    /// Registration: too short a password. `minimum`: characters.
    public static let authPasswordShort = ErrorCode("auth.password-short")
    /// Registration: no name that can be taken. `minimum`, `maximum`: characters.
    public static let authNameInvalid = ErrorCode("auth.name-invalid")
    /// This sign-in was ended from another device.
    public static let authSignedOutElsewhere = ErrorCode("auth.signed-out-elsewhere")
    /// Nobody is signed in.
    public static let authSignedOut = ErrorCode("auth.signed-out")
    /// The stored sign-in is damaged (no refresh credential).
    public static let authDamaged = ErrorCode("auth.damaged")
    /// The caller may not do this. `scope`: what is missing.
    public static let authScope = ErrorCode("auth.scope")
    /// The link to the server broke; what was sent may have arrived.
    public static let connectionLost = ErrorCode("connection.lost")
    /// There is no link; nothing was sent.
    public static let connectionNotConnected = ErrorCode("connection.not-connected")
    /// No answer within the time limit; what was sent may have arrived.
    public static let connectionTimedOut = ErrorCode("connection.timed-out")
    /// The server's certificate is not trusted.
    public static let connectionUntrusted = ErrorCode("connection.untrusted")
    /// Secrets are not sent in the clear to another machine. `host`.
    public static let connectionInsecure = ErrorCode("connection.insecure")
    /// What was asked is not well formed. `field`: the member that is wrong, where one is.
    public static let requestInvalid = ErrorCode("request.invalid")
    /// A refusal that says no more (not from a server of this program, as a rule). `status`: of HTTP.
    public static let requestRefused = ErrorCode("request.refused")
    /// Request or answer passes the size limit.
    public static let requestTooLarge = ErrorCode("request.too-large")
    /// Nothing is served at this address.
    public static let requestUnknown = ErrorCode("request.unknown")
    /// The address exists, the method does not.
    public static let requestMethod = ErrorCode("request.method")
    /// The caller gave up.
    public static let requestCancelled = ErrorCode("request.cancelled")
    /// Too many attempts. `seconds`: when to try again.
    public static let rateLimited = ErrorCode("rate.limited")
    /// The server cannot answer now.
    public static let serverUnavailable = ErrorCode("server.unavailable")
    /// The server takes no more work of this kind now.
    public static let serverFull = ErrorCode("server.full")
    /// The disk is full.
    public static let storageFull = ErrorCode("storage.full")
    /// Reading or writing failed. `reason`.
    public static let storageFailed = ErrorCode("storage.failed")
    /// The data was written by a newer version; it is left untouched. `path`.
    public static let dataNewer = ErrorCode("data.newer")
    /// Another process works on this data folder. `path`.
    public static let dataInUse = ErrorCode("data.in-use")
    /// The data is damaged. `path`.
    public static let dataCorrupt = ErrorCode("data.corrupt")
    /// No such instrument. `symbol`.
    public static let symbolUnknown = ErrorCode("symbol.unknown")
}
