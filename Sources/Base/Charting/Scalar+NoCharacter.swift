extension Unicode.Scalar {
    /// One of the code points that Unicode gives to no character, ever; XML takes the first two of them in no document.
    package var isNoCharacter: Bool { value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(value) }
}

extension String {
    /// With U+FFFD in place of what is no character.
    package var ofCharacters: String {
        guard unicodeScalars.contains(where: \.isNoCharacter) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isNoCharacter ? "\u{FFFD}" : $0 }))
    }
}
