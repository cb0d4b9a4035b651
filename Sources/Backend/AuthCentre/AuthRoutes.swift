import Accounts
public import HTTP
import Texts

extension AuthCentre {
    /// Serves registration, sign-in, renewal, sign-out and devices.
    public func addRoutes(to router: inout Router) {
        router.serve(AccountEndpoints.register) { context, input throws(Failure) in
            try self.letThrough(name: nil, context.remoteAddress)
            return try await self.signInThread.run { () throws(Failure) in try self.makeAccount(input) }
        }
        router.serve(AccountEndpoints.signIn) { context, input throws(Failure) in
            let address = context.remoteAddress
            try self.letThrough(name: input.name, address)
            return try await self.signInThread.run { () throws(Failure) in try self.judge(input, from: address) }
        }
        router.serve(AccountEndpoints.refresh) { _, input throws(Failure) in
            try await self.storeThread.run { () throws(Failure) in try self.refresh(input) }
        }
        router.serve(AccountEndpoints.signOut) { context, _ throws(Failure) in
            let caller = try context.caller()
            try await self.storeThread.run { () throws(Failure) in try self.signOut(caller) }
            return Empty()
        }
        router.serve(AccountEndpoints.devices) { context, _ throws(Failure) in self.devices(of: try context.caller()) }
        router.serve(AccountEndpoints.removeDevice) { context, input throws(Failure) in
            let caller = try context.caller()
            try await self.storeThread.run { () throws(Failure) in try self.remove(device: input.id, of: caller) }
            return Empty()
        }
    }
}
