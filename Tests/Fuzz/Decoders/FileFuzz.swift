import Exact
import Foundation
import Instruments
import Journal
import Streams
import Synchronization

@testable import Feeds

/// Plain decimals: what is read is written as text that reads as the same.
enum DecimalFuzz {
    static func check(_ input: [UInt8]) throws {
        guard input.count <= 4096 else { return }
        let text = String(decoding: input, as: UTF8.self)
        if let price = try? Price(text) { try same(try Price(price.description) == price, text) }
        if let quantity = try? Quantity(text) { try same(try Quantity(quantity.description) == quantity, text) }
        if let money = try? Money(text, currency: .hkd) { try same(try Money(money.text, currency: .hkd) == money, text) }
        if let ratio = try? Ratio(text) { _ = ratio.description }
        if let exact = try? ExactDecimal(text) {
            try same(try ExactDecimal(exact.description) == exact, text)
            if let price = try? Price(exact) { try same(try Price(text) == price, text) }
        }
        for notation in [NumberReader.Notation.point, .comma] {
            for forms in [NumberReader.Forms.entry, .statement] {
                guard let number = try? NumberReader(notation, allowing: forms).read(text) else { continue }
                try same(try ExactDecimal(number.description) == number, text)
            }
        }
    }

    private static func same(_ holds: Bool, _ text: String) throws {
        if !holds { throw FuzzFault("\(text.debugDescription) is written as another number") }
    }
}

/// A sound journal is damaged where the bytes say. Opening it finds a prefix of what was written, all of it where nothing was
/// damaged, or refuses; it never gives a record nobody wrote (C-10). With an odd first byte the rest is a segment file as it is.
enum JournalFuzz {
    static func check(_ input: [UInt8]) throws {
        guard let kind = input.first else { return }
        let disk = MemoryFolder()
        if kind & 1 == 1 {
            disk.files.withLock { $0["00000000000000000000.journal"] = Array(input.dropFirst()) }
            _ = try? contents(disk)
            return
        }
        let written = (0..<6).map { index in Array(repeating: UInt8(index * 37 & 0xFF), count: index * 11) }
        var log = try JournalLog(folder: disk.port)
        for payload in written {
            try log.write([payload])
            try log.sync()
        }
        log.close()
        let edits = input.dropFirst()
        damage(disk, edits)
        guard let found = try? contents(disk) else { return }
        guard found == Array(written.prefix(found.count)) else { throw FuzzFault("a record nobody wrote") }
        if edits.isEmpty, found != written { throw FuzzFault("a record lost from a sound journal") }
        guard try contents(disk) == found else { throw FuzzFault("opening it again finds something else") }
    }

    /// Each four bytes: file and place, and what is put there; the value 0 cuts the file there.
    private static func damage(_ disk: MemoryFolder, _ edits: ArraySlice<UInt8>) {
        disk.files.withLock { files in
            let names = files.keys.sorted()
            var rest = edits
            while rest.count >= 4, !names.isEmpty {
                let edit = Array(rest.prefix(4))
                rest = rest.dropFirst(4)
                let name = names[Int(edit[0]) % names.count]
                var bytes = files[name] ?? []
                let place = Int(edit[1]) << 8 | Int(edit[2])
                if edit[3] == 0 {
                    bytes.removeLast(max(0, bytes.count - place))
                } else if place < bytes.count {
                    bytes[place] ^= edit[3]
                } else if place < 2048 {
                    bytes += Array(repeating: edit[3], count: place - bytes.count)
                }
                files[name] = bytes
            }
        }
    }

    private static func contents(_ disk: MemoryFolder) throws -> [[UInt8]] {
        var log = try JournalLog(folder: disk.port)
        defer { log.close() }
        var found: [[UInt8]] = []
        try log.replay(from: .start) { _, payload in found.append(Array(payload)) }
        return found
    }
}

/// Files in memory.
final class MemoryFolder: Sendable {
    let files = Mutex<[String: [UInt8]]>([:])

    var port: FileFolder {
        FileFolder(
            path: "/memory", list: { [self] in files.withLock { Array($0.keys) } },
            open: { [self] name in
                files.withLock { if $0[name] == nil { $0[name] = [] } }
                return file(name)
            },
            rename: { [self] from, to in files.withLock { $0[to] = $0.removeValue(forKey: from) } },
            remove: { [self] name in files.withLock { $0[name] = nil } }, sync: {})
    }

    private func file(_ name: String) -> File {
        File(
            size: { [self] in files.withLock { $0[name]?.count ?? 0 } },
            read: { [self] offset, count in
                files.withLock { files in Array((files[name] ?? []).dropFirst(offset).prefix(count)) }
            },
            write: { [self] bytes, offset in
                files.withLock { files in
                    var whole = files[name] ?? []
                    if whole.count < offset + bytes.count {
                        whole += Array(repeating: 0, count: offset + bytes.count - whole.count)
                    }
                    whole.replaceSubrange(offset..<offset + bytes.count, with: bytes)
                    files[name] = whole
                }
            },
            truncate: { [self] size in
                files.withLock { files in
                    let whole = files[name] ?? []
                    files[name] = Array(whole.prefix(size)) + Array(repeating: 0, count: max(0, size - whole.count))
                }
            },
            sync: {}, close: {})
    }
}

/// The first byte chooses the layout, the second the instrument; the rest is the file. It lies in memory and has a path all the same.
enum RecordingsFuzz {
    private static let facts = Result { try MarketFacts(try DataFolder.locate()) }

    static func check(_ input: [UInt8]) throws {
        guard input.count >= 2 else { return }
        let facts = try facts.get()
        guard let day = TradingDay("2026-11-30"), let recorded = TradingDay("2022-04-13") else { throw FuzzFault("no such day") }
        let symbols = ["700.HK", "AAPL.US", "HSI2612.HKFE", "HSI.INDX"]
        let instrument = try facts.instruments.resolve(symbols[Int(input[1]) % symbols.count], on: day).get()
        // A file without a name; the reader opens it by its descriptor.
        guard let file = tmpfile() else { return }
        defer { fclose(file) }
        let bytes = Array(input.dropFirst(2))
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count, fflush(file) == 0 else { return }
        let descriptor = fileno(file)
        let kinds: [ManifestLine.Kind] = [.bars, .daily, .trades, .book]
        let line = ManifestLine(
            path: "/proc/self/fd/\(descriptor)", name: "recording", kind: kinds[Int(input[0] & 3)],
            interval: ["1m", "5m", "15m", "1h"][Int(input[0] >> 2 & 3)], instrument: instrument.id, recordedOn: recorded, mappedDay: day)
        let reader = RecordingReader(facts: facts, marketDate: day)
        var quarantine = Quarantine()
        do {
            switch line.kind {
            case .bars: try bars(reader.bars(line, quarantine: &quarantine))
            case .daily: try bars(reader.days(line, quarantine: &quarantine).map { $0.bar })
            case .trades:
                for print in try reader.trades(line, quarantine: &quarantine) where print.size <= 0 {
                    throw FuzzFault("a trade of nothing")
                }
            case .book: _ = try reader.books(line, quarantine: &quarantine)
            }
        } catch is DataFault {
            return
        } catch is CalendarFault { return }
    }

    private static func bars(_ bars: [TapeBar]) throws {
        for bar in bars where bar.high < max(bar.open, bar.close) || bar.low > min(bar.open, bar.close) || bar.volume < 0 {
            throw FuzzFault("a bar that contradicts itself: \(bar)")
        }
    }
}
