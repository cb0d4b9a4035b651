/// The colours of a picture (`docs/design` tokens): two themes, three sets of market colours.
public struct Theme: Hashable, Sendable {
    public enum Ground: String, Hashable, Sendable, CaseIterable { case light, dark }
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        case redUp = "red-up"
        case greenUp = "green-up"
        /// Blue up, orange down, and rising bars hollow: told apart without red and green.
        case blueUp = "blue-up"
    }

    public var ground: Ground
    public var direction: Direction

    public init(_ ground: Ground = .light, _ direction: Direction = .redUp) {
        self.ground = ground
        self.direction = direction
    }

    /// 0xRRGGBB.
    public func colour(_ ink: Ink) -> UInt32 {
        let isDark = ground == .dark
        switch ink {
        case .view: return isDark ? 0x161A20 : 0xFFFFFF
        case .line: return isDark ? 0x262C35 : 0xE2E5E9
        case .strongLine: return isDark ? 0x3B434E : 0xC5CAD1
        case .shade: return isDark ? 0x1A1F26 : 0xEEF0F3
        case .text: return isDark ? 0xE9ECF0 : 0x14181D
        case .softText: return isDark ? 0xA9B2BD : 0x4D5560
        case .faintText: return isDark ? 0x8D97A3 : 0x5F6771
        case .ink: return isDark ? 0xE6E9EE : 0x1C232C
        case .onInk: return isDark ? 0x14181D : 0xFFFFFF
        case .flat: return isDark ? 0xA9B2BD : 0x4D5560
        case .onFill: return 0xFFFFFF
        case .mine: return isDark ? 0xAE9FFF : 0x5A43C6
        case .mineTint: return isDark ? 0x28233F : 0xEDE9FB
        case .onMine: return isDark ? 0x14101F : 0xFFFFFF
        case .series(let number): return (isDark ? Self.darkSeries : Self.lightSeries)[((number % 8) + 8) % 8]
        case .up, .upFill, .upTint: return market(up: true, ink)
        case .down, .downFill, .downTint: return market(up: false, ink)
        }
    }

    private static let lightSeries: [UInt32] = [0x946500, 0x2A66CF, 0x8B3FB0, 0x0B7F7B, 0xB92C70, 0x5F7410, 0x85553A, 0x4F617C]
    private static let darkSeries: [UInt32] = [0xE6B43C, 0x79AEFF, 0xC792FA, 0x45CBC3, 0xFF8DBD, 0xB7CE5C, 0xD6A57F, 0xA3B4CC]

    private enum Hue { case red, green, blue, orange }

    private func market(up: Bool, _ ink: Ink) -> UInt32 {
        let hue: Hue =
            switch direction {
            case .redUp: up ? .red : .green
            case .greenUp: up ? .green : .red
            case .blueUp: up ? .blue : .orange
            }
        let isDark = ground == .dark
        switch ink {
        case .up, .down:
            switch hue {
            case .red: return isDark ? 0xFF7474 : 0xC01F2E
            case .green: return isDark ? 0x35C48D : 0x08744A
            case .blue: return isDark ? 0x66AEFF : 0x135CB8
            case .orange: return isDark ? 0xFF9F4A : 0xA84A00
            }
        case .upTint, .downTint:
            switch hue {
            case .red: return isDark ? 0x3E292E : 0xF9E9EA
            case .green: return isDark ? 0x1B3733 : 0xE6F1ED
            case .blue: return isDark ? 0x243346 : 0xE7EFF8
            case .orange: return isDark ? 0x3E3127 : 0xF6EDE6
            }
        default:
            switch hue {
            case .red: return isDark ? 0xCE3A42 : 0xC8242F
            case .green: return isDark ? 0x127C54 : 0x0A7D50
            case .blue: return isDark ? 0x1E68C8 : 0x1A63C4
            case .orange: return isDark ? 0xAF5410 : 0xB35409
            }
        }
    }
}
