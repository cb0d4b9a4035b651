public import Diagnostics
public import Feeds
public import HTTP
public import Instruments
public import LWS
public import Sealed
public import Streams
import Texts

/// How a server is started. Everything has the value a user on one machine wants.
public struct ServerConfiguration: Sendable {
    /// One name or address; anything but loopback needs TLS or `allowsPlainLAN` (O-3).
    public var host = "127.0.0.1"
    /// 0: the kernel chooses.
    public var port = ServerConfiguration.defaultPort
    public var tls: LWSServerConfiguration.TLSFiles?
    public var allowsPlainLAN = false
    /// Names under which clients reach the server, beside `host`, `localhost` and numeric addresses (O-3).
    public var publicHosts: [String] = []
    /// Other servers that have the quotes of some markets; the rest, or all, is this one's.
    public var quoteNodes: [QuoteNodeAddress] = []
    /// Where the key that quote nodes need is written, readable by its owner only; nil: nowhere.
    public var nodeKeyFile: String?
    /// Accounts, journal and lock live here; a quote node has none.
    public var dataFolder: String
    /// Shipped tables and recordings; nil: found beside the program.
    public var shipped: DataFolder?
    /// A user's own recordings, which win over the shipped ones.
    public var recordings: String?
    /// Tables and recordings that were read before, for several servers in one process; nil: read at the start.
    public var replay: (facts: MarketFacts, recordings: Recordings)?
    /// Market time at the start; nil: what the folder has reached, in a new one the first session of the market date. Earlier than what the
    /// folder has reached is refused.
    public var start: MarketInstant?
    public var speed = ReplaySpeed.live
    /// Where prices come from.
    public var feed = Feed.replay
    /// A new folder into which all that the feed says is recorded; nil: nothing is.
    public var recordingFolder: String?
    /// So many calendar days of its minutes a live feed's server keeps.
    public var barDays = ServerConfiguration.defaultBarDays
    /// How often one address or account may ask.
    public var rates = RatePolicy()
    public var passwordCost = PasswordCost.standard
    public var log = Log.none
    public var clock = MonotonicClock.live
    /// Market time of a live feed.
    public var wall = WallClock.live

    public enum Feed: Sendable {
        /// The shipped recordings and the user's own.
        case replay
        /// Made from a seed.
        case synthetic(SyntheticPlan)
        /// A recording of a feed (`FeedRecorder`), in this folder.
        case recording(folder: String)
        /// Live prices of US stocks; market time is the wall clock.
        case finnhub(FinnhubPlan, LivePorts)
    }

    public static let defaultPort = 7701
    public static let defaultBarDays = 30

    public init(dataFolder: String) { self.dataFolder = dataFolder }

    var isLoopback: Bool { host == "localhost" || host == "::1" || host.hasPrefix("127.") }
}
