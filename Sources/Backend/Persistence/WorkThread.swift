import Foundation
import Glibc
public import Texts

/// A thread of its own for work that takes long: hashing passwords, waiting for the disk. What serves orders and quotes shares a few
/// threads that must not wait for that. Work is done in order of arrival.
public final class WorkThread: Sendable {
    private let queue: Queue

    /// Beyond `capacity` waiting pieces of work the next is refused. `isPatient`: gives way to other threads.
    public init(name: String, capacity: Int, isPatient: Bool = false) {
        let queue = Queue(capacity: capacity)
        self.queue = queue
        let thread = Thread {
            // Of this thread alone, as Linux has it; where it is refused the thread is as urgent as others.
            if isPatient { _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5) }
            while let job = queue.next() { job() }
        }
        thread.name = name
        thread.start()
    }

    deinit { queue.end() }

    /// `server.full` where too much waits.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            let isTaken = queue.put {
                do throws(Failure) {
                    continuation.resume(returning: .success(try work()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !isTaken { continuation.resume(returning: .failure(Failure(.serverFull))) }
        }
        return try result.get()
    }
}

/// Everything happens under the condition's lock.
private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var jobs: [@Sendable () -> Void] = []
    private var isEnding = false

    init(capacity: Int) { self.capacity = capacity }

    func put(_ job: @escaping @Sendable () -> Void) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard !isEnding, jobs.count < capacity else { return false }
        jobs.append(job)
        condition.signal()
        return true
    }

    /// Waits for the next; nil once the end has come and nothing waits.
    func next() -> (@Sendable () -> Void)? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty && !isEnding { condition.wait() }
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }

    func end() {
        condition.lock()
        isEnding = true
        condition.signal()
        condition.unlock()
    }
}
