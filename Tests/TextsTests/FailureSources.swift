import Foundation

/// Every `Failure(code, .init("name", value), …)` written in the sources, read from their text: which code with which argument names.
struct FailureSources {
    struct Made: Hashable, CustomStringConvertible {
        var code: String
        var names: Set<String>
        var place: String
        var description: String { "\(place): \(code) with \(names.sorted())" }
    }

    var made: [Made] = []
    /// Codes that only exist at run time; they pass on what another place made.
    var passedOn: [String] = []

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let files = try Self.sources(under: root.appending(path: "Sources"))
        let codes = Self.declared(files.map(\.text))
        for file in files { read(file.text, file.name, codes) }
    }

    private static func sources(under root: URL) throws -> [(name: String, text: String)] {
        var found: [(String, String)] = []
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            found.append((file.lastPathComponent, try String(contentsOf: file, encoding: .utf8)))
        }
        return found.sorted { $0.0 < $1.0 }
    }

    /// `static let orderLot = ErrorCode("order.lot")`, by name.
    private static func declared(_ texts: [String]) -> [String: String] {
        var codes: [String: String] = [:]
        for text in texts {
            for match in text.matches(of: /static let ([A-Za-z]+) = ErrorCode\("([a-z0-9.\-]+)"\)/) {
                codes[String(match.1)] = String(match.2)
            }
        }
        return codes
    }

    private mutating func read(_ text: String, _ file: String, _ codes: [String: String]) {
        for match in text.matches(of: /\b(?:Failure|self\.init)\(/) {
            if match.range.lowerBound > text.startIndex {
                let before = text[text.index(before: match.range.lowerBound)]
                if before.isLetter || before == "." { continue }
            }
            let parts = Self.arguments(text[match.range.upperBound...])
            guard let first = parts.first else { continue }
            let isCode = first.hasPrefix(".") || first.hasPrefix("ErrorCode(") || first.contains("? .")
            guard isCode, !parts.contains(where: { $0.hasPrefix("arguments:") }) else { continue }
            let names = parts.dropFirst().compactMap { $0.firstMatch(of: /^\.init\(\s*"([A-Za-z]+)"/).map { String($0.1) } }
            let literal = first.firstMatch(of: /^ErrorCode\("([a-z0-9.\-]+)"\)$/).map { [String($0.1)] }
            let named = first.matches(of: /\.([a-z][A-Za-z]+)/).compactMap { codes[String($0.1)] }
            let all = literal ?? named
            if all.isEmpty { passedOn.append("\(file): \(first)") }
            if names.count < parts.count - 1 { passedOn.append("\(file): \(parts.dropFirst().joined(separator: ", "))") }
            made += all.map { Made(code: $0, names: Set(names), place: file) }
        }
    }

    /// The arguments of a call, from behind its open parenthesis to the one that closes it.
    private static func arguments(_ text: Substring) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var isQuoted = false
        for character in text.prefix(2000) {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted {
                if "([{".contains(character) { depth += 1 }
                if ")]}".contains(character) {
                    depth -= 1
                    if depth < 0 { break }
                }
                if character == ",", depth == 0 {
                    parts.append(part)
                    part = ""
                    continue
                }
            }
            part.append(character)
        }
        return (parts + [part]).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }
}
