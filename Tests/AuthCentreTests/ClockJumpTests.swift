import Accounts
import HTTP
import Persistence
import Sealed
import Streams
import Testing
import Texts

@testable import AuthCentre

private let desk = DeviceInfo(id: String(repeating: "a", count: 32), platform: "linux", name: "desk")
private let day: Int64 = 86_400_000

/// What becomes of lives and waits where the wall clock is set (A-1, A-11, D-1).
@Suite struct ClockJumpTests {
    private let time = WallTime()
    private let store: AccountStore

    init() throws {
        store = try AccountStore.sqlite(path: ":memory:")
        time.jump(milliseconds: 20_000 * day)
    }

    /// Each is a start of the server on the same folder.
    private func start() throws -> AuthCentre {
        let time = time
        return try AuthCentre(store: store, cost: .least, now: { time.now }, monotonic: { time.monotonic })
    }

    private func input(_ password: String = "correct horse") -> SignInInput {
        SignInInput(name: "mei", password: password, device: desk)
    }

    private func failure(_ body: () throws -> Void) -> Failure? {
        do { try body() } catch { return error as? Failure }
        return nil
    }

    private func seconds(_ failure: Failure?) -> Int64? {
        guard failure?.code == .rateLimited else { return nil }
        return failure?.arguments.first { $0.name == "seconds" }.flatMap { Int64($0.value) }
    }

    @Test("A-1: signed in a day ahead, the clock put right: access and quotes end after their lives, before and after a restart")
    func ahead() throws {
        let centre = try start()
        time.jump(milliseconds: day)
        let grant = try centre.register(input(), from: "x")
        let quotes = try centre.quoteCredential(for: try centre.verify(access: grant.access).get())
        time.jump(milliseconds: -day)
        let again = try start()
        #expect(again.verify(access: grant.access) == .failure(Failure(.authExpired)))
        #expect(again.verify(quoteCredential: quotes.value) == .failure(Failure(.authExpired)))
        time.advance(milliseconds: 7_199_000)
        #expect(try centre.verify(access: grant.access).get().accountID == grant.account)
        time.advance(milliseconds: 1000)
        #expect(centre.verify(access: grant.access) == .failure(Failure(.authExpired)))
        #expect(centre.verify(quoteCredential: quotes.value) == .failure(Failure(.authExpired)))
        // Renewing brings it back to this clock.
        let renewed = try again.refresh(RefreshInput(refresh: grant.refresh, deviceID: desk.id))
        #expect(renewed.expiresIn == 7200)
        #expect(try again.verify(access: renewed.access).get().accountID == grant.account)
    }

    @Test("A-11: a refresh credential from a clock ahead lives its 30 days from the restart that found it, however often that comes")
    func refreshAhead() throws {
        time.jump(milliseconds: 400 * day)
        let grant = try start().register(input(), from: "x")
        time.jump(milliseconds: -400 * day)
        for _ in 0..<29 {
            _ = try start()
            time.advance(milliseconds: day)
        }
        _ = try start()
        time.advance(milliseconds: day)
        #expect(failure { _ = try start().refresh(RefreshInput(refresh: grant.refresh, deviceID: desk.id)) }?.code == .authRefreshInvalid)
    }

