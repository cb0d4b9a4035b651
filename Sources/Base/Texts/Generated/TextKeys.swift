// swift-format-ignore-file
// Made by scripts/texts from po/*.po. Do not edit.

extension Text {
    /// Adjusted backward
    public static let adjustmentBackward = Text("adjustment.backward")
    /// Adjusted forward
    public static let adjustmentForward = Text("adjustment.forward")
    /// splits and dividends: {count}, all of {from} to {to}; bars made on other days are as printed
    public static func adjustmentKnown(count: String, from: String, to: String) -> Text { Text("adjustment.known", [.init("count", .string(count)), .init("from", .string(from)), .init("to", .string(to))]) }
    /// Not adjusted: no splits or dividends of it are known
    public static let adjustmentNone = Text("adjustment.none")
    /// buyer
    public static let aggressorBuyer = Text("aggressor.buyer")
    /// seller
    public static let aggressorSeller = Text("aggressor.seller")
    /// —
    public static let aggressorUnknown = Text("aggressor.unknown")
    /// Alert {id} set
    public static func alertAdded(id: String) -> Text { Text("alert.added", [.init("id", .string(id))]) }
    /// last at or above {value:decimal}
    public static func alertConditionAbove(value: String) -> Text { Text("alert.condition.above", [.init("value", .string(value))]) }
    /// ask at or above {value:decimal}
    public static func alertConditionAskAbove(value: String) -> Text { Text("alert.condition.ask-above", [.init("value", .string(value))]) }
    /// ask at or below {value:decimal}
    public static func alertConditionAskBelow(value: String) -> Text { Text("alert.condition.ask-below", [.init("value", .string(value))]) }
    /// last at or below {value:decimal}
    public static func alertConditionBelow(value: String) -> Text { Text("alert.condition.below", [.init("value", .string(value))]) }
    /// bid at or above {value:decimal}
    public static func alertConditionBidAbove(value: String) -> Text { Text("alert.condition.bid-above", [.init("value", .string(value))]) }
    /// bid at or below {value:decimal}
    public static func alertConditionBidBelow(value: String) -> Text { Text("alert.condition.bid-below", [.init("value", .string(value))]) }
    /// down {value:decimal}% or more
    public static func alertConditionDown(value: String) -> Text { Text("alert.condition.down", [.init("value", .string(value))]) }
    /// up {value:decimal}% or more
    public static func alertConditionUp(value: String) -> Text { Text("alert.condition.up", [.init("value", .string(value))]) }
    /// volume at or above {value:decimal}
    public static func alertConditionVolume(value: String) -> Text { Text("alert.condition.volume", [.init("value", .string(value))]) }
    /// {formula} true at a bar's end ({period:text})
    public static func alertConditionWhen(formula: String, period: Text) -> Text { Text("alert.condition.when", [.init("formula", .string(formula)), .init("period", .text(period))]) }
    /// Connected again
    public static let alertConnected = Text("alert.connected")
    /// Alert {id} is set already
    public static func alertExists(id: String) -> Text { Text("alert.exists", [.init("id", .string(id))]) }
    /// {count:integer} older alerts that fired are not kept any more
    public static func alertMissed(count: Int) -> Text { Text("alert.missed", [.init("count", .integer(count))]) }
    /// No alerts
    public static let alertNone = Text("alert.none")
    /// No alert has fired
    public static let alertNoneFired = Text("alert.none-fired")
    /// alert {id}
    public static func alertNumber(id: String) -> Text { Text("alert.number", [.init("id", .string(id))]) }
    /// once
    public static let alertOnce = Text("alert.once")
    /// Connection to the server lost. Reconnecting
    public static let alertReconnecting = Text("alert.reconnecting")
    /// Alert {id} removed
    public static func alertRemoved(id: String) -> Text { Text("alert.removed", [.init("id", .string(id))]) }
    /// repeats
    public static let alertRepeats = Text("alert.repeats")
    /// waiting
    public static let alertStateArmed = Text("alert.state.armed")
    /// not listed any more
    public static let alertStateGone = Text("alert.state.gone")
    /// true, waits until it is false
    public static let alertStateResting = Text("alert.state.resting")
    /// recorded {from}, then {to}: prices do not join
    public static func barsGap(from: String, to: String) -> Text { Text("bars.gap", [.init("from", .string(from)), .init("to", .string(to))]) }
    /// No bars
    public static let barsNone = Text("bars.none")
    /// {source:text}, not heard whole
    public static func barsPartial(source: Text) -> Text { Text("bars.partial", [.init("source", .text(source))]) }
    /// instructions a question to the market calendar costs, counted by callgrind
    public static let benchCalendar = Text("bench.calendar")
    /// a chart of 200,000 bars: its scene, painting it with Cairo, a tick, panning
    public static let benchChart = Text("bench.chart")
    /// decoding and encoding a quote, against C++ libprotobuf in the same run
    public static let benchCodec = Text("bench.codec")
    /// every update to 1,000 subscribers: 200,000 deliveries a second
    public static let benchFanout = Text("bench.fanout")
    /// 20,000 quotes a second: decoded, conflated, handed to 200 visible rows
    public static let benchFeeds = Text("bench.feeds")
    /// memory of the server with 10,000 idle logged-in quote connections
    public static let benchIdle = Text("bench.idle")
    /// indicators over 1,000,000 bars, against TA-Lib on the same bars, and all of them on one tick
    public static let benchIndicators = Text("bench.indicators")
    /// place to journalled acceptance, the highest durable rate, and what a restart still knows
    public static let benchOrders = Text("bench.orders")
    /// 150,000 instruments searched, against SQLite FTS5 trigrams in the same run
    public static let benchSearch = Text("bench.search")
    /// from exec to ready with an existing data folder, then idle with the shipped replay paused
    public static let benchStartup = Text("bench.startup")
    /// Book
    public static let boardBook = Text("board.book")
    /// Book (simulated)
    public static let boardBookSimulated = Text("board.book-simulated")
    /// What was chosen on this board is not understood; the next choice replaces it
    public static let boardChoicesUnread = Text("board.choices-unread")
    /// @  average price of an order's fills
    public static let boardHelpAverage = Text("board.help.average")
    /// c  cancel the chosen order, else the newest working one (asks)
    public static let boardHelpCancel = Text("board.help.cancel")
    /// Enter then y  send; Esc  close without sending
    public static let boardHelpConfirm = Text("board.help.confirm")
    /// e  how the profit was worked out
    public static let boardHelpExplain = Text("board.help.explain")
    /// L live · D delayed · R recorded · d derived from bars · S simulated
    public static let boardHelpMarks = Text("board.help.marks")
    /// j k ↑ ↓  move in the list; Tab changes the list
    public static let boardHelpMove = Text("board.help.move")
    /// b s  buy, sell; m l  market, limit; + -  one lot; [ ]  one tick
    public static let boardHelpOrder = Text("board.help.order")
    /// L  language, C  colours, both kept; ? this help; q  quit
    public static let boardHelpOther = Text("board.help.other")
    /// >  jump to the next session of the replay
    public static let boardHelpSession = Text("board.help.session")
    /// Jumped to {time}
    public static func boardJumped(time: String) -> Text { Text("board.jumped", [.init("time", .string(time))]) }
    /// This day was played here before and begins anew. The paper account of then is kept in {folder}
    public static func boardKept(folder: String) -> Text { Text("board.kept", [.init("folder", .string(folder))]) }
    /// jk move · b buy · s sell · c cancel · e P&L · > next · L lang · ? help · q quit
    public static let boardKeys = Text("board.keys")
    /// Trading was taken over by another device. Nothing connects again by itself
    public static let boardKicked = Text("board.kicked")
    /// Last update {time}
    public static func boardLastSeen(time: String) -> Text { Text("board.last-seen", [.init("time", .string(time))]) }
    /// d derived · R recorded · S simulated
    public static let boardLegend = Text("board.legend")
    /// Not connected
    public static let boardLost = Text("board.lost")
    /// Reconnecting for {away:duration}
    public static func boardLostFor(away: Duration) -> Text { Text("board.lost-for", [.init("away", .duration(away))]) }
    /// {counter:text} moved to another device. Nothing logs in again by itself
    public static func boardMoved(counter: Text) -> Text { Text("board.moved", [.init("counter", .text(counter))]) }
    /// {counter:text} moved to another device ({device}). Nothing logs in again by itself
    public static func boardMovedDevice(counter: Text, device: String) -> Text { Text("board.moved-device", [.init("counter", .text(counter)), .init("device", .string(device))]) }
    /// No live book
    public static let boardNoBook = Text("board.no-book")
    /// An index has no book
    public static let boardNoBookIndex = Text("board.no-book-index")
    /// There is no later session in the replay
    public static let boardNoJump = Text("board.no-jump")
    /// That key does nothing here. ? shows the keys
    public static let boardNoKey = Text("board.no-key")
    /// No recording of this session
    public static let boardNoRecording = Text("board.no-recording")
    /// No working order to cancel
    public static let boardNoWorking = Text("board.no-working")
    /// Opens {time}
    public static func boardOpens(time: String) -> Text { Text("board.opens", [.init("time", .string(time))]) }
    /// This order was cancelled already
    public static let boardOrderCancelled = Text("board.order-cancelled")
    /// This order has expired; there is nothing to cancel
    public static let boardOrderExpired = Text("board.order-expired")
    /// {symbol} {status:text}: {reason}
    public static func boardOrderReason(reason: String, status: Text, symbol: String) -> Text { Text("board.order-reason", [.init("reason", .string(reason)), .init("status", .text(status)), .init("symbol", .string(symbol))]) }
    /// This order was refused; there is nothing to cancel
    public static let boardOrderRefused = Text("board.order-refused")
    /// Orders
    public static let boardOrders = Text("board.orders")
    /// Space next page · L language · any other key back
    public static let boardOverlayKeys = Text("board.overlay-keys")
    /// Page {page:integer} of {pages:integer}
    public static func boardPage(page: Int, pages: Int) -> Text { Text("board.page", [.init("page", .integer(page)), .init("pages", .integer(pages))]) }
    /// Paused
    public static let boardPaused = Text("board.paused")
    /// Positions
    public static let boardPositions = Text("board.positions")
    /// {counter:text}: trading session ended. Nothing logs in again by itself
    public static func boardSessionEnded(counter: Text) -> Text { Text("board.session-ended", [.init("counter", .text(counter))]) }
    /// Needs 80 by 24. Now {columns:integer} by {rows:integer}
    public static func boardSmall(columns: Int, rows: Int) -> Text { Text("board.small", [.init("columns", .integer(columns)), .init("rows", .integer(rows))]) }
    /// Speed {speed}
    public static func boardSpeed(speed: String) -> Text { Text("board.speed", [.init("speed", .string(speed))]) }
    /// Stale
    public static let boardStale = Text("board.stale")
    /// Ticket
    public static let boardTicket = Text("board.ticket")
    /// Causeway
    public static let boardTitle = Text("board.title")
    /// Unrecorded
    public static let boardUnrecorded = Text("board.unrecorded")
    /// No trade yet in this session
    public static let boardUntraded = Text("board.untraded")
    /// Watchlist
    public static let boardWatchlist = Text("board.watchlist")
    /// Nothing in the book
    public static let bookEmpty = Text("book.empty")
    /// An index is only computed: it has no book
    public static let bookIndex = Text("book.index")
    /// No broker queue: only Hong Kong stocks with a known book have one
    public static let brokersNone = Text("brokers.none")
    /// Four digits: the broker number of an exchange participant
    public static let brokersNumbers = Text("brokers.numbers")
    /// S01, S02, …: brokers of the simulation; nobody real stands in line
    public static let brokersSimulated = Text("brokers.simulated")
    /// Holiday
    public static let calendarClosed = Text("calendar.closed")
    /// Day
    public static let calendarDay = Text("calendar.day")
    /// Full day
    public static let calendarFull = Text("calendar.full")
    /// Hours
    public static let calendarHours = Text("calendar.hours")
    /// hours not known
    public static let calendarHoursUnknown = Text("calendar.hours-unknown")
    /// Late opening
    public static let calendarLate = Text("calendar.late")
    /// Next trading day  {day}
    public static func calendarNext(day: String) -> Text { Text("calendar.next", [.init("day", .string(day))]) }
    /// Weekends are left out
    public static let calendarNoWeekends = Text("calendar.no-weekends")
    /// not listed
    public static let calendarNotListed = Text("calendar.not-listed")
    /// All of these days are weekend days
    public static let calendarOnlyWeekends = Text("calendar.only-weekends")
    /// projected by rule
    public static let calendarProjected = Text("calendar.projected")
    /// Half day
    public static let calendarShort = Text("calendar.short")
    /// new auction orders
    public static let calendarTakesAuction = Text("calendar.takes-auction")
    /// cancel
    public static let calendarTakesCancel = Text("calendar.takes-cancel")
    /// change
    public static let calendarTakesChange = Text("calendar.takes-change")
    /// new
    public static let calendarTakesNew = Text("calendar.takes-new")
    /// none
    public static let calendarTakesNone = Text("calendar.takes-none")
    /// not verified
    public static let calendarUnverified = Text("calendar.unverified")
    /// verified
    public static let calendarVerified = Text("calendar.verified")
    /// Closed for a storm
    public static let calendarWeather = Text("calendar.weather")
    /// Weekend
    public static let calendarWeekend = Text("calendar.weekend")
    /// since {date}: another recording before
    public static func chartCompareSince(date: String) -> Text { Text("chart.compare-since", [.init("date", .string(date))]) }
    /// Auction would trade {volume} at {price}
    public static func chartIndication(price: String, volume: String) -> Text { Text("chart.indication", [.init("price", .string(price)), .init("volume", .string(volume))]) }
    /// A price in view is not above zero: the axis is linear
    public static let chartLinear = Text("chart.linear")
    /// Wrote {path}
    public static func chartWritten(path: String) -> Text { Text("chart.written", [.init("path", .string(path))]) }
    /// Average cost
    public static let chipsAverage = Text("chips.average")
    /// Concentration
    public static let chipsConcentration = Text("chips.concentration")
    /// Known of the float
    public static let chipsKnown = Text("chips.known")
    /// In profit
    public static let chipsProfit = Text("chips.profit")
    /// {share} of costs
    public static func chipsRange(share: String) -> Text { Text("chips.range", [.init("share", .string(share))]) }
    /// Chips
    public static let chipsTitle = Text("chips.title")
    /// Connected
    public static let connectionConnected = Text("connection.connected")
    /// Connecting
    public static let connectionConnecting = Text("connection.connecting")
    /// Degraded
    public static let connectionDegraded = Text("connection.degraded")
    /// No connection to {server}
    public static func connectionNone(server: String) -> Text { Text("connection.none", [.init("server", .string(server))]) }
    /// Connection lost
    public static let connectionOffline = Text("connection.offline")
    /// Quotes
    public static let connectionQuotes = Text("connection.quotes")
    /// Reconnecting
    public static let connectionReconnecting = Text("connection.reconnecting")
    /// Start it: {command}
    public static func connectionStartIt(command: String) -> Text { Text("connection.start-it", [.init("command", .string(command))]) }
    /// Trading
    public static let connectionTrade = Text("connection.trade")
    /// Nothing was changed
    public static let connectionUnchanged = Text("connection.unchanged")
    /// Futures
    public static let counterFutures = Text("counter.futures")
    /// Securities
    public static let counterSecurities = Text("counter.securities")
    /// Configuration folder
    public static let doctorConfig = Text("doctor.config")
    /// failed
    public static let doctorFailed = Text("doctor.failed")
    /// Language
    public static let doctorLanguage = Text("doctor.language")
    /// Connected and logged in
    public static let doctorLoggedIn = Text("doctor.logged-in")
    /// Connected, not logged in. Use: causeway trade-login {counter}
    public static func doctorNotLoggedIn(counter: String) -> Text { Text("doctor.not-logged-in", [.init("counter", .string(counter))]) }
    /// ok
    public static let doctorOk = Text("doctor.ok")
    /// {count:integer} instruments, market date {date}
    public static func doctorQuotes(count: Int, date: String) -> Text { Text("doctor.quotes", [.init("count", .integer(count)), .init("date", .string(date))]) }
    /// Server answers
    public static let doctorServer = Text("doctor.server")
    /// Signed in
    public static let doctorSignedIn = Text("doctor.signed-in")
    /// State folder
    public static let doctorState = Text("doctor.state")
    /// Where secrets are kept
    public static let doctorStore = Text("doctor.store")
    /// keyring
    public static let doctorStoreKeyring = Text("doctor.store.keyring")
    /// memory only
    public static let doctorStoreMemory = Text("doctor.store.memory")
    /// sealed file
    public static let doctorStoreSealed = Text("doctor.store.sealed")
    /// Terminal
    public static let doctorTerminal = Text("doctor.terminal")
    /// warning
    public static let doctorWarning = Text("doctor.warning")
    /// Drawing {id} added
    public static func drawingAdded(id: String) -> Text { Text("drawing.added", [.init("id", .string(id))]) }
    /// Without drawings: their prices are as printed, the chart's are adjusted
    public static let drawingAdjusted = Text("drawing.adjusted")
    /// Nothing is drawn
    public static let drawingNone = Text("drawing.none")
    /// Without drawings: {error}
    public static func drawingNotRead(error: String) -> Text { Text("drawing.not-read", [.init("error", .string(error))]) }
    /// Drawing {id} removed
    public static func drawingRemoved(id: String) -> Text { Text("drawing.removed", [.init("id", .string(id))]) }
    /// The file of drawings was damaged. It is kept as {path}
    public static func drawingSetAside(path: String) -> Text { Text("drawing.set-aside", [.init("path", .string(path))]) }
    /// colour {colour}, {width} px, {dash:word}
    public static func drawingStyle(colour: String, dash: String, width: String) -> Text { Text("drawing.style", [.init("colour", .string(colour)), .init("dash", .string(dash)), .init("width", .string(width))]) }
    /// Channel
    public static let drawingToolChannel = Text("drawing.tool-channel")
    /// Fibonacci retracement
    public static let drawingToolFibonacci = Text("drawing.tool-fibonacci")
    /// Level
    public static let drawingToolHorizontal = Text("drawing.tool-horizontal")
    /// Ray
    public static let drawingToolRay = Text("drawing.tool-ray")
    /// Rectangle
    public static let drawingToolRectangle = Text("drawing.tool-rectangle")
    /// Text
    public static let drawingToolText = Text("drawing.tool-text")
    /// Trend line
    public static let drawingToolTrend = Text("drawing.tool-trend")
    /// {age:duration} ago
    public static func feedAge(age: Duration) -> Text { Text("feed.age", [.init("age", .duration(age))]) }
    /// The last price of the replay came at {time}: no more follow
    public static func feedConditionEnded(time: String) -> Text { Text("feed.condition.ended", [.init("time", .string(time))]) }
    /// Market time stands still since {time}: prices do not move
    public static func feedConditionPaused(time: String) -> Text { Text("feed.condition.paused", [.init("time", .string(time))]) }
    /// Prices come again
    public static let feedConditionRunning = Text("feed.condition.running")
    /// Replay over
    public static let feedConditionShortEnded = Text("feed.condition.short-ended")
    /// No news
    public static let feedConditionShortStale = Text("feed.condition.short-stale")
    /// Feed stopped
    public static let feedConditionShortStopped = Text("feed.condition.short-stopped")
    /// The feed has said nothing since {time}: prices may be old
    public static func feedConditionStale(time: String) -> Text { Text("feed.condition.stale", [.init("time", .string(time))]) }
    /// The feed stopped at {time}: no newer prices come until the server is mended
    public static func feedConditionStopped(time: String) -> Text { Text("feed.condition.stopped", [.init("time", .string(time))]) }
    /// Recorded prices, replayed on {date}
    public static func feedRecordedNote(date: String) -> Text { Text("feed.recorded-note", [.init("date", .string(date))]) }
    /// Quotes stopped at {time} ({age:duration} ago)
    public static func feedStale(age: Duration, time: String) -> Text { Text("feed.stale", [.init("age", .duration(age)), .init("time", .string(time))]) }
    /// Each item rounded by itself, by its own rule; without a broker's own charges
    public static let feesAbout = Text("fees.about")
    /// Amount
    public static let feesAmount = Text("fees.amount")
    /// Cost with fees
    public static let feesCost = Text("fees.cost")
    /// Fee
    public static let feesItem = Text("fees.item")
    /// No fees
    public static let feesNone = Text("fees.none")
    /// No fees on this side; a purchase pays {rules}
    public static func feesNoneOnSale(rules: String) -> Text { Text("fees.none-on-sale", [.init("rules", .string(rules))]) }
    /// No fees on this side; a sale pays {rules}
    public static func feesNoneThisSide(rules: String) -> Text { Text("fees.none-this-side", [.init("rules", .string(rules))]) }
    /// Not whole lots: a lot is {lot:decimal}
    public static func feesOddLot(lot: String) -> Text { Text("fees.odd-lot", [.init("lot", .string(lot))]) }
    /// {price} is between ticks
    public static func feesOffTick(price: String) -> Text { Text("fees.off-tick", [.init("price", .string(price))]) }
    /// Proceeds after fees
    public static let feesProceeds = Text("fees.proceeds")
    /// Rate
    public static let feesRate = Text("fees.rate")
    /// {amount} a contract
    public static func feesRatePerContract(amount: String) -> Text { Text("fees.rate-per-contract", [.init("amount", .string(amount))]) }
    /// {amount} an order
    public static func feesRatePerOrder(amount: String) -> Text { Text("fees.rate-per-order", [.init("amount", .string(amount))]) }
    /// {amount} a share
    public static func feesRatePerShare(amount: String) -> Text { Text("fees.rate-per-share", [.init("amount", .string(amount))]) }
    /// {name:word}
    public static func feesRule(name: String) -> Text { Text("fees.rule", [.init("name", .string(name))]) }
    /// Settles T+{days:integer}
    public static func feesSettles(days: Int) -> Text { Text("fees.settles", [.init("days", .integer(days))]) }
    /// Settlement: not known for this day
    public static let feesSettlesUnknown = Text("fees.settles-unknown")
    /// Total
    public static let feesTotal = Text("fees.total")
    /// not verified
    public static let feesUnverified = Text("fees.unverified")
    /// none: the price is below the rate
    public static let feesZeroPrice = Text("fees.zero-price")
    /// set to zero
    public static let feesZeroRate = Text("fees.zero-rate")
    /// set to zero through {date}
    public static func feesZeroRateUntil(date: String) -> Text { Text("fees.zero-rate-until", [.init("date", .string(date))]) }
    /// rounds to nothing
    public static let feesZeroRounded = Text("fees.zero-rounded")
    /// Account
    public static let fieldAccount = Text("field.account")
    /// Aggressor
    public static let fieldAggressor = Text("field.aggressor")
    /// Alert
    public static let fieldAlert = Text("field.alert")
    /// Amplitude
    public static let fieldAmplitude = Text("field.amplitude")
    /// Ask
    public static let fieldAsk = Text("field.ask")
    /// Available
    public static let fieldAvailable = Text("field.available")
    /// Average
    public static let fieldAverage = Text("field.average")
    /// Bid
    public static let fieldBid = Text("field.bid")
    /// Brokers in line
    public static let fieldBrokers = Text("field.brokers")
    /// Cash
    public static let fieldCash = Text("field.cash")
    /// Certainty
    public static let fieldCertainty = Text("field.certainty")
    /// Change
    public static let fieldChange = Text("field.change")
    /// Check
    public static let fieldCheck = Text("field.check")
    /// Close
    public static let fieldClose = Text("field.close")
    /// Condition
    public static let fieldCondition = Text("field.condition")
    /// Average cost
    public static let fieldCost = Text("field.cost")
    /// Counter
    public static let fieldCounter = Text("field.counter")
    /// Currency
    public static let fieldCurrency = Text("field.currency")
    /// Pair
    public static let fieldCurrencyPair = Text("field.currency-pair")
    /// Date
    public static let fieldDate = Text("field.date")
    /// Device
    public static let fieldDevice = Text("field.device")
    /// Drawing
    public static let fieldDrawing = Text("field.drawing")
    /// End
    public static let fieldEnd = Text("field.end")
    /// End UTC
    public static let fieldEndUtc = Text("field.end-utc")
    /// Fees
    public static let fieldFees = Text("field.fees")
    /// File
    public static let fieldFile = Text("field.file")
    /// Fill
    public static let fieldFill = Text("field.fill")
    /// Filled
    public static let fieldFilled = Text("field.filled")
    /// Formula
    public static let fieldFormula = Text("field.formula")
    /// Group
    public static let fieldGroup = Text("field.group")
    /// Hash
    public static let fieldHash = Text("field.hash")
    /// Held
    public static let fieldHeld = Text("field.held")
    /// High
    public static let fieldHigh = Text("field.high")
    /// Initial margin
    public static let fieldInitialMargin = Text("field.initial-margin")
    /// Kind
    public static let fieldKind = Text("field.kind")
    /// Last
    public static let fieldLast = Text("field.last")
    /// Local time
    public static let fieldLocalTime = Text("field.local-time")
    /// Lot
    public static let fieldLot = Text("field.lot")
    /// Low
    public static let fieldLow = Text("field.low")
    /// Maintenance margin
    public static let fieldMaintenanceMargin = Text("field.maintenance-margin")
    /// Market
    public static let fieldMarket = Text("field.market")
    /// Multiplier
    public static let fieldMultiplier = Text("field.multiplier")
    /// Name
    public static let fieldName = Text("field.name")
    /// Next close
    public static let fieldNextClose = Text("field.next-close")
    /// Next open
    public static let fieldNextOpen = Text("field.next-open")
    /// Open
    public static let fieldOpen = Text("field.open")
    /// Order
    public static let fieldOrder = Text("field.order")
    /// Orders
    public static let fieldOrders = Text("field.orders")
    /// Parameters
    public static let fieldParameters = Text("field.parameters")
    /// %
    public static let fieldPercent = Text("field.percent")
    /// Phase
    public static let fieldPhase = Text("field.phase")
    /// Places
    public static let fieldPlaces = Text("field.places")
    /// Platform
    public static let fieldPlatform = Text("field.platform")
    /// P&L
    public static let fieldPnl = Text("field.pnl")
    /// Previous
    public static let fieldPreviousClose = Text("field.previous-close")
    /// Price
    public static let fieldPrice = Text("field.price")
    /// Profile
    public static let fieldProfile = Text("field.profile")
    /// Quantity
    public static let fieldQuantity = Text("field.quantity")
    /// #
    public static let fieldRank = Text("field.rank")
    /// Rate
    public static let fieldRate = Text("field.rate")
    /// Realised
    public static let fieldRealised = Text("field.realised")
    /// Reason
    public static let fieldReason = Text("field.reason")
    /// Fires
    public static let fieldRepeats = Text("field.repeats")
    /// Result
    public static let fieldResult = Text("field.result")
    /// Rows
    public static let fieldRows = Text("field.rows")
    /// Sellable
    public static let fieldSellable = Text("field.sellable")
    /// Server
    public static let fieldServer = Text("field.server")
    /// Share
    public static let fieldShare = Text("field.share")
    /// Side
    public static let fieldSide = Text("field.side")
    /// Sign-in
    public static let fieldSignIn = Text("field.sign-in")
    /// Signed in
    public static let fieldSignedIn = Text("field.signed-in")
    /// Size
    public static let fieldSize = Text("field.size")
    /// Source
    public static let fieldSource = Text("field.source")
    /// Sources of
    public static let fieldSourcesOf = Text("field.sources-of")
    /// Start
    public static let fieldStart = Text("field.start")
    /// Start UTC
    public static let fieldStartUtc = Text("field.start-utc")
    /// Status
    public static let fieldStatus = Text("field.status")
    /// Style
    public static let fieldStyle = Text("field.style")
    /// Symbol
    public static let fieldSymbol = Text("field.symbol")
    /// Orders taken
    public static let fieldTaken = Text("field.taken")
    /// Tick
    public static let fieldTick = Text("field.tick")
    /// Time
    public static let fieldTime = Text("field.time")
    /// Tool
    public static let fieldTool = Text("field.tool")
    /// Turnover
    public static let fieldTurnover = Text("field.turnover")
    /// Type
    public static let fieldType = Text("field.type")
    /// Value
    public static let fieldValue = Text("field.value")
    /// Whole
    public static let fieldVerified = Text("field.verified")
    /// Version
    public static let fieldVersion = Text("field.version")
    /// Volume
    public static let fieldVolume = Text("field.volume")
    /// Text
    public static let fieldWords = Text("field.words")
    /// No fills
    public static let fillsNone = Text("fills.none")
    /// No funds
    public static let fundsNone = Text("funds.none")
    /// No exchange rate is known
    public static let fxNone = Text("fx.none")
    /// one desk for Hong Kong stocks, US stocks and futures
    public static let helpAbout = Text("help.about")
    /// be told when SYMBOL is above, below, up, down, volume, bid above|below, ask above|below VALUE
    public static let helpCommandAlertAdd = Text("help.command.alert-add")
    /// list the alerts, or the newest that fired
    public static let helpCommandAlertList = Text("help.command.alert-list")
    /// remove an alert
    public static let helpCommandAlertRemove = Text("help.command.alert-remove")
    /// print alerts as they fire
    public static let helpCommandAlertWatch = Text("help.command.alert-watch")
    /// print the HTTP API as Markdown
    public static let helpCommandApi = Text("help.command.api")
    /// bars of a period
    public static let helpCommandBars = Text("help.command.bars")
    /// measure {what:text}
    public static func helpCommandBench(what: Text) -> Text { Text("help.command.bench", [.init("what", .text(what))]) }
    /// be the work of bench codec alone; prints heap allocations where they are counted
    public static let helpCommandBenchCodecLoop = Text("help.command.bench-codec-loop")
    /// be the work of bench indicators alone; prints heap allocations where they are counted
    public static let helpCommandBenchIndicatorsLoop = Text("help.command.bench-indicators-loop")
    /// list the benches and their targets
    public static let helpCommandBenchList = Text("help.command.bench-list")
    /// be the clients of a quote bench; reads the credential from standard input
    public static let helpCommandBenchQuoteLoad = Text("help.command.bench-quote-load")
    /// be the server that bench fanout measures
    public static let helpCommandBenchQuoteServer = Text("help.command.bench-quote-server")
    /// open a search index and ask it everything; says the time and memory it took
    public static let helpCommandBenchSearchLoop = Text("help.command.bench-search-loop")
    /// the order book
    public static let helpCommandBook = Text("help.command.book")
    /// the broker queue of a Hong Kong stock (simulated, and marked so)
    public static let helpCommandBrokers = Text("help.command.brokers")
    /// sessions of a market on DATE, or a line a day from DATE to TO
    public static let helpCommandCalendar = Text("help.command.calendar")
    /// a picture of bars with indicators and your trades
    public static let helpCommandChart = Text("help.command.chart")
    /// join a Socket.IO namespace; lines of JSON arrays are emitted
    public static let helpCommandConnectSocketio = Text("help.command.connect-socketio")
    /// send lines as text messages, print what comes in
    public static let helpCommandConnectWebsocket = Text("help.command.connect-websocket")
    /// add your own recordings to the replay (layouts of Data/README.md)
    public static let helpCommandDataImport = Text("help.command.data-import")
    /// where this account is signed in
    public static let helpCommandDevices = Text("help.command.devices")
    /// check set-up, server, sign-in and connections
    public static let helpCommandDoctor = Text("help.command.doctor")
    /// draw a line, a level, a channel or words on an instrument's charts
    public static let helpCommandDrawAdd = Text("help.command.draw-add")
    /// list what is drawn on an instrument's charts
    public static let helpCommandDrawList = Text("help.command.draw-list")
    /// remove a drawing
    public static let helpCommandDrawRemove = Text("help.command.draw-remove")
    /// tell what exchange and state take of an order, item by item
    public static let helpCommandFees = Text("help.command.fees")
    /// list the fills
    public static let helpCommandFills = Text("help.command.fills")
    /// cash, held and available by currency
    public static let helpCommandFunds = Text("help.command.funds")
    /// the exchange rates in use, and of which day they are
    public static let helpCommandFx = Text("help.command.fx")
    /// an indicator, or an expression of your own, over bars in a file; alone: all indicators with their formulas
    public static let helpCommandIndicator = Text("help.command.indicator")
    /// what each market does now, and when it opens and closes next
    public static let helpCommandMarketStatus = Text("help.command.market-status")
    /// cancel an order
    public static let helpCommandOrderCancel = Text("help.command.order-cancel")
    /// list the orders
    public static let helpCommandOrderList = Text("help.command.order-list")
    /// send an order for the day
    public static let helpCommandOrderPlace = Text("help.command.order-place")
    /// show one order with its fills
    public static let helpCommandOrderShow = Text("help.command.order-show")
    /// make a passphrase file, so that you stay signed in without a keyring
    public static let helpCommandPassphrase = Text("help.command.passphrase")
    /// floating profit in two currencies
    public static let helpCommandPnl = Text("help.command.pnl")
    /// list the open positions
    public static let helpCommandPositions = Text("help.command.positions")
    /// last prices, once
    public static let helpCommandQuote = Text("help.command.quote")
    /// the first instruments of a ranking: gainers, losers, turnover, volume, amplitude
    public static let helpCommandRank = Text("help.command.rank")
    /// record prices, books and trades of SYMBOL… into a new folder
    public static let helpCommandRecord = Text("help.command.record")
    /// the backend and the board in one program, on the shipped recordings
    public static let helpCommandRun = Text("help.command.run")
    /// run the backend: accounts, quotes, trading
    public static let helpCommandServe = Text("help.command.serve")
    /// run a quote node alone, for the clients of a gateway
    public static let helpCommandServeQuotes = Text("help.command.serve-quotes")
    /// a Socket.IO server for the suites of other implementations
    public static let helpCommandServeSocketio = Text("help.command.serve-socketio")
    /// a WebSocket server that sends every message back
    public static let helpCommandServeWebsocket = Text("help.command.serve-websocket")
    /// sign in to a server; --register makes the account
    public static let helpCommandSignIn = Text("help.command.sign-in")
    /// sign out and forget everything of the account
    public static let helpCommandSignOut = Text("help.command.sign-out")
    /// make the symbol database of the official lists in the data folder
    public static let helpCommandSymbolsBuild = Text("help.command.symbols-build")
    /// which symbol database is in use, and whether it is whole
    public static let helpCommandSymbolsInfo = Text("help.command.symbols-info")
    /// list every instrument
    public static let helpCommandSymbolsList = Text("help.command.symbols-list")
    /// instruments with QUERY in code or name
    public static let helpCommandSymbolsSearch = Text("help.command.symbols-search")
    /// bring the symbol database up to date, from the server or a file
    public static let helpCommandSymbolsUpdate = Text("help.command.symbols-update")
    /// the newest trades of an instrument
    public static let helpCommandTicks = Text("help.command.ticks")
    /// tell the price step, the valid prices around a price, and the lot
    public static let helpCommandTicksize = Text("help.command.ticksize")
    /// log in to trade on a counter
    public static let helpCommandTradeLogin = Text("help.command.trade-login")
    /// the program's version
    public static let helpCommandVersion = Text("help.command.version")
    /// live prices, line by line
    public static let helpCommandWatch = Text("help.command.watch")
    /// put SYMBOL… into a watchlist
    public static let helpCommandWatchlistAdd = Text("help.command.watchlist-add")
    /// add or remove a group of symbols
    public static let helpCommandWatchlistGroup = Text("help.command.watchlist-group")
    /// show the watchlists
    public static let helpCommandWatchlistList = Text("help.command.watchlist-list")
    /// keep SYMBOL at the top
    public static let helpCommandWatchlistPin = Text("help.command.watchlist-pin")
    /// take SYMBOL… out of a watchlist
    public static let helpCommandWatchlistRemove = Text("help.command.watchlist-remove")
    /// who is signed in, where, with which trading accounts
    public static let helpCommandWhoami = Text("help.command.whoami")
    /// causeway help COMMAND says what a command takes.
    public static let helpMore = Text("help.more")
    /// splits and dividends taken out: none, forward (the newest stays as printed), backward (the oldest)
    public static let helpOptionAdjust = Text("help.option.adjust")
    /// of the bars that --when looks at: 1m, 5m, day, …
    public static let helpOptionAlertPeriod = Text("help.option.alert-period")
    /// market time to start from, e.g. 2026-11-30T10:00:00+08:00
    public static let helpOptionAt = Text("help.option.at")
    /// market time to start from (default: where the folder is)
    public static let helpOptionAtFolder = Text("help.option.at-folder")
    /// ask for that time instead of market time; no server is needed
    public static let helpOptionAtMarket = Text("help.option.at-market")
    /// with --feed finnhub: keep so many calendar days of its minutes (default 30)
    public static let helpOptionBarDays = Text("help.option.bar-days")
    /// a file the bench made
    public static let helpOptionBenchFile = Text("help.option.bench-file")
    /// instruments
    public static let helpOptionBenchSymbols = Text("help.option.bench-symbols")
    /// change nothing; fail where the result would differ
    public static let helpOptionBuildCheck = Text("help.option.build-check")
    /// PEM authorities to trust instead of the system's
    public static let helpOptionCa = Text("help.option.ca")
    /// beside it, at what prices the shares in float were bought; needs --float
    public static let helpOptionChartChips = Text("help.option.chart-chips")
    /// green-up in English, red-up in Chinese unless said; blue-up needs no red and green
    public static let helpOptionChartColours = Text("help.option.chart-colours")
    /// draw each one's change in per cent on one axis with these, seven at most; with --input: files
    public static let helpOptionChartCompare = Text("help.option.chart-compare")
    /// bars in view, 1 to 5000; 140 unless said
    public static let helpOptionChartCount = Text("help.option.chart-count")
    /// e.g. ma:5:10:20,boll,macd,kdj or an expression; ma:5:10:20,macd unless said
    public static let helpOptionChartIndicators = Text("help.option.chart-indicators")
    /// a logarithmic price axis
    public static let helpOptionChartLog = Text("help.option.chart-log")
    /// without what you drew
    public static let helpOptionChartNoDrawings = Text("help.option.chart-no-drawings")
    /// the picture to write: .png, .pdf or .svg; also -o
    public static let helpOptionChartOutput = Text("help.option.chart-output")
    /// intraday 1m 3m 5m 15m 30m 60m day week month quarter year (default day)
    public static let helpOptionChartPeriod = Text("help.option.chart-period")
    /// in pixels; 1280x720 unless said
    public static let helpOptionChartSize = Text("help.option.chart-size")
    /// light unless said
    public static let helpOptionChartTheme = Text("help.option.chart-theme")
    /// green-up, red-up or none
    public static let helpOptionColours = Text("help.option.colours")
    /// the newest N (default 20)
    public static let helpOptionCountBars = Text("help.option.count-bars")
    /// stop after so many lines
    public static let helpOptionCountLines = Text("help.option.count-lines")
    /// print CSV
    public static let helpOptionCsv = Text("help.option.csv")
    /// folder of accounts and journal (default: the profile's)
    public static let helpOptionData = Text("help.option.data")
    /// the day the tables are asked for; else the market date
    public static let helpOptionDate = Text("help.option.date")
    /// levels, 1 to 10 (default 10)
    public static let helpOptionDepth = Text("help.option.depth")
    /// one of eight colours, 1 to 8 (default 8)
    public static let helpOptionDrawColour = Text("help.option.draw-colour")
    /// solid, dashed or dotted (default solid)
    public static let helpOptionDrawDash = Text("help.option.draw-dash")
    /// what a text says, at most 200 characters
    public static let helpOptionDrawText = Text("help.option.draw-text")
    /// pixels, 1 to 4 (default 1)
    public static let helpOptionDrawWidth = Text("help.option.draw-width")
    /// formula and inputs of every figure
    public static let helpOptionExplain = Text("help.option.explain")
    /// replay (recorded prices; simulated where there are none), synthetic (made from a seed), recording (a folder of record) or finnhub (live US stocks, with a key of your own)
    public static let helpOptionFeed = Text("help.option.feed")
    /// how many instruments the synthetic feed has (default 2000)
    public static let helpOptionFeedInstruments = Text("help.option.feed.instruments")
    /// record all that the feed says into a new folder
    public static let helpOptionFeedRecord = Text("help.option.feed.record")
    /// with --feed recording: the folder to play
    public static let helpOptionFeedRecording = Text("help.option.feed.recording")
    /// seed of the synthetic feed (default 1)
    public static let helpOptionFeedSeed = Text("help.option.feed.seed")
    /// with --feed finnhub: the file that holds your key (default: $FINNHUB_KEY_FILE)
    public static let helpOptionFinnhubKeyFile = Text("help.option.finnhub-key-file")
    /// with --feed finnhub: a stand-in on this machine, for tests
    public static let helpOptionFinnhubUrl = Text("help.option.finnhub-url")
    /// the newest 20 that fired, instead
    public static let helpOptionFired = Text("help.option.fired")
    /// shares in free float, for chips
    public static let helpOptionFloat = Text("help.option.float")
    /// the group (default main)
    public static let helpOptionGroup = Text("help.option.group")
    /// say what this command takes
    public static let helpOptionHelp = Text("help.option.help")
    /// address to listen on (default 127.0.0.1)
    public static let helpOptionHost = Text("help.option.host")
    /// the newest N rows; 20 unless said, all with --csv
    public static let helpOptionIndicatorCount = Text("help.option.indicator-count")
    /// bars of your own: CSV with date, open, high, low, close, volume
    public static let helpOptionIndicatorInput = Text("help.option.indicator-input")
    /// allow another address than loopback without TLS
    public static let helpOptionInsecureLan = Text("help.option.insecure-lan")
    /// print JSON, one object a line
    public static let helpOptionJson = Text("help.option.json")
    /// en, zh-Hans or zh-Hant (default: from LANG)
    public static let helpOptionLanguage = Text("help.option.language")
    /// at most so many (default 20)
    public static let helpOptionLimit = Text("help.option.limit")
    /// the worst price to take
    public static let helpOptionLimitPrice = Text("help.option.limit-price")
    /// at the market
    public static let helpOptionMarket = Text("help.option.market")
    /// default 10000
    public static let helpOptionMilliseconds = Text("help.option.milliseconds")
    /// the account's name
    public static let helpOptionName = Text("help.option.name")
    /// default /
    public static let helpOptionNamespace = Text("help.option.namespace")
    /// write the key that quote nodes need into this file
    public static let helpOptionNodeKey = Text("help.option.node-key")
    /// the key that the gateway wrote with serve --node-key
    public static let helpOptionNodeKeyRead = Text("help.option.node-key-read")
    /// show each on the desktop too
    public static let helpOptionNotify = Text("help.option.notify")
    /// no longer
    public static let helpOptionOff = Text("help.option.off")
    /// only of this order
    public static let helpOptionOrder = Text("help.option.order")
    /// its first line is the password (default: terminal or standard input)
    public static let helpOptionPasswordFile = Text("help.option.password-file")
    /// 1m 3m 5m 15m 30m 60m day week month quarter year (default day)
    public static let helpOptionPeriod = Text("help.option.period")
    /// of the plan
    public static let helpOptionPlan = Text("help.option.plan")
    /// listen there (default {port}; 0: any free port)
    public static func helpOptionPort(port: String) -> Text { Text("help.option.port", [.init("port", .string(port))]) }
    /// keep servers and accounts apart (default: main)
    public static let helpOptionProfile = Text("help.option.profile")
    /// names by which clients reach it, beside --host, localhost and numbers
    public static let helpOptionPublicHost = Text("help.option.public-host")
    /// a short run, to see that it works; its figures say little
    public static let helpOptionQuick = Text("help.option.quick")
    /// servers that have the quotes of these markets; the rest is this one's
    public static let helpOptionQuoteNode = Text("help.option.quote-node")
    /// how many, 1 to 100; 20 unless said
    public static let helpOptionRankCount = Text("help.option.rank-count")
    /// only stock, etf, index, future, …
    public static let helpOptionRankKind = Text("help.option.rank-kind")
    /// updates a second
    public static let helpOptionRate = Text("help.option.rate")
    /// how long, e.g. 90s, 30m, 2h (default: until Ctrl C)
    public static let helpOptionRecordFor = Text("help.option.record.for")
    /// the new folder
    public static let helpOptionRecordOut = Text("help.option.record.out")
    /// market time at which it ends
    public static let helpOptionRecordUntil = Text("help.option.record.until")
    /// make the account first
    public static let helpOptionRegister = Text("help.option.register")
    /// fire each time it becomes true, not once
    public static let helpOptionRepeat = Text("help.option.repeat")
    /// default: the one signed in to, else http://127.0.0.1:7701
    public static let helpOptionServer = Text("help.option.server")
    /// half an hour of 2,000 instruments at five updates a second each
    public static let helpOptionSoak = Text("help.option.soak")
    /// times of real time, 0 (paused) or max (default 1)
    public static let helpOptionSpeed = Text("help.option.speed")
    /// how many, 1 to 1000; 20 unless said
    public static let helpOptionTicksCount = Text("help.option.ticks-count")
    /// messages
    public static let helpOptionTimes = Text("help.option.times")
    /// PEM certificate chain
    public static let helpOptionTlsCert = Text("help.option.tls-cert")
    /// PEM private key
    public static let helpOptionTlsKey = Text("help.option.tls-key")
    /// accept the server's certificate by its fingerprint, sha256:…; authorities: forget what was accepted
    public static let helpOptionTrust = Text("help.option.trust")
    /// a database file, its https address, or shipped: back to the one that came with the program
    public static let helpOptionUpdateFrom = Text("help.option.update-from")
    /// of each instrument
    public static let helpOptionUpdates = Text("help.option.updates")
    /// an expression over bars instead of CONDITION VALUE: "CROSS(EMA(CLOSE,12),EMA(CLOSE,26))"
    public static let helpOptionWhen = Text("help.option.when")
    /// decode or encode
    public static let helpOptionWork = Text("help.option.work")
    /// only orders that still work
    public static let helpOptionWorking = Text("help.option.working")
    /// LC = REF(CLOSE,1); AA = |HIGH-LC|; BB = |LOW-LC|; CC = |HIGH-REF(LOW,1)|; DD = |LC-REF(OPEN,1)|; R = AA+BB/2+DD/4 where AA is the largest of AA, BB, CC, BB+AA/2+DD/4 where BB is, else CC+DD/4; X = CLOSE-LC + (CLOSE-OPEN)/2 + LC-REF(OPEN,1); SI = 16*X/R*MAX(AA,BB); ASI = SUM(SI,n); ASIT = MA(ASI,m)
    public static let indicatorFormulaAsi = Text("indicator.formula-asi")
    /// Wilder's mean of the true range over n
    public static let indicatorFormulaAtr = Text("indicator.formula-atr")
    /// MID = MA(CLOSE,n); UPPER, LOWER = MID ± k * population deviation of the last n closes
    public static let indicatorFormulaBoll = Text("indicator.formula-boll")
    /// MID = (REF(HIGH,1) + REF(LOW,1)) / 2; CR = SUM(MAX(0,HIGH-MID),n) / SUM(MAX(0,MID-LOW),n) * 100; MAi = REF(MA(CR,i), i/2.5 + 1), rounded down
    public static let indicatorFormulaCr = Text("indicator.formula-cr")
    /// PDI, MDI = 100 * Wilder's sum of +DM, -DM over that of the true range; ADX = Wilder's mean of 100 * |PDI-MDI| / (PDI+MDI); ADXR = (ADX + REF(ADX,n-1)) / 2
    public static let indicatorFormulaDmi = Text("indicator.formula-dmi")
    /// each (HHV(HIGH,n) + LLV(LOW,n)) / 2; SENKOU-A = (TENKAN + KIJUN) / 2; rows are unshifted; CHIKOU, the close 26 bars earlier, is on charts only
    public static let indicatorFormulaIchimoku = Text("indicator.formula-ichimoku")
    /// 100 * rise / (rise + fall), the sums over n of TP*VOL where TP = (HIGH+LOW+CLOSE)/3 rose and where it fell
    public static let indicatorFormulaMfi = Text("indicator.formula-mfi")
    /// OBV' + VOL where the close rose, OBV' - VOL where it fell
    public static let indicatorFormulaObv = Text("indicator.formula-obv")
    /// 100 * rise / (rise + fall), each Wilder's mean of the closes' rises and falls over n
    public static let indicatorFormulaRsi = Text("indicator.formula-rsi")
    /// SAR' + f * (extreme - SAR'), f from step by step up to most
    public static let indicatorFormulaSar = Text("indicator.formula-sar")
    /// setup: 1 to 9 for closes in a row above (below) REF(CLOSE,4), then anew; countdown after a setup of nine, from the next bar: 1 to 13 for closes at or above REF(HIGH,2) (at or below REF(LOW,2)), ended by the other side's nine
    public static let indicatorFormulaTd = Text("indicator.formula-td")
    /// VR = (volume of rises + half that of even closes) / (volume of falls + half that of even closes) * 100, each summed over n; MAVR = MA(VR,m)
    public static let indicatorFormulaVr = Text("indicator.formula-vr")
    /// SUM((HIGH+LOW+CLOSE)/3 * VOL) / SUM(VOL), both since the day began
    public static let indicatorFormulaVwap = Text("indicator.formula-vwap")
    /// none; SI is 0 where R is
    public static let indicatorSeedAsi = Text("indicator.seed-asi")
    /// the mean of the first n true ranges, of which the first is the second bar's
    public static let indicatorSeedAtr = Text("indicator.seed-atr")
    /// none; 0 where nothing moved
    public static let indicatorSeedCci = Text("indicator.seed-cci")
    /// undefined where nothing was below
    public static let indicatorSeedCr = Text("indicator.seed-cr")
    /// sums of the first n-1; the mean of the first n; 0 where nothing moved
    public static let indicatorSeedDmi = Text("indicator.seed-dmi")
    /// 0 where the range was none for n bars; undefined without volume
    public static let indicatorSeedEmv = Text("indicator.seed-emv")
    /// the first close
    public static let indicatorSeedFirstClose = Text("indicator.seed-first-close")
    /// the first RSV; shorter windows use what is there; where high equals low RSV stays, at first 50
    public static let indicatorSeedKdj = Text("indicator.seed-kdj")
    /// means; the fast one over the last closes of the slow one's first n, so that both begin together
    public static let indicatorSeedMacd = Text("indicator.seed-macd")
    /// the mean of the first n closes
    public static let indicatorSeedMeanOfN = Text("indicator.seed-mean-of-n")
    /// none; 0 where rise + fall is below 1
    public static let indicatorSeedMfi = Text("indicator.seed-mfi")
    /// none
    public static let indicatorSeedNone = Text("indicator.seed-none")
    /// the first bar's volume
    public static let indicatorSeedObv = Text("indicator.seed-obv")
    /// the mean of the first n changes; 50 where nothing moved
    public static let indicatorSeedRsi = Text("indicator.seed-rsi")
    /// the direction of the second bar; the first bar's low (high where it falls)
    public static let indicatorSeedSar = Text("indicator.seed-sar")
    /// nothing counted
    public static let indicatorSeedTd = Text("indicator.seed-td")
    /// each average by the mean of its first n
    public static let indicatorSeedTrix = Text("indicator.seed-trix")
    /// undefined where nothing fell
    public static let indicatorSeedVr = Text("indicator.seed-vr")
    /// none; undefined before the first trade
    public static let indicatorSeedVwap = Text("indicator.seed-vwap")
    /// none; where high equals low the value stays, at first 50
    public static let indicatorSeedWr = Text("indicator.seed-wr")
    /// Wilder, as Tongdaxin has it
    public static let indicatorSourceAsi = Text("indicator.source-asi")
    /// Bollinger, TA-Lib (the sample deviation of Tongdaxin is wider by sqrt(n/(n-1)))
    public static let indicatorSourceBoll = Text("indicator.source-boll")
    /// TA-Lib, Tongdaxin
    public static let indicatorSourceBoth = Text("indicator.source-both")
    /// common
    public static let indicatorSourceCommon = Text("indicator.source-common")
    /// DeMark
    public static let indicatorSourceDemark = Text("indicator.source-demark")
    /// Hosoda
    public static let indicatorSourceHosoda = Text("indicator.source-hosoda")
    /// Lambert, TA-Lib
    public static let indicatorSourceLambert = Text("indicator.source-lambert")
    /// TA-Lib; the columns are twice its histogram, as in Chinese programs
    public static let indicatorSourceMacd = Text("indicator.source-macd")
    /// plain mean
    public static let indicatorSourceMean = Text("indicator.source-mean")
    /// Quong and Soudack, TA-Lib
    public static let indicatorSourceMfi = Text("indicator.source-mfi")
    /// TA-Lib MOM, Tongdaxin
    public static let indicatorSourceMom = Text("indicator.source-mom")
    /// Tongdaxin
    public static let indicatorSourceTongdaxin = Text("indicator.source-tongdaxin")
    /// Tongdaxin EMA
    public static let indicatorSourceTongdaxinEma = Text("indicator.source-tongdaxin-ema")
    /// Wilder, TA-Lib
    public static let indicatorSourceWilder = Text("indicator.source-wilder")
    /// Tongdaxin; TA-Lib's WILLR is its negative
    public static let indicatorSourceWr = Text("indicator.source-wr")
    /// Debt
    public static let kindDebt = Text("kind.debt")
    /// Fund
    public static let kindEtf = Text("kind.etf")
    /// Future
    public static let kindFuture = Text("kind.future")
    /// Index
    public static let kindIndex = Text("kind.index")
    /// Preferred share
    public static let kindPreferred = Text("kind.preferred")
    /// REIT
    public static let kindReit = Text("kind.reit")
    /// Right
    public static let kindRight = Text("kind.right")
    /// Stock
    public static let kindStock = Text("kind.stock")
    /// Structured product
    public static let kindStructured = Text("kind.structured")
    /// Unit
    public static let kindUnit = Text("kind.unit")
    /// Warrant
    public static let kindWarrant = Text("kind.warrant")
    /// , 
    public static let listSeparator = Text("list.separator")
    /// At the clock of this computer: no server was asked ({reason}). --at tells another time
    public static func marketByWallClock(reason: String) -> Text { Text("market.by-wall-clock", [.init("reason", .string(reason))]) }
    /// Projected by rule: the calendars know no later day than {date}
    public static func marketProjected(date: String) -> Text { Text("market.projected", [.init("date", .string(date))]) }
    /// Too late to cancel: already filled
    public static let orderCancelLate = Text("order.cancel-late")
    /// Cancel sent
    public static let orderCancelSent = Text("order.cancel-sent")
    /// Order cancelled
    public static let orderCancelled = Text("order.cancelled")
    /// Filled {quantity} at {price}
    public static func orderFilled(price: String, quantity: String) -> Text { Text("order.filled", [.init("price", .string(price)), .init("quantity", .string(quantity))]) }
    /// No orders
    public static let orderNone = Text("order.none")
    /// Trading is not connected. The order was not sent
    public static let orderNotConnected = Text("order.not-connected")
    /// {reason} (order {id})
    public static func orderNumbered(id: String, reason: String) -> Text { Text("order.numbered", [.init("id", .string(id)), .init("reason", .string(reason))]) }
    /// Filled {quantity}, {left} left
    public static func orderPartial(left: String, quantity: String) -> Text { Text("order.partial", [.init("left", .string(left)), .init("quantity", .string(quantity))]) }
    /// Order rejected: {reason:text}
    public static func orderRejected(reason: Text) -> Text { Text("order.rejected", [.init("reason", .text(reason))]) }
    /// The order that was unknown: {result}
    public static func orderResolved(result: String) -> Text { Text("order.resolved", [.init("result", .string(result))]) }
    /// accepted, number {order}
    public static func orderResolvedAccepted(order: String) -> Text { Text("order.resolved-accepted", [.init("order", .string(order))]) }
    /// Order sent
    public static let orderSent = Text("order.sent")
    /// Outcome unknown. Checking. Do not send again
    public static let orderUnknown = Text("order.unknown")
    /// Made {path}. Sign in now: this profile stays signed in
    public static func passphraseMade(path: String) -> Text { Text("passphrase.made", [.init("path", .string(path))]) }
    /// Once more: 
    public static let passwordAgain = Text("password.again")
    /// Password: 
    public static let passwordPrompt = Text("password.prompt")
    /// 15 minutes
    public static let period15m = Text("period.15m")
    /// 1 minute
    public static let period1m = Text("period.1m")
    /// 30 minutes
    public static let period30m = Text("period.30m")
    /// 3 minutes
    public static let period3m = Text("period.3m")
    /// 5 minutes
    public static let period5m = Text("period.5m")
    /// 60 minutes
    public static let period60m = Text("period.60m")
    /// Day
    public static let periodDay = Text("period.day")
    /// Intraday
    public static let periodIntraday = Text("period.intraday")
    /// Month
    public static let periodMonth = Text("period.month")
    /// Quarter
    public static let periodQuarter = Text("period.quarter")
    /// Week
    public static let periodWeek = Text("period.week")
    /// Year
    public static let periodYear = Text("period.year")
    /// Auction
    public static let phaseAuctionInput = Text("phase.auction-input")
    /// Matching
    public static let phaseAuctionMatching = Text("phase.auction-matching")
    /// Auction, no cancel
    public static let phaseAuctionNoCancel = Text("phase.auction-no-cancel")
    /// Break
    public static let phaseBreak = Text("phase.break")
    /// Closed
    public static let phaseClosed = Text("phase.closed")
    /// Open
    public static let phaseContinuous = Text("phase.continuous")
    /// Halted
    public static let phaseHalted = Text("phase.halted")
    /// Night
    public static let phaseNight = Text("phase.night")
    /// Post-market
    public static let phasePostMarket = Text("phase.post-market")
    /// Pre-market
    public static let phasePreMarket = Text("phase.pre-market")
    /// —
    public static let phaseUnknown = Text("phase.unknown")
    /// No open positions
    public static let pnlEmpty = Text("pnl.empty")
    /// Fees are not in it: they left the cash, see causeway fills
    public static let pnlFees = Text("pnl.fees")
    /// (price − average cost) × quantity × multiplier, × or ÷ rate
    public static let pnlFormula = Text("pnl.formula")
    /// a/b in a line is an exact fraction, not rounded
    public static let pnlFraction = Text("pnl.fraction")
    /// Incomplete: {symbols}
    public static func pnlIncomplete(symbols: String) -> Text { Text("pnl.incomplete", [.init("symbols", .string(symbols))]) }
    /// No price for {symbol}
    public static func pnlMissingPrice(symbol: String) -> Text { Text("pnl.missing-price", [.init("symbol", .string(symbol))]) }
    /// No rate {from}/{to}
    public static func pnlMissingRate(from: String, to: String) -> Text { Text("pnl.missing-rate", [.init("from", .string(from)), .init("to", .string(to))]) }
    /// Rates: ECB reference rates of {day}, the newest this server has; not dealing rates
    public static func pnlRateSource(day: String) -> Text { Text("pnl.rate-source", [.init("day", .string(day))]) }
    /// Each line and the total: worked out exactly, rounded half up to {decimals:integer} decimals
    public static func pnlRounding(decimals: Int) -> Text { Text("pnl.rounding", [.init("decimals", .integer(decimals))]) }
    /// Total
    public static let pnlTotal = Text("pnl.total")
    /// No positions
    public static let positionsNone = Text("positions.none")
    /// Delayed {minutes:integer} min
    public static func provenanceDelayed(minutes: Int) -> Text { Text("provenance.delayed", [.init("minutes", .integer(minutes))]) }
    /// Delayed
    public static let provenanceDelayedUnknown = Text("provenance.delayed-unknown")
    /// Derived from {date} bars
    public static func provenanceDerived(date: String) -> Text { Text("provenance.derived", [.init("date", .string(date))]) }
    /// Derived from recorded bars
    public static let provenanceDerivedUndated = Text("provenance.derived-undated")
    /// Live
    public static let provenanceLive = Text("provenance.live")
    /// Live, last price only
    public static let provenanceLiveLast = Text("provenance.live-last")
    /// Not in this server's feed
    public static let provenanceNotFed = Text("provenance.not-fed")
    /// Recorded {date}
    public static func provenanceRecorded(date: String) -> Text { Text("provenance.recorded", [.init("date", .string(date))]) }
    /// Simulated
    public static let provenanceSimulated = Text("provenance.simulated")
    /// Source unknown
    public static let provenanceUnknown = Text("provenance.unknown")
    /// No recording of this session
    public static let provenanceUnrecorded = Text("provenance.unrecorded")
    /// Nothing to rank: no instrument that was asked for has traded today
    public static let rankNone = Text("rank.none")
    /// Recorded {events:integer} events into {folder}: {quotes:integer} quotes, {books:integer} books, {trades:integer} trades
    public static func recordEnded(books: Int, events: Int, folder: String, quotes: Int, trades: Int) -> Text { Text("record.ended", [.init("books", .integer(books)), .init("events", .integer(events)), .init("folder", .string(folder)), .init("quotes", .integer(quotes)), .init("trades", .integer(trades))]) }
    /// {events:integer} events, market time {time}
    public static func recordProgress(events: Int, time: String) -> Text { Text("record.progress", [.init("events", .integer(events)), .init("time", .string(time))]) }
    /// That is the whole way once. In a terminal, make run opens the board instead.
    public static let runEnd = Text("run.end")
    /// Prices were recorded on other days and are replayed as 2026-11-30, here at 20 times their pace; between recorded bars they are derived, books are simulated. Nothing here is live.
    public static let runIntroduction = Text("run.introduction")
    /// This day was played here before. That paper account is kept in {folder}; to go on with it: causeway serve --data {folder}
    public static func runKept(folder: String) -> Text { Text("run.kept", [.init("folder", .string(folder))]) }
    /// On to New York, 10:00 of the same market date.
    public static let runNewYork = Text("run.new-york")
    /// A paper trade: one lot of Tencent at market.
    public static let runTrade = Text("run.trade")
    /// Stopped
    public static let serveStopped = Text("serve.stopped")
    /// Stopping: what is under way is finished first
    public static let serveStopping = Text("serve.stopping")
    /// Buy
    public static let sideBuy = Text("side.buy")
    /// Sell
    public static let sideSell = Text("side.sell")
    /// Signed in as {name} at {server}
    public static func signinDone(name: String, server: String) -> Text { Text("signin.done", [.init("name", .string(name)), .init("server", .string(server))]) }
    /// Kept in memory only, gone when this command ends. To stay signed in: run causeway passphrase, then sign in again
    public static let signinMemoryOnly = Text("signin.memory-only")
    /// Registered {name} at {server}, with a paper account
    public static func signinRegistered(name: String, server: String) -> Text { Text("signin.registered", [.init("name", .string(name)), .init("server", .string(server))]) }
    /// Signed out
    public static let signoutDone = Text("signout.done")
    /// Signed out here. The server could not be told
    public static let signoutOffline = Text("signout.offline")
    /// Cancelled
    public static let statusCancelled = Text("status.cancelled")
    /// Expired
    public static let statusExpired = Text("status.expired")
    /// Filled
    public static let statusFilled = Text("status.filled")
    /// Part filled
    public static let statusPartial = Text("status.partial")
    /// Rejected
    public static let statusRejected = Text("status.rejected")
    /// Sending
    public static let statusSending = Text("status.sending")
    /// Unknown, checking
    public static let statusUnknown = Text("status.unknown")
    /// Working
    public static let statusWorking = Text("status.working")
    /// Built {version}: {rows} rows, {added} new ids, {megabytes} MB
    public static func symbolsBuilt(added: String, megabytes: String, rows: String, version: String) -> Text { Text("symbols.built", [.init("added", .string(added)), .init("megabytes", .string(megabytes)), .init("rows", .string(rows)), .init("version", .string(version))]) }
    /// Up to date: {version}
    public static func symbolsCurrent(version: String) -> Text { Text("symbols.current", [.init("version", .string(version))]) }
    /// There are more; --limit N shows more of them
    public static let symbolsCut = Text("symbols.cut")
    /// Your own symbol database was removed and is fetched anew. {reason}
    public static func symbolsDiscarded(reason: String) -> Text { Text("symbols.discarded", [.init("reason", .string(reason))]) }
    /// was {symbol} until {day}
    public static func symbolsFormerly(day: String, symbol: String) -> Text { Text("symbols.formerly", [.init("day", .string(day)), .init("symbol", .string(symbol))]) }
    /// The days that {calendar} trades on are not known
    public static func symbolsGapCalendar(calendar: String) -> Text { Text("symbols.gap-calendar", [.init("calendar", .string(calendar))]) }
    /// futures.csv gives no margin for it, and without one its orders cannot be checked
    public static let symbolsGapMargin = Text("symbols.gap-margin")
    /// Instruments of its market, {market}, are not carried
    public static func symbolsGapMarket(market: String) -> Text { Text("symbols.gap-market", [.init("market", .string(market))]) }
    /// ticks.csv has no price steps for it
    public static let symbolsGapSteps = Text("symbols.gap-steps")
    /// The search index cannot be kept: {path}. Every search makes it anew
    public static func symbolsIndexLost(path: String) -> Text { Text("symbols.index-lost", [.init("path", .string(path))]) }
    /// Making the search index of {count:integer} instruments, this once …
    public static func symbolsIndexing(count: Int) -> Text { Text("symbols.indexing", [.init("count", .integer(count))]) }
    /// Left out: contracts of the futures product {product}. {reason:text}
    public static func symbolsLeftOut(product: String, reason: Text) -> Text { Text("symbols.left-out", [.init("product", .string(product)), .init("reason", .text(reason))]) }
    /// No instrument has that in its code or name
    public static let symbolsNone = Text("symbols.none")
    /// None of these is listed on {day}
    public static func symbolsOver(day: String) -> Text { Text("symbols.over", [.init("day", .string(day))]) }
    /// Your own symbol database is not used; the shipped one is. {reason}
    public static func symbolsRefused(reason: String) -> Text { Text("symbols.refused", [.init("reason", .string(reason))]) }
    /// {version} is what the lists make: {rows} rows
    public static func symbolsSame(rows: String, version: String) -> Text { Text("symbols.same", [.init("rows", .string(rows)), .init("version", .string(version))]) }
    /// from {day}
    public static func symbolsSince(day: String) -> Text { Text("symbols.since", [.init("day", .string(day))]) }
    /// until {day}
    public static func symbolsUntil(day: String) -> Text { Text("symbols.until", [.init("day", .string(day))]) }
    /// Updated to {version}: {added} added, {changed} changed, {removed} removed; {fetched} blocks fetched
    public static func symbolsUpdated(added: String, changed: String, fetched: String, removed: String, version: String) -> Text { Text("symbols.updated", [.init("added", .string(added)), .init("changed", .string(changed)), .init("fetched", .string(fetched)), .init("removed", .string(removed)), .init("version", .string(version))]) }
    /// Not in this server's feed: {symbols}
    public static func symbolsWithoutPrices(symbols: String) -> Text { Text("symbols.without-prices", [.init("symbols", .string(symbols))]) }
    /// Tables of your own: {files:list}
    public static func tablesOwn(files: String) -> Text { Text("tables.own", [.init("files", .string(files))]) }
    /// Projected, not verified: the rows are known from {from} to {to}, not on {date}
    public static func tablesProjected(date: String, from: String, to: String) -> Text { Text("tables.projected", [.init("date", .string(date)), .init("from", .string(from)), .init("to", .string(to))]) }
    /// projected
    public static let tablesProjectedShort = Text("tables.projected-short")
    /// Not verified: a figure here rests on less than two sources
    public static let tablesUnverified = Text("tables.unverified")
    /// available {before} → {after} {currency}
    public static func ticketAvailable(after: String, before: String, currency: String) -> Text { Text("ticket.available", [.init("after", .string(after)), .init("before", .string(before)), .init("currency", .string(currency))]) }
    /// available {before} {currency}
    public static func ticketAvailableNow(before: String, currency: String) -> Text { Text("ticket.available-now", [.init("before", .string(before)), .init("currency", .string(currency))]) }
    /// before fees
    public static let ticketBeforeFees = Text("ticket.before-fees")
    /// the book shows only {quantity}
    public static func ticketBookShort(quantity: String) -> Text { Text("ticket.book-short", [.init("quantity", .string(quantity))]) }
    /// Cancel {side:text} {quantity} {name}?
    public static func ticketCancelAsk(name: String, quantity: String, side: Text) -> Text { Text("ticket.cancel-ask", [.init("name", .string(name)), .init("quantity", .string(quantity)), .init("side", .text(side))]) }
    /// y cancel the order · n keep it
    public static let ticketCancelKeys = Text("ticket.cancel-keys")
    /// Esc close
    public static let ticketCloseKeys = Text("ticket.close-keys")
    /// {side:text} {quantity} {name} at {price}?
    public static func ticketConfirm(name: String, price: String, quantity: String, side: Text) -> Text { Text("ticket.confirm", [.init("name", .string(name)), .init("price", .string(price)), .init("quantity", .string(quantity)), .init("side", .text(side))]) }
    /// y send · n back
    public static let ticketConfirmKeys = Text("ticket.confirm-keys")
    /// fees {amount}
    public static func ticketFees(amount: String) -> Text { Text("ticket.fees", [.init("amount", .string(amount))]) }
    /// Enter confirm · +/- quantity · ↑↓ price · m market · l limit · Esc close
    public static let ticketKeys = Text("ticket.keys")
    /// margin {amount}
    public static func ticketMargin(amount: String) -> Text { Text("ticket.margin", [.init("amount", .string(amount))]) }
    /// needs {amount}
    public static func ticketNeeds(amount: String) -> Text { Text("ticket.needs", [.init("amount", .string(amount))]) }
    /// No price to estimate the cost from
    public static let ticketNoEstimate = Text("ticket.no-estimate")
    /// no new margin
    public static let ticketNoMargin = Text("ticket.no-margin")
    /// available {before} {currency}, not enough
    public static func ticketNotEnough(before: String, currency: String) -> Text { Text("ticket.not-enough", [.init("before", .string(before)), .init("currency", .string(currency))]) }
    /// market
    public static let ticketPriceMarket = Text("ticket.price-market")
    /// only {quantity} to sell
    public static func ticketSellable(quantity: String) -> Text { Text("ticket.sellable", [.init("quantity", .string(quantity))]) }
    /// No trade is known of this session
    public static let ticksNone = Text("ticks.none")
    /// Next above
    public static let ticksizeAbove = Text("ticksize.above")
    /// over {over} up to {upTo}, {table}
    public static func ticksizeBand(over: String, table: String, upTo: String) -> Text { Text("ticksize.band", [.init("over", .string(over)), .init("table", .string(table)), .init("upTo", .string(upTo))]) }
    /// over {over}, {table}
    public static func ticksizeBandOpen(over: String, table: String) -> Text { Text("ticksize.band-open", [.init("over", .string(over)), .init("table", .string(table))]) }
    /// Next below
    public static let ticksizeBelow = Text("ticksize.below")
    /// between ticks
    public static let ticksizeInvalid = Text("ticksize.invalid")
    /// quoted in percent of face value
    public static let ticksizePercent = Text("ticksize.percent")
    /// Round lot
    public static let ticksizeRoundLot = Text("ticksize.round-lot")
    /// not known for this day
    public static let ticksizeRoundLotUnknown = Text("ticksize.round-lot-unknown")
    /// {count:integer} spreads
    public static func ticksizeSpreads(count: Int) -> Text { Text("ticksize.spreads", [.init("count", .integer(count))]) }
    /// table {table}
    public static func ticksizeTable(table: String) -> Text { Text("ticksize.table", [.init("table", .string(table))]) }
    /// Tick value
    public static let ticksizeTickValue = Text("ticksize.tick-value")
    /// valid
    public static let ticksizeValid = Text("ticksize.valid")
    /// Day
    public static let tifDay = Text("tif.day")
    /// Fill or kill
    public static let tifFok = Text("tif.fok")
    /// Good till cancelled
    public static let tifGtc = Text("tif.gtc")
    /// Fill and kill
    public static let tifIoc = Text("tif.ioc")
    /// Without {counter:text}: {reason}
    public static func tradeLeftOut(counter: Text, reason: String) -> Text { Text("trade.left-out", [.init("counter", .text(counter)), .init("reason", .string(reason))]) }
    /// Logged in to trading: {counter:text}
    public static func tradeloginDone(counter: Text) -> Text { Text("tradelogin.done", [.init("counter", .text(counter))]) }
    /// Its operator sees the same where causeway serve starts. Trust it from now on? [y/N] 
    public static let trustAsk = Text("trust.ask")
    /// {server} shows a certificate that no known authority vouches for:
    public static func trustShown(server: String) -> Text { Text("trust.shown", [.init("server", .string(server))]) }
    /// Limit
    public static let typeLimit = Text("type.limit")
    /// Market
    public static let typeMarket = Text("type.market")
    /// Causeway {version}
    public static func versionLine(version: String) -> Text { Text("version.line", [.init("version", .string(version))]) }
    /// Connected again. Prices as of the times shown
    public static let watchConnected = Text("watch.connected")
    /// Connection to the quote server lost. Reconnecting
    public static let watchReconnecting = Text("watch.reconnecting")
    /// The server cannot be reached. Kept on this device until the next watchlist command that reaches it
    public static let watchlistOffline = Text("watchlist.offline")
    /// pinned
    public static let watchlistPinned = Text("watchlist.pinned")
    /// needs more memory than one may have with so many bars
    public static let wordBarsTooMany = Text("word.bars-too-many")
    /// needs bars with a volume above zero
    public static let wordBarsWithoutVolume = Text("word.bars-without-volume")
    /// CME Group exchange fee
    public static let wordCmeExchangeFee = Text("word.cme-exchange-fee")
    /// contract
    public static let wordContract = Text("word.contract")
    /// contracts
    public static let wordContracts = Text("word.contracts")
    /// dashed
    public static let wordDashed = Text("word.dashed")
    /// no answer within 5 s
    public static let wordDesktopNoAnswer = Text("word.desktop-no-answer")
    /// dotted
    public static let wordDotted = Text("word.dotted")
    /// this tool takes one place
    public static let wordDrawingAnchors1 = Text("word.drawing-anchors-1")
    /// this tool takes two places
    public static let wordDrawingAnchors2 = Text("word.drawing-anchors-2")
    /// this tool takes three places
    public static let wordDrawingAnchors3 = Text("word.drawing-anchors-3")
    /// the colour is a number from 1 to 8
    public static let wordDrawingColour = Text("word.drawing-colour")
    /// a text has one line and no control characters
    public static let wordDrawingTextControl = Text("word.drawing-text-control")
    /// a text needs words: --text WORDS
    public static let wordDrawingTextEmpty = Text("word.drawing-text-empty")
    /// a text has at most 200 characters
    public static let wordDrawingTextLong = Text("word.drawing-text-long")
    /// only the tool text takes words
    public static let wordDrawingTextNotTaken = Text("word.drawing-text-not-taken")
    /// the date is not one between 1900 and 2199
    public static let wordDrawingTime = Text("word.drawing-time")
    /// the width is a number from 1 to 4
    public static let wordDrawingWidth = Text("word.drawing-width")
    /// Exchange fee
    public static let wordExchangeFee = Text("word.exchange-fee")
    /// holds other files and no format file
    public static let wordForeignFiles = Text("word.foreign-files")
    /// a file, or an address on https
    public static let wordFormAddress = Text("word.form-address")
    /// the number of an alert
    public static let wordFormAlert = Text("word.form-alert")
    /// a date
    public static let wordFormDate = Text("word.form-date")
    /// the number of a drawing
    public static let wordFormDrawing = Text("word.form-drawing")
    /// a date, perhaps with a time, and a price
    public static let wordFormDrawingPlace = Text("word.form-drawing-place")
    /// a length of time in s, m or h
    public static let wordFormDuration = Text("word.form-duration")
    /// the fingerprint of a certificate: sha256: and 64 hexadecimal digits
    public static let wordFormFingerprint = Text("word.form-fingerprint")
    /// a host name
    public static let wordFormHost = Text("word.form-host")
    /// a date on or after DATE
    public static let wordFormLaterDate = Text("word.form-later-date")
    /// the number of an order
    public static let wordFormOrder = Text("word.form-order")
    /// percent above zero
    public static let wordFormPercent = Text("word.form-percent")
    /// a plain number of digits, with a point where it has decimals
    public static let wordFormPlainNumber = Text("word.form-plain-number")
    /// a price
    public static let wordFormPrice = Text("word.form-price")
    /// a price above zero
    public static let wordFormPriceAboveZero = Text("word.form-price-above-zero")
    /// a price with at most 9 decimals
    public static let wordFormPricePlaces = Text("word.form-price-places")
    /// a quantity above zero
    public static let wordFormQuantity = Text("word.form-quantity")
    /// a quantity with at most 8 decimals
    public static let wordFormQuantityPlaces = Text("word.form-quantity-places")
    /// quote nodes by market (HK, US, HKFE, …, * for the rest)
    public static let wordFormQuoteNodes = Text("word.form-quote-nodes")
    /// the address of a server, http:// or https://
    public static let wordFormServer = Text("word.form-server")
    /// a size in pixels from 200x150 to 8000x8000
    public static let wordFormSize = Text("word.form-size")
    /// a speed: a number of times, 0 to pause, or max
    public static let wordFormSpeed = Text("word.form-speed")
    /// an address on this machine
    public static let wordFormStandIn = Text("word.form-stand-in")
    /// a time with its zone
    public static let wordFormTime = Text("word.form-time")
    /// a number above zero, which may end in K, M, B, 万 or 亿
    public static let wordFormVolume = Text("word.form-volume")
    /// has a damaged format file
    public static let wordFormatDamaged = Text("word.format-damaged")
    /// bars
    public static let wordFormulaBars = Text("word.formula-bars")
    /// nothing to compute:
    public static let wordFormulaEmpty = Text("word.formula-empty")
    /// name in use already:
    public static let wordFormulaNameTaken = Text("word.formula-name-taken")
    /// takes one value:
    public static let wordFormulaOneValue = Text("word.formula-one-value")
    /// steps a bar
    public static let wordFormulaSteps = Text("word.formula-steps")
    /// takes three values:
    public static let wordFormulaThreeValues = Text("word.formula-three-values")
    /// too many parts, of which may be:
    public static let wordFormulaTooComplex = Text("word.formula-too-complex")
    /// nested too deep, levels allowed:
    public static let wordFormulaTooDeep = Text("word.formula-too-deep")
    /// bytes allowed:
    public static let wordFormulaTooLong = Text("word.formula-too-long")
    /// takes two values:
    public static let wordFormulaTwoValues = Text("word.formula-two-values")
    /// not expected:
    public static let wordFormulaUnexpected = Text("word.formula-unexpected")
    /// ends too early:
    public static let wordFormulaUnfinished = Text("word.formula-unfinished")
    /// unknown name:
    public static let wordFormulaUnknownName = Text("word.formula-unknown-name")
    /// needs a whole number from 1 to 10,000 as its window:
    public static let wordFormulaWindow = Text("word.formula-window")
    /// Futures
    public static let wordFutures = Text("word.futures")
    /// AFRC transaction levy
    public static let wordHkAfrcTransactionLevy = Text("word.hk-afrc-transaction-levy")
    /// CCASS settlement fee
    public static let wordHkCcassStockSettlementFee = Text("word.hk-ccass-stock-settlement-fee")
    /// HKEX trading fee
    public static let wordHkHkexTradingFee = Text("word.hk-hkex-trading-fee")
    /// HKEX trading tariff
    public static let wordHkHkexTradingTariff = Text("word.hk-hkex-trading-tariff")
    /// Investor compensation levy
    public static let wordHkInvestorCompensationLevy = Text("word.hk-investor-compensation-levy")
    /// SFC levy
    public static let wordHkSfcFuturesLevy = Text("word.hk-sfc-futures-levy")
    /// SFC transaction levy
    public static let wordHkSfcTransactionLevy = Text("word.hk-sfc-transaction-levy")
    /// Stamp duty
    public static let wordHkStampDuty = Text("word.hk-stamp-duty")
    /// not a number:
    public static let wordIndicatorNoNumber = Text("word.indicator-no-number")
    /// names no indicator
    public static let wordIndicatorNone = Text("word.indicator-none")
    /// too many parameters, at most:
    public static let wordIndicatorParameters = Text("word.indicator-parameters")
    /// outside its limits (whole where it is a period):
    public static let wordIndicatorRange = Text("word.indicator-range")
    /// has more than 32 indicators
    public static let wordIndicatorsTooMany = Text("word.indicators-too-many")
    /// limit orders for the day
    public static let wordLimitDay = Text("word.limit-day")
    /// limit orders that fill whole at once or not at all
    public static let wordLimitFok = Text("word.limit-fok")
    /// limit orders that fill at once or are cancelled
    public static let wordLimitIoc = Text("word.limit-ioc")
    /// market orders
    public static let wordMarketOrder = Text("word.market-order")
    /// out of memory
    public static let wordMemory = Text("word.memory")
    /// —
    public static let wordMissing = Text("word.missing")
    /// NFA assessment fee
    public static let wordNfaAssessment = Text("word.nfa-assessment")
    /// no
    public static let wordNo = Text("word.no")
    /// none
    public static let wordNone = Text("word.none")
    /// cannot be locked
    public static let wordNotLocked = Text("word.not-locked")
    /// cannot be made
    public static let wordNotMade = Text("word.not-made")
    /// is not set
    public static let wordNotSet = Text("word.not-set")
    /// is not writable
    public static let wordNotWritable = Text("word.not-writable")
    /// Address already in use
    public static let wordReasonAddressAlreadyInUse = Text("word.reason-address-already-in-use")
    /// attempt to write a readonly database
    public static let wordReasonAttemptToWriteAReadonlyDatabase = Text("word.reason-attempt-to-write-a-readonly-database")
    /// Broken pipe
    public static let wordReasonBrokenPipe = Text("word.reason-broken-pipe")
    /// Cannot allocate memory
    public static let wordReasonCannotAllocateMemory = Text("word.reason-cannot-allocate-memory")
    /// Cannot assign requested address
    public static let wordReasonCannotAssignRequestedAddress = Text("word.reason-cannot-assign-requested-address")
    /// Connection refused
    public static let wordReasonConnectionRefused = Text("word.reason-connection-refused")
    /// Connection reset by peer
    public static let wordReasonConnectionResetByPeer = Text("word.reason-connection-reset-by-peer")
    /// Connection timed out
    public static let wordReasonConnectionTimedOut = Text("word.reason-connection-timed-out")
    /// database disk image is malformed
    public static let wordReasonDatabaseDiskImageIsMalformed = Text("word.reason-database-disk-image-is-malformed")
    /// database is locked
    public static let wordReasonDatabaseIsLocked = Text("word.reason-database-is-locked")
    /// Device or resource busy
    public static let wordReasonDeviceOrResourceBusy = Text("word.reason-device-or-resource-busy")
    /// Directory not empty
    public static let wordReasonDirectoryNotEmpty = Text("word.reason-directory-not-empty")
    /// disk I/O error
    public static let wordReasonDiskIOError = Text("word.reason-disk-i-o-error")
    /// Disk quota exceeded
    public static let wordReasonDiskQuotaExceeded = Text("word.reason-disk-quota-exceeded")
    /// ends inside quotes
    public static let wordReasonEndsInsideQuotes = Text("word.reason-ends-inside-quotes")
    /// File exists
    public static let wordReasonFileExists = Text("word.reason-file-exists")
    /// file is not a database
    public static let wordReasonFileIsNotADatabase = Text("word.reason-file-is-not-a-database")
    /// File name too long
    public static let wordReasonFileNameTooLong = Text("word.reason-file-name-too-long")
    /// File too large
    public static let wordReasonFileTooLarge = Text("word.reason-file-too-large")
    /// has a column twice
    public static let wordReasonHasAColumnTwice = Text("word.reason-has-a-column-twice")
    /// has more than 64 columns
    public static let wordReasonHasMoreThan64Columns = Text("word.reason-has-more-than-64-columns")
    /// has no bars
    public static let wordReasonHasNoBars = Text("word.reason-has-no-bars")
    /// has no columns date (or time), open, high, low, close
    public static let wordReasonHasNoColumnsDateOrTimeOpenHighLowClose = Text("word.reason-has-no-columns-date-or-time-open-high-low-close")
    /// has no header row
    public static let wordReasonHasNoHeaderRow = Text("word.reason-has-no-header-row")
    /// has no minutes, which an intraday chart needs
    public static let wordReasonHasNoMinutesWhichAnIntradayChartNeeds = Text("word.reason-has-no-minutes-which-an-intraday-chart-needs")
    /// has some of the four prices but not all
    public static let wordReasonHasSomeOfTheFourPricesButNotAll = Text("word.reason-has-some-of-the-four-prices-but-not-all")
    /// Input/output error
    public static let wordReasonInputOutputError = Text("word.reason-input-output-error")
    /// Invalid argument
    public static let wordReasonInvalidArgument = Text("word.reason-invalid-argument")
    /// Invalid cross-device link
    public static let wordReasonInvalidCrossDeviceLink = Text("word.reason-invalid-cross-device-link")
    /// Is a directory
    public static let wordReasonIsADirectory = Text("word.reason-is-a-directory")
    /// is damaged
    public static let wordReasonIsDamaged = Text("word.reason-is-damaged")
    /// is longer than 2 GB
    public static let wordReasonIsLongerThan2Gb = Text("word.reason-is-longer-than-2-gb")
    /// is longer than 65,536 bytes
    public static let wordReasonIsLongerThan65536Bytes = Text("word.reason-is-longer-than-65-536-bytes")
    /// is more than 10,000,000 bars
    public static let wordReasonIsMoreThan10000000Bars = Text("word.reason-is-more-than-10-000-000-bars")
    /// is more than 10,000,000 bars with the others
    public static let wordReasonIsMoreThan10000000BarsWithTheOthers = Text("word.reason-is-more-than-10-000-000-bars-with-the-others")
    /// is no regular file
    public static let wordReasonIsNoRegularFile = Text("word.reason-is-no-regular-file")
    /// is not a number
    public static let wordReasonIsNotANumber = Text("word.reason-is-not-a-number")
    /// is not UTF-8
    public static let wordReasonIsNotUtf8 = Text("word.reason-is-not-utf-8")
    /// Network is unreachable
    public static let wordReasonNetworkIsUnreachable = Text("word.reason-network-is-unreachable")
    /// no regular file
    public static let wordReasonNoRegularFile = Text("word.reason-no-regular-file")
    /// No route to host
    public static let wordReasonNoRouteToHost = Text("word.reason-no-route-to-host")
    /// No space left on device
    public static let wordReasonNoSpaceLeftOnDevice = Text("word.reason-no-space-left-on-device")
    /// No such device
    public static let wordReasonNoSuchDevice = Text("word.reason-no-such-device")
    /// No such device or address
    public static let wordReasonNoSuchDeviceOrAddress = Text("word.reason-no-such-device-or-address")
    /// No such file or directory
    public static let wordReasonNoSuchFileOrDirectory = Text("word.reason-no-such-file-or-directory")
    /// Not a directory
    public static let wordReasonNotADirectory = Text("word.reason-not-a-directory")
    /// not as many fields as the header has
    public static let wordReasonNotAsManyFieldsAsTheHeaderHas = Text("word.reason-not-as-many-fields-as-the-header-has")
    /// open and close do not lie between low and high
    public static let wordReasonOpenAndCloseDoNotLieBetweenLowAndHigh = Text("word.reason-open-and-close-do-not-lie-between-low-and-high")
    /// Operation not permitted
    public static let wordReasonOperationNotPermitted = Text("word.reason-operation-not-permitted")
    /// Operation not supported
    public static let wordReasonOperationNotSupported = Text("word.reason-operation-not-supported")
    /// Permission denied
    public static let wordReasonPermissionDenied = Text("word.reason-permission-denied")
    /// Read-only file system
    public static let wordReasonReadOnlyFileSystem = Text("word.reason-read-only-file-system")
    /// Resource temporarily unavailable
    public static let wordReasonResourceTemporarilyUnavailable = Text("word.reason-resource-temporarily-unavailable")
    /// Stale file handle
    public static let wordReasonStaleFileHandle = Text("word.reason-stale-file-handle")
    /// Text file busy
    public static let wordReasonTextFileBusy = Text("word.reason-text-file-busy")
    /// time is not after that of the row before
    public static let wordReasonTimeIsNotAfterThatOfTheRowBefore = Text("word.reason-time-is-not-after-that-of-the-row-before")
    /// time is not YYYY-MM-DD or YYYY-MM-DD HH:MM
    public static let wordReasonTimeIsNotYyyyMmDdOrYyyyMmDdHhMm = Text("word.reason-time-is-not-yyyy-mm-dd-or-yyyy-mm-dd-hh-mm")
    /// Too many levels of symbolic links
    public static let wordReasonTooManyLevelsOfSymbolicLinks = Text("word.reason-too-many-levels-of-symbolic-links")
    /// Too many open files
    public static let wordReasonTooManyOpenFiles = Text("word.reason-too-many-open-files")
    /// Too many open files in system
    public static let wordReasonTooManyOpenFilesInSystem = Text("word.reason-too-many-open-files-in-system")
    /// unable to open database file
    public static let wordReasonUnableToOpenDatabaseFile = Text("word.reason-unable-to-open-database-file")
    /// volume is not a number from 0
    public static let wordReasonVolumeIsNotANumberFrom0 = Text("word.reason-volume-is-not-a-number-from-0")
    /// was written by a newer version
    public static let wordReasonWasWrittenByANewerVersion = Text("word.reason-was-written-by-a-newer-version")
    /// wrong passphrase, or changed
    public static let wordReasonWrongPassphraseOrChanged = Text("word.reason-wrong-passphrase-or-changed")
    /// Securities
    public static let wordSecurities = Text("word.securities")
    /// share
    public static let wordShare = Text("word.share")
    /// shares
    public static let wordShares = Text("word.shares")
    /// solid
    public static let wordSolid = Text("word.solid")
    /// FINRA trading activity fee
    public static let wordUsFinraTaf = Text("word.us-finra-taf")
    /// SEC fee (section 31)
    public static let wordUsSecSection31 = Text("word.us-sec-section-31")
    /// yes
    public static let wordYes = Text("word.yes")
}
