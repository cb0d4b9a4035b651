import CCurl
import Foundation
public import HTTP
import Synchronization

/// Performs HTTP requests over libcurl on a small bounded pool of its own threads. Connections are kept alive and used again.
public final class CurlClient: Sendable {
    public struct Configuration: Sendable {
        public var trust: TLSTrust
        /// Threads, thus requests under way; more wait in order.
        public var threads: Int
        /// A longer answer fails with `.tooLarge`.
        public var maximumResponseBytes: Int
        public init(trust: TLSTrust = .system, threads: Int = 4, maximumResponseBytes: Int = 16 << 20) {
            self.trust = trust
            self.threads = threads
            self.maximumResponseBytes = maximumResponseBytes
        }
    }

    /// Requests that may wait for a thread; one more fails with `.offline`.
    private static let mostWaiting = 1024

    private let queue: WorkQueue
    private let configuration: Configuration

    public init(_ configuration: Configuration = .init()) {
        _ = Self.start
        self.configuration = configuration
        queue = WorkQueue(limit: Self.mostWaiting)
        for number in 0..<max(1, configuration.threads) {
            let thread = Thread { [queue, configuration] in CurlWorker(configuration).run(queue) }
            thread.name = "curl-\(number)"
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    deinit { queue.close() }

    private static let start: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    /// The port. Cancelling the calling task ends the request with `.cancelled`.
    public var client: HTTPClient {
        HTTPClient { request throws(HTTPFailure) in try await self.perform(request) }
    }

    /// Ends the threads; what is under way or waits fails with `.cancelled`.
    public func stop() async { queue.close() }

    private func perform(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
        let work = Work(request)
        let result: Result<HTTPResponse, HTTPFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                work.start(continuation)
                if !queue.put(work) { work.finish(.failure(queue.isClosed ? .cancelled : .offline("too many requests wait"))) }
            }
        } onCancel: {
            work.cancel()
        }
        return try result.get()
    }
}

/// One request: shared by the task that waits for it and the thread that performs it.
final class Work: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPFailure>
    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
    }

    let request: HTTPRequest
    /// The request's time runs from here, waiting for a thread included.
    let started = DispatchTime.now().uptimeNanoseconds
    private let state = Mutex(State())
    private let cancelled = Atomic<Bool>(false)
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    init(_ request: HTTPRequest) { self.request = request }

    func start(_ continuation: CheckedContinuation<Outcome, Never>) {
        let early = state.withLock { state -> Outcome? in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let early { continuation.resume(returning: early) }
    }

    /// The first outcome counts.
    func finish(_ outcome: Outcome) {
        let waiting = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.continuation.take()
        }
        waiting?.resume(returning: outcome)
    }

    func cancel() {
        cancelled.store(true, ordering: .relaxed)
        finish(.failure(.cancelled))
    }

    /// What is left of the request's time; never below zero.
    var remaining: Duration {
        let spent = Duration.nanoseconds(Int64(DispatchTime.now().uptimeNanoseconds - started))
        return max(.zero, request.timeout - spent)
    }
}

/// Requests in order, for threads that may block.
final class WorkQueue: Sendable {
    private struct State {
        var waiting: [Work] = []
        var current: [ObjectIdentifier: Work] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// False: closed or full.
    func put(_ work: Work) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count < limit else { return false }
            state.waiting.append(work)
            return true
        }
        if isTaken { available.signal() }
        return isTaken
    }

    /// Blocks; nil once closed.
    func take() -> Work? {
        while true {
            available.wait()
            let (work, isClosed) = state.withLock { state -> (Work?, Bool) in
                guard !state.isClosed else { return (nil, true) }
                guard !state.waiting.isEmpty else { return (nil, false) }
                let work = state.waiting.removeFirst()
                state.current[ObjectIdentifier(work)] = work
                return (work, false)
            }
            if isClosed {
                // The next thread wakes by this one.
                available.signal()
                return nil
            }
            if let work { return work }
        }
    }

    func done(_ work: Work) { state.withLock { $0.current[ObjectIdentifier(work)] = nil } }

    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting + state.current.values
        }
        for work in all { work.cancel() }
        available.signal()
    }
}
