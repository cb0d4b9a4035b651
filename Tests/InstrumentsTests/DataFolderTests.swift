import Exact
import Foundation
import Glibc
import Messages
import Streams
import Testing

@testable import Instruments

/// A user's own tables win file by file (issue 4.1).
struct DataFolderTests {
    let shipped: String
    let folder: String
    init() throws {
        shipped = try DataFolder.locate(environment: ["CAUSEWAY_TABLES": ""]).path
        folder = FileManager.default.temporaryDirectory.path + "/causeway-tables-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/causeway/tables", withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/causeway/tables/" + name))
    }

    private let fees =
        FeeSchedule.columns.joined(separator: ",") + "\nhouse,XHKG,stock,both,consideration,0.001,,,HKD,cent-half-up,,,ours,my broker,\n"

    @Test func anOwnTableWinsAndIsNamed() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write("fees.csv", fees)
        try write("notes.txt", "mine")
        for environment in [["CAUSEWAY_TABLES": folder + "/causeway/tables"], ["XDG_CONFIG_HOME": folder, "HOME": "/nowhere"]] {
            let data = try DataFolder.locate(environment: environment.merging(["CAUSEWAY_DATA": shipped]) { first, _ in first })
            #expect(data.overridden == ["fees.csv"] && data.path == shipped)
            #expect(data.file("tables/fees.csv") == folder + "/causeway/tables/fees.csv")
            #expect(data.file("tables/ticks.csv") == shipped + "/tables/ticks.csv")
            let tencent = try MarketFacts(data).instruments.resolve("700", on: day("2026-11-30")).get()
            let found = try FeeSchedule(data).statement(
                for: tencent, .buy, quantity: Quantity("100"), price: Price("350"), on: day("2026-11-30"))
            #expect(found.items.map(\.rule) == ["house"] && found.total.text == "35" && !found.isVerified)
        }
        let none = try DataFolder.locate(environment: ["CAUSEWAY_TABLES": "", "XDG_CONFIG_HOME": folder, "CAUSEWAY_DATA": shipped])
        #expect(none.overridden.isEmpty && none.ownTables == nil)
    }

    @Test func anOwnCalendarIsNamedToo() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/causeway/tables"
        try write("holidays.csv", "calendar,date\n")
        #expect(throws: DataFault(file: own + "/holidays.csv", line: 1, reason: "has no column kind")) {
            try MarketFacts(DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]))
        }
    }

    /// Every table, whatever is wrong with it: the whole path, so that nobody looks into the shipped one.
    @Test(arguments: [
        "calendars.csv", "sessions.csv", "holidays.csv", "ticks.csv", "lots.csv", "order-types.csv", "futures.csv", "settlement.csv",
        "price-validity.csv", "price-bands.csv", "corporate-actions.csv",
    ])
    func everyFaultNamesTheOwnFile(name: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/causeway/tables"
        let text = try String(contentsOfFile: shipped + "/tables/" + name, encoding: .utf8)
        let lines = text.split(separator: "\n")
        let last = try #require(lines.last)
        // The last row again, which every table refuses.
        try write(name, (lines + [last]).joined(separator: "\n") + "\n")
        let fault = #expect(throws: DataFault.self) {
            try MarketFacts(DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]))
        }
        #expect(fault?.file == own + "/" + name && (fault?.line ?? 0) > 0, "\(String(describing: fault))")
    }

    /// Without rows the largest order, the settlement day or the kinds of orders were held against nothing.
    @Test(arguments: ["lots.csv", "settlement.csv", "order-types.csv", "price-validity.csv"])
    func aTableWithoutRowsIsRefused(name: String) throws {
        let own = FileManager.default.temporaryDirectory.path + "/causeway-rows-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: own) }
        let whole = try String(contentsOfFile: shipped + "/tables/" + name, encoding: .utf8)
        try Data((whole.prefix { $0 != "\n" } + "\n").utf8).write(to: URL(fileURLWithPath: own + "/" + name))
        let fault = #expect(throws: DataFault.self) {
            try MarketFacts(DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]))
        }
        #expect(fault?.file == own + "/" + name)
    }

    @Test func hoursThatLeaveAGapNameTheOwnFile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/causeway/tables"
        let text = try String(contentsOfFile: shipped + "/tables/sessions.csv", encoding: .utf8)
        try write(
            "sessions.csv",
            text.replacing("XHKG,full,break,12:30,13:00,day,2020-10-19,", with: "XHKG,full,break,12:31,13:00,day,2020-10-19,"))
        let fault = #expect(throws: DataFault.self) {
            try MarketFacts(DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]))
        }
        #expect(fault?.file == own + "/sessions.csv" && fault?.reason.hasPrefix("leaves a gap") == true, "\(String(describing: fault))")
    }

    @Test func anOwnListOfHolidaysThatLacksAMarketIsRefused() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/causeway/tables"
        let lines = try String(contentsOfFile: shipped + "/tables/holidays.csv", encoding: .utf8).split(separator: "\n")
        try write("holidays.csv", lines.filter { !$0.hasPrefix("XHKG") }.joined(separator: "\n") + "\n")
        let fault = #expect(throws: DataFault.self) {
            try MarketFacts(DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]))
        }
        #expect(fault?.reason == "has no closed day from 2000-01-01 to 2027-12-31 in \(own)/holidays.csv")
    }

    /// A pipe nobody writes to, a folder, a device, a link to nowhere: told at once, not waited for.
    @Test(arguments: [
        ("pipe", "is no regular file"), ("folder", "is no regular file"), ("device", "is no regular file"), ("link", "is not there"),
    ])
    func onlyRegularFilesAreRead(kind: String, reason: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/causeway/tables"
        let path = own + "/lots.csv"
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "folder": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "device": #expect(symlink("/dev/zero", path) == 0)
        default: #expect(symlink(own + "/nowhere", path) == 0)
        }
        #expect(throws: DataFault(file: path, line: 0, reason: reason)) {
            try MarketFacts(DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]))
        }
    }

    @Test func faultsNameTheOwnFile() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let own = folder + "/causeway/tables"
        try write("fees.csv", fees.replacingOccurrences(of: "HKD", with: "hk"))
        let environment = ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": own]
        #expect(throws: DataFault(file: own + "/fees.csv", line: 2, reason: "currency is not a code")) {
            try FeeSchedule(DataFolder.locate(environment: environment))
        }
        // A misspelt file would be without effect and nobody would know.
        try write("fee.csv", fees)
        let fault = #expect(throws: DataFault.self) { try DataFolder.locate(environment: environment) }
        #expect(fault?.file == own + "/fee.csv" && fault?.reason.hasPrefix("is no table of this program") == true)
        #expect(throws: DataFault(file: folder + "/none", line: 0, reason: "cannot be read")) {
            try DataFolder.locate(environment: ["CAUSEWAY_DATA": shipped, "CAUSEWAY_TABLES": folder + "/none"])
        }
    }
}
