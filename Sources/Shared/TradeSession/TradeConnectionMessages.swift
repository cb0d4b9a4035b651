import Messages
import WireCodec

// What the gateway says, told to the link.
extension TradeConnection {
    func pushed(_ envelope: TradeEnvelope, _ counter: TradeCounter, _ dial: Int) throws(WireError) {
        switch envelope.type {
        case .ready:
            let ready = try Ready(serializedBytes: envelope.payload)
            if ready.hasClock { tell(.clock(ready.clock)) }
            for account in ready.accounts { readySequences[account.tradingAccount] = account.sequence }
            let sequences = ready.accounts.map { (account: $0.tradingAccount, sequence: $0.sequence) }
            handle(.counterReady(dial: dial, counter, epoch: ready.epoch, sequences: sequences))
        case .duplicateLogin:
            let news = try SessionNews(serializedBytes: envelope.payload)
            // Another process of this device logged in again: its session is ours too (D-8).
            if news.deviceID == configuration.deviceID, news.platform == configuration.platform, !news.sessionID.isEmpty {
                adopt(news.sessionID, counter)
            } else {
                let wasIn = isLoggedIn(counter)
                handle(.duplicateLogin(dial: dial, counter, session: news.sessionID))
                if wasIn, !isLoggedIn(counter) {
                    tell(.loggedInElsewhere(counter, platform: news.platform.isEmpty ? nil : String(news.platform.prefix(32))))
                }
            }
        case .disconnected:
            let news = try SessionNews(serializedBytes: envelope.payload)
            let wasIn = isLoggedIn(counter)
            handle(.deviceDisconnected(dial: dial, counter, platform: news.platform, device: news.deviceID))
            // It names who was put out: us. Who came is not told.
            if wasIn, !isLoggedIn(counter) { tell(.loggedInElsewhere(counter, platform: nil)) }
        default:
            guard let event = try envelope.accountEvent() else { return }  // Of a newer server.
            handle(.pushed(dial: dial, counter, account: envelope.tradingAccount, sequence: envelope.accountSequence, event))
        }
    }

    func replied(_ envelope: TradeEnvelope, _ counter: TradeCounter, _ dial: Int) throws(WireError) {
        guard let name = TradeRequestName(envelope.requestID) else { return }  // Not asked by us.
        func reply(_ id: UInt64, session: String? = nil) {
            handle(.replied(dial: dial, counter, id, envelope, session: session, endsSession: envelope.endsSession))
        }
        switch name {
        case .request(let id): reply(id)
        case .login(let id, _):
            let answer = envelope.failure == nil ? try TradeLoginReply(serializedBytes: envelope.payload) : nil
            reply(id, session: answer.flatMap { TradeLoginResult($0) == .ok ? $0.sessionID : nil })
        case .query(let id, let attempt):
            // A query that failed says nothing about the order: it is asked again.
            if envelope.endsSession { reply(0) }
            guard envelope.failure == nil else { return }
            let found = try OrderList(serializedBytes: envelope.payload).orders.isEmpty ? nil : envelope
            handle(.queryAnswered(dial: dial, id, attempt: attempt, found))
        case .since(let number):
            if envelope.endsSession { reply(0) }
            try sinceReplied(number, envelope, dial)
        case .beat:
            if envelope.endsSession { reply(0) } else { handle(.beatAnswered(dial: dial, counter)) }
        }
    }

    func sinceReplied(_ number: UInt64, _ envelope: TradeEnvelope, _ dial: Int) throws(WireError) {
        guard let (counter, account) = sinceAsked.removeValue(forKey: number) else { return }  // Late.
        var answer = SinceReply()
        if envelope.failure == nil {
            answer = try SinceReply(serializedBytes: envelope.payload)
        } else {
            // What was missed cannot be had: the link says so, and the books are queried anew.
            answer.sequence = readySequences[account] ?? 0
        }
        handle(
            .sinceAnswered(
                dial: dial, counter, account: account, answer.events.map { ($0.sequence, $0) }, upTo: answer.sequence, isComplete: true))
    }
}
