import Streams
import Synchronization

@testable import Journal

/// A folder in memory that behaves as a disk may at a power cut: whatever was not synced is lost, torn or kept in any order.
final class CrashingFolder: Sendable {
    struct Disk {
        /// What a program sees, and what is surely on the disk.
        var seen: [String: [UInt8]] = [:]
        var durable: [String: [UInt8]] = [:]
        /// Unsynced writes, oldest first.
        var pending: [String: [(offset: Int, bytes: [UInt8])]] = [:]
        var durableNames: Set<String> = []
        var room = Int.max
        var failSync = false
    }

    let disk = Mutex(Disk())

    var port: FileFolder {
        FileFolder(
            path: "/memory",
            list: { [self] in disk.withLock { Array($0.seen.keys) } },
            open: { [self] name in
                disk.withLock { if $0.seen[name] == nil { $0.seen[name] = [] } }
                return file(name)
            },
            rename: { [self] from, to in
                disk.withLock { disk in
                    disk.seen[to] = disk.seen.removeValue(forKey: from)
                    disk.durable[to] = disk.durable.removeValue(forKey: from)
                    disk.pending[to] = disk.pending.removeValue(forKey: from)
                }
            },
            remove: { [self] name in
                disk.withLock { disk in
                    disk.seen[name] = nil
                    disk.durable[name] = nil
                    disk.pending[name] = nil
                }
            },
            sync: { [self] in disk.withLock { $0.durableNames = Set($0.seen.keys) } })
    }

    private func file(_ name: String) -> File {
        File(
            size: { [self] in disk.withLock { $0.seen[name]?.count ?? 0 } },
            read: { [self] offset, count in
                disk.withLock { disk in
                    let bytes = disk.seen[name] ?? []
                    return Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
                }
            },
            write: { [self] (bytes, offset) throws(FileError) in
                let full = disk.withLock { disk in
                    let fits = min(bytes.count, disk.room)
                    disk.room -= fits
                    Self.put(Array(bytes.prefix(fits)), offset, into: &disk.seen[name, default: []])
                    disk.pending[name, default: []].append((offset, Array(bytes.prefix(fits))))
                    return fits < bytes.count
                }
                if full { throw .full }
            },
            truncate: { [self] size in
                disk.withLock { disk in
                    Self.cut(&disk.seen[name, default: []], to: size)
                    // A truncation reaches the disk in order with nothing; the test makes it durable at once.
                    Self.cut(&disk.durable[name, default: []], to: size)
                    disk.pending[name] = disk.pending[name]?.compactMap { write in
                        write.offset >= size ? nil : (write.offset, Array(write.bytes.prefix(size - write.offset)))
                    }
                }
            },
            sync: { [self] () throws(FileError) in
                let failed = disk.withLock { disk in
                    if disk.failSync { return true }
                    disk.durable[name] = disk.seen[name]
                    disk.pending[name] = []
                    return false
                }
                if failed { throw .failed(operation: "fdatasync", code: 5) }
            },
            close: {})
    }

    private static func put(_ bytes: [UInt8], _ offset: Int, into file: inout [UInt8]) {
        if file.count < offset + bytes.count { file += [UInt8](repeating: 0, count: offset + bytes.count - file.count) }
        file.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }

    private static func cut(_ file: inout [UInt8], to size: Int) {
        if file.count > size { file.removeSubrange(size...) } else { file += [UInt8](repeating: 0, count: size - file.count) }
    }

    /// The power goes: of each file's unsynced bytes every 16-byte piece is kept or lost by the dice, in any order.
    func crash(_ dice: inout SeededRandom) {
        disk.withLock { disk in
            for name in disk.seen.keys.sorted() where !disk.durableNames.contains(name) && dice.below(2) == 0 {
                disk.durable[name] = nil
                disk.pending[name] = nil
                disk.seen[name] = nil
            }
            for name in disk.seen.keys.sorted() {
                var file = disk.durable[name] ?? []
                for write in disk.pending[name] ?? [] {
                    for start in stride(from: 0, to: write.bytes.count, by: 16) where dice.below(3) != 0 {
                        let piece = Array(write.bytes[start..<min(start + 16, write.bytes.count)])
                        Self.put(piece.prefix(1 + dice.below(16)).map { $0 }, write.offset + start, into: &file)
                    }
                }
                disk.seen[name] = file
                disk.durable[name] = file
                disk.pending[name] = []
            }
            disk.durableNames = Set(disk.seen.keys)
        }
    }
}
