import Exact
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts
import Trade

extension Commands {
    /// `fees SYMBOL buy|sell QTY PRICE`: what exchange and state take of an order that trades wholly at that price, item by item.
    static let fees = Command(
        words: ["fees"], summary: .helpCommandFees, arguments: "SYMBOL buy|sell QTY PRICE", count: 4...4, options: [TableQuestion.date]
    ) { invocation in
        let side: OrderSide
        switch invocation.positional[1] {
        case "buy": side = .buy
        case "sell": side = .sell
        default: throw Usage.choice("buy|sell", ["buy", "sell"])
        }
        let quantity = try Usage.quantity("QTY", invocation.positional[2])
        let price = try TableQuestion.price(invocation.positional[3])
        let question = try TableQuestion(invocation, symbol: invocation.positional[0])
        guard question.instrument.isTradable else {
            throw Failure(.orderNotTradable, .init("symbol", question.instrument.symbol))
        }
        guard price.nanos > 0 || question.instrument.future != nil else {
            throw Usage.invalid("PRICE", invocation.positional[3], .priceAboveZero)
        }
        let schedule: FeeSchedule
        do throws(DataFault) { schedule = try FeeSchedule(question.folder) } catch {
            throw Failure(.dataCorrupt, .init("path", error.description))
        }
        let statement = try schedule.statement(for: question.instrument, side, quantity: quantity, price: price, on: question.day)
        let answer = FeeAnswer(question: question, side: side, quantity: quantity, price: price, statement: statement)
        invocation.output.show(answer.json, text: answer.lines)
    }
}

private struct FeeAnswer {
    let question: TableQuestion
    let side: OrderSide
    let quantity: Quantity
    let price: Price
    let statement: FeeStatement

    /// Nil where no table of price steps holds on that day.
    private var isOnTick: Bool? {
        let ticks = question.facts.ticks
        guard ticks.hasSteps(for: question.instrument, on: question.day) else { return nil }
        return ticks.isOnTick(price, for: question.instrument, on: question.day)
    }
    private var isOddLot: Bool { !quantity.isMultiple(ofLot: question.instrument.lot) }

    var lines: [String] {
        let language = question.language
        let instrument = question.instrument
        func money(_ money: Money) -> String { "\(money.currency) \(Display.money(money))" }
        let times = instrument.multiplier == 1 ? "" : " × \(NumberFormat.grouped(instrument.multiplier))"
        let worth = "\(Display.quantity(quantity)) × \(question.text(price))\(times) = \(money(statement.consideration))"
        var table = Table(in: language, (.feesItem, .left), (.feesRate, .right), (.feesAmount, .right), (nil, .left))
        table.rows = statement.items.map { item in
            [
                Text.feesRule(name: item.rule).words(in: language), rate(item), Display.money(item.amount),
                [zero(item.zero), mark(item.confidence)].compactMap { $0?.words(in: language) }.joined(separator: "  "),
            ]
        }
        if !statement.items.isEmpty {
            table.rows.append([Text.feesTotal.words(in: language), "", Display.money(statement.total), ""])
        }
        table.rows += totals.map { [$0.name.words(in: language), "", $0.value, ""] }
        let known = question.facts.settlement.cycle(for: instrument, on: question.day).map(line)
        let cycle = instrument.future == nil ? [known ?? Text.feesSettlesUnknown.words(in: language)] : []
        let body =
            statement.items.isEmpty
            ? [none.words(in: language)] + fieldLines(totals, in: language)
            : table.lines(within: Output.width)
        return ["\(question.heading)  \(side.text.words(in: language)) \(worth)"] + body + warnings + cycle
            + [Text.feesAbout.words(in: language)]
            + question.remarks(isVerified: statement.isVerified, projectedFrom: statement.projectedFrom)
    }

