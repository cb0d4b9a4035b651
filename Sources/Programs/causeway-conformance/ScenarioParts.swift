/// The parts that scripts can drive, each with what makes its driver. A part is added here and in a file of its own.
let scenarioParts: [String: @Sendable (ScenarioContext) throws -> any ScenarioDriver] = [
    "connection": { context in
        switch context.link {
        case "quote": QuoteLinkScenario(context)
        case "trade": try TradeLinkScenario(context)
        default: throw ScenarioFailure("part connection has the link quote or trade")
        }
    },
    "socketio-client": { SocketIOClientScenario($0) },
    "socketio-server": { SocketIOServerScenario($0) },
]
