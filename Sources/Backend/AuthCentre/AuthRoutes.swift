import Accounts
public import HTTP
import Texts

extension AuthCentre {
    /// Serves registration, sign-in, renewal, sign-out and devices.
    public func addRoutes(to router: inout Router) {
        router.serve(AccountEndpoints.register) { context, input throws(Failure) in
            try self.register(input, from: context.remoteAddress)
        }
        router.serve(AccountEndpoints.signIn) { context, input throws(Failure) in
            try self.signIn(input, from: context.remoteAddress)
        }
        router.serve(AccountEndpoints.refresh) { _, input throws(Failure) in try self.refresh(input) }
        router.serve(AccountEndpoints.signOut) { context, _ throws(Failure) in
            try self.signOut(try context.caller())
            return Empty()
        }
        router.serve(AccountEndpoints.devices) { context, _ throws(Failure) in self.devices(of: try context.caller()) }
        router.serve(AccountEndpoints.removeDevice) { context, input throws(Failure) in
            try self.remove(device: input.id, of: try context.caller())
            return Empty()
        }
    }
}
