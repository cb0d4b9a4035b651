import Streams
import Foundation
import Instruments
import Testing
import Texts

@testable import Finder

/// Queries as people make them, from the names of the rows.
enum Queries {
    static func any(of rows: [SlowSearch.Row], _ random: inout SeededRandom) -> String {
        guard let row = rows.randomElement(using: &random) else { return "a" }
        func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [0x61], as: UTF8.self) }
        func part(_ text: String) -> String {
            let begin = Int.random(in: 0..<max(1, text.count), using: &random)
            return String(text.dropFirst(begin).prefix(Int.random(in: 1...6, using: &random)))
        }
        let name = text(row.keys.names.randomElement(using: &random)?.text)
        let syllables = row.keys.pinyin.first ?? ["a"]
        switch Int.random(in: 0..<14, using: &random) {
        case 0: return text(row.keys.codes.randomElement(using: &random)?.filter { $0 > 1 })
        case 1: return String(row.symbol.prefix(Int.random(in: 1...8, using: &random)))
        case 2: return name
        case 3: return String(name.prefix(Int.random(in: 1...8, using: &random)))
        case 4: return part(name)
        case 5: return String(syllables.joined().prefix(Int.random(in: 1...12, using: &random)))
        case 6: return text(row.keys.initials.first)
        case 7: return text(row.keys.initialsOther.randomElement(using: &random) ?? row.keys.initials.first)
        case 8: return text((row.keys.pinyinOther.randomElement(using: &random) ?? syllables).joined().utf8.map { $0 })
        case 9: return mixed(row, &random)
        case 11, 12: return shortened(name, &random)
        case 10: return name.split(separator: " ").shuffled(using: &random).prefix(2).map { $0.prefix(5) }.joined(separator: " ")
        default: return mistyped(name.split(separator: " ").randomElement(using: &random).map(String.init) ?? name, &random)
        }
    }

    private static func shortened(_ name: String, _ random: inout SeededRandom) -> String {
        let places = name.indices.shuffled(using: &random).prefix(Int.random(in: 2...4, using: &random)).sorted()
        return String(places.map { name[$0] })
    }

    private static func mixed(_ row: SlowSearch.Row, _ random: inout SeededRandom) -> String {
        guard let syllables = row.keys.pinyin.first,
            let name = row.keys.names.map({ String(decoding: $0.text, as: UTF8.self) }).first(where: { $0.count == syllables.count })
        else { return "腾xun" }
        return zip(name, syllables).map { character, syllable in
            switch Int.random(in: 0..<3, using: &random) {
            case 0: String(syllable.prefix(1))
            case 1: syllable
            default: String(character)
            }
        }.joined()
    }

    private static func mistyped(_ word: String, _ random: inout SeededRandom) -> String {
        var letters = Array(word.prefix(Int.random(in: 4...9, using: &random)))
        guard letters.count > 2 else { return word }
        let place = Int.random(in: 0..<letters.count - 1, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: letters.remove(at: place)
        case 1: letters.insert("q", at: place)
        case 2: letters[place] = "x"
        default: letters.swapAt(place, place + 1)
        }
        return String(letters)
    }
}

struct OracleTests {
    private static let instruments: [Instrument] = Names.some.enumerated().filter { $0.offset % 9 == 0 }.map(\.element)
    private static let slow = SlowSearch(instruments)
    private static let fast: SearchIndex? = try? SearchIndex(Data(SearchIndexBuilder.build(instruments, version: 1)))

    @Test(arguments: UInt64(0)..<200)
    func theIndexAgreesWithASlowSearch(_ seed: UInt64) throws {  // H-2
        var random = SeededRandom(seed: seed)
        let index = try #require(Self.fast)
        let query = String(Queries.any(of: Self.slow.rows, &random).prefix(60))
        let limit = [1, 3, 20, 200].randomElement(using: &random) ?? 20
        let wanted = Self.slow.search(query, limit: limit)
        guard let found = try? index.search(query, limit: limit) else { return }
        #expect(found.map(\.id) == wanted.map(\.id), "\(query) (\(limit))")
        #expect(found.map(\.rank) == wanted.map(\.rank), "\(query) (\(limit))")
    }
}

struct DamageTests {
    private static let bytes = SearchIndexBuilder.build(Array(Names.some.prefix(40)), version: 3)

    @Test func theSameRowsGiveTheSameBytes() {
        #expect(SearchIndexBuilder.build(Array(Names.some.prefix(40)).reversed(), version: 3) == Self.bytes)
    }

    @Test(arguments: UInt64(0)..<200)
    func aChangedByteIsRefused(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes = Self.bytes
        let place = seed < 64 ? Int(seed) : Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] ^= UInt8.random(in: 1...255, using: &random)
        // Rows and version are told, not followed: the table sizes have to agree with the rows.
        if (16..<24).contains(place) { return }
        #expect(throws: Failure.self) { try SearchIndex(Data(bytes)) }
    }

    @Test(arguments: UInt64(0)..<100)
    func aFileCutShortIsRefused(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let count = seed < 20 ? Int(seed) * 16 : Int.random(in: 0..<Self.bytes.count, using: &random)
        #expect(throws: Failure.self) { try SearchIndex(Data(Self.bytes.prefix(count))) }
    }

    /// As if someone had written wrong numbers and the right hash.
    @Test(arguments: UInt64(0)..<200)
    func wrongNumbersAreRefusedOrHarmless(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var bytes = Self.bytes
        for _ in 0..<3 {
            let place = Int.random(in: SearchLayout.hashed / 4..<bytes.count / 4, using: &random) * 4
            for offset in 0..<4 { bytes[place + offset] = UInt8.random(in: 0...255, using: &random) }
        }
        let hash = SearchHash.of(bytes.span.bytes, from: SearchLayout.hashed)
        for offset in 0..<8 { bytes[24 + offset] = UInt8(truncatingIfNeeded: hash >> UInt64(offset * 8)) }
        guard let index = try? SearchIndex(Data(bytes)) else { return }
        for query in ["700", "a", "hong", "zh", "中国", "腾xun", "tencnet", "hong kong", "bnk chin", "中行"] { _ = try index.search(query) }
    }

    @Test func aNewerFormatIsNamed() throws {
        var bytes = Self.bytes
        bytes[8] = 9
        #expect(throws: Failure(.searchNewer, .init("found", "9"), .init("known", "1"))) { try SearchIndex(Data(bytes)) }
    }
}
