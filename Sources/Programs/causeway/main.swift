import Foundation
import LWS
import Server

let arguments = Array(CommandLine.arguments.dropFirst())
// Before anything needs a thread: the runtime waits for ever for one it cannot make.
if let failure = AddressSpace.failure { exit(Causeway.end(with: failure, arguments)) }
// Before anything opens a file, as the runtime does for its first task: running out of them later ends in places that cannot say so.
do { try CausewayServer.prepareDescriptors(Causeway.descriptors(for: arguments)) } catch { exit(Causeway.end(with: error, arguments)) }
TLSLibrary.outliveThreads()
// Synchronous, always: an async `main` leaves the main thread at its first `await` on Linux (DESIGN §3).
Task { exit(await Causeway.run(arguments)) }
dispatchMain()
