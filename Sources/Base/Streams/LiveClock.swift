extension MonotonicClock {
    /// The system's boot clock: it goes on while the machine sleeps, so that a credential's life does too.
    public static let live: MonotonicClock = {
        let origin = ContinuousClock.now
        return MonotonicClock(
            now: { MonotonicInstant(nanoseconds: origin.duration(to: .now).nanoseconds) },
            sleep: { until in
                try Task.checkCancellation()
                try await Task.sleep(until: origin.advanced(by: .nanoseconds(until.nanoseconds)), tolerance: .zero, clock: .continuous)
            })
    }()
}
