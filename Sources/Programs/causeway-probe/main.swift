import Foundation
import Instruments
import Messages
import Streams

// causeway-probe calendar TIMES: the work of `causeway bench calendar`, in a program small enough for callgrind. Asks the phase of every
// calendar in turn at moments all over the years that have hours, so many times; prints the sum of the answers.

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("causeway-probe: \(text)\n".utf8))
    exit(2)
}

let words = CommandLine.arguments.dropFirst()
guard words.count == 2, words.first == "calendar", let times = words.last.flatMap({ Int($0) }), (0...1_000_000_000).contains(times) else {
    fail("usage: causeway-probe calendar TIMES")
}

do {
    let calendar = try MarketFacts(DataFolder.locate()).calendar
    let ids = calendar.all.map(\.id)
    // 2016-07-01 to 2040-07-01, to the second.
    let (first, seconds) = (Int64(1_467_331_200), UInt64(757_382_400))
    var state: UInt64 = 1
    let moments = (0..<4096).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return MarketInstant(nanoseconds: (first + Int64((state >> 20) % seconds)) * 1_000_000_000)
    }
    var sum = 0
    var place = 0
    for time in 0..<times {
        sum &+= try calendar.phase(ids[place], at: moments[time & 4095]).rawValue
        place = place + 1 == ids.count ? 0 : place + 1
    }
    print(sum)
} catch { fail("\(error)") }
