import Exact
import HTTP
import Instruments
import Portfolio
import Texts

extension Commands {
    /// `ticksize SYMBOL PRICE`: the step, whether the price may be quoted, its neighbours, the lot.
    static let tickSize = Command(
        words: ["ticksize"], summary: .helpCommandTicksize, arguments: "SYMBOL PRICE", count: 2...2, options: [TableQuestion.date]
    ) { invocation in
        let price = try TableQuestion.price(invocation.positional[1])
        let question = try TableQuestion(invocation, symbol: invocation.positional[0])
        let answer = try TickAnswer(question, price)
        invocation.output.show(answer.json, text: answer.lines)
    }
}

/// The distance of quotations from the other side's best that Hong Kong allows.
private let quotationSpreads = 24

private struct TickAnswer {
    let question: TableQuestion
    let price: Price
    let step: TickStep
    /// Hong Kong only, and only around a valid price.
    let quotable: (lowest: Price, highest: Price)?
    /// What a lot at that price is worth; futures: what a step is worth; nil where the price is no money.
    let worth: Money?

    /// The US only.
    var roundLot: (lot: Quantity, confidence: Confidence)? {
        question.facts.lots.roundLot(for: question.instrument, at: price, on: question.day)
    }

    init(_ question: TableQuestion, _ price: Price) throws {
        self.question = question
        self.price = price
        let instrument = question.instrument
        step = try question.facts.ticks.step(for: instrument, at: price, on: question.day)
        quotable =
            instrument.market == .xhkg
            ? question.facts.ticks.range(around: price, steps: quotationSpreads, for: instrument, on: question.day) : nil
        let multiplier = try Quantity(whole: Int(instrument.multiplier))
        worth =
            instrument.isTradable && !instrument.isQuotedInPercent
            ? try Money(
                price: instrument.future == nil ? price : step.tick, quantity: instrument.future == nil ? instrument.lot : .one,
                multiplier: multiplier, currency: instrument.currency, rounding: .halfUp) : nil
    }

    var lines: [String] {
        let language = question.language
        let instrument = question.instrument
        let validity: Text = step.isValid ? .ticksizeValid : .ticksizeInvalid
        var rows: [(Text, String)] = [
            (.fieldPrice, "\(question.text(price))  \(validity.words(in: language))"), (.fieldTick, "\(step.tick)  \(band)"),
            (.ticksizeBelow, question.text(step.below)), (.ticksizeAbove, question.text(step.above)),
        ]
        if let quotable {
            rows.append(
                (.ticksizeSpreads(count: quotationSpreads), "\(question.text(quotable.lowest)) – \(question.text(quotable.highest))"))
        }
        if let worth {
            let money = "\(worth.currency) \(Display.money(worth))"
            if instrument.future == nil {
                rows.append((.fieldLot, "\(Display.quantity(instrument.lot)) = \(money)"))
            } else {
                rows.append((.ticksizeTickValue, money))
                rows.append((.fieldMultiplier, NumberFormat.grouped(instrument.multiplier)))
            }
        } else if instrument.isQuotedInPercent {
            rows.append((.fieldLot, "\(Display.quantity(instrument.lot))  \(Text.ticksizePercent.words(in: language))"))
        }
        if let roundLot {
            rows.append((.ticksizeRoundLot, Display.quantity(roundLot.lot) + mark(roundLot.confidence)))
        } else if instrument.market.isUnitedStates, instrument.isTradable {
            rows.append((.ticksizeRoundLot, Text.ticksizeRoundLotUnknown.words(in: language)))
        }
        return [question.heading] + fieldLines(rows, in: language)
            + question.remarks(isVerified: step.confidence.isVerified, projectedFrom: step.projectedFrom)
    }

    private func mark(_ confidence: Confidence) -> String {
        guard !confidence.isVerified, confidence != step.confidence else { return "" }
        return "  " + (confidence == .projected ? Text.tablesProjectedShort : .feesUnverified).words(in: question.language)
    }

    /// `over 200.00 up to 500.00, table HK-A`; one band for all prices has no edges.
    private var band: String {
        let table = Text.ticksizeTable(table: step.table).words(in: question.language)
        switch (step.over, step.upTo) {
        case (nil, nil): return table
        case (let over?, nil): return Text.ticksizeBandOpen(over: question.text(over), table: table).words(in: question.language)
        case (let over, let upTo?):
            return Text.ticksizeBand(over: question.text(over), table: table, upTo: question.text(upTo)).words(in: question.language)
        }
    }

    var json: JSONValue {
        let instrument = question.instrument
        let isFuture = instrument.future != nil
        return .object(
            question.jsonHead + [
                .init("price", question.json(price)), .init("valid", .bool(step.isValid)), .init("tick", question.json(step.tick)),
                .init("below", question.json(step.below)), .init("above", question.json(step.above)), .init("table", .string(step.table)),
                .init("bandOver", question.json(step.over)), .init("bandUpTo", question.json(step.upTo)),
                .init(
                    "spreads24",
                    quotable.map {
                        .object([.init("lowest", question.json($0.lowest)), .init("highest", question.json($0.highest))])
                    } ?? .null),
                .init("lot", instrument.isTradable ? .string(instrument.lot.description) : .null),
                .init("lotValue", isFuture ? .null : question.json(worth)), .init("tickValue", isFuture ? question.json(worth) : .null),
                .init("roundLot", roundLot.map { .string($0.lot.description) } ?? .null),
                .init("multiplier", .string(String(instrument.multiplier))), .init("currency", .string(instrument.currency.code)),
                .init("verified", .bool(step.confidence.isVerified)), .init("projected", .bool(step.projectedFrom != nil)),
                .init("confidence", .string(step.confidence.rawValue)),
                .init("note", step.note.map(JSONValue.string) ?? .null),
            ])
    }
}