    /// What is behind the fees; nothing for futures, whose worth is not paid.
    private var totals: [(name: Text, value: String)] {
        statement.settlement.map { [(side == .buy ? .feesCost : .feesProceeds, Display.money($0))] } ?? []
    }

    private var none: Text {
        guard !statement.otherSideOnly.isEmpty else { return .feesNone }
        let rules = statement.otherSideOnly.map { Text.feesRule(name: $0).words(in: question.language) }
            .joined(separator: question.language == .english ? ", " : "、")
        return side == .buy ? .feesNoneThisSide(rules: rules) : .feesNoneOnSale(rules: rules)
    }

    private func mark(_ confidence: Confidence) -> Text? {
        confidence.isVerified ? nil : confidence == .projected ? .tablesProjectedShort : .feesUnverified
    }

    private func zero(_ reason: FeeStatement.Zero?) -> Text? {
        switch reason {
        case nil: nil
        case .rate(let until?): .feesZeroRateUntil(date: until.description)
        case .rate(nil): .feesZeroRate
        case .price: .feesZeroPrice
        case .rounded: .feesZeroRounded
        }
    }

    private func line(_ cycle: SettlementCycles.Cycle) -> String {
        [Text.feesSettles(days: cycle.days), mark(cycle.confidence)].compactMap { $0?.words(in: question.language) }.joined(separator: "  ")
    }

    private var warnings: [String] {
        var warnings: [Text] = []
        if isOddLot { warnings.append(.feesOddLot(lot: question.instrument.lot.description)) }
        if isOnTick == false { warnings.append(.feesOffTick(price: question.text(price))) }
        return warnings.map { $0.words(in: question.language) }
    }

    /// `0.0027%` of the consideration, or an amount each.
    private func rate(_ item: FeeStatement.Item) -> String {
        let amount = "\(item.amount.currency) \(Price(nanos: item.rate))"
        let each: Text
        switch item.basis {
        case .consideration: return Price(nanos: item.rate).percentText
        case .quantity: each = question.instrument.future == nil ? .feesRatePerShare(amount: amount) : .feesRatePerContract(amount: amount)
        case .order: each = .feesRatePerOrder(amount: amount)
        }
        return each.words(in: question.language)
    }

    var json: JSONValue {
        .object(
            question.jsonHead + [
                .init("side", .string(side == .buy ? "buy" : "sell")), .init("quantity", .string(quantity.description)),
                .init("price", question.json(price)), .init("currency", .string(question.instrument.currency.code)),
                .init("consideration", question.json(statement.consideration)),
                .init("items", .array(statement.items.map(item))), .init("total", question.json(statement.total)),
                .init("settlement", question.json(statement.settlement)), .init("verified", .bool(statement.isVerified)),
                .init("projected", .bool(statement.isProjected)),
                .init("otherSideOnly", .array(statement.otherSideOnly.map(JSONValue.string))),
                .init(
                    "settlementDays",
                    question.facts.settlement.cycle(for: question.instrument, on: question.day).map { .int($0.days) } ?? .null),
                .init("wholeLots", .bool(!isOddLot)), .init("onTick", isOnTick.map { .bool($0) } ?? .null),
            ])
    }

    private func item(_ item: FeeStatement.Item) -> JSONValue {
        .object([
            .init("rule", .string(item.rule)), .init("basis", .string(item.basis.rawValue)),
            .init("rate", .string(Price(nanos: item.rate).description)), .init("amount", question.json(item.amount)),
            .init("verified", .bool(item.confidence.isVerified)), .init("confidence", .string(item.confidence.rawValue)),
            .init("projected", .bool(item.confidence == .projected)),
            .init("zeroBecause", item.zero.map { .string($0.word) } ?? .null), .init("note", item.note.map(JSONValue.string) ?? .null),
        ])
    }
}

extension Price {
    /// The number as a percentage: `0.00565%` of 0.0000565.
    fileprivate var percentText: String { Price(nanos: nanos * 100).description + "%" }
}
