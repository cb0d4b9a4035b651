import Glibc

/// This process's open files: how many there may be, and whether there are enough to begin with.
public enum Descriptors {
    /// Kept free of connections, for journal, accounts, locks and what the libraries open late.
    public static let reserve = 64
    /// More are of no use, and the library keeps a table as long as the limit: some systems say a thousand million.
    static let most = 65_536

    /// Sets the soft limit to the hard one, then opens and closes `needed` descriptors, for a program that runs out of them later fails in
    /// places that cannot say so.
    public static func prepare(_ needed: Int = reserve) throws(LWSFailure) {
        raise(to: most)
        var taken: [Int32] = []
        defer { for descriptor in taken { close(descriptor) } }
        while taken.count < needed {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .tooFewDescriptors(available: taken.count, needed: needed) }
            taken.append(descriptor)
        }
    }

    /// Raises the soft limit towards that many, as far as the hard limit goes; never lowers it, but for a limit beyond `most`. The library
    /// reads it when a context is made.
    static func raise(to wanted: Int) {
        guard var limit = current else { return }
        let target = min(limit.rlim_max, rlim_t(wanted))
        guard limit.rlim_cur < target || limit.rlim_cur > rlim_t(most) else { return }
        limit.rlim_cur = max(target, min(limit.rlim_cur, rlim_t(most)))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// How many connections a server may have, so that `reserve` descriptors stay for everything else.
    static func connections(_ wanted: Int) -> Int {
        guard let limit = current, limit.rlim_cur < rlim_t(Int32.max) else { return wanted }
        return max(1, min(wanted, Int(limit.rlim_cur) - reserve))
    }

    private static var current: rlimit? {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? limit : nil
    }
}