    @Test(
        "A-11: after wrong passwords a clock set back a day neither lengthens the wait nor stops it from draining",
        arguments: [true, false])
    func drains(isRestarted: Bool) throws {
        var centre = try start()
        _ = try centre.register(input(), from: "x")
        for index in 0..<10 { #expect(failure { _ = try centre.signIn(input("wrong"), from: "\(index)") }?.code == .authWrongPassword) }
        #expect(seconds(failure { _ = try centre.signIn(input(), from: "y") }) == 30)
        time.jump(milliseconds: -day)
        if isRestarted { centre = try start() }
        #expect(seconds(failure { _ = try centre.signIn(input(), from: "y") }) == 30)
        time.advance(milliseconds: 29_999)
        #expect(seconds(failure { _ = try centre.signIn(input(), from: "y") }) == 1)
        time.advance(milliseconds: 1)
        _ = try centre.signIn(input(), from: "y")
    }

    @Test("D-1: a trading lock is told and enforced for 900 s at most, whatever the clock does", arguments: [true, false])
    func lock(isRestarted: Bool) throws {
        var centre = try start()
        let account = try centre.register(input(), from: "x").account
        for _ in 0..<5 { _ = try centre.judgeTradingPassword(account: account, "wrong") }
        time.jump(milliseconds: -day)
        if isRestarted { centre = try start() }
        #expect(try centre.judgeTradingPassword(account: account, "correct horse") == .locked(seconds: 900))
        time.advance(milliseconds: 899_000)
        if isRestarted { centre = try start() }
        #expect(try centre.judgeTradingPassword(account: account, "correct horse") == .locked(seconds: 1))
        time.advance(milliseconds: 1000)
        #expect(try centre.judgeTradingPassword(account: account, "correct horse") == .right)
    }

    @Test("A-1, A-11, D-1: for any jumps of the clock no credential outlives its life, no wait its maximum", arguments: UInt64(0)..<200)
    func anyJumps(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let centre = try start()
        var grant = try centre.register(input(), from: "x")
        let account = grant.account
        var issued = time.monotonic
        var lockedSince: MonotonicInstant?
        for _ in 0..<40 {
            time.jump(milliseconds: random.below(4) == 0 ? random.below(4 * day) - 2 * day : random.below(120_000) - 60_000)
            time.advance(milliseconds: random.below([1000, 60_000, 3_600_000][Int(random.below(3))]))
            let age = issued.duration(to: time.monotonic)
            if case .success = centre.verify(access: grant.access) { #expect(age < .seconds(7200)) }
            switch random.below(4) {
            case 0:
                if let next = try? centre.refresh(RefreshInput(refresh: grant.refresh, deviceID: desk.id)) {
                    #expect(age < .seconds(30 * 86_400) && next.expiresIn <= 7200)
                    (grant, issued) = (next, time.monotonic)
                } else {
                    (grant, issued) = (try centre.judge(input(), from: "x"), time.monotonic)
                }
            case 1:
                guard let wait = seconds(failure { try centre.letThrough(name: "mei", "y") }) else { continue }
                #expect((1...30).contains(wait))
                time.jump(milliseconds: random.below(2 * day) - 2 * day)
                time.advance(milliseconds: wait * 1000)
                #expect(failure { try centre.letThrough(name: "mei", "z") } == nil)
            default:
                switch try centre.judgeTradingPassword(account: account, "wrong") {
                case .locked(let left):
                    #expect((1...900).contains(left))
                    if let since = lockedSince { #expect(since.duration(to: time.monotonic) < .seconds(900)) }
                    lockedSince = lockedSince ?? time.monotonic
                case .wrong, .right: lockedSince = nil
                }
            }
        }
    }

    @Test("Rules take any numbers without a trap, and a time in the future gives no life", arguments: UInt64(0)..<200)
    func anyNumbers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let policy = AuthPolicy()
        let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, 2, 7_200_000, 1 << 53, .max - 1, .max]
        func any() -> Int64 { random.below(3) == 0 ? Int64(bitPattern: random.next()) : numbers[Int(random.below(10))] }
        let record = FamilyRecord(
            id: "f", accountID: "a", deviceID: "d", deviceName: "desk", platform: "linux", generation: any(), signedInAt: any(),
            issuedAt: any(), previousIssuedAt: any())
        let now = max(0, any())
        for generation in [record.generation, record.generation &- 1, any()] {
            let left = record.accessLeft(generation: generation, now: now, policy: policy)
            #expect(left.map { (0...policy.accessLife).contains($0) } ?? true)
            if generation == record.generation, record.issuedAt > now { #expect(left == 0) }
            _ = record.rotation(shown: generation, device: "d", now: now, policy: policy)
        }
        let anchored = record.anchored(now: min(now, StoredRange.times.upperBound), policy: policy)
        #expect(anchored.issuedAt <= now && anchored.previousIssuedAt <= now)
        var limiter = AttemptLimiter(capacity: 10, drain: 30_000)
        limiter.restore("k", level: any(), at: any(), now: now)
        for _ in 0..<20 {
            #expect(limiter.wait("k", now: any()).map { (1...30).contains($0) } ?? true)
            limiter.count("k", now: any())
        }
        var steady = SteadyTime(wall: any(), at: MonotonicInstant(nanoseconds: any()))
        var last: Int64 = 0
        for _ in 0..<20 {
            let now = steady.now(wall: any(), at: MonotonicInstant(nanoseconds: any()))
            #expect(now >= last && StoredRange.times.contains(now))
            last = now
        }
    }
}
