/// The parts that scripts can drive, each with what makes its driver. A part is added here and in a file of its own.
let scenarioParts: [String: @Sendable (ScenarioContext) throws -> any ScenarioDriver] = [
    "connection": { context in
        switch context.link {
        case "quote": QuoteLinkScenario(context)
        case "trade": try TradeLinkScenario(context)
        default: throw ScenarioFailure("part connection has the link quote or trade")
        }
    },
    "credentials": { context in
        switch context.side ?? "client" {
        case "client": CredentialClientScenario(context)
        case "server": try AuthCentreScenario(context)
        default: throw ScenarioFailure("part credentials has the side client or server")
        }
    },
    "socketio-client": { SocketIOClientScenario($0) },
    "socketio-server": { SocketIOServerScenario($0) },
]
