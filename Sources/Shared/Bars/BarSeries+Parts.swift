public import Messages
import Streams

/// Bars that an auction's own bar is part of. The auction stays what it was; the rest of the bar may be replaced, or grow.
extension BarSeries {
    struct Composition: Sendable {
        /// The auctions' bars in order of time.
        var auctions: [Bar] = []
        /// Everything else.
        var own: Bar?
        var ownEdges = Edges(open: MarketInstant(nanoseconds: .max), close: MarketInstant(nanoseconds: .min))
    }

    /// More than an auction has minutes.
    private static let mostAuctions = 64

    /// What each bar holds beside auctions' bars: told together with those it makes the same series elsewhere.
    public var own: [Bar] { bars.compactMap { compositions.isEmpty ? $0 : compositions[$0.startNs].map(\.own) ?? $0 } }

    /// An auction's bar: part of the bar at `slot`.
    mutating func compose(_ auction: Bar, _ slot: DaySlot, _ edges: Edges) -> BarOutcome {
        let place = place(of: slot)
        guard place < bars.count, isSame(bars[place], slot) else {
            var known = edges
            known.isComposed = true
            let outcome = insert(placed(auction, at: slot.start.nanoseconds), known, at: place)
            if changed != nil { compositions[slot.start.nanoseconds] = Composition(auctions: [auction]) }
            return outcome
        }
        var composition =
            compositions[slot.start.nanoseconds] ?? Composition(own: bars[place], ownEdges: self.edges[place])
        if composition.own != nil, composition.ownEdges.through.nanoseconds == .min {
            let own = composition.ownEdges
            if own.open >= edges.open, own.close <= edges.through {
                // Made of the prints this bar stands for.
                composition.own = nil
            } else if own.open <= edges.through, own.close >= edges.open {
                // Some of its prints are in there already.
                return .ignored
            }
        }
        let at = composition.auctions.firstIndex { $0.startNs >= auction.startNs } ?? composition.auctions.count
        if at < composition.auctions.count, composition.auctions[at].startNs == auction.startNs {
            composition.auctions[at] = auction
        } else {
            guard composition.auctions.count < Self.mostAuctions else { return .refused(.offGrid) }
            composition.auctions.insert(auction, at: at)
        }
        return put(composition, through: edges.through, at: place)
    }

    /// The rest of a bar, whole as another end knows it.
    mutating func replace(_ place: Int, _ bar: Bar, _ edges: Edges) -> BarOutcome {
        guard var composition = compositions[bars[place].startNs] else { preconditionFailure("a bar of parts without them") }
        composition.own = bar
        composition.ownEdges = edges
        return put(composition, through: edges.through, at: place)
    }

    /// A print or a shorter bar joins the rest of a bar.
    mutating func grow(_ place: Int, _ part: Bar, _ edges: Edges) -> BarOutcome {
        guard var composition = compositions[bars[place].startNs] else { preconditionFailure("a bar of parts without them") }
        if composition.own == nil {
            composition.own = part
            composition.ownEdges = edges
        } else {
            let known = composition.ownEdges
            guard composition.own?.absorb(part, opens: edges.open < known.open, closes: edges.close >= known.close) == true else {
                return .refused(.size)
            }
            composition.ownEdges.open = min(known.open, edges.open)
            composition.ownEdges.close = max(known.close, edges.close)
        }
        return put(composition, through: edges.through, at: place)
    }

    private mutating func put(_ composition: Composition, through: MarketInstant, at place: Int) -> BarOutcome {
        let start = bars[place].startNs
        guard let whole = composition.whole(start) else { return .refused(.size) }
        compositions[start] = composition
        bars[place] = whole
        let first = composition.auctions.first.map { MarketInstant(nanoseconds: $0.startNs) } ?? composition.ownEdges.open
        edges[place] = Edges(
            open: min(first, composition.ownEdges.open), close: max(edges[place].close, composition.ownEdges.close),
            through: max(edges[place].through, through), isComposed: true)
        return outcome(at: place)
    }

    private func placed(_ auction: Bar, at start: Int64) -> Bar {
        var bar = auction
        bar.startNs = start
        return bar
    }
}

extension BarSeries.Composition {
    /// The bar that begins at `start`, of all its parts; nil where a sum does not fit.
    fileprivate func whole(_ start: Int64) -> Bar? {
        var bar: Bar?
        func add(_ part: Bar, to bar: inout Bar?) -> Bool {
            guard bar != nil else {
                bar = part
                bar?.startNs = start
                return true
            }
            return bar?.absorb(part, opens: false, closes: true) == true
        }
        for auction in auctions where auction.startNs < start { if !add(auction, to: &bar) { return nil } }
        if let own { if !add(own, to: &bar) { return nil } }
        for auction in auctions where auction.startNs >= start { if !add(auction, to: &bar) { return nil } }
        return bar
    }
}
