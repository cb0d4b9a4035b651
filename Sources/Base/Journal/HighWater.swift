import Synchronization

/// A number that only grows, kept in a small file: the end of what was promised. `raise` costs one write and survives the process, not
/// a power cut, after which the file may say less than was promised, never more. `raiseDurably` survives both.
///
/// Two slots of magic (4) · version (4) · number (8) · CRC-32C of these (4), little endian, each in a sector of its own. The first only
/// changes while the second is on the disk with the same number, so one of them is always whole.
public final class HighWater: Sendable {
    private struct Slots {
        var file: File
        var value: UInt64
        /// Both slots hold `value`.
        var settled: Bool
    }

    private static let magic: UInt32 = 0x3148_5743  // "CWH1"
    private static let version: UInt32 = 1
    private static let slotBytes = 20
    private static let offsets = (first: 0, second: 512)

    private let slots: Mutex<Slots>

    private init(file: File, value: UInt64, settled: Bool) {
        slots = Mutex(Slots(file: file, value: value, settled: settled))
    }

    /// Reads the file without changing it; nil where there is none. Throws `corrupt` where neither slot is sound.
    public static func open(_ name: String, in folder: FileFolder) throws(JournalError) -> HighWater? {
        let file: File
        let bytes: [UInt8]
        do throws(FileError) {
            guard try folder.list().contains(name) else { return nil }
            file = try folder.open(name)
            bytes = try file.read(0, offsets.second + slotBytes)
        } catch { throw JournalError(error) }
        let found = [try read(bytes, offsets.first, name), try read(bytes, offsets.second, name)]
        guard let value = found.compactMap({ $0 }).max() else {
            file.close()
            throw .corrupt(file: name, offset: 0)
        }
        return HighWater(file: file, value: value, settled: found == [value, value])
    }

    /// Makes the file, whole and durable, in place of one that is there.
    public static func make(_ name: String, in folder: FileFolder, at value: UInt64) throws(JournalError) -> HighWater {
        do throws(FileError) {
            let file = try folder.open(name + ".tmp")
            try file.truncate(0)
            try file.write(slot(value), offsets.first)
            try file.write(slot(value), offsets.second)
            try file.sync()
            file.close()
            try folder.rename(name + ".tmp", name)
            try folder.sync()
            return HighWater(file: try folder.open(name), value: value, settled: true)
        } catch { throw JournalError(error) }
    }

    public var value: UInt64 { slots.withLock { $0.value } }

    /// Nothing happens where `value` is not higher.
    public func raise(to value: UInt64) throws(JournalError) {
        try change { (slots) throws(FileError) in
            guard value > slots.value else { return }
            slots.settled = false
            try slots.file.write(Self.slot(value), Self.offsets.second)
            slots.value = value
        }
    }

    /// Returns when `value`, or the higher one known, is on the disk.
    public func raiseDurably(to value: UInt64) throws(JournalError) {
        try change { (slots) throws(FileError) in
            guard value > slots.value || !slots.settled else { return }
            let value = max(value, slots.value)
            slots.settled = false
            for offset in [Self.offsets.second, Self.offsets.first] {
                try slots.file.write(Self.slot(value), offset)
                try slots.file.sync()
            }
            slots.value = value
            slots.settled = true
        }
    }

    public func close() { slots.withLock { $0.file.close() } }

    private func change(_ body: (inout Slots) throws(FileError) -> Void) throws(JournalError) {
        let result = slots.withLock { slots in
            Result { () throws(FileError) in try body(&slots) }
        }
        do throws(FileError) { try result.get() } catch { throw JournalError(error) }
    }

    private static func slot(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: magic)
        bytes.append(littleEndian: version)
        bytes.append(littleEndian: value)
        bytes.append(littleEndian: CRC32C.checksum(bytes))
        return bytes
    }

    /// Nil where the slot is torn or damaged.
    private static func read(_ bytes: [UInt8], _ offset: Int, _ name: String) throws(JournalError) -> UInt64? {
        guard bytes.count >= offset + slotBytes, bytes.littleEndian(UInt32.self, at: offset) == magic,
            CRC32C.checksum(bytes[offset..<(offset + 16)]) == bytes.littleEndian(UInt32.self, at: offset + 16)
        else { return nil }
        guard bytes.littleEndian(UInt32.self, at: offset + 4) <= version else { throw .newer(file: name) }
        return bytes.littleEndian(UInt64.self, at: offset + 8)
    }
}
