import Accounts
public import HTTP
import Persistence
import Texts

extension AuthCentre {
    /// Serves registration, sign-in, renewal, sign-out and devices.
    public func addRoutes(to router: inout Router) {
        router.serve(AccountEndpoints.register) { context, input throws(Failure) in
            return try await self.recorded("audit.register", context, input.device.id) { () throws(Failure) in
                try self.letThrough(name: nil, context.remoteAddress)
                return try await self.signInThread.run { () throws(Failure) in try self.makeAccount(input) }
            }
        }
        router.serve(AccountEndpoints.signIn) { context, input throws(Failure) in
            let address = context.remoteAddress
            return try await self.recorded("audit.sign-in", context, input.device.id) { () throws(Failure) in
                try self.letThrough(name: input.name, address)
                return try await self.signInThread.run { () throws(Failure) in try self.judge(input, from: address) }
            }
        }
        router.serve(AccountEndpoints.refresh) { context, input throws(Failure) in
            try await self.recorded("audit.refresh", context, input.deviceID) { () throws(Failure) in
                try await self.storeThread.run { () throws(Failure) in try self.refresh(input) }
            }
        }
        router.serve(AccountEndpoints.signOut) { context, _ throws(Failure) in
            let caller = try context.caller()
            try await self.storeThread.run { () throws(Failure) in try self.signOut(caller) }
            self.record("audit.sign-out", [("account", caller.accountID), ("device", caller.deviceID)])
            return Empty()
        }
        router.serve(AccountEndpoints.devices) { context, _ throws(Failure) in self.devices(of: try context.caller()) }
        router.serve(AccountEndpoints.removeDevice) { context, input throws(Failure) in
            let caller = try context.caller()
            try await self.storeThread.run { () throws(Failure) in try self.remove(device: input.id, of: caller) }
            self.record("audit.device-removed", [("account", caller.accountID), ("device", caller.deviceID)])
            return Empty()
        }
    }

    /// Writes what came of it into the audit log. A name that was typed stays out: people type passwords into name fields.
    private func recorded(
        _ event: String, _ context: RequestContext, _ device: String, _ body: () async throws(Failure) -> SessionGrant
    ) async throws(Failure) -> SessionGrant {
        let known = [(name: "address", value: context.remoteAddress), (name: "device", value: String(device.prefix(64)))]
        do throws(Failure) {
            let grant = try await body()
            record(event, known + [("account", grant.account), ("code", "ok")])
            return grant
        } catch {
            record(event, known + [("code", error.code.rawValue)])
            throw error
        }
    }
}
