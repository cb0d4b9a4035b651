import Accounts
import Testing
import Texts

@testable import causeway

struct AlertWordsTests {
    @Test(
        "F-5 a condition as it is typed",
        arguments: [
            (["above", "450"], AlertCondition.above, "450"), (["below", "380.50"], .below, "380.5"), (["up", "5%"], .up, "5"),
            (["down", "3"], .down, "3"), (["volume", "20M"], .volume, "20000000"), (["volume", "1.5k"], .volume, "1500"),
            (["volume", "100"], .volume, "100"), (["bid", "above", "450"], .bidAbove, "450"),
            (["ASK", "below", "0.01"], .askBelow, "0.01"),
            (["bid-below", "7"], .bidBelow, "7"),
        ])
    func typed(words: [String], condition: AlertCondition, value: String) throws {
        let read = try AlertWords(words)
        #expect(read.condition == condition && read.value == value)
    }

    @Test(
        "F-5 an expression needs the period of its bars, and nothing beside it",
        arguments: [
            ([], "CLOSE>5", nil, "usage.option-missing"), ([], nil, "5m", "usage.option-missing"),
            (["above", "5"], nil, "5m", "usage.option-missing"), (["above", "5"], "CLOSE>5", "5m", "usage.argument-extra"),
            ([], "CLOSE>5", "4m", "usage.choice"), ([], "CLOSE>5", "5M", "usage.choice"), (["when", "5"], nil, nil, "usage.choice"),
        ] as [([String], String?, String?, String)])
    func expressions(words: [String], when: String?, period: String?, code: String) {
        #expect { _ = try AlertWords(words, when: when, period: period) } throws: { ($0 as? Failure)?.code.rawValue == code }
    }

    @Test("F-5 an expression is told as it was typed, with its period") func expression() throws {
        let read = try AlertWords([], when: "cross(C, MA(C,5))", period: "5m")
        #expect(read.condition == .when && read.value == "cross(C, MA(C,5))" && read.period == .minute5)
        #expect(
            read.condition.text(read.value, read.period).words(in: .english) == "cross(C, MA(C,5)) true at a bar's end (5 minutes)")
    }

    @Test(
        "F-5 what is no condition is a usage error",
        arguments: [
            ["sideways", "5"], ["bid", "5"], ["above", "above", "5"], ["above", "0"], ["above", "-1"], ["above", "5%"], ["above", "1e3"],
            ["up", "%"], ["up", "0%"], ["volume", "M"], ["volume", "0"], ["volume", "99999999999B"], ["above", "0.0000000001"], ["", "5"],
        ])
    func refused(words: [String]) {
        #expect { _ = try AlertWords(words) } throws: { ($0 as? Failure)?.code.rawValue.hasPrefix("usage.") ?? false }
    }
}
