import Accounts
import Alerts
import Exact
import Foundation
import HTTP
import Persistence
import Testing
import Texts

@testable import Server

/// F-5 through a real server: what fires is told once, over restarts.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AlertStoryTests {
    private func sign(_ test: TestServer, _ server: CausewayServer) async throws -> (api: APIClient, access: String) {
        let api = try test.api(server)
        let input = SignInInput(name: "mei", password: "correct horse", device: TestServer.device)
        do throws(Failure) {
            return (api, try await api.call(AccountEndpoints.register, input).access)
        } catch {
            return (api, try await api.call(AccountEndpoints.signIn, input).access)
        }
    }

    private func alert(
        _ condition: AlertCondition, _ value: String, symbol: String = "700.HK", repeats: Bool = false
    ) -> AlertInput { AlertInput(symbol: symbol, condition: condition, value: value, repeats: repeats) }

    @Test("F-5: a price that is beyond fires, is told with the same number after a restart, and once acknowledged no more")
    func fires() async throws {
        let test = try TestServer()
        var server = try await test.start()
        var (api, access) = try await sign(test, server)
        let input = alert(.above, "1")
        let added = try await api.call(AlertEndpoints.add, input, bearer: access)
        #expect(added.state == .armed && added.alert == input)
        let never = try await api.call(AlertEndpoints.add, alert(.above, "100000"), bearer: access)
        // The same again is the same one.
        #expect(try await api.call(AlertEndpoints.add, alert(.above, "100000"), bearer: access) == never)
        let told = try await api.call(AlertEndpoints.firings, FiringsInput(wait: 30), bearer: access)
        let firing = try #require(told.firings.first)
        #expect(told.firings.count == 1 && told.missed == 0)
        #expect(firing.number == 1 && firing.alert == added.id && firing.symbol == "700.HK" && firing.value == "1")
        #expect(try Price(firing.figure).nanos > 1_000_000_000)
        #expect(try await api.call(AlertEndpoints.list, Empty(), bearer: access).alerts == [never])
        await server.stop()

        server = try await test.start()
        (api, access) = try await sign(test, server)
        #expect(try await api.call(AlertEndpoints.list, Empty(), bearer: access).alerts == [never])
        #expect(try await api.call(AlertEndpoints.firings, FiringsInput(), bearer: access).firings == [firing])
        #expect(try await api.call(AlertEndpoints.acknowledge, FiringMark(number: 1), bearer: access).number == 1)
        #expect(try await api.call(AlertEndpoints.firings, FiringsInput(), bearer: access).firings == [])
        #expect(try await api.call(AlertEndpoints.firings, FiringsInput(after: 0), bearer: access).firings == [firing])
        _ = try await api.call(AlertEndpoints.remove, AlertReference(id: never.id), bearer: access)
        #expect(try await api.call(AlertEndpoints.list, Empty(), bearer: access).alerts == [])
        await server.stop()
        await test.remove()
    }

    @Test("F-5: who waits is answered by the end of the server and by a sign-out, not left", arguments: [true, false])
    func waitingEnds(bySignOut: Bool) async throws {
        let test = try TestServer()
        let server = try await test.start()
        let (api, access) = try await sign(test, server)
        let waiting = Task { () -> ErrorCode? in
            do throws(Failure) {
                _ = try await api.call(AlertEndpoints.firings, FiringsInput(wait: 30), bearer: access)
                return nil
            } catch { return error.code }
        }
        // It waits once it is counted.
        while server.alerts.waiting == 0 { await Task.yield() }
        if bySignOut { _ = try await api.call(AccountEndpoints.signOut, Empty(), bearer: access) } else { await server.stop() }
        #expect(await waiting.value == (bySignOut ? .authInvalid : .serverUnavailable))
        if bySignOut { await server.stop() }
        await test.remove()
    }

    @Test("F-5: what cannot be an alert is refused with its code")
    func refused() async throws {
        let test = try TestServer()
        let server = try await test.start()
        let (api, access) = try await sign(test, server)
        func code(_ input: AlertInput) async -> String? {
            do throws(Failure) {
                _ = try await api.call(AlertEndpoints.add, input, bearer: access)
                return nil
            } catch { return error.code.rawValue }
        }
        #expect(await code(alert(.above, "0")) == "alert.value")
        #expect(await code(alert(.above, "-5")) == "alert.value")
        #expect(await code(alert(.down, "101")) == "alert.value")
        #expect(await code(alert(.above, "5", symbol: "NOSUCH.US")) == "symbol.unknown")
        #expect(await code(alert(.volume, "5", symbol: "HSI.INDX")) == "alert.not-quoted")
        #expect(await code(alert(.bidAbove, "5", symbol: "HSI.INDX")) == "alert.not-quoted")
        #expect(await code(alert(.up, "5", symbol: "HSI.INDX")) == nil)
        #expect(await code(alert(.above, "+1")) == "alert.value")
        #expect(await code(alert(.above, "01")) == "alert.value")
        #expect(await code(alert(.above, "5", symbol: "700.HK\n")) == "request.invalid")
        func expression(_ text: String, _ symbol: String = "700.HK") -> AlertInput {
            AlertInput(symbol: symbol, condition: .when, value: text, period: .minute5, repeats: false)
        }
        #expect(await code(expression("CROSS(CLOSE,NOSUCH)")) == "alert.formula")
        #expect(await code(expression("CLOSE>MA(CLOSE,5000)")) == "alert.formula-heavy")
        #expect(await code(expression("CLOSE>5", "NOSUCH.US")) == "symbol.unknown")
        #expect(await code(expression("CLOSE>MA(CLOSE,20)", "HSI.INDX")) == nil)
        let figure = #"{"symbol":"700.HK","condition":"above","value":"5","repeats":false"#
        let formula = #"{"symbol":"700.HK","condition":"when","value":"CLOSE>5","repeats":false"#
        for input in [
            "{}", #"{"symbol":"700.HK","condition":"sideways","value":"5","repeats":false}"#, figure + #","period":"5m"}"#, formula + "}",
            formula + #","period":"4m"}"#, formula + #","period":""}"#,
        ] {
            var request = try api.request(AlertEndpoints.add, alert(.above, "5"))
            request.headers["authorization"] = "Bearer " + access
            request.body = Array(input.utf8)
            #expect(APIClient.failure(of: try await api.perform(request)).code == .requestInvalid)
        }
        await #expect(throws: Failure(ErrorCode("alert.unknown"), .init("id", "99"))) {
            _ = try await api.call(AlertEndpoints.remove, AlertReference(id: 99), bearer: access)
        }
        await server.stop()
        await test.remove()
    }

    @Test("F-5: an alert whose instrument is not there any more is listed as such, one that is not listed any more refused")
    func gone() async throws {
        let test = try TestServer()
        var server = try await test.start()
        var (api, access) = try await sign(test, server)
        let account = try await api.call(AccountEndpoints.account, Empty(), bearer: access).account
        await server.stop()
        // As one of a contract that has expired since.
        let store = try AccountFile(path: test.folder + "/accounts.sqlite").alerts
        let id = try store.add(
            AlertRecord(account: account, symbol: "HSI2001.HKFE", condition: "above", threshold: 1, repeats: false, since: 0))
        server = try await test.start()
        (api, access) = try await sign(test, server)
        let listed = try await api.call(AlertEndpoints.list, Empty(), bearer: access).alerts
        #expect(listed.map(\.id) == [id] && listed.first?.state == .gone)
        await server.stop()
        await test.remove()
    }
}
