import Exact
import Instruments
import Messages
import Streams

extension SyntheticStream {
    mutating func update(_ time: Int64) -> Move {
        move(time)
        switch phase {
        case .auctionInput, .auctionNoCancel:
            schedule(after: time)
            guard isTradable else { return .nothing }
            auctionVolume += random.below(20) * lot
            return .indicated
        case .auctionMatching:
            updateAt = nil
            guard isTradable, auctionVolume > 0 else { return .nothing }
            let deal = deal(size: auctionVolume, .unspecified)
            auctionVolume = 0
            return .matched(deal)
        case .preMarket, .postMarket:
            schedule(after: time)
            return isTradable ? .shown(.unspecified) : .nothing
        default:
            schedule(after: time)
            let side: TradeSide = random.below(2) == 0 ? .buyer : .seller
            guard isTradable else { return .priced(deal(size: 0, side)) }
            if random.below(5) < 2 { return .shown(side) }
            let lots: Int64 = 1 + random.below(5) * random.below(5)
            switch incident {
            case .limitUp where last == limits.upperBound: return .traded(deal(size: lots * lot, .buyer))
            case .limitDown where last == limits.lowerBound: return .traded(deal(size: lots * lot, .seller))
            default: return .traded(deal(size: lots * lot, side))
            }
        }
    }

    func isRunUp(_ price: Int64) -> Bool { incident == .limitUp && price == limits.upperBound }
    func isRunDown(_ price: Int64) -> Bool { incident == .limitDown && price == limits.lowerBound }

    /// One step of the walk, kept inside the limits and on the grid.
    private mutating func move(_ time: Int64) {
        if !hasMoved {
            hasMoved = true
            if incident == .gap { leap(5, 9) }
        }
        if trouble.contains(time), incident == .limitUp || incident == .limitDown {
            let target = incident == .limitUp ? limits.upperBound : limits.lowerBound
            exact += (target - exact) / 8
            last = abs(target - exact) <= room / 20 ? target : band.nearest(exact, grid) ?? last
        } else {
            exact += room / 700 * random.normal16() / 65_536
            exact = min(max(exact, walk.lowerBound), walk.upperBound)
            last = band.nearest(exact, grid) ?? last
        }
    }

    /// Another price by so many per cent, up or down.
    private mutating func leap(_ least: Int64, _ most: Int64) {
        let percent = least + random.below(most - least + 1)
        exact += abs(previousClose) / 100 * (random.below(2) == 0 ? percent : -percent)
        exact = min(max(exact, walk.lowerBound), walk.upperBound)
        last = band.nearest(exact, grid) ?? last
    }

    mutating func resume(_ time: Int64) -> Move {
        isHalted = false
        leap(2, 6)
        schedule(after: time)
        return .resumed
    }

    /// A trade at the price of now, or, without a size, that price alone: what it changes of the day.
    private mutating func deal(size: Int64, _ side: TradeSide) -> Deal {
        var deal = Deal(size: size, side: side)
        deal.isFirst = day.high == .min
        if last > day.high {
            day.high = last
            deal.isHigh = true
        }
        if last < day.low {
            day.low = last
            deal.isLow = true
        }
        guard size > 0 else { return deal }
        day.ticks += 1
        day.volume += size
        day.turnover = Int64(clamping: Int128(day.turnover) + Self.value(last, size, multiplier))
        return deal
    }

    /// nanos × units / 10¹¹ = micros
    private static func value(_ last: Int64, _ size: Int64, _ multiplier: Int64) -> Int128 {
        let (whole, rest) = size.quotientAndRemainder(dividingBy: 100_000_000)
        let (perUnit, overflow) = last.multipliedReportingOverflow(by: multiplier)
        let (nanos, tooLarge) = perUnit.multipliedReportingOverflow(by: whole)
        if rest == 0, !overflow, !tooLarge { return Int128(nanos / 1_000) }
        return Int128(last) * Int128(size) * Int128(multiplier) / 100_000_000_000
    }
}
