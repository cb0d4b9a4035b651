import HTTP
import QuoteServer
import Synchronization
import Transport

/// What stands at the port: shut while the server starts, for the port is taken before anything is written, and written is what is served.
final class Entrance: Sendable {
    private struct Services {
        var door: FrontDoor
        /// Nil: nothing is traded here.
        var sockets: SocketIOServer?
        var quotes: QuoteServer
    }

    private let services = Mutex<Services?>(nil)

    func open(_ door: FrontDoor, sockets: SocketIOServer?, quotes: QuoteServer) {
        services.withLock { $0 = Services(door: door, sockets: sockets, quotes: quotes) }
    }

    func answer(_ request: HTTPServerRequest) async -> HTTPResponse {
        guard let services = services.withLock({ $0 }) else { return Self.notYet }
        return await services.door.answer(request) { isTrade($0) ? services.sockets?.answer($0) : nil }
    }

    func accept(_ request: HTTPServerRequest) -> WebSocketAcceptance {
        guard let services = services.withLock({ $0 }) else { return .refuse(Self.notYet) }
        return services.door.accept(request) { request in
            if isTrade(request), let sockets = services.sockets { return sockets.accept(request) }
            return request.path == "/quotes" ? services.quotes.accept(request) : .refuse(HTTPResponse(status: 404))
        }
    }

    private static let notYet = HTTPResponse(status: 503, headers: ["Retry-After": "1"])
}

/// Requests for the trade connection, whatever they ask of it.
private func isTrade(_ request: HTTPServerRequest) -> Bool { request.path == "/socket.io/" || request.path == "/socket.io" }
