import SQLite
import Sealed
import Testing
import Texts

@testable import causeway

@Suite("Q-3 Q-4 what failed inside is said in words, never as a program writes it")
struct ReasonsTests {
    @Test(
        "no number of the system, no case of a type, and Chinese where the language is",
        arguments: [
            SealedError.wrongKey.reason, SealedError.damaged.reason, SealedError.newer(version: 2).reason, SealedError.outOfMemory.reason,
            SealedError.file(path: "/p", reason: "Permission denied").reason, SealedError.full(path: "/p").reason,
            SQLiteError.full.reason, SQLiteError.busy.reason, SQLiteError.readOnly.reason, SQLiteError.newer(found: 9, known: 1).reason,
            SQLiteError.corrupt("database disk image is malformed").reason, SQLiteError.other(code: 10, "disk I/O error").reason,
            SQLiteError.other(code: 14, "unable to open database file").reason,
        ])
    func words(reason: String) {
        let failure = Failure(.storageFailed, .init("reason", "/data: " + reason))
        let english = failure.text(in: .english)
        #expect(!english.contains("code:") && !english.contains("(") && !english.contains("\""))
        #expect(english.contains(reason.split(separator: ": ").last.map(String.init) ?? reason) || reason.contains("image"))
        for language in [Language.simplifiedChinese, .traditionalChinese] {
            let said = failure.text(in: language)
            #expect(said.hasPrefix(language == .simplifiedChinese ? "读写失败：/data: " : "讀寫失敗：/data: "))
            #expect(said.suffix(2).allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x4E00 } }, "\(said)")
        }
    }
}
