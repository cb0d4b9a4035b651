extension Int {
    /// The whole part, as near as an `Int` comes to it; 0 for what is no number.
    public init(clamping value: Double) {
        // 2⁶³ itself is one too many.
        guard value > -0x1p63 else {
            self = value.isNaN ? 0 : .min
            return
        }
        self = value < 0x1p63 ? Int(value) : .max
    }
}
