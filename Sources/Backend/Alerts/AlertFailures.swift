import Accounts
import Exact
import Persistence
public import Texts

extension ErrorCode {
    /// The account has as many alerts as it may: `limit`.
    public static let alertFull = ErrorCode("alert.full")
    /// The account has no such alert: `id`.
    public static let alertUnknown = ErrorCode("alert.unknown")
    /// Not listed any more, so that no price of it comes: `symbol`.
    public static let alertDelisted = ErrorCode("alert.delisted")
    /// An index is only computed: it has no book and no volume to wait for: `symbol`.
    public static let alertNotQuoted = ErrorCode("alert.not-quoted")
    /// Not a number above zero that such a condition can have: `value`.
    public static let alertValue = ErrorCode("alert.value")
    /// Not an expression that is understood: `formula`, `reason` (a word), `found` (what it is about), `place` (of the character, from 1).
    public static let alertFormula = ErrorCode("alert.formula")
    /// An expression that is a value and says neither yes nor no: `formula`.
    public static let alertFormulaNoCondition = ErrorCode("alert.formula-no-condition")
    /// An expression that costs more than one alert may: `needed`, `unit` (a word), `limit`.
    public static let alertFormulaHeavy = ErrorCode("alert.formula-heavy")
    /// The account has as many alerts on expressions as it may: `limit`.
    public static let alertFormulaFull = ErrorCode("alert.formula-full")
}

extension AlertCondition {
    /// What an alert is kept with; `alert.value` for text that is no such number, or not its shortest form. 0 of an expression.
    func threshold(_ text: String) throws(Failure) -> Int64 {
        let scaled: Int64?
        switch self {
        case .volume: scaled = (try? Quantity(text))?.units
        case .above, .below, .up, .down, .bidAbove, .bidBelow, .askAbove, .askBelow: scaled = (try? Price(text))?.nanos
        case .when: return 0
        }
        guard let scaled, scaled > 0, self.text(threshold: scaled) == text, !isChange || scaled <= most else {
            throw Failure(.alertValue, .init("value", String(text.prefix(64))))
        }
        return scaled
    }

    /// In percent, × 10⁹: nothing falls by more than all of it.
    private var most: Int64 { self == .down ? 100_000_000_000 : 100_000_000_000_000 }

    func text(threshold: Int64) -> String { self == .volume ? Quantity(units: threshold).description : Price(nanos: threshold).description }
}

extension Failure {
    init(_ error: StoreError) {
        switch error {
        case .full: self.init(.storageFull)
        case .taken: self.init(.authInvalid)
        case .newer(let found, let known):
            self.init(.dataNewer, .init("path", "accounts.sqlite"), .init("found", String(found)), .init("supported", String(known)))
        case .corrupt(let reason): self.init(.dataCorrupt, .init("path", reason))
        case .failed(let reason): self.init(.storageFailed, .init("reason", reason))
        }
    }
}
