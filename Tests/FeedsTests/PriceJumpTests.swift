import Testing

@testable import Feeds

struct PriceJumpTests {
    private func verdicts(_ prices: [Int64], after last: Int64) -> [PriceJump.Verdict] {
        var jump = PriceJump()
        return prices.map { jump.judge($0, after: last) }
    }

    @Test func threeThatAgreeAreANewPrice() {  // F-8
        #expect(verdicts([190, 191, 189], after: 150) == [.held(isFirst: true), .held(isFirst: false), .confirmed])
        #expect(verdicts([190, 150, 190], after: 150) == [.held(isFirst: true), .sound, .held(isFirst: true)])
    }

    /// A price that runs, and one between two orders far apart: no three of them agree.
    @Test(arguments: [[190, 196, 202, 208, 214, 221, 227, 234, 241], [190, 201, 190, 201, 190, 201, 190, 201]] as [[Int64]])
    func aRunOnOneSideIsANewPrice(prices: [Int64]) {  // F-8
        #expect(verdicts(prices, after: 150).contains(.confirmed))
    }

    @Test func oneAboveAndOneBelowAreNoRun() {  // F-8
        #expect(!verdicts((0..<40).map { $0 % 2 == 0 ? 400 : 20 }, after: 150).contains(.confirmed))
    }
}
