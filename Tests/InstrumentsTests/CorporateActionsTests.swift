import Exact
import Streams
import Testing

@testable import Instruments

/// `corporate-actions.csv` (G-2).
struct CorporateActionsTests {
    private func read(_ rows: String) throws -> CorporateActions {
        let text = CorporateActions.columns.joined(separator: ",") + "\n" + rows + "\n"
        return try CorporateActions(
            CSVTable(text: text, file: "corporate-actions.csv", required: CorporateActions.columns), instruments: shippedFacts().instruments
        )
    }

    @Test func rowsInAnyOrder() throws {
        let actions = try read(
            "AAPL.US,dividend,2014-05-08,,3.29,ours,\nAAPL.US,split,2014-06-09,,7/1,ours,\nAAPL.US,known,2014-01-02,2014-12-31,,ours,")
        let apple = try shippedFacts().instruments.resolve("AAPL.US", on: day("2026-11-30")).get()
        let history = try #require(actions[apple])
        #expect(history.known == (try day("2014-01-02")...day("2014-12-31")))
        #expect(
            history.actions == [
                CorporateAction(exDay: try day("2014-05-08"), cash: 3_290_000_000),
                CorporateAction(exDay: try day("2014-06-09"), ratio: Ratio(7)),
            ])
        #expect(actions[try shippedFacts().instruments.resolve("700.HK", on: day("2026-11-30")).get()] == nil)
    }

    @Test(arguments: [
        ("APPL.US,known,2014-01-02,2014-12-31,,ours,", 2, "symbol is APPL.US, which is no share of symbols.csv"),
        ("HSI.INDX,known,2014-01-02,2014-12-31,,ours,", 2, "symbol is HSI.INDX, which is no share of symbols.csv"),
        ("AAPL.US,known,2014-01-02,2013-12-31,,ours,", 2, "known is not from a day to a later one, without a value"),
        ("AAPL.US,known,2014-01-02,,,ours,", 2, "known is not from a day to a later one, without a value"),
        ("AAPL.US,dividend,2014-05-08,,3.29,ours,", 2, "2014-05-08 is in no known days of AAPL.US"),
        ("AAPL.US,known,2014-01-02,2014-12-31,,ours,\nAAPL.US,known,2015-01-02,2015-12-31,,ours,", 3, "AAPL.US is known twice"),
        (
            "AAPL.US,known,2014-01-02,2014-12-31,,ours,\nAAPL.US,split,2014-06-09,,7/1,ours,\nAAPL.US,split,2014-06-09,,7/1,ours,", 4,
            "is there twice, or has a last day"
        ),
        ("AAPL.US,known,2014-01-02,2014-12-31,,ours,\nAAPL.US,dividend,2014-06-09,,-1,ours,", 3, "value is no cash of a share"),
        (
            "AAPL.US,known,2014-01-02,2014-12-31,,ours,\nAAPL.US,split,2014-06-09,,7,ours,", 3,
            "value is no NEW/OLD of whole shares up to 10000"
        ),
        (
            "AAPL.US,known,2014-01-02,2014-12-31,,ours,\nAAPL.US,split,2014-06-09,,0/1,ours,", 3,
            "value is no NEW/OLD of whole shares up to 10000"
        ),
        ("AAPL.US,merger,2014-06-09,,7,ours,", 2, "kind is merger, which is unknown"),
    ])
    func whatIsWrongNamesItsLine(rows: String, line: Int, reason: String) throws {
        #expect(throws: DataFault(file: "corporate-actions.csv", line: line, reason: reason)) { try read(rows) }
    }
}
