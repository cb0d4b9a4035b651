import Synchronization
import Testing

@testable import Diagnostics

// O-3: structured logs and Prometheus metrics.
@Suite struct LogTests {
    private func line(_ form: LogForm, _ event: String, _ fields: [(name: String, value: String)]) -> String {
        let stamp: Int64 = 1_796_002_200_123_999_999
        return logLine(form, nanoseconds: stamp, level: .info, event: event, fields: fields)
    }

    @Test func writesText() {
        #expect(
            line(.text, "server.listening", [("port", "7701"), ("note", "two words")])
                == "2026-11-30T01:30:00.123Z info server.listening port=7701 note=\"two words\"\n")
    }

    @Test func writesJSON() {
        #expect(line(.json, "a", [("x", "1\"2")]) == #"{"time":"2026-11-30T01:30:00.123Z","level":"info","event":"a","x":"1\"2"}"# + "\n")
    }

    // A value from outside must not start a line, a field or a terminal command.
    @Test(arguments: ["a\nb", "a\r\nlevel=error", "\u{1B}[31m", "\u{2028}", "\u{202E}", "a=b", "\\", "\u{0}", "\u{85}", ""])
    func escapesValues(_ value: String) {
        for form in [LogForm.text, .json] {
            let made = line(form, "e", [("v", value)])
            #expect(made.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
            #expect(made.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && ![0x7F, 0x85, 0x2028, 0x202E].contains($0.value) })
            #expect(form == .json || made.contains("v=\""))
        }
    }

    @Test func stampsTimesBeforeAndAfter1970() {
        #expect(utcStamp(nanoseconds: 0) == "1970-01-01T00:00:00.000Z")
        #expect(utcStamp(nanoseconds: -1) == "1969-12-31T23:59:59.999Z")
        #expect(utcStamp(nanoseconds: 951_782_399_999_000_000) == "2000-02-28T23:59:59.999Z")
        #expect(utcStamp(nanoseconds: .max) == "2262-04-11T23:47:16.854Z")
        #expect(WallClock.live.now() > 1_700_000_000_000_000_000)
    }

    @Test func keepsToItsFloor() {
        let lines = Mutex<[String]>([])
        let log = Log.lines(.warning, form: .text, clock: WallClock { 0 }) { bytes in
            lines.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
        }
        log.write(.info, "quiet", [])
        log.write(.error, "loud", [])
        #expect(lines.withLock { $0 } == ["1970-01-01T00:00:00.000Z error loud\n"])
    }
}

@Suite struct MetricsTests {
    @Test func rendersPrometheusText() {
        let metrics = Metrics()
        metrics.counter("orders_total", help: "Orders\ntaken.", labels: [("side", "b\"uy"), ("account", "x\\y")]).add(2)
        metrics.counter("orders_total", help: "Orders\ntaken.", labels: [("account", "x\\y"), ("side", "b\"uy")]).add()
        metrics.gauge("connections", help: "Open.").set(-3)
        metrics.gauge("connections", help: "Open.").add(1)
        #expect(
            metrics.prometheusText() == """
                # HELP connections Open.
                # TYPE connections gauge
                connections -2
                # HELP orders_total Orders\\ntaken.
                # TYPE orders_total counter
                orders_total{account="x\\\\y",side="b\\"uy"} 3

                """)
    }

    @Test func countsFromManyTasks() async {
        let counter = Metrics().counter("n", help: "n")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { for _ in 0..<1000 { counter.add() } } }
        }
        #expect(counter.current == 8000)
    }
}

@Suite struct HistogramTests {
    @Test("O-3: a histogram adds up in Prometheus' text: cumulative buckets, sum and count in seconds")
    func adds() {
        let metrics = Metrics()
        let histogram = metrics.histogram("x_seconds", help: "h", labels: [("kind", "a")])
        for micros in [1, 500, 501, 1_500_000, 99_000_000] { histogram.add(.microseconds(micros)) }
        let text = metrics.prometheusText()
        for line in [
            "# TYPE x_seconds histogram", "x_seconds_bucket{kind=\"a\",le=\"0.0005\"} 2", "x_seconds_bucket{kind=\"a\",le=\"0.001\"} 3",
            "x_seconds_bucket{kind=\"a\",le=\"1\"} 3", "x_seconds_bucket{kind=\"a\",le=\"2.5\"} 4",
            "x_seconds_bucket{kind=\"a\",le=\"+Inf\"} 5",
            "x_seconds_sum{kind=\"a\"} 100.501002", "x_seconds_count{kind=\"a\"} 5",
        ] { #expect(text.contains(line + "\n"), "\(line)") }
    }
}
