import Accounts
import Feeds
import Instruments
import Messages
import Streams
import Testing

@testable import Alerts

/// The obvious way: every alert is looked at with every figure.
private struct PlainBook {
    var alerts: [Alert] = []

    mutating func meet(_ figure: Int64, _ condition: AlertCondition, at time: MarketInstant) -> Set<Int64> {
        var fired: Set<Int64> = []
        for place in alerts.indices.reversed() where alerts[place].condition == condition && alerts[place].since < time {
            let alert = alerts[place]
            let isMet = condition.isBelow ? figure <= alert.threshold : figure >= alert.threshold
            switch (isMet, alert.isArmed) {
            case (true, true):
                fired.insert(alert.id)
                if alert.repeats { (alerts[place].isArmed, alerts[place].since) = (false, time) } else { alerts.remove(at: place) }
            case (false, false): (alerts[place].isArmed, alerts[place].since) = (true, time)
            case (true, false), (false, true): break
            }
        }
        return fired
    }
}

@Suite struct AlertBookModelTests {
    @Test("F-5: the book finds what looking at every alert finds", arguments: UInt64(0)..<200)
    func agrees(seed: UInt64) {
        var dice = SeededRandom(seed: seed)
        var (book, plain) = (AlertBook(), PlainBook())
        let conditions: [AlertCondition] = [.above, .below, .volume, .bidAbove, .bidBelow, .askAbove, .askBelow]
        var next: Int64 = 0
        for step in 1...300 {
            // Time sometimes stands, and goes back as after a restart.
            let time = MarketInstant(nanoseconds: Int64(step / 2 + 3 - dice.below(4)) * 1_000_000_000)
            switch dice.below(6) {
            case 0 where book.count(of: "a") < 40:
                next += 1
                let alert = Alert(
                    id: next, account: "a", symbol: "1.HK", instrument: InstrumentID(1), condition: conditions[dice.below(7)],
                    threshold: Int64(1 + dice.below(20)), repeats: dice.below(2) == 0, since: time)
                book.add(alert, standing: AlertStanding(phase: .continuous))
                plain.alerts.append(alert)
            case 1 where !plain.alerts.isEmpty:
                let gone = plain.alerts.remove(at: dice.below(plain.alerts.count)).id
                let wasThere = book.remove(gone, of: "a")
                #expect(wasThere)
            default:
                let condition = conditions[dice.below(7)]
                let figure = Int64(dice.below(22))
                var expected = plain.meet(figure, condition, at: time)
                // A price is above and below, a volume is one thing.
                for other in conditions where other != condition && other.figure == condition.figure {
                    expected.formUnion(plain.meet(figure, other, at: time))
                }
                let event = FeedEvent(sequence: UInt64(step), time: time, body: .quote(condition.quote(figure, at: time)))
                var fired: Set<Int64> = []
                for case .fired(let alert, _, _, _) in book.handle(event) { fired.insert(alert.id) }
                #expect(fired == expected)
            }
            #expect(book.alerts(of: "a") == plain.alerts.sorted { $0.id < $1.id })
        }
    }
}

extension AlertCondition {
    fileprivate var figure: Int {
        switch self {
        case .above, .below, .up, .down: 0
        case .volume: 1
        case .bidAbove, .bidBelow: 2
        case .askAbove, .askBelow: 3
        case .when: 4
        }
    }

    fileprivate func quote(_ figure: Int64, at time: MarketInstant) -> Quote {
        var quote = Quote()
        quote.instrument = 1
        quote.timeNs = time.nanoseconds
        switch self.figure {
        case 0: quote.last = figure
        case 1: quote.volume = figure
        case 2: quote.bid = figure
        default: quote.ask = figure
        }
        return quote
    }
}
