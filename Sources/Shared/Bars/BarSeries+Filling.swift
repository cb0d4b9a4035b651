import Instruments
public import Messages
public import Streams

extension BarSeries {
    /// The bars of one day with every minute of it up to `instant`: where nothing was printed a flat bar at the last close, volume zero.
    /// What lies before the first print is filled with `previousClose`, and left out where that is nil: a price nobody knows is not drawn.
    public func filled(_ day: TradingDay, through instant: MarketInstant, previousClose: Int64? = nil) -> [Bar] {
        guard let length = period.length, let sessions = try? calendar.sessions(of: instrument, on: day) else { return [] }
        let own = bars.filter { $0.tradingDay == day.yyyymmdd }
        var next = own.startIndex
        var close = previousClose
        var result: [Bar] = []
        for slot in BarGrid(day: day, sessions: sessions, length: length, anchor: anchor).slots where slot.start <= instant {
            if next < own.endIndex, own[next].startNs == slot.start.nanoseconds {
                result.append(own[next])
                close = own[next].close
                next += 1
            } else if let close, slot.isRegular || !regularOnly {
                result.append(flat(slot.start, day, close))
            }
        }
        return result
    }

    private func flat(_ start: MarketInstant, _ day: TradingDay, _ close: Int64) -> Bar {
        var bar = Bar()
        bar.instrument = instrument.id.rawValue
        bar.period = period
        bar.startNs = start.nanoseconds
        bar.tradingDay = day.yyyymmdd
        (bar.open, bar.high, bar.low, bar.close) = (close, close, close, close)
        bar.provenance = .derived
        return bar
    }
}
