import Accounts
import AuthCentre
import HTTP
import Persistence
import Sealed
import Streams
import Texts

/// Part credentials, side server: the auth centre itself over a store in memory, its time the run's clock.
final class AuthCentreScenario: ScenarioDriver {
    private static let password = "correct horse battery"

    private let context: ScenarioContext
    private let centre: AuthCentre
    private var grants: [String: SessionGrant] = [:]
    private var hasAccount = false

    init(_ context: ScenarioContext) throws {
        self.context = context
        var policy = AuthPolicy()
        policy.grace = context.milliseconds("grace", default: 30_000).nanoseconds / 1_000_000
        policy.accessLife = context.milliseconds("defaultLifetime", default: 7_200_000).nanoseconds / 1_000_000
        let clock = context.clock
        centre = try AuthCentre(
            store: try .sqlite(path: ":memory:"), policy: policy, cost: .least,
            now: { 1_796_000_000_000 + clock.now.nanoseconds / 1_000_000 }, monotonic: { clock.now })
    }

    func call(_ op: String, _ fields: JSONValue) throws {
        if op == "revoke" { return try revoke(fields) }
        guard let id = fields["id"]?.stringValue else { throw ScenarioFailure("\(op) has an id") }
        try context.log.begin(id)
        switch op {
        case "issue": try end(id, try issue(fields))
        case "rotate":
            let input = RefreshInput(refresh: try grant(fields).refresh, deviceID: try device(fields))
            let grant: SessionGrant
            do throws(Failure) { grant = try centre.refresh(input) } catch {
                guard [.authRefreshInvalid, .authRefreshReused].contains(error.code) else { throw error }
                return try context.log.result("invalid_grant", of: id)
            }
            try end(id, grant)
        case "check":
            switch centre.verify(access: try grant(fields).access) {
            case .success: try context.log.result("ok", of: id)
            case .failure: try context.log.result("refused", of: id)
            }
        default: throw ScenarioFailure("the auth centre has no op \(op)")
        }
    }

    func peer(_ action: String, _ fields: JSONValue) throws { throw ScenarioFailure("the auth centre sends nothing to be answered") }

    /// `same` and `distinct`: two calls' refresh credentials.
    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue {
        let ids = (expected.arrayValue ?? []).compactMap(\.stringValue)
        guard ids.count == 2, let first = grants[ids[0]], let second = grants[ids[1]] else {
            throw ScenarioFailure("\(key) takes two calls that got a credential")
        }
        let holds =
            switch key {
            case "same": first.refresh == second.refresh
            case "distinct": first.refresh != second.refresh
            default: throw ScenarioFailure("the auth centre has no expect key \(key)")
            }
        return holds ? expected : .string("not \(key)")
    }

    private func issue(_ fields: JSONValue) throws -> SessionGrant {
        let device = DeviceInfo(id: try device(fields), platform: "linux", name: "scenario")
        let input = SignInInput(name: "scenario", password: Self.password, device: device)
        defer { hasAccount = true }
        return hasAccount ? try centre.signIn(input, from: "127.0.0.1") : try centre.register(input, from: "127.0.0.1")
    }

    private func revoke(_ fields: JSONValue) throws {
        guard case .success(let principal) = centre.verify(access: try grant(fields).access) else {
            throw ScenarioFailure("revoke: that credential is not valid")
        }
        try centre.signOut(principal)
    }

    private func end(_ id: String, _ grant: SessionGrant) throws(ScenarioFailure) {
        grants[id] = grant
        try context.log.result("ok", of: id)
    }

    private func grant(_ fields: JSONValue) throws(ScenarioFailure) -> SessionGrant {
        guard let id = fields["with"]?.stringValue, let grant = grants[id] else { throw .init("no call got the credential to show") }
        return grant
    }

    private func device(_ fields: JSONValue) throws(ScenarioFailure) -> String {
        guard let name = fields["device"]?.stringValue else { throw .init("a device is missing") }
        return name
    }
}
