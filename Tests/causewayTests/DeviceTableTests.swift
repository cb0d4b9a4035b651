import Accounts
import Testing
import Texts

@testable import causeway

struct DeviceTableTests {
    @Test("A-10 the sign-ins have a header and their times") func table() {
        let list = DeviceList(devices: [
            .init(id: "ab", name: "desk", platform: "linux", signedInAt: 1_796_020_568_000, isCurrent: true),
            .init(id: "cd", name: "old desk", platform: "linux", signedInAt: .max, isCurrent: false),
        ])
        #expect(
            SessionCommands.table(list, .english).lines == [
                "   Device    Platform  Signed in                Sign-in", "*  desk      linux     2026-11-30 06:36:08 UTC  ab",
                "   old desk  linux     —                        cd",
            ])
    }
}
