import Exact
import Instruments
import Messages
import Streams

/// A bar on the market's time line, as the tape of one instrument holds it. Prices × 10⁻⁹, volume × 10⁻⁸, turnover × 10⁻⁶.
struct TapeBar: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case plain
        /// One print at a random moment of the matching phase.
        case openingAuction
        /// A minute of continuous trading, then one print at the close of the auction that follows.
        case closingAuction(matching: Range<Int64>)
    }

    var start: Int64
    /// Exclusive; prints lie before it.
    var end: Int64
    var open: Int64
    var high: Int64
    var low: Int64
    var close: Int64
    var volume: Int64
    var turnover: Int64?
    var kind: Kind = .plain
    var period: BarPeriod
    var recordedOn: TradingDay?

    /// Why it must not be used (F-8); nil: sound.
    func defect(instrument: Instrument, ticks: TickTables, days: [TradingDay]) -> Quarantine.Reason? {
        if high < low || open > high || open < low || close > high || close < low { return .highBelowLow }
        if volume < 0 || (turnover ?? 0) < 0 { return .negativeVolume }
        if instrument.kind != .future, low <= 0 { return .notPositive }
        for price in [open, high, low, close] {
            for day in days where !ticks.isOnTick(Price(nanos: price), for: instrument, on: day) { return .offTick }
        }
        return nil
    }
}

/// Bars and ticks that were thrown out, by reason (F-8).
public struct Quarantine: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case highBelowLow = "high-below-low"
        case negativeVolume = "negative-volume"
        case notPositive = "not-positive"
        case offTick = "off-tick"
        case timeBackwards = "time-backwards"
        case outsideSession = "outside-session"
        case crossedBook = "crossed-book"
        /// Its number came before.
        case repeated
        /// Its time has not come.
        case ahead
        /// Of another day, or its time is in another unit.
        case tooOld = "too-old"
        /// A size or a sum beyond any market's, or more levels than any venue shows.
        case tooLarge = "too-large"
        case unknownInstrument = "unknown-instrument"
        /// A live price far from the last one that nothing confirmed.
        case farOff = "far-off"
    }

    public private(set) var counts: [Reason: Int] = [:]
    public var total: Int { counts.values.reduce(0, +) }

    public init() {}

    mutating func add(_ reason: Reason) { counts[reason, default: 0] += 1 }
    mutating func add(_ other: Quarantine) { counts.merge(other.counts, uniquingKeysWith: +) }
}

/// One trade, or a change of price without a trade (`size` 0).
struct Print: Hashable, Sendable {
    var time: Int64
    var price: Int64
    var size: Int64
    var side: TradeSide
}

/// The price grid of one instrument on one day.
struct PriceGrid: Sendable {
    let ticks: TickTables
    let instrument: Instrument
    let day: TradingDay
    private let grid: Instruments.PriceGrid?

    init(ticks: TickTables, instrument: Instrument, day: TradingDay) {
        self.ticks = ticks
        self.instrument = instrument
        self.day = day
        grid = ticks.grid(instrument.tickTable, on: day)
    }

    func nearest(_ nanos: Int64) -> Int64? { grid.flatMap { TickTables.rounded(nanos, .nearest, $0) } }
    func above(_ nanos: Int64) -> Int64? { grid?.above(nanos) }
    func below(_ nanos: Int64) -> Int64? { grid?.below(nanos) }
    func band(at nanos: Int64) -> Instruments.PriceGrid.Band? { grid?.band(at: nanos) }
    func tick(_ nanos: Int64) -> Int64? { grid?.band(at: nanos)?.tick }
}
