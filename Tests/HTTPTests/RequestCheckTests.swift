import HTTP
import Testing
import Texts

/// O-3: a browser's page of another site changes nothing here.
@Suite struct RequestCheckTests {
    private struct Name: JSONCodable {
        var name: String
        init(json: JSONValue) throws(Failure) { name = try json.string("name") }
        var json: JSONValue { ["name": .string(name)] }
    }

    private func answer(
        _ headers: HTTPFields, method: String = "POST", query: String = "", body: String = "{\"name\":\"mei\"}"
    ) async -> HTTPResponse {
        var router = Router { _ in .failure(Failure(.authInvalid)) }
        router.serve(Endpoint<Name, Name>(.post, "/names", authentication: .none)) { _, input throws(Failure) in input }
        router.serve(Endpoint<Name, Name>(.get, "/names", authentication: .none)) { _, input throws(Failure) in input }
        return await router.answer(
            HTTPServerRequest(
                method: method, path: "/names", query: query, headers: headers, body: Array(body.utf8), remoteAddress: "127.0.0.1"))
    }

    @Test(
        "O-3: only application/json in UTF-8 is taken",
        arguments: [
            ("application/json", 200), ("Application/JSON; charset=UTF-8", 200), ("application/json;charset=\"utf-8\"", 200),
            ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("multipart/form-data; boundary=x", 415), ("", 415),
            ("application/json; charset=utf-16", 415), ("text/plain; application/json", 415),
        ])
    func mediaType(type: String, status: Int) async {
        #expect(await answer(["content-type": type]).status == status)
    }

    @Test("O-3: a body without a type is refused; no body needs none; what belongs into the body is not taken from the address")
    func noType() async {
        let untyped = await answer([:])
        #expect(untyped.status == 415 && Failure(errorBody: untyped.body) == Failure(.requestMediaType))
        #expect(Failure(errorBody: await answer([:], body: "").body)?.code == .requestInvalid)
        #expect(await answer([:], query: "name=mei", body: "").status == 400)
        #expect(await answer([:], method: "GET", query: "name=mei", body: "").status == 200)
    }

    @Test(
        "O-3: an Origin that is not the host asked is refused with 403, without any CORS field",
        arguments: [
            ("http://127.0.0.1:7701", "127.0.0.1:7701", true), ("HTTP://LocalHost:7701", "localhost:7701", true),
            ("https://desk.example", "desk.example", true), ("https://desk.example:443", "desk.example", true),
            ("http://[::1]:7701", "[::1]:7701", true), ("http://127.0.0.1:80", "127.0.0.1", true),
            ("http://evil.example", "127.0.0.1:7701", false), ("http://127.0.0.1:7702", "127.0.0.1:7701", false),
            ("http://127.0.0.1:7701.evil.example", "127.0.0.1:7701", false), ("null", "127.0.0.1:7701", false),
            ("", "127.0.0.1:7701", false), ("file://", "127.0.0.1:7701", false), ("http://evil@127.0.0.1:7701", "127.0.0.1:7701", false),
            ("http://127.0.0.1:7701/", "127.0.0.1:7701", false),
        ])
    func origin(origin: String, host: String, isOurs: Bool) async {
        let response = await answer(["content-type": "application/json", "host": host, "origin": origin])
        #expect(response.status == (isOurs ? 200 : 403))
        #expect(!response.headers.fields.contains { $0.name.lowercased().hasPrefix("access-control") })
        let upgrade = HTTPServerRequest(
            method: "GET", path: "/quotes", headers: ["host": host, "origin": origin], body: [], remoteAddress: "127.0.0.1")
        #expect(upgrade.originRefusal()?.status == (isOurs ? nil : 403))
        #expect(HTTPServerRequest(method: "GET", path: "/", body: [], remoteAddress: "").originRefusal() == nil)
    }
}

@Suite struct HostRuleTests {
    @Test(
        "O-3: numeric addresses, localhost and the names that were given are answered",
        arguments: [
            "127.0.0.1", "127.0.0.1:7701", "10.0.0.7:80", "[::1]:7701", "[fe80::1]", "localhost", "LocalHost.:7701", "desk.example.net",
            "DESK.example.NET:443",
        ])
    func known(_ host: String) { #expect(HostRules(names: ["Desk.Example.net"]).allows(host: host)) }

    @Test(
        "O-3: any other name is not, however it is dressed: DNS may point it here",
        arguments: [
            "", "evil.example", "evil.example:7701", "127.0.0.1.evil.example", "localhost.evil.example", "1.2.3", "1.2.3.4.5", "256.1.1.1",
            "+1.2.3.4", "127.0.0.1:x", "127.0.0.1:+80", "[evil.example]", "[::1", "[::1]x", "[1]", "localhost..", "desk.example.net.evil",
            "evil\u{2024}example", "localhost@evil.example",
        ])
    func unknown(_ host: String) { #expect(!HostRules(names: ["desk.example.net"]).allows(host: host)) }
}
