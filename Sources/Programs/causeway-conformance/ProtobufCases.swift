import HTTP
import Messages
import WireCodec

/// Decodes the protobuf vectors into the messages of their schema, compares every field, and encodes them again.
enum ProtobufCases {
    @Sendable static func recognises(_ json: JSONValue) -> Bool {
        json["cases"]?[0]?["message"] != nil && json["cases"]?[0]?["hex"] != nil
    }

    @Sendable static func run(_ json: JSONValue) throws -> [CaseResult] { try json.elements("cases").map(result) }

    private static func result(_ test: JSONValue) -> CaseResult {
        let id = test["id"]?.stringValue ?? "(no id)"
        do {
            let bytes = try test["hex"]?.stringValue.map(hexBytes) ?? nested(test)
            switch test["message"]?.stringValue {
            case "Tick": return try check(id, test, bytes, as: T_Tick.self, fields: fields)
            case "Envelope": return try check(id, test, bytes, as: T_Envelope.self, fields: fields)
            case let name:
                guard let type = MessageTypes.all.first(where: { $0.protoMessageName == name }) else {
                    return CaseResult(id, passes: false, got: "no message \(name ?? "(none)")")
                }
                return try check(id, test, bytes, as: type) { .string(FieldText.of($0)) }
            }
        } catch {
            return CaseResult(id, passes: false, got: "\(error)")
        }
    }

    /// Field 15 wrapped inside itself, for the case whose bytes are a recipe.
    private static func nested(_ test: JSONValue) throws -> [UInt8] {
        guard let recipe = test["hex_recipe"]?.stringValue, recipe.hasPrefix("20,000 x field 15") else {
            throw ScenarioFailure("neither hex nor a recipe that is known")
        }
        var bytes: [UInt8] = []
        for _ in 0..<20_000 {
            var writer = WireWriter()
            writer.bytes(15 << 3 | 2, bytes)
            bytes = try writer.finish()
        }
        return bytes
    }

    private static func check<M: Message>(
        _ id: String, _ test: JSONValue, _ bytes: [UInt8], as type: M.Type, fields: (M) -> JSONValue
    ) throws -> CaseResult {
        let verdict = test["verdict"]?.stringValue
        let message: M
        do throws(WireError) {
            message = try M(serializedBytes: bytes)
        } catch {
            return CaseResult(id, passes: verdict == "reject" || verdict == "either", got: "refused: \(error)")
        }
        let found = fields(message)
        let written = hexText(try message.serializedBytes())
        let got = "\(found.serialized()) written as \(written)"
        if verdict == "either" { return CaseResult(id, passes: true, got: got) }
        guard verdict == "accept", let expected = test["expect"] else { return CaseResult(id, passes: false, got: got) }
        // Where the oracles differ, the pure one is right (its reason stands in the file).
        let wanted = (test["pure_python"]?["reserialized"] ?? test["reserialized_hex_upb"])?.stringValue
        return CaseResult(id, passes: matches(expected, found) && written == wanted, got: got)
    }

    private static func fields(_ envelope: T_Envelope) -> JSONValue {
        object([
            ("cmd", envelope.cmd == 0 ? nil : .number("\(envelope.cmd)")), ("seq", envelope.seq == 0 ? nil : .number("\(envelope.seq)")),
            ("body", envelope.body.isEmpty ? nil : ["$hex": .string(hexText(envelope.body))]),
            ("status", envelope.status == 0 ? nil : .number("\(envelope.status)")),
        ])
    }

    private static func fields(_ level: T_Level) -> JSONValue {
        object([("price_e4", long(level.priceE4)), ("size", long(level.size))])
    }

    private static func fields(_ tick: T_Tick) -> JSONValue {
        var note: JSONValue?
        var book: JSONValue?
        switch tick.body {
        case .note(let text)?: note = .string(text)
        case .book(let level)?: book = fields(level)
        case nil: break
        }
        return object([
            ("symbol", tick.symbol.isEmpty ? nil : .string(tick.symbol)), ("ts_ms", long(tick.tsMs)), ("delta_e4", long(tick.deltaE4)),
            ("flags", tick.flags == 0 ? nil : .number("\(tick.flags)")),
            ("side", tick.side.rawValue == 0 ? nil : .number("\(tick.side.rawValue)")), ("levels", list(tick.levels) { .number("\($0)") }),
            ("best", tick.hasBest ? fields(tick.best) : JSONValue?.none),
            ("raw", tick.raw.isEmpty ? nil : ["$hex": .string(hexText(tick.raw))]),
            ("last", double(tick.last)), ("seq", tick.seq == 0 ? nil : .string("\(tick.seq)")),
            ("halted", tick.halted ? .bool(true) : nil), ("note", note), ("book", book),
            ("m", tick.m.isEmpty ? nil : .object(tick.m.map { .init($0.key, .number("\($0.value)")) })),
            ("inner", tick.hasInner ? fields(tick.inner) : JSONValue?.none), ("opt", tick.hasOpt ? .number("\(tick.opt)") : nil),
            ("depth", list(tick.depth, fields)), ("sides", list(tick.sides) { .number("\($0.rawValue)") }),
            ("i32", tick.i32 == 0 ? nil : .number("\(tick.i32)")),
        ])
    }

    private static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { .init(name, $0) } })
    }

    private static func long(_ value: Int64) -> JSONValue? { value == 0 ? nil : .string("\(value)") }

    private static func list<Element>(_ values: [Element], _ form: (Element) -> JSONValue) -> JSONValue? {
        values.isEmpty ? nil : .array(values.map(form))
    }

    private static func double(_ value: Double) -> JSONValue? {
        if value.bitPattern == 0 { return nil }
        return value.isFinite ? .number("\(value)") : .string(value.isNaN ? "NaN" : "\(value)")
    }
}
