import Exact
import Feeds
import HTTP
import Instruments
import Portfolio
import Streams
import Texts

/// What a command that asks the dated tables stands on: the shipped tables and the user's own over them. No server, no sign-in.
struct TableQuestion {
    var facts: MarketFacts
    var folder: DataFolder
    var day: TradingDay
    var instrument: Instrument
    var language: Language

    /// `--date`, else the shipped market date.
    init(_ invocation: Invocation, symbol: String) throws {
        language = invocation.language
        do throws(DataFault) {
            folder = try DataFolder.locate()
            facts = try MarketFacts(folder)
            day = try Recordings.marketDate(folder)
        } catch {
            throw Failure(.dataCorrupt, .init("path", error.description))
        }
        if let text = invocation["date"] {
            guard let named = TradingDay(text) else { throw Usage.invalid("--date", text, .date) }
            day = named
        }
        instrument = try Catalogue(invocation).resolve(symbol, in: facts.instruments, on: day, language)
    }

    static let date = Command.Option.value("date", "YYYY-MM-DD", .helpOptionDate)

    static func price(_ text: String) throws -> Price {
        guard let price = try? Price(text) else { throw Usage.invalid("PRICE", text, .price) }
        return price
    }

    var heading: String { "\(instrument.symbol)  \(Display.name(instrument, in: language))  \(day)" }

    /// What a user is to know of what he reads: that a figure rests on one source, that tables of his own were read.
    /// - Parameter projectedFrom: the days the table is known, where this is none of them.
    func remarks(isVerified: Bool, projectedFrom: DaySpan?) -> [String] {
        var remarks: [Text] = isVerified || projectedFrom != nil ? [] : [.tablesUnverified]
        if let projectedFrom {
            func text(_ day: TradingDay?) -> String { day?.description ?? Display.missing }
            remarks.append(.tablesProjected(date: day.description, from: text(projectedFrom.from), to: text(projectedFrom.to)))
        }
        if !folder.overridden.isEmpty { remarks.append(.tablesOwn(files: folder.overridden.joined(separator: ", "))) }
        return remarks.map { $0.words(in: language) }
    }

    var jsonHead: [JSONValue.Member] {
        [
            .init("symbol", .string(instrument.symbol)), .init("date", .string(day.description)),
            .init("ownTables", .array(folder.overridden.map(JSONValue.string))),
        ]
    }

    /// With the instrument's decimals, and with more where it has more: what is between ticks is not shown as on one.
    func text(_ price: Price?) -> String {
        guard let price else { return Display.missing }
        func decimals(_ text: String) -> Int { text.split(separator: ".", maxSplits: 1).dropFirst().first?.count ?? 0 }
        let shown = Display.price(price, of: instrument)
        let exact = decimals(price.description)
        return exact > decimals(shown) ? NumberFormat.fixed(price.nanos, scale: Price.places, decimals: exact) : shown
    }

    func json(_ price: Price?) -> JSONValue { price.map { .string($0.description) } ?? .null }

    func json(_ money: Money?) -> JSONValue { money.map { .string($0.text) } ?? .null }
}

/// Names left, figures behind them, in cells of the terminal.
func fieldLines(_ rows: [(name: Text, value: String)], in language: Language) -> [String] {
    let names = rows.map { $0.name.words(in: language) }
    let width = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    return zip(names, rows).map { DisplayWidth.pad($0, to: width) + "  " + $1.value }
}
