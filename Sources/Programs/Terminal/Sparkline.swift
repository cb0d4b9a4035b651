import Texts

/// The prices of a day so far as one row of blocks, for a line that has room left.
public struct Sparkline: Hashable, Sendable {
    /// The last price of each minute in which there was one, oldest first, in any one unit.
    private var prices: [Int64] = []
    /// Of the newest, counted from 1970.
    private var minute = Int64.min
    private var day: Int32

    /// Narrower ones tell nothing, wider ones no more.
    static let widths = 8...32
    /// The longest day has fewer minutes.
    private static let most = 1_600
    private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// - Parameter day: The trading day, year × 10,000 + month × 100 + day.
    public init(day: Int32) { self.day = day }

    /// A later price; what comes from before the newest minute is left out, and another trading day begins anew.
    ///
    /// - Parameter nanoseconds: Since 1970.
    public mutating func add(_ price: Int64, at nanoseconds: Int64, day: Int32) {
        if day != self.day { self = Sparkline(day: day) }
        let minute = nanoseconds / 60_000_000_000
        guard minute >= self.minute else { return }
        if minute == self.minute, !prices.isEmpty {
            prices[prices.count - 1] = price
            return
        }
        if prices.count == Self.most { prices.removeFirst() }
        prices.append(price)
        self.minute = minute
    }

    /// One block for each minute, or for as many as share one; from the lowest of the day to its highest.
    public func text(columns: Int) -> String {
        guard prices.count > 1, columns > 0, let low = prices.min(), let high = prices.max() else { return "" }
        let cells = min(columns, prices.count)
        return String(
            (0..<cells).map { cell in
                let price = prices[(cell + 1) * prices.count / cells - 1]
                // A day without a change is a line in the middle.
                guard high > low else { return Self.blocks[3] }
                let share = (Double(price) - Double(low)) / (Double(high) - Double(low))
                return Self.blocks[min(max(Int((share * 7).rounded()), 0), 7)]
            })
    }

    /// A line with the blocks behind it where a terminal has room for them, else the line alone.
    ///
    /// - Parameter columns: Of the terminal; nil: there is none.
    public func behind(_ line: String, columns: Int?) -> String {
        guard let columns else { return line }
        let room = columns - DisplayWidth.columns(of: line) - 2
        guard room >= Self.widths.lowerBound else { return line }
        let text = text(columns: min(room, Self.widths.upperBound))
        return text.isEmpty ? line : line + "  " + text
    }
}
