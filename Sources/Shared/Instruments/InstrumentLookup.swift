public import Streams
public import Texts

extension ErrorCode {
    /// The text fits more than one instrument. Arguments: `symbol`, `candidates` (canonical symbols, comma and blank between).
    public static let symbolAmbiguous = ErrorCode("symbol.ambiguous")
    /// A symbol of blanks only.
    public static let symbolEmpty = ErrorCode("symbol.empty")
    /// A market without a code: `symbol`.
    public static let symbolNoCode = ErrorCode("symbol.no-code")
    /// A good symbol of a market no table here holds: `symbol`, `market` (`SH`).
    public static let symbolNotCarried = ErrorCode("symbol.not-carried")
    /// No such code, one alike with a class: `symbol`, `suggestion` (canonical).
    public static let symbolSuggestion = ErrorCode("symbol.suggestion")
}

/// Where instruments are looked up: the table of this run, or the symbol database.
public protocol InstrumentLookup {
    func instrument(id: InstrumentID) throws(Failure) -> Instrument?
    /// Every row of that code, of any market and any time; capitals.
    func instruments(code: String) throws(Failure) -> [Instrument]
    /// Every contract of a product; capitals.
    func instruments(product: String) throws(Failure) -> [Instrument]
}

extension Collection<Instrument> {
    /// The contract with the earliest expiry that is still listed on that day.
    func front(on day: TradingDay) -> Instrument? {
        filter { $0.isListed(on: day) }.min { ($0.future?.expiry ?? day) < ($1.future?.expiry ?? day) }
    }
}

extension InstrumentLookup {
    /// What a person typed, as of a day. Case, full-width letters and blanks around do not matter. Understood:
    /// `700`, `0700`, `00700`, `700.HK`, `HK.00700`, `HK00700`, `SEHK:700`, `700 HK Equity` · `AAPL`, `AAPL.US`, `US.AAPL`, `$AAPL` ·
    /// `BRK.B`, `BRK/B`, `BRK-B`, `BRK B` · `ABR-D`, `ABRpD`, `ABR PR D` (a preferred share) · `HSI2612`, `HSI2612.HKFE` ·
    /// `HSIZ6`, `ESZ26` (a one-digit year is the first not yet expired on that day) · `ES` (the front contract) · `HSI.INDX`.
    /// Of rows that share a code the ones listed on that day count; one that was renamed leads to its successor.
    /// A bare code that is both an index and a product (`HSI`) is ambiguous and an error: a wrong instrument is worse than none.
    public func resolve(_ text: String, on day: TradingDay) -> Result<Instrument, Failure> {
        do throws(Failure) { return .success(try resolved(text, on: day)) } catch { return .failure(error) }
    }

    private func resolved(_ text: String, on day: TradingDay) throws(Failure) -> Instrument {
        let typed = String(text.prefix(64))
        var fault: Failure?
        let reading = SymbolReading(text) { product in
            do throws(Failure) { return try instruments(product: product).first?.market.suffix } catch {
                fault = error
                return nil
            }
        }
        if let fault { throw fault }
        switch reading {
        case .empty: throw Failure(.symbolEmpty)
        case .noCode: throw Failure(.symbolNoCode, .init("symbol", typed))
        case .words: throw Failure(.symbolUnknown, .init("symbol", typed))
        case .ambiguous(let forms):
            throw Self.ambiguous(typed, forms.map { $0.code + "." + ($0.venue ?? "") })
        case .code(let form):
            let found = try matches(form, on: day)
            if found.count > 1 { throw Self.ambiguous(typed, found.map(\.symbol)) }
            if let first = found.first { return first }
            if let venue = form.venue, !SymbolForm.isCarried(venue) {
                throw Failure(.symbolNotCarried, .init("symbol", typed), .init("market", venue))
            }
            if let code = form.withClass, let near = try matches(SymbolForm(code: code, venue: form.venue), on: day).first {
                throw Failure(.symbolSuggestion, .init("symbol", typed), .init("suggestion", near.symbol))
            }
            throw Failure(.symbolUnknown, .init("symbol", typed))
        }
    }

    private static func ambiguous(_ text: String, _ candidates: [String]) -> Failure {
        Failure(.symbolAmbiguous, .init("symbol", text), .init("candidates", candidates.prefix(8).joined(separator: ", ")))
    }

    /// Every instrument a form means on a day, each once.
    public func matches(_ form: SymbolForm, on day: TradingDay) throws(Failure) -> [Instrument] {
        let venue = form.isGuess ? nil : form.venue
        func fits(_ instrument: Instrument, _ venue: String?) -> Bool { venue.map { $0 == instrument.market.suffix } ?? true }
        var found: [Instrument] = []
        for code in form.codes where found.isEmpty { found = try instruments(code: code).filter { fits($0, venue) } }
        if found.isEmpty, let code = form.orClassShare { found = try instruments(code: code).filter { fits($0, "US") } }
        if let contract = form.contract {
            found += try instruments(product: contract.product).filter { fits($0, venue) && contract.names($0, on: day) }
        } else if let front = try instruments(product: form.code).filter({ fits($0, venue) }).front(on: day) {
            found.append(front)
        }
        let listed = found.filter { $0.isListed(on: day) }
        if !listed.isEmpty {
            found = listed
        } else if let renamed = try successor(of: found, on: day) {
            found = [renamed]
        }
        var seen = Set<InstrumentID>()
        return found.filter { seen.insert($0.id).inserted }
    }

    /// What the latest of former listings became, where that is listed on the day.
    private func successor(of former: [Instrument], on day: TradingDay) throws(Failure) -> Instrument? {
        guard
            var last = former.filter({ $0.listedTo.map { $0 < day } ?? false }).max(by: { ($0.listedTo ?? day) < ($1.listedTo ?? day) })
        else { return nil }
        for _ in 0..<8 {
            guard let id = last.successor, let next = try instrument(id: id) else { return nil }
            if next.isListed(on: day) { return next }
            last = next
        }
        return nil
    }
}
