public import Instruments
import Synchronization
public import Texts

/// The symbol databases a program may use: the user's, which updates replace, and the one that was shipped. The newer of the two serves;
/// a damaged one does not.
public struct SymbolShelf: Sendable {
    /// Nil where no user's is kept.
    public var user: String?
    public var shipped: String

    public init(user: String?, shipped: DataFolder) {
        self.user = user
        self.shipped = shipped.file("symbols/symbols.sqlite")
    }

    public struct Choice {
        public var database: SymbolDatabase
        /// Why the user's own does not serve; nil where it does or is not there.
        public var refused: Failure?
    }

    /// - Throws: `data.missing` where there is none at all; else what is wrong with the shipped one.
    public func open() throws(Failure) -> Choice {
        var refused: Failure?
        var own: SymbolDatabase?
        if let user {
            do throws(Failure) { own = try SymbolDatabase(path: user, mayMigrate: true) } catch  where error.code.rawValue == "data.missing"
            {
                own = nil
            } catch {
                refused = error
            }
        }
        do throws(Failure) {
            let shipped = try SymbolDatabase(path: shipped)
            if let own, own.release.version >= shipped.release.version { return Choice(database: own, refused: nil) }
            return Choice(database: shipped, refused: refused)
        } catch {
            if let own { return Choice(database: own, refused: nil) }
            throw refused ?? error
        }
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
