import Foundation
import Testing

@testable import Finder

/// `Tests/Fixtures/symbols/symbols.json`: what searches must find.
struct CaseTests {
    private struct Cases: Decodable {
        struct Wanted: Decodable {
            var query: String
            var code: String
        }
        struct Name: Decodable {
            var code: String
            var simplified: String
            var traditional: String
            var pinyin: String
            var initials: String

            enum CodingKeys: String, CodingKey {
                case code, pinyin, initials
                case simplified = "name_simplified"
                case traditional = "name_traditional_s2t"
            }
        }
        var names: [Name]
        var wanted: [Wanted]

        enum CodingKeys: String, CodingKey {
            case names
            case wanted = "search_must_contain"
        }
    }

    private func cases() throws -> Cases {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures/symbols/symbols.json")
        return try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    }

    private func symbol(_ code: String) -> String { code.drop { $0 == "0" } + ".HK" }

    @Test func searchesThatMustFind() throws {  // H-2, SYM-5
        let index = try #require(Names.index)
        for wanted in try cases().wanted {
            let found = try index.search(wanted.query).map(\.symbol)
            #expect(found.contains(symbol(wanted.code)), "\(wanted.query): \(found)")
        }
    }

    /// pypinyin reads 长和 as zhanghe: right for no one, found nevertheless.
    @Test func namesByEveryField() throws {  // H-2
        let index = try #require(Names.index)
        for name in try cases().names {
            for query in [name.simplified, name.traditional, name.pinyin, name.initials] {
                let found = try index.search(query).map(\.symbol)
                #expect(found.contains(symbol(name.code)), "\(query): \(found)")
            }
        }
    }
}
