import Files
public import Instruments
import Sealed
public import Streams
import Synchronization
public import Texts

/// The symbol databases a program may use: the user's, which updates replace, and the one that was shipped. The newer of the two serves;
/// a damaged one does not.
public struct SymbolShelf: Sendable {
    /// Nil where no user's is kept.
    public var user: String?
    public var shipped: String
    /// Where it is kept which databases were read whole; nil: nowhere, and every opening reads them whole.
    public var verified: VerifiedFiles?

    public init(user: String?, shipped: DataFolder, verified: VerifiedFiles? = nil) {
        self.user = user
        self.shipped = shipped.file("symbols/symbols.sqlite")
        self.verified = verified
    }

    public struct Choice {
        public var database: SymbolDatabase
        /// Why the user's own does not serve; nil where it does or is not there.
        public var refused: Failure?
    }

    /// Databases in which everything is right.
    /// - Parameter today: by this machine's clock; a release of days that are not near does not serve.
    /// - Throws: `data.missing` where there is none at all; else what is wrong with the shipped one.
    public func open(today: TradingDay) throws(Failure) -> Choice {
        var refused: Failure?
        var own: SymbolDatabase?
        if let user {
            do throws(Failure) {
                let opened = try whole(user, mayMigrate: true)
                try opened.release.check(on: today)
                own = opened
            } catch {
                if error.code.rawValue != "data.missing" { refused = error }
            }
        }
        do throws(Failure) {
            let shipped = try whole(shipped, mayMigrate: false)
            guard let own, own.release.version >= shipped.release.version else { return Choice(database: shipped, refused: refused) }
            // An earlier program may have taken one that lacks rows.
            let lost = shipped.release.rows - own.release.rows
            guard lost * 10 <= shipped.release.rows else {
                let shrunk = Failure(
                    .symbolsShrunk, .init("removed", String(lost)), .init("present", String(shipped.release.rows)))
                return Choice(database: shipped, refused: shrunk)
            }
            return Choice(database: own, refused: nil)
        } catch {
            if let own { return Choice(database: own, refused: nil) }
            throw refused ?? error
        }
    }

    /// The shipped one as it is: for a server, which checks each block it gives out.
    public func openShipped() throws(Failure) -> SymbolDatabase { try SymbolDatabase(path: shipped) }

    private func whole(_ path: String, mayMigrate: Bool) throws(Failure) -> SymbolDatabase {
        let before = try? RegularFile.identity(path)
        let database = try SymbolDatabase(path: path, mayMigrate: mayMigrate)
        if let before, let verified, verified.knows(path, before, content: database.release.hash) {
            database.whenDamaged = { verified.forget(path) }
            return database
        }
        try database.verify()
        // One that was replaced or brought up to date meanwhile is read whole once more.
        if let before, let verified, before == (try? RegularFile.identity(path)) {
            verified.keep(path, before, content: database.release.hash)
        }
        return database
    }

    /// Takes a user's database away that does not serve because of what is in it; nothing is lost, an update fetches it anew.
    /// - Returns: whether there was one.
    public func discard(_ refused: Failure?) -> Bool {
        let reasons: [ErrorCode] = [ErrorCode("data.corrupt"), .symbolsDamaged, .symbolsAhead, .symbolsShrunk]
        guard let user, let refused, reasons.contains(refused.code) else { return false }
        do throws(SealedError) { try PrivateFile.remove(user) } catch { return false }
        verified?.forget(user)
        return true
    }
}

/// A database that several threads ask; opened when first asked.
public final class SharedSymbols: Sendable {
    private let open: @Sendable () throws(Failure) -> SymbolDatabase
    private let database = Mutex<Opened>(.init())

    /// Read and replaced under the lock only.
    private struct Opened: ~Copyable {
        var database: SymbolDatabase?
    }

    public init(_ open: @escaping @Sendable () throws(Failure) -> SymbolDatabase) { self.open = open }

    /// - Parameter body: not to keep the database.
    public func read<Value: Sendable>(_ body: (borrowing SymbolDatabase) throws(Failure) -> Value) throws(Failure) -> Value {
        try database.withLock { opened throws(Failure) -> Value in
            if let known = opened.database { return try body(known) }
            let fresh = try open()
            opened.database = fresh
            return try body(fresh)
        }
    }
}
