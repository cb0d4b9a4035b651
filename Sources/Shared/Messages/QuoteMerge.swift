extension Quote {
    /// Takes over what a partial update carries; fields it lacks keep their value (F-9). A side where nobody stands any more is told by its
    /// size of zero, and has no price.
    public mutating func merge(_ update: Quote) {
        timeNs = update.timeNs
        if update.hasLast { last = update.last }
        if update.hasLastSize { lastSize = update.lastSize }
        if update.hasBid { bid = update.bid }
        if update.hasBidSize { bidSize = update.bidSize }
        if update.hasAsk { ask = update.ask }
        if update.hasAskSize { askSize = update.askSize }
        if update.hasOpen { open = update.open }
        if update.hasHigh { high = update.high }
        if update.hasLow { low = update.low }
        if update.hasPreviousClose { previousClose = update.previousClose }
        if update.hasVolume { volume = update.volume }
        if update.hasTurnover { turnover = update.turnover }
        if update.hasLastTimeNs { lastTimeNs = update.lastTimeNs }
        if update.hasSettlement { settlement = update.settlement }
        if update.hasIndicativePrice { indicativePrice = update.indicativePrice }
        if update.hasIndicativeVolume { indicativeVolume = update.indicativeVolume }
        if update.phase != .unspecified { phase = update.phase }
        if update.provenance != .unspecified {
            provenance = update.provenance
            recordedOn = update.recordedOn
            delaySeconds = update.delaySeconds
        }
        if update.bookProvenance != .unspecified { bookProvenance = update.bookProvenance }
        if update.level != .unspecified { level = update.level }
        if update.tradingDay != 0 { tradingDay = update.tradingDay }
        dropEmptySides()
    }

    /// No price where the size says that nobody stands there.
    public mutating func dropEmptySides() {
        if hasBidSize, bidSize == 0 { clearBid() }
        if hasAskSize, askSize == 0 { clearAsk() }
    }
}
