/// Runs one operation per key at a time; whoever asks meanwhile gets that one's result (A-2, B-12). The operation belongs to no caller: one
/// that is cancelled gets `CancellationError` at once, the others and the operation go on, and no key stays marked as in flight.
public actor SingleFlight<Key: Hashable & Sendable, Value: Sendable> {
    private struct Flight {
        var number: Int
        var task: Task<Void, Never>?
        var callers: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private let cancelsWhenAbandoned: Bool
    private var flights: [Key: Flight] = [:]
    private var counter = 0

    /// - Parameter cancelsWhenAbandoned: cancel an operation when its last caller is gone.
    public init(cancelsWhenAbandoned: Bool = false) { self.cancelsWhenAbandoned = cancelsWhenAbandoned }

    /// Keys in flight.
    public var inFlight: Set<Key> { Set(flights.keys) }

    /// Joins the flight of that key or starts one.
    public func run(_ key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try Task.checkCancellation()
        counter += 1
        let caller = counter
        if flights[key] == nil { start(key, number: caller, operation) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                    abandonIfEmpty(key)
                } else {
                    flights[key]?.callers[caller] = continuation
                }
            }
        } onCancel: {
            Task { await self.leave(key, caller) }
        }
    }

    private func start(_ key: Key, number: Int, _ operation: @escaping @Sendable () async throws -> Value) {
        flights[key] = Flight(number: number)
        flights[key]?.task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            land(key, number, result)
        }
    }

    private func land(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
        guard flights[key]?.number == number, let flight = flights.removeValue(forKey: key) else { return }  // It was abandoned.
        for continuation in flight.callers.values { continuation.resume(with: result) }
    }

    private func leave(_ key: Key, _ caller: Int) {
        guard let continuation = flights[key]?.callers.removeValue(forKey: caller) else { return }  // It has its result.
        continuation.resume(throwing: CancellationError())
        abandonIfEmpty(key)
    }

    private func abandonIfEmpty(_ key: Key) {
        guard cancelsWhenAbandoned, let flight = flights[key], flight.callers.isEmpty else { return }
        flight.task?.cancel()
        flights.removeValue(forKey: key)
    }
}
