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
        instrument = found
        facts = try CalendarCommands.named(found.calendar.rawValue, calendar)
    }

    func day(_ day: TradingDay) throws(CalendarFault) -> CalendarDay {
        var found = try calendar.day(day, facts.id)
        if let instrument, found.sessions != nil { found.sessions = try calendar.sessions(of: instrument, on: day) }
        return found
    }

    /// The instrument, and that it is not listed.
    func heading(on day: TradingDay, _ language: Language) -> [String] {
        guard let instrument else { return [] }
        if instrument.isListed(on: day) { return ["\(instrument.symbol)  \(instrument.names.text(in: language))"] }
        return [Failure.over(instrument, on: day, language).text(in: language)]
    }
}
