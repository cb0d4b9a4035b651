import HTTP
import Messages
import Streams
import Texts
import Transport
import WireCodec

/// Names of the request ids on the wire, so that a reply tells what it answers.
enum TradeRequestName: Hashable {
    case request(UInt64)
    /// A login that opens no page is told from a user's by its id (D-2).
    case login(UInt64, isSilent: Bool)
    /// What became of request `id`.
    case query(UInt64, attempt: Int)
    case since(number: UInt64)
    case beat

    var text: String {
        switch self {
        case .request(let id): "r\(id)"
        case .login(let id, let isSilent): (isSilent ? "s" : "l") + String(id)
        case .query(let id, let attempt): "q\(id).\(attempt)"
        case .since(let number): "n\(number)"
        case .beat: "b"
        }
    }

    init?(_ text: String) {
        let rest = text.dropFirst()
        switch text.first {
        case "r":
            guard let id = UInt64(rest) else { return nil }
            self = .request(id)
        case "l", "s":
            guard let id = UInt64(rest) else { return nil }
            self = .login(id, isSilent: text.first == "s")
        case "q":
            let parts = rest.split(separator: ".")
            guard parts.count == 2, let id = UInt64(parts[0]), let attempt = Int(parts[1]) else { return nil }
            self = .query(id, attempt: attempt)
        case "n":
            guard let number = UInt64(rest) else { return nil }
            self = .since(number: number)
        case "b": self = .beat
        default: return nil
        }
    }
}

extension TradeEnvelope {
    /// Nil: ok.
    var failure: Failure? {
        guard !returnCode.isEmpty else { return nil }
        return Failure(ErrorCode(returnCode), arguments: arguments.map { .init($0.name, $0.value) })
    }

    /// Whether it says that the trading session is over (D-5).
    var endsSession: Bool { returnCode == ErrorCode.tradeNotLoggedIn.rawValue || returnCode == ErrorCode.tradeSessionInvalid.rawValue }

    /// The account event of a push; nil: no such push.
    func accountEvent() throws(WireError) -> AccountEvent? {
        var event = AccountEvent()
        event.sequence = accountSequence
        switch type {
        case .orderPush: event.order = try Order(serializedBytes: payload)
        case .fillPush: event.fill = try Fill(serializedBytes: payload)
        case .positionPush: event.position = try Position(serializedBytes: payload)
        case .fundsPush: event.funds = try FundsReply(serializedBytes: payload)
        case .unspecified, .ready, .login, .heartbeat, .logout, .duplicateLogin, .disconnected, .since, .place, .modify, .cancel, .orders,
            .orderByCommand, .fills, .positions, .funds, .UNRECOGNIZED:
            return nil
        }
        return event
    }

    /// What a command's reply means for the one who gave it.
    var commandResult: CommandResult {
        if let failure { return .refused(failure) }
        switch type {
        case .orderByCommand:
            guard let order = try? OrderList(serializedBytes: payload).orders.first else { return .unknown }
            return order.commandResult
        default:
            guard let reply = try? CommandReply(serializedBytes: payload), reply.hasOrder else { return .unknown }
            return reply.order.commandResult
        }
    }
}

extension Order {
    /// A rejected order was refused, for the reason it carries; `order` is the number it has in the books.
    var commandResult: CommandResult {
        guard status == .rejected else { return .accepted(self) }
        return .refused(
            Failure(
                ErrorCode(reason.code), arguments: reason.arguments.map { .init($0.name, $0.value) } + [.init("order", String(orderID))]))
    }
}

extension AuthAnswer {
    /// The `auth` event's object: `{"code", "error"?}`.
    init(_ value: SocketIOValue?) {
        let code = value?["code"]?.stringValue ?? ""
        self = code == "ok" ? .ok : code == "unauthorized" || code.hasPrefix("auth.") ? .unauthorized : .other
    }
}

extension SocketIOClosure {
    /// As the connection machine takes it.
    func event(dial: Int) -> ConnectionEvent {
        switch (reason, dialFailure) {
        case (.unsupported, _): .failed(dial: dial, .unsupported)
        case (_, .refused(401, _)?): .failed(dial: dial, .unauthorized)
        case (_, _?): .failed(dial: dial, .network)
        case (_, nil): .lost(dial: dial, code: webSocket?.code)
        }
    }
}
