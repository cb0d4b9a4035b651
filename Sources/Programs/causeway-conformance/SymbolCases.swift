import Finder
import Foundation
import HTTP
import Instruments
import Symbols

/// Runs the symbol vectors: what is typed, taken apart by its form; searches over the shipped database that must find a Hong Kong share.
/// The cases have no ids; they are named by list and place, searches by what is typed.
enum SymbolCases {
    @Sendable static func recognises(_ json: JSONValue) -> Bool { json["normalise"] != nil && json["search_must_contain"] != nil }

    @Sendable static func run(_ json: JSONValue) throws -> [CaseResult] {
        let forms = try json.elements("normalise").enumerated().map { place, test in
            let got = Self.reading(test["input"]?.stringValue ?? "(no input)")
            return CaseResult("normalise-\(place)", passes: agrees(got, try test.member("expect")), got: "\(got)")
        }
        let index = try shippedIndex()
        let wanted = try json.elements("search_must_contain").map { test in
            try search(text(test, "query"), text(test, "code"), "search", index)
        }
        let names = try json.elements("names").flatMap { name in
            try ["name_simplified", "name_traditional_s2t", "pinyin", "initials"].map { field in
                try search(text(name, field), text(name, "code"), field, index)
            }
        }
        return forms + wanted + names
    }

    private static func text(_ fields: JSONValue, _ name: String) throws -> String {
        guard let text = fields[name]?.stringValue else { throw ScenarioFailure("\(name) is no text") }
        return text
    }

    /// Of every row of the shipped database, made now.
    private static func shippedIndex() throws -> SearchIndex {
        let database = try SymbolShelf(user: nil, shipped: DataFolder.locate()).openShipped()
        let bytes = SearchIndexBuilder.build(
            try database.allRows().map(\.instrument), version: UInt64(database.release.version))
        return try SearchIndex(Data(bytes))
    }

    private static func search(_ query: String, _ code: String, _ list: String, _ index: SearchIndex) throws -> CaseResult {
        let found = try index.search(query).map(\.symbol)
        let symbol = String(code.drop { $0 == "0" }) + ".HK"
        return CaseResult("\(list)-\(query)", passes: found.contains(symbol), got: found.joined(separator: " "))
    }

    /// The futures products a form may name; the symbol database knows them otherwise.
    private static let products = ["HSI": "HKFE", "ES": "CME"]

    private static func reading(_ text: String) -> SymbolReading { SymbolReading(text) { products[$0] } }

    private static func agrees(_ got: SymbolReading, _ expected: JSONValue) -> Bool {
        switch got {
        case .empty: expected["error"]?.stringValue == "empty"
        case .noCode: expected["error"]?.stringValue == "no code"
        case .words: expected["search"]?.stringValue != nil
        case .code(let form):
            if let offered = expected["search"] {
                [form.withClass] == offered.arrayValue?.map(\.stringValue)
            } else {
                form.code == expected["code"]?.stringValue && form.venue == expected["market"]?.stringValue
            }
        case .ambiguous(let forms):
            (expected["ambiguous"]?.arrayValue ?? []).map { $0.stringValue?.split(separator: " ").first.map(String.init) }
                == forms.map { ($0.venue ?? "") + ":" + $0.code }
        }
    }
}
