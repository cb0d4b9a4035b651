import Charting
import Foundation
import HTTP

/// Runs the indicator vectors: a case for each line that TA-Lib or a Chinese program computed over the bars beside the file, and a case for
/// each odd series.
enum IndicatorCases {
    @Sendable static func recognisesLines(_ json: JSONValue) -> Bool { json["talib"]?.members != nil && json["cn"]?.members != nil }
    @Sendable static func recognisesEdges(_ json: JSONValue) -> Bool {
        json["cases"]?[0]?["required"] != nil && json["cases"]?[0]?["close"] != nil
    }

    private typealias Row = (key: String, choice: String, line: Int, scale: Double)

    private static let talib: [Row] = [
        ("MA5", "ma:5", 0, 1), ("MA10", "ma:10", 0, 1), ("MA20", "ma:20", 0, 1), ("EMA12", "ema:12", 0, 1), ("EMA26", "ema:26", 0, 1),
        ("BOLL_UP", "boll", 1, 1), ("BOLL_LOW", "boll", 2, 1), ("MACD_DIF", "macd", 0, 1), ("MACD_DEA", "macd", 1, 1),
        ("RSI6", "rsi:6", 0, 1), ("RSI12", "rsi:12", 0, 1), ("RSI14", "rsi", 0, 1), ("WILLR14", "wr:14", 0, -1), ("CCI14", "cci", 0, 1),
        ("OBV", "obv", 0, 1), ("PLUS_DI14", "dmi", 0, 1), ("MINUS_DI14", "dmi", 1, 1), ("ADX14", "dmi", 2, 1), ("ATR14", "atr", 0, 1),
        ("SAR", "sar", 0, 1), ("TRIX12", "trix", 0, 1), ("ROC12", "roc", 0, 1), ("MOM10", "mtm:10", 0, 1),
        ("MFI14", "mfi", 0, 1),
    ]
    private static let chinese: [Row] = [
        ("EMA12", "expma:12", 0, 1), ("EMA26", "expma:26", 0, 1), ("KDJ_K_seedfirst", "kdj", 0, 1), ("KDJ_D_seedfirst", "kdj", 1, 1),
        ("KDJ_J_seedfirst", "kdj", 2, 1), ("WR10", "wr:10", 0, 1),
        ("MACD_DIF", "EMA(CLOSE,12)-EMA(CLOSE,26)", 0, 1),
        ("MACD_BAR", "DIF:=EMA(CLOSE,12)-EMA(CLOSE,26);2*(DIF-EMA(DIF,9))", 0, 1),
        ("RSI6", "D:=CLOSE-REF(CLOSE,1);SMA(MAX(D,0),6,1)/SMA(ABS(D),6,1)*100", 0, 1),
        ("BOLL_UP_sample", "MA(CLOSE,20)+2*STD(CLOSE,20)", 0, 1),
        ("TRIX12", "T:=EMA(EMA(EMA(CLOSE,12),12),12);(T-REF(T,1))/REF(T,1)*100", 0, 1),
        ("TRMA9", "T:=EMA(EMA(EMA(CLOSE,12),12),12);MA((T-REF(T,1))/REF(T,1)*100,9)", 0, 1),
        ("RSI24", "D:=CLOSE-REF(CLOSE,1);SMA(MAX(D,0),24,1)/SMA(ABS(D),24,1)*100", 0, 1),
    ]

    @Sendable static func lines(_ json: JSONValue, _ folder: String) throws -> [CaseResult] {
        guard let name = json["meta"]?["data"]?.stringValue?.split(separator: ";").first else { throw ScenarioFailure("no data named") }
        let bars = try bars(String(contentsOfFile: folder + "/" + name, encoding: .utf8))
        var results: [CaseResult] = []
        for (group, rows) in [("talib", talib), ("cn", chinese)] {
            for member in json[group]?.members ?? [] {
                let id = "ind-\(group)-\(member.name)"
                guard let row = rows.first(where: { $0.key == member.name }) else {
                    results.append(CaseResult(skipped: id, because: "another definition than ours of an indicator that has several"))
                    continue
                }
                let ours = try values(row.choice, bars)[row.line].map { $0 * row.scale }
                results.append(compare(id, ours, numbers(member.value), within: 1e-9))
            }
        }
        return results
    }

