/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), eight bytes a step by table.
package enum CRC32C {
    private static let tables: [[UInt32]] = {
        var tables = [[UInt32]](repeating: [UInt32](repeating: 0, count: 256), count: 8)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1 }
            tables[0][byte] = crc
        }
        for byte in 0..<256 {
            for row in 1..<8 {
                let previous = tables[row - 1][byte]
                tables[row][byte] = previous >> 8 ^ tables[0][Int(previous & 0xFF)]
            }
        }
        return tables
    }()

    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        if let sum = bytes.withContiguousStorageIfAvailable({ checksum(contiguous: $0) }) { return sum }
        return checksum(contiguous: ContiguousArray(bytes))
    }

    private static func checksum(contiguous bytes: some RandomAccessCollection<UInt8>) -> UInt32 {
        var crc = ~UInt32(0)
        let t = tables
        var index = bytes.startIndex
        var left = bytes.count
        func next() -> UInt32 {
            defer { index = bytes.index(after: index) }
            return UInt32(bytes[index])
        }
        while left >= 8 {
            let low = crc ^ (next() | next() << 8 | next() << 16 | next() << 24)
            let a = t[7][Int(low & 0xFF)] ^ t[6][Int(low >> 8 & 0xFF)] ^ t[5][Int(low >> 16 & 0xFF)] ^ t[4][Int(low >> 24)]
            crc = a ^ t[3][Int(next())] ^ t[2][Int(next())] ^ t[1][Int(next())] ^ t[0][Int(next())]
            left -= 8
        }
        while left > 0 {
            crc = crc >> 8 ^ t[0][Int((crc ^ next()) & 0xFF)]
            left -= 1
        }
        return ~crc
    }
}
