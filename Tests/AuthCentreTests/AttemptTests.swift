import Accounts
import Diagnostics
import Dispatch
import Persistence
import Sealed
import Synchronization
import Testing
import Texts

@testable import AuthCentre

private let desk = DeviceInfo(id: String(repeating: "a", count: 32), platform: "linux", name: "desk")

/// What a restart of the server must not forgive, and what its log must not tell.
@Suite struct AttemptTests {
    private let time = WallTime()
    private let store: AccountStore

    init() throws { store = try AccountStore.sqlite(path: ":memory:") }

    /// Each is a start of the server on the same folder.
    private func start(log: Log = .none, check: @escaping AuthCentre.PasswordCheck = AuthCentre.checkPassword) throws -> AuthCentre {
        let time = time
        return try AuthCentre(store: store, cost: .least, now: { time.now }, monotonic: { time.monotonic }, log: log, check: check)
    }

    private static let noMemory: AuthCentre.PasswordCheck = { _, _ throws(SealedError) in throw .outOfMemory }

    @Test("A-11, D-1: a password that memory does not suffice to judge is told as that and counts for nothing")
    func lackOfMemory() throws {
        let account = try start().register(input(), from: "x").account
        let starved = try start(check: Self.noMemory)
        for index in 0..<100 {
            #expect(code { _ = try starved.signIn(input(), from: "\(index)") } == .serverUnavailable)
            #expect(code { _ = try starved.judgeTradingPassword(account: account, "correct horse") } == .serverUnavailable)
        }
        #expect(try start().judgeTradingPassword(account: account, "x") == .wrong(triesLeft: 4))
        for left in [3, 2, 1] { #expect(try start().judgeTradingPassword(account: account, "x") == .wrong(triesLeft: left)) }
        // The try that would lock.
        #expect(code { _ = try start(check: Self.noMemory).judgeTradingPassword(account: account, "x") } == .serverUnavailable)
        #expect(try start().judgeTradingPassword(account: account, "correct horse") == .right)
        _ = try start().signIn(input(), from: "y")
    }

    private func input(_ password: String = "correct horse", name: String = "mei") -> SignInInput {
        SignInInput(name: name, password: password, device: desk)
    }

    private func code(_ body: () throws -> Void) -> ErrorCode? {
        do { try body() } catch let failure as Failure { return failure.code } catch { return nil }
        return nil
    }

    @Test("D-1: wrong trading passwords and the lock survive a restart; a right one clears them for good")
    func trading() throws {
        let account = try start().register(input(), from: "x").account
        for left in [4, 3, 2] { #expect(try start().judgeTradingPassword(account: account, "x") == .wrong(triesLeft: left)) }
        #expect(try start().judgeTradingPassword(account: account, "correct horse") == .right)
        for left in [4, 3, 2, 1] { #expect(try start().judgeTradingPassword(account: account, "x") == .wrong(triesLeft: left)) }
        #expect(try start().judgeTradingPassword(account: account, "x") == .locked(seconds: 900))
        time.advance(milliseconds: 100_000)
        #expect(try start().judgeTradingPassword(account: account, "correct horse") == .locked(seconds: 800))
        time.advance(milliseconds: 800_000)
        #expect(try start().judgeTradingPassword(account: account, "correct horse") == .right)
        #expect(try store.attempts() == [])
    }

    @Test("A-11: wrong passwords count on over a restart, drain with time, and are kept without the name that was typed")
    func names() throws {
        _ = try start().register(input(), from: "x")
        for index in 0..<10 {
            #expect(code { _ = try start().signIn(input("wrong", name: "MEI"), from: "\(index)") } == .authWrongPassword)
        }
        #expect(code { _ = try start().signIn(input(), from: "y") } == .rateLimited)
        #expect(!"\(try store.attempts())".lowercased().contains("mei"))
        time.advance(milliseconds: 30_000)
        _ = try start().signIn(input(), from: "y")
        #expect(try store.attempts() == [])
        #expect(code { _ = try start().signIn(input("wrong", name: "nobody"), from: "y") } == .authWrongPassword)
        #expect(try store.attempts().count == 1)
        time.advance(milliseconds: 30_000)
        _ = try start()
        #expect(try store.attempts() == [])
    }

    @Test("A-9: the log of a reused credential names account and device and holds no part of the credential")
    func reuseLog() throws {
        let lines = Mutex<[String]>([])
        let centre = try start(log: Log { _, event, fields in lines.withLock { $0.append("\(event) \(fields)") } })
        let grant = try centre.register(input(), from: "x")
        _ = try centre.refresh(RefreshInput(refresh: grant.refresh, deviceID: desk.id))
        time.advance(milliseconds: 30_001)
        #expect(code { _ = try centre.refresh(RefreshInput(refresh: grant.refresh, deviceID: desk.id)) } == .authRefreshReused)
        let line = try #require(lines.withLock { $0.last })
        #expect(line.contains(grant.account) && line.contains(desk.id))
        let token = Array(grant.refresh)
        for start in 0...token.count - 8 { #expect(!line.contains(String(token[start..<start + 8]))) }
    }
}

@Suite struct SignInsTests {
    private func family(_ number: Int, account: Int) -> FamilyRecord {
        FamilyRecord(
            id: "f\(number)", accountID: "a\(account)", deviceID: "d\(number)", deviceName: "desk", platform: "linux",
            signedInAt: Int64(number), issuedAt: 1, previousIssuedAt: 1)
    }

    @Test("Sign-ins are found as a plain list would find them", arguments: UInt64(0)..<200)
    func oracle(seed: UInt64) {
        var state = seed &* 2 &+ 1
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var signIns = SignIns()
        var plain: [FamilyRecord] = []
        for _ in 0..<60 {
            let number = draw(20)
            switch draw(3) {
            case 0:
                let made = family(number, account: number % 4)
                plain.removeAll { $0.id == made.id }
                plain.append(made)
                signIns.put(made)
            case 1:
                var next = family(number, account: number % 4)
                next.generation = Int64(draw(9)) + 2
                let at = plain.firstIndex { $0.id == next.id }
                if let at { plain[at] = next }
                let isReplaced = signIns.replace(next)
                #expect(isReplaced == (at != nil))
            default:
                let removed = signIns.remove("f\(number)")
                #expect(removed == plain.first { $0.id == "f\(number)" })
                plain.removeAll { $0.id == "f\(number)" }
            }
            for account in 0..<4 {
                let mine = plain.filter { $0.accountID == "a\(account)" }.sorted { ($0.signedInAt, $0.id) < ($1.signedInAt, $1.id) }
                #expect(signIns.all(of: "a\(account)") == mine)
            }
        }
    }

    @Test("A look-up among 100,000 sign-ins takes about as long as among 1,000")
    func scale() {
        func cost(_ count: Int) -> Duration {
            var signIns = SignIns()
            for number in 0..<count { signIns.put(family(number, account: number / 2)) }
            var found = 0
            let rounds = (0..<5).map { _ in
                ContinuousClock().measure { for account in 0..<400 { found += signIns.all(of: "a\(account)").count } }
            }
            #expect(found == 5 * 800)
            return rounds.min() ?? .zero
        }
        let (few, many) = (cost(1000), cost(100_000))
        #expect(many < few * 20, "\(few) and \(many)")
    }
}

@Suite struct WorkThreadTests {
    @Test("A-11: hashing that takes for ever holds up nobody else, and more of it than fits is refused", .timeLimit(.minutes(5)))
    func bounded() async throws {
        let thread = WorkThread(name: "test", capacity: 8)
        let gate = Gate()
        let began = AsyncStream.makeStream(of: Void.self)
        async let first: Int = thread.run { () throws(Failure) in
            began.continuation.yield()
            gate.wait()
            return 0
        }
        for await _ in began.stream { break }
        // One under way, eight wait, the others are refused, whichever these are. More than the machine has threads for tasks.
        let answers = try await withThrowingTaskGroup(of: ErrorCode?.self) { group in
            for number in 1...40 {
                group.addTask {
                    do throws(Failure) { _ = try await thread.run { () throws(Failure) in number } } catch { return error.code }
                    return nil
                }
            }
            var answers: [ErrorCode?] = []
            while let answer = try await group.next() {
                answers.append(answer)
                if answers.count == 32 { gate.open() }
            }
            return answers
        }
        #expect(answers.filter { $0 == .serverFull }.count == 32 && answers.filter { $0 == nil }.count == 8)
        #expect(try await first == 0)
        do throws(Failure) {
            _ = try await thread.run { () throws(Failure) -> Int in throw Failure(.authInvalid) }
            Issue.record("its failure is the caller's")
        } catch {
            #expect(error.code == .authInvalid)
        }
    }
}

/// Holds a thread until opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}
