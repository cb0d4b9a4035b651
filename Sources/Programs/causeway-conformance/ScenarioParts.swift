/// The parts that scripts can drive, each with what makes its driver. A part is added here and in a file of its own.
let scenarioParts: [String: @Sendable (ScenarioContext) throws -> any ScenarioDriver] = [
    "socketio-client": { SocketIOClientScenario($0) },
    "socketio-server": { SocketIOServerScenario($0) },
]
