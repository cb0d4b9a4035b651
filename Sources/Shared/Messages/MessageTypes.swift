package import WireCodec

/// Every message type of `Protos/`; a peer test compares the names with the schema. Only add at the end: the kept corpus counts by place.
package enum MessageTypes {
    package static let all: [any Message.Type] = [
        Argument.self, ErrorInfo.self, VersionRange.self, MarketClockInfo.self, InstrumentRow.self, OpenTradingAccount.self,
        WorkingState.self, AccountChange.self, CommandOutcome.self, JournalRecord.self, OrderState.self, AccountSnapshot.self,
        ExchangeSnapshot.self, QuoteEnvelope.self, QuoteLogin.self, QuoteLoginReply.self, QuoteHeartbeat.self, Topic.self,
        SubscriptionRequest.self, TopicFailure.self, SubscriptionReply.self, Quote.self, QuoteBatch.self, BookLevel.self, Book.self,
        BookBatch.self, Tick.self, TickBatch.self, Bar.self, BarBatch.self, BrokerLevel.self, BrokerQueue.self, BrokerQueueBatch.self,
        RankingQuery.self, InstrumentsQuery.self, TicksQuery.self, BarsQuery.self,
        InstrumentRows.self, TradeEnvelope.self, AccountSequence.self, Ready.self, TradeLogin.self, TradeLoginReply.self,
        TradeLogout.self, AccountHeartbeat.self, SessionNews.self, PlaceOrder.self, ModifyOrder.self, CancelOrder.self,
        CommandReply.self, Order.self, FeeItem.self, Fill.self, Position.self, FundsLine.self, FundsReply.self, OrdersQuery.self,
        OrderByCommand.self, FillsQuery.self, AccountQuery.self, OrderList.self, FillList.self, PositionList.self, SinceQuery.self,
        AccountEvent.self, SinceReply.self, FeedInfo.self,
    ]
}
