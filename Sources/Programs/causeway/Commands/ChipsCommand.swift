import Charting
import HTTP
import Texts

/// `indicator chips`: at what prices the shares in float were bought, from the user's own bars (G-3).
enum ChipsCommand {
    static let name = "chips"

    static func show(_ invocation: Invocation) throws {
        guard let path = invocation["input"] else { throw Usage.option(.missing, "input") }
        if invocation["count"] != nil { throw Usage.conflict("count", name) }
        let float = try float(invocation)
        let file = try BarFile(path: path)
        guard let chips = ChipSeries.of(file.bars, float: float), chips.known > 0 else {
            throw IndicatorCommand.invalid(name, "bars-without-volume")
        }
        let time = file.times[file.times.count - 1].description
        if invocation.has("csv") {
            invocation.output.line("low,high,share")
            for bin in bins(chips) { invocation.output.line("\(bin.low),\(bin.high),\(bin.share)") }
            return
        }
        invocation.output.show(
            .object([.init("chips", json(chips, time, float))]), text: lines(chips, time, file.decimals, invocation.language))
    }

    /// - Throws: `chips.float` where it is not said, for no table of ours tells it.
    static func float(_ invocation: Invocation) throws -> Double {
        guard invocation["float"] != nil else { throw Failure(.chipsFloat) }
        return Double(try invocation.integer("float", in: 1...1_000_000_000_000_000, default: 1))
    }

    static func words(in language: Language) -> ChartChips.Words {
        .init(
            title: Text.chipsTitle.words(in: language), profit: Text.chipsProfit.words(in: language),
            average: Text.chipsAverage.words(in: language), known: Text.chipsKnown.words(in: language),
            concentration: Text.chipsConcentration.words(in: language))
    }

    private static func bins(_ chips: ChipDistribution) -> [(low: Double, high: Double, share: Double)] {
        chips.masses.indices.filter { chips.masses[$0] > 0 }
            .map { (chips.price($0), chips.price($0 + 1), chips.masses[$0] / chips.known) }
    }

    private static let shares: [(share: Double, name: String)] = [(0.9, "90%"), (0.7, "70%")]

    private static func json(_ chips: ChipDistribution, _ time: String, _ float: Double) -> JSONValue {
        func number(_ value: Double) -> JSONValue { value.isFinite ? .string("\(value)") : .null }
        let ranges = shares.map { share, _ -> JSONValue in
            let (low, high) = chips.range(share)
            return .object([
                .init("share", number(share)), .init("low", number(low)), .init("high", number(high)),
                .init("concentration", number(chips.concentration(share))),
            ])
        }
        let bins = bins(chips).map { bin -> JSONValue in
            .object([.init("low", number(bin.low)), .init("high", number(bin.high)), .init("share", number(bin.share))])
        }
        return .object([
            .init("time", .string(time)), .init("float", number(float)), .init("close", number(chips.close ?? .nan)),
            .init("known", number(chips.known)), .init("profit", number(chips.profitShare)), .init("average", number(chips.averageCost)),
            .init("ranges", .array(ranges)), .init("step", number(chips.step)), .init("bins", .array(bins)),
        ])
    }

    // MARK: For people

    /// Rows of prices at most.
    private static let rows = 24

    private static func lines(_ chips: ChipDistribution, _ time: String, _ decimals: Int, _ language: Language) -> [String] {
        func percent(_ share: Double) -> String { share.isFinite ? fixed(share * 100, 1) + "%" : "—" }
        func price(_ value: Double) -> String { fixed(value, decimals) }
        var figures = [
            [Text.chipsProfit.words(in: language), percent(chips.profitShare)],
            [Text.chipsAverage.words(in: language), price(chips.averageCost)],
        ]
        for (share, name) in shares {
            let (low, high) = chips.range(share)
            figures.append([
                Text.chipsRange(share: name).words(in: language),
                price(low) + "–" + price(high) + "  " + Text.chipsConcentration.words(in: language) + " "
                    + percent(chips.concentration(share)),
            ])
        }
        figures.append([Text.chipsKnown.words(in: language), percent(chips.known)])
        var table = Table(in: language, (.fieldTime, .left), (nil, .left))
        table.columns[1].title = time
        table.rows = figures
        return table.lines(within: Output.width) + [""] + histogram(chips, price, percent, language)
    }

    /// Dearest first; neighbouring bins together where there are more than rows.
    private static func histogram(
        _ chips: ChipDistribution, _ price: (Double) -> String, _ percent: (Double) -> String, _ language: Language
    ) -> [String] {
        let together = (chips.masses.count + rows - 1) / rows
        let starts = stride(from: 0, to: chips.masses.count, by: together)
        let groups = starts.map { start -> (low: Double, high: Double, share: Double) in
            let end = min(start + together, chips.masses.count)
            return (chips.price(start), chips.price(end), chips.masses[start..<end].reduce(0, +) / chips.known)
        }
        let most = groups.map(\.share).max() ?? 1
        var table = Table(in: language, (.fieldPrice, .right), (nil, .left), (.fieldShare, .right))
        table.rows = groups.reversed().map { group in
            let bar = String(repeating: "█", count: most > 0 ? Int(clamping: (group.share / most * 40).rounded()) : 0)
            return [price(group.low) + "–" + price(group.high), bar, percent(group.share)]
        }
        return table.lines(within: Output.width)
    }

    private static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { result, _ in result * 10 }
        guard value.isFinite, let whole = Int64(exactly: (value * scale).rounded()) else { return "—" }
        return NumberFormat.fixed(whole, scale: decimals, decimals: decimals)
    }
}

extension ErrorCode {
    /// How many shares are in free float was not said, and no table tells it.
    static let chipsFloat = ErrorCode("chips.float")
}
