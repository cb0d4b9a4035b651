import Streams
import HTTP
import Testing

/// Strict, bounded, lossless JSON (C-6, O-3).
struct JSONTests {
    @Test(arguments: [
        #"{"a":[1,-0,1.50,1e400,0.10],"b":{"c":null,"d":[true,false]},"e":"x\ny"}"#, "[]", "{}", #""""#, "0", "null",
        #"["9007199254740993",9007199254740993,123456789012345678901234567890]"#,
    ])
    func `what is read is written again as it was`(text: String) throws {
        #expect(try JSONValue(parsing: text).serialized() == text)
    }

    @Test func `escapes and surrogate pairs are read right`() throws {
        let value = try JSONValue(parsing: #" "\u0041\ud83d\ude00\"\\\/\b\f\n\r\t\u20AC腾" "#)
        #expect(value.stringValue == "A😀\"\\/\u{8}\u{c}\n\r\t€腾")
        #expect(JSONValue.string("\u{1}\u{8}\"\\").serialized() == #""\u0001\u0008\"\\""#)
    }

    @Test(arguments: [
        ("", JSONError.Kind.unexpectedEnd), ("[1,]", .unexpectedByte), ("{\"a\":1,}", .unexpectedByte), ("01", .badNumber),
        ("-", .badNumber),
        ("1.", .badNumber), (".5", .unexpectedByte), ("+1", .unexpectedByte), ("1e", .badNumber), ("--1", .badNumber),
        ("1 2", .trailingBytes),
        ("tru", .unexpectedEnd), ("nulL", .unexpectedByte), ("NaN", .unexpectedByte), ("\"a", .unexpectedEnd),
        ("\"\u{1}\"", .controlCharacter),
        ("\"\\x\"", .badEscape), ("\"\\u12g4\"", .badEscape), ("\"\\u12", .unexpectedEnd), ("\"\\ud83d\"", .loneSurrogate),
        ("\"\\ude00\"", .loneSurrogate), ("\"\\ud83d\\u0041\"", .loneSurrogate), ("{\"a\":1,\"a\":2}", .duplicateName),
        ("{\"a\":1,\"\\u0061\":2}", .duplicateName), ("{a:1}", .unexpectedByte), ("{\"a\" 1}", .unexpectedByte),
        ("\u{feff}1", .unexpectedByte),
    ])
    func `bad text is refused`(text: String, kind: JSONError.Kind) {
        #expect { try JSONValue(parsing: text) } throws: { ($0 as? JSONError)?.kind == kind }
    }

    @Test func `depth, size and UTF-8 are bounded`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try JSONValue(parsing: deep) }
        #expect { try JSONValue(parsing: "[" + deep + "]") } throws: { ($0 as? JSONError)?.kind == .tooDeep }
        let bottomless = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect { try JSONValue(parsing: bottomless) } throws: { ($0 as? JSONError)?.kind == .tooDeep }
        #expect { try JSONValue(parsing: "12345", limits: .init(bytes: 4)) } throws: { ($0 as? JSONError)?.kind == .tooLarge }
        for bad: [UInt8] in [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]] {
            #expect { try JSONValue(parsing: [0x22] + bad + [0x22]) } throws: { ($0 as? JSONError)?.kind == .badUTF8 }
        }
    }

    @Test func `a large object finds its duplicate too`() {
        let many = (0..<40).map { "\"k\($0)\":1" }.joined(separator: ",")
        #expect(throws: Never.self) { try JSONValue(parsing: "{\(many)}") }
        #expect { try JSONValue(parsing: "{\(many),\"k3\":1}") } throws: { ($0 as? JSONError)?.kind == .duplicateName }
    }

    @Test func `accessors are exact`() throws {
        let value = try JSONValue(parsing: #"{"s":"x","n":9223372036854775807,"e":1e3,"f":1.5,"z":1.0,"big":9223372036854775808,"a":[7]}"#)
        #expect(value["s"]?.stringValue == "x")
        #expect(value["n"]?.int64Value == .max)
        #expect(value["e"]?.intValue == 1000)
        #expect(value["z"]?.intValue == 1)
        #expect(value["f"]?.intValue == nil)
        #expect(value["big"]?.intValue == nil)
        #expect(value["a"]?[0]?.intValue == 7)
        #expect(value["a"]?[1] == nil)
        #expect(value["none"] == nil)
        #expect(JSONNumber("1.50") == JSONNumber("15e-1"))
        #expect(JSONNumber("-0") == JSONNumber("0.000e9"))
        #expect(JSONNumber("1e400") != JSONNumber("1e401"))
        #expect(JSONNumber("1e99999999999999999999") == nil)
        #expect(
            try JSONValue(parsing: #"{"a":[],"b":{"c":[1,2]}}"#).pretty()
                == "{\n  \"a\": [],\n  \"b\": {\n    \"c\": [\n      1,\n      2\n    ]\n  }\n}")
    }

    @Test(arguments: UInt64(0)..<200)
    func `any value survives writing and reading`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let value = JSONValue.random(depth: 4, &random)
        #expect(try JSONValue(parsing: value.serialized()) == value)
        #expect(try JSONValue(parsing: value.pretty()) == value)
    }

    @Test(arguments: UInt64(0)..<200)
    func `damaged bytes never trap`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bytes = JSONValue.random(depth: 4, &random).serializedBytes()
        for _ in 0..<4 {
            guard let place = bytes.indices.randomElement(using: &random) else { continue }
            if Bool.random(using: &random) { bytes[place] = UInt8.random(in: 0...255, using: &random) } else { bytes.remove(at: place) }
        }
        if let value = try? JSONValue(parsing: bytes) { #expect((try? JSONValue(parsing: value.serialized())) == value) }
    }
}

extension JSONValue {
    static func random(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        func text() -> String {
            String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    Character(["a", "\"", "\\", "\n", "\u{1}", "腾", "😀", "/", "é"].randomElement(using: &random) ?? "a")
                })
        }
        switch Int.random(in: 0...(depth == 0 ? 3 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .number(["0", "-0", "1e400", "0.10", "-12.5E+3", "9007199254740993"].randomElement(using: &random) ?? "0")
        case 3: return .string(text())
        case 4: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in .random(depth: depth - 1, &random) })
        default:
            return .object((0..<Int.random(in: 0...4, using: &random)).map { .init("\($0)" + text(), .random(depth: depth - 1, &random)) })
        }
    }
}
