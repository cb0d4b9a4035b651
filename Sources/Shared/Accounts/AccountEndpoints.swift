public import HTTP
public import Texts

/// The auth centre's and the gateway's addresses, once for client and server.
public enum AccountEndpoints {
    public static let register = Endpoint<SignInInput, SessionGrant>(.post, "/auth/v1/register", authentication: .none)
    public static let signIn = Endpoint<SignInInput, SessionGrant>(.post, "/auth/v1/sign-in", authentication: .none)
    /// Never repeated by itself: the next occasion does it. The same device may ask again within the grace and gets the same
    /// successor.
    public static let refresh = Endpoint<RefreshInput, SessionGrant>(.post, "/auth/v1/refresh", authentication: .none)
    public static let signOut = Endpoint<Empty, Empty>(
        .post, "/auth/v1/sign-out", authentication: .bearer(.account), isReplaySafe: true)
    public static let devices = Endpoint<Empty, DeviceList>(.get, "/auth/v1/devices", authentication: .bearer(.account))
    public static let removeDevice = Endpoint<DeviceReference, Empty>(
        .delete, "/auth/v1/devices/{id}", authentication: .bearer(.account), isReplaySafe: true)
    public static let account = Endpoint<Empty, AccountInfo>(.get, "/gateway/v1/account", authentication: .bearer(.account))
}

/// One installation of one desktop user (D-8). `id`: 16 bytes as 32 hexadecimal digits.
public struct DeviceInfo: JSONCodable, Hashable {
    public var id: String
    public var platform: String
    public var name: String

    public init(id: String, platform: String, name: String) {
        self.id = id
        self.platform = platform
        self.name = name
    }

    public init(json: JSONValue) throws(Failure) {
        id = try json.string("id", limit: 64)
        platform = try json.string("platform", limit: 32)
        name = try json.string("name", limit: 128)
        guard id.utf8.count == 32, id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            throw .invalid("device.id")
        }
    }

    public var json: JSONValue {
        .object([.init("id", .string(id)), .init("platform", .string(platform)), .init("name", .string(name))])
    }
}

public struct SignInInput: JSONCodable {
    public var name: String
    public var password: String
    public var device: DeviceInfo

    public init(name: String, password: String, device: DeviceInfo) {
        self.name = name
        self.password = password
        self.device = device
    }

    public init(json: JSONValue) throws(Failure) {
        name = try json.string("name", limit: 1024)
        password = try json.string("password", limit: 1024)
        device = try DeviceInfo(json: try json.member("device"))
    }

    public var json: JSONValue {
        .object([.init("name", .string(name)), .init("password", .string(password)), .init("device", device.json)])
    }
}

public struct RefreshInput: JSONCodable {
    public var refresh: String
    public var deviceID: String

    public init(refresh: String, deviceID: String) {
        self.refresh = refresh
        self.deviceID = deviceID
    }

    public init(json: JSONValue) throws(Failure) {
        refresh = try json.string("refresh", limit: 512)
        deviceID = try json.string("deviceID", limit: 64)
    }

    public var json: JSONValue { .object([.init("refresh", .string(refresh)), .init("deviceID", .string(deviceID))]) }
}

/// What a sign-in or a renewal gives. `expiresIn`: seconds of life the access credential has from receipt.
public struct SessionGrant: JSONCodable, Hashable {
    public var account: String
    public var name: String
    public var access: String
    public var refresh: String
    public var expiresIn: Int64
    public var generation: Int64

    public init(account: String, name: String, access: String, refresh: String, expiresIn: Int64, generation: Int64) {
        self.account = account
        self.name = name
        self.access = access
        self.refresh = refresh
        self.expiresIn = expiresIn
        self.generation = generation
    }

    public init(json: JSONValue) throws(Failure) {
        account = try json.string("account", limit: 128)
        name = try json.string("name", limit: 256)
        access = try json.string("access")
        refresh = try json.string("refresh")
        expiresIn = try json.integer("expiresIn")
        generation = try json.integer("generation")
    }

    public var json: JSONValue {
        .object([
            .init("account", .string(account)), .init("name", .string(name)), .init("access", .string(access)),
            .init("refresh", .string(refresh)), .init("expiresIn", .int(expiresIn)), .init("generation", .int(generation)),
        ])
    }
}

