import Foundation

// Synchronous, always: an async `main` leaves the main thread at its first `await` on Linux (DESIGN §3).
Task { exit(await Causeway.run(Array(CommandLine.arguments.dropFirst()))) }
dispatchMain()
