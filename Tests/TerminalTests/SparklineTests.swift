import Testing

@testable import Terminal

/// `watch` shows the day so far where the terminal has room for it (G).
struct SparklineTests {
    private func spark(_ prices: [Int64]) -> Sparkline {
        var spark = Sparkline(day: 20_261_130)
        for (minute, price) in prices.enumerated() { spark.add(price, at: Int64(minute) * 60_000_000_000 + 5, day: 20_261_130) }
        return spark
    }

    @Test func fromTheLowestToTheHighest() {
        #expect(spark([0, 1, 2, 3, 4, 5, 6, 7]).text(columns: 20) == "▁▂▃▄▅▆▇█")
        #expect(spark([700, 0, 700, 350]).text(columns: 20) == "█▁█▅")
        #expect(spark([5, 5, 5]).text(columns: 20) == "▄▄▄")
        #expect(spark([-7, 0]).text(columns: 20) == "▁█")
        #expect(spark([.min, .max, 0]).text(columns: 3) == "▁█▅")
    }

    /// The last minute of those that share a block, so that the last block is now.
    @Test func manyMinutesShareABlock() {
        let day = spark((0..<331).map { Int64($0 < 330 ? 100 : 900) })
        #expect(day.text(columns: 8) == "▁▁▁▁▁▁▁█")
        #expect(spark([1]).text(columns: 8) == "" && Sparkline(day: 1).text(columns: 8) == "")
        #expect(spark([1, 2]).text(columns: 0) == "" && spark([1, 2]).text(columns: -3) == "")
    }

    @Test func aMinuteHasOnePriceAndADayBeginsAnew() {
        var day = spark([10, 20, 30])
        day.add(10, at: 2 * 60_000_000_000 + 9, day: 20_261_130)
        #expect(day.text(columns: 8) == "▁█▁")
        // From before: left out.
        day.add(99, at: 60_000_000_000, day: 20_261_130)
        #expect(day.text(columns: 8) == "▁█▁")
        day.add(7, at: 3 * 60_000_000_000, day: 20_261_201)
        #expect(day.text(columns: 8) == "")
        day.add(8, at: 4 * 60_000_000_000, day: 20_261_201)
        #expect(day.text(columns: 8) == "▁█")
        for minute in Int64(5)..<5_000 { day.add(minute, at: minute * 60_000_000_000, day: 20_261_201) }
        #expect(day.text(columns: 10_000).count <= 1_600)
    }

    /// Nothing where there is no terminal, and never a line that is wider than one.
    @Test(arguments: [nil, 0, 20, 29, 30, 40, 80, 300])
    func onlyWhereThereIsRoom(columns: Int?) {
        let line = "700.HK  腾讯控股  367.60"
        let day = spark((0..<200).map { Int64($0) })
        let told = day.behind(line, columns: columns)
        #expect(told.hasPrefix(line))
        guard let columns, columns >= 24 + 2 + 8 else {
            #expect(told == line)
            return
        }
        #expect(told.count - line.count == 2 + min(columns - 26, 32))
        #expect(Sparkline(day: 1).behind(line, columns: columns) == line)
    }
}
