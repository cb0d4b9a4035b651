import Testing
import Texts

@testable import causeway

@Suite("G-3 Q-3 what is wrong with an indicator or a formula is said in the user's language")
struct IndicatorFaultTests {
    private func said(_ text: String, _ language: Language) -> String? {
        do throws(Failure) { _ = try IndicatorCommand.plots(ofList: text) } catch { return error.text(in: language) }
        return nil
    }

    @Test(
        "the place counts from 1; limits are written as numbers are",
        arguments: [
            ("foo", "foo: unknown name: FOO, at character 1. causeway indicator lists what is known"),
            ("ma:0", "ma:0: outside its limits (whole where it is a period): n = 1 … 10,000. causeway indicator lists what is known"),
            ("boll:x", "boll:x: not a number: x. causeway indicator lists what is known"),
            (
                "MA(CLOSE,0)",
                "MA(CLOSE,0): needs a whole number from 1 to 10,000 as its window: MA, at character 1. causeway indicator lists what is known"
            ),
        ])
    func words(text: String, english: String) {
        #expect(said(text, .english) == english)
        for language in [Language.simplifiedChinese, .traditionalChinese] {
            let words = said(text, language)?.replacing(text, with: "").replacing("causeway indicator", with: "")
            #expect(words?.contains("formula-") == false && words?.contains("limits") == false && words?.contains("{") == false)
        }
    }

    @Test func chinese() {
        #expect(said("foo", .simplifiedChinese) == "foo：未知名称：FOO（第 1 个字符）。可用 causeway indicator 查看全部指标")
    }
}