public struct DeviceReference: JSONCodable, Hashable {
    public var id: String
    public init(id: String) { self.id = id }
    public init(json: JSONValue) throws(Failure) { id = try json.string("id", limit: 64) }
    public var json: JSONValue { .object([.init("id", .string(id))]) }
}

/// The sign-ins of an account.
public struct DeviceList: JSONCodable, Hashable {
    public var devices: [Entry]

    /// `id` names the sign-in; `signedInAt`: milliseconds since 1970.
    public struct Entry: JSONCodable, Hashable {
        public var id: String
        public var name: String
        public var platform: String
        public var signedInAt: Int64
        public var isCurrent: Bool

        public init(id: String, name: String, platform: String, signedInAt: Int64, isCurrent: Bool) {
            self.id = id
            self.name = name
            self.platform = platform
            self.signedInAt = signedInAt
            self.isCurrent = isCurrent
        }

        public init(json: JSONValue) throws(Failure) {
            id = try json.string("id")
            name = try json.string("name")
            platform = try json.string("platform")
            signedInAt = try json.integer("signedInAt")
            isCurrent = try json.flag("current")
        }

        public var json: JSONValue {
            .object([
                .init("id", .string(id)), .init("name", .string(name)), .init("platform", .string(platform)),
                .init("signedInAt", .int(signedInAt)), .init("current", .bool(isCurrent)),
            ])
        }
    }

    public init(devices: [Entry]) { self.devices = devices }

    public init(json: JSONValue) throws(Failure) {
        devices = try json.elements("devices", limit: 1000).map { value throws(Failure) in try Entry(json: value) }
    }

    public var json: JSONValue { .object([.init("devices", .array(devices.map(\.json)))]) }
}

/// Who is signed in, what may be traded, and where quotes and trading are (B-11, A-12).
public struct AccountInfo: JSONCodable, Hashable {
    public var account: String
    public var name: String
    public var baseCurrency: String
    public var tradingAccounts: [TradingAccount]
    public var quoteCredential: String
    /// Seconds of life the quote credential has from receipt.
    public var quoteExpiresIn: Int64
    public var quoteNodes: [Node]
    public var tradeURL: String

    public struct TradingAccount: Hashable, Sendable {
        public var id: String
        public var counter: String
        public init(id: String, counter: String) {
            self.id = id
            self.counter = counter
        }
    }

    public struct Node: Hashable, Sendable {
        public var market: String
        public var url: String
        public init(market: String, url: String) {
            self.market = market
            self.url = url
        }
    }

    public init(
        account: String, name: String, baseCurrency: String, tradingAccounts: [TradingAccount], quoteCredential: String,
        quoteExpiresIn: Int64, quoteNodes: [Node], tradeURL: String
    ) {
        self.account = account
        self.name = name
        self.baseCurrency = baseCurrency
        self.tradingAccounts = tradingAccounts
        self.quoteCredential = quoteCredential
        self.quoteExpiresIn = quoteExpiresIn
        self.quoteNodes = quoteNodes
        self.tradeURL = tradeURL
    }

    public init(json: JSONValue) throws(Failure) {
        account = try json.string("account")
        name = try json.string("name")
        baseCurrency = try json.string("baseCurrency", limit: 3)
        tradingAccounts = try json.elements("tradingAccounts", limit: 100).map { value throws(Failure) in
            TradingAccount(id: try value.string("id"), counter: try value.string("counter"))
        }
        let quote = try json.member("quote")
        quoteCredential = try quote.string("credential")
        quoteExpiresIn = try quote.integer("expiresIn")
        quoteNodes = try quote.elements("nodes", limit: 100).map { value throws(Failure) in
            Node(market: try value.string("market"), url: try value.string("url"))
        }
        tradeURL = try json.member("trade").string("url")
    }

    public var json: JSONValue {
        let accounts = tradingAccounts.map { JSONValue.object([.init("id", .string($0.id)), .init("counter", .string($0.counter))]) }
        let nodes = quoteNodes.map { JSONValue.object([.init("market", .string($0.market)), .init("url", .string($0.url))]) }
        return .object([
            .init("account", .string(account)), .init("name", .string(name)), .init("baseCurrency", .string(baseCurrency)),
            .init("tradingAccounts", .array(accounts)),
            .init(
                "quote",
                .object([
                    .init("credential", .string(quoteCredential)), .init("expiresIn", .int(quoteExpiresIn)), .init("nodes", .array(nodes)),
                ])),
            .init("trade", .object([.init("url", .string(tradeURL))])),
        ])
    }
}