    private static func bars(_ text: String) throws -> BarColumns {
        var bars = BarColumns()
        for line in text.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",").dropFirst().compactMap { Double($0) }
            guard fields.count >= 5 else { throw ScenarioFailure("a row of bars is not five numbers: \(line)") }
            bars.append(.init(open: fields[0], high: fields[1], low: fields[2], close: fields[3], volume: fields[4]))
        }
        return bars
    }

    private static func values(_ text: String, _ bars: BarColumns) throws -> [[Double]] {
        // What the Chinese programs compute otherwise is an expression in their own words.
        if text.contains("(") {
            guard let lines = try Expression(text).lines(bars) else { throw ScenarioFailure("\(text) needs too much memory") }
            return lines
        }
        guard let choice = try IndicatorChoice.parse(text).first else { throw ScenarioFailure("\(text) is no indicator") }
        return try choice.indicator.lines(bars, choice.values)
    }

    /// Null: not defined there.
    private static func numbers(_ json: JSONValue?) -> [Double?] {
        (json?.arrayValue ?? []).map { $0.numberText.flatMap(Double.init) }
    }

    /// Where they have a value ours is as theirs; where they have none yet ours may have one.
    private static func compare(_ id: String, _ ours: [Double], _ theirs: [Double?], within: Double) -> CaseResult {
        guard ours.count == theirs.count else { return CaseResult(id, passes: false, got: "\(ours.count) values, not \(theirs.count)") }
        var worst = 0.0
        for (place, (a, b)) in zip(ours, theirs).enumerated() {
            guard let b else { continue }
            let difference = abs(a - b) / max(1, abs(b))
            guard difference <= within else { return CaseResult(id, passes: false, got: "\(a) at \(place), not \(b)") }
            worst = max(worst, difference)
        }
        return CaseResult(id, passes: true, got: "within \(worst)")
    }

    // MARK: Odd series

    @Sendable static func edges(_ json: JSONValue) throws -> [CaseResult] {
        try json.elements("cases").map { test in
            let id = try test.string("id")
            do { return try edge(id, test) } catch { return CaseResult(id, passes: false, got: "\(error)") }
        }
    }

    private static func edge(_ id: String, _ test: JSONValue) throws -> CaseResult {
        let close = numbers(test["close"])
        var bars = BarColumns()
        for (place, price) in close.enumerated() {
            func value(_ name: String) -> Double {
                let column = numbers(test[name])
                return (column.indices.contains(place) ? column[place] : price) ?? .nan
            }
            bars.append(
                .init(open: price ?? .nan, high: value("high"), low: value("low"), close: price ?? .nan, volume: value("volume")))
        }
        func line(_ text: String) throws -> [Double] { try values(text, bars)[0] }
        func whole(_ ours: [Double], _ passes: Bool) -> CaseResult { CaseResult(id, passes: passes, got: "\(ours.suffix(20))") }
        switch id {
        case "ind-e1": return whole(try line("rsi"), try line("rsi").dropFirst(14).allSatisfy { $0 == 100 })
        case "ind-e2": return whole(try line("rsi"), try line("rsi").dropFirst(14).allSatisfy { $0 == 0 })
        case "ind-e4":
            let lines = try ["kdj", "wr:9"].map(line)
            return whole(lines[0], lines.allSatisfy { $0.suffix(5).allSatisfy { $0.isFinite && $0 >= 0 && $0 <= 100 } })
        case "ind-e5":
            let line = try line("ma:5")
            let means = line.indices.map { place in
                place < 4 ? Double.nan : bars.close[place - 4...place].reduce(0, +) / 5
            }
            return whole(line, zip(line, means).allSatisfy { $0.isNaN && $1.isNaN || abs($0 - $1) < 1e-9 })
        case "ind-e7": return whole(try line("ma:5"), try ["ma:5", "rsi", "ema:12"].map(line).allSatisfy { $0.allSatisfy(\.isNaN) })
        case "ind-e8": return compare(id, try line("obv"), [5, 12, 12, 1, 1, 18], within: 0)
        case "ind-e10":
            let expected = test["talib_0.8.2"]
            let results = [
                compare(id, try line("rsi:6"), numbers(expected?["RSI6"]), within: 1e-9),
                compare(id, try line("obv"), numbers(expected?["OBV"]), within: 0),
            ]
            return results.first { $0.verdict == .fail } ?? results[0]
        case "ind-e11": return try replaced(id, test, bars)
        default: return CaseResult(id, passes: false, got: "a case nobody here knows")
        }
    }

    /// The last bar changes, then another comes: as if the bars had been so from the start.
    private static func replaced(_ id: String, _ test: JSONValue, _ bars: BarColumns) throws -> CaseResult {
        var bars = bars
        func flat(_ price: Double) -> BarColumns.Bar { .init(open: price, high: price, low: price, close: price, volume: 100) }
        func number(_ name: String) -> Double? { test[name]?.numberText.flatMap(Double.init) }
        let series = try ["ma:5", "rsi:6", "ema:5"].map { text in
            guard let choice = try IndicatorChoice.parse(text).first else { throw ScenarioFailure("\(text) is no indicator") }
            return try choice.indicator.series(choice.values)
        }
        var got: [Double?] = []
        func update(_ changed: Int) {
            for one in series {
                one.update(bars, changed: changed)
                got.append(one.lines[0].last)
            }
        }
        update(0)
        bars[9] = flat(108)
        update(9)
        bars.append(flat(107))
        update(10)
        let wanted: [Double?] = [
            nil, number("before_RSI6_last"), nil, number("after_replace_MA5_last"), number("after_replace_RSI6_last"), nil,
            number("after_append_MA5_last"), number("after_append_RSI6_last"), number("after_append_EMA5_last"),
        ]
        return compare(id, got.map { $0 ?? .nan }, wanted, within: 1e-9)
    }
}
