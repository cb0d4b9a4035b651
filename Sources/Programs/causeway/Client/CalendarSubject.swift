import HTTP
import Instruments
import Streams
import Texts

/// What a calendar is asked of: a market, or an instrument with its listing and its last trading moment.
struct CalendarSubject {
    var facts: CalendarFacts
    var calendar: MarketCalendar
    var instrument: Instrument?

    /// A market's name, else a symbol as of the day.
    /// - Throws: `market.unknown` where it looks like neither.
    init(_ text: String, _ shipped: MarketFacts, on day: TradingDay, _ invocation: Invocation) throws {
        calendar = shipped.calendar
        if let market = calendar.named(text) {
            facts = market
            return
        }
        let found: Instrument
        do {
            found = try Catalogue(invocation).resolve(text, in: shipped.instruments, on: day, invocation.language)
        } catch let failure as Failure where failure.code == .symbolUnknown || failure.code == .symbolNear {
            guard text.contains(where: { $0.isNumber || $0 == "." }) else {
                facts = try CalendarCommands.named(text, calendar)
                return
            }
            throw failure
        }
        if Self.marketsElsewhere.contains(text.uppercased()) {
            throw Failure(
                .marketOrSymbol, .init("market", String(text.prefix(32))), .init("symbol", found.symbol),
                .init("name", found.names.text(in: invocation.language)), .init("known", CalendarCommands.known(calendar)))
        }
        instrument = found
        facts = try CalendarCommands.named(found.calendar.rawValue, calendar)
    }

    /// What people call markets that no table here holds. Several are codes of shares too: with its suffix a share is meant.
    static let marketsElsewhere: Set<String> = [
        "AEX", "ASX", "B3", "BME", "BMV", "BSE", "BURSA", "CSE", "DCE", "DFM", "EUREX", "EURONEXT", "FWB", "GEM", "HOSE", "ICE", "IDX",
        "INE",
        "JPX", "JSE", "KOSDAQ", "KOSPI", "KRX", "LIFFE", "LME", "LSE", "MCX", "MEX", "MOEX", "MTA", "NEEQ", "NSE", "NZX", "OMX", "OSE",
        "OTC",
        "PSE", "SET", "SGX", "SH", "SIX", "SSE", "SWX", "SZ", "SZSE", "TADAWUL", "TASE", "TFEX", "TOCOM", "TPEX", "TSE", "TSX", "TSXV",
        "TWSE", "UK", "VIENNA", "WSE", "XETRA", "ZCE", "CBOE", "MIAX", "OPRA", "LSEG", "JP", "SG", "CN", "EU",
    ]

    func day(_ day: TradingDay) throws(CalendarFault) -> CalendarDay {
        var found = try calendar.day(day, facts.id)
        if let instrument, found.sessions != nil { found.sessions = try calendar.sessions(of: instrument, on: day) }
        return found
    }

    /// A market always is.
    func isListed(on day: TradingDay) -> Bool { instrument?.isListed(on: day) ?? true }

    func word(_ day: CalendarDay) -> Text { isListed(on: day.date) ? day.kind.text : .calendarNotListed }

    /// The instrument, and that it is not listed.
    func heading(on day: TradingDay, _ language: Language) -> [String] {
        guard let instrument else { return [] }
        if instrument.isListed(on: day) { return ["\(instrument.symbol)  \(instrument.names.text(in: language))"] }
        return [Failure.over(instrument, on: day, language).text(in: language)]
    }
}
