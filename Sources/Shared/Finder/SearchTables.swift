/// A table of the file: where its numbers or bytes stand. That it lies inside the file is checked once, at opening.
struct SearchTable {
    var offset = 0
    /// Bytes.
    var size = 0

    /// Numbers of four bytes.
    var count: Int { size / 4 }

    @inline(__always)
    func number(_ place: Int, _ file: borrowing RawSpan) -> UInt32 {
        UInt32(littleEndian: file.unsafeLoadUnaligned(fromByteOffset: offset + place * 4, as: UInt32.self))
    }

    @inline(__always)
    func byte(_ place: Int, _ file: borrowing RawSpan) -> UInt8 {
        file.unsafeLoadUnaligned(fromByteOffset: offset + place, as: UInt8.self)
    }

    /// The first place in `range` for which `isPast` holds; it holds for all after it too.
    func first(_ range: Range<Int>, _ file: borrowing RawSpan, where isPast: (UInt32) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isPast(number(middle, file)) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The character of UTF-8 at a place and its bytes; zero at the end of a key and where there is none.
    func character(at place: Int, _ file: borrowing RawSpan) -> (value: UInt32, size: Int) {
        guard place < size else { return (0, 1) }
        let first = byte(place, file)
        let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard count > 1, place + count <= size else { return (first < 0x80 ? UInt32(first) : 0, 1) }
        var value = UInt32(first) & (0x7F >> UInt32(count))
        for offset in 1..<count { value = value << 6 | UInt32(byte(place + offset, file) & 0x3F) }
        return (value, count)
    }

    /// What stands up to the next zero byte.
    func text(at place: Int, _ file: borrowing RawSpan) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = place
        while place < size {
            let byte = byte(place, file)
            if byte == 0 { break }
            bytes.append(byte)
            place += 1
        }
        return bytes
    }
}

/// Places of a text, in the order of what follows from there.
struct SuffixTable {
    var positions = SearchTable()
    /// The smallest position of each block.
    var minima = SearchTable()
}

/// One text of the file with its suffix tables.
struct SearchText {
    var text = SearchTable()
    var offsets = SearchTable()
    var coarse = SearchTable()
    var starts = SuffixTable()
    var words = SuffixTable()
    var middles = SuffixTable()

    /// The entries whose text from there begins with the key; a zero at its end asks for the end of the text's key too.
    func range(_ key: [UInt8], in table: SuffixTable, _ file: borrowing RawSpan) -> Range<Int> {
        let all = 0..<table.positions.count
        let low = bound(key, all, table, file, orAfter: false)
        return low..<bound(key, low..<all.upperBound, table, file, orAfter: true)
    }

    private func bound(
        _ key: [UInt8], _ range: Range<Int>, _ table: SuffixTable, _ file: borrowing RawSpan, orAfter: Bool
    ) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            let order = order(of: Int(table.positions.number(middle, file)), key, file)
            if orAfter ? order > 0 : order >= 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Whether the text at a position comes before a key (negative), begins with it (0) or comes after it.
    private func order(of position: Int, _ key: [UInt8], _ file: borrowing RawSpan) -> Int {
        var place = position
        for wanted in key {
            let byte = text.byte(place, file)
            if byte != wanted { return byte < wanted ? -1 : 1 }
            // A zero ends what may be read, and a key has one at its end only.
            if byte == 0 { return 0 }
            place += 1
        }
        return 0
    }

    /// The row that a position belongs to.
    func row(of position: UInt32, _ file: borrowing RawSpan) -> Int {
        let place = Int(position) / SearchLayout.stride
        var row = Int(coarse.number(place, file))
        var high = place + 1 < coarse.count ? Int(coarse.number(place + 1, file)) : offsets.count - 2
        // The last row of row...high that does not begin after the position.
        while row < high {
            let middle = row + (high - row + 1) / 2
            if offsets.number(middle, file) <= position { row = middle } else { high = middle - 1 }
        }
        return row
    }

    /// The keys of a row.
    func keys(of row: Int, _ file: borrowing RawSpan) -> Range<Int> {
        Int(offsets.number(row, file))..<Int(offsets.number(row + 1, file))
    }
}
