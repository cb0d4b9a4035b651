import HTTP
import Instruments

/// Runs the symbol vectors: what is typed, taken apart by its form. A case is named by what is typed.
enum SymbolCases {
    @Sendable static func recognises(_ json: JSONValue) -> Bool { json["normalise"] != nil && json["search_must_contain"] != nil }

    @Sendable static func run(_ json: JSONValue) throws -> [CaseResult] {
        try json.elements("normalise").enumerated().map { place, test in
            let got = Self.reading(test["input"]?.stringValue ?? "(no input)")
            return CaseResult("normalise-\(place)", passes: agrees(got, try test.member("expect")), got: "\(got)")
        }
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
