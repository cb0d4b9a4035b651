import Foundation

/// Brings rows and queries to one form, so that what looks alike to a person is alike: full width, case, accents, punctuation, traditional
/// and variant characters. Many to one, always in this direction: the other one would have to choose between 后 and 後.
///
/// The form is UTF-8 of lower-case words with one blank between; no blank stands beside a Chinese character. Apostrophes, full stops and
/// ampersands inside names join what stands around them (`AT&T` is `att`, `U.S.` is `us`).
struct Folding: Sendable {
    /// Maps one scalar to another; itself where there is nothing to fold.
    var map: @Sendable (UInt32) -> UInt32

    func fold(_ text: some StringProtocol) -> [UInt8] { Self.fold(text, map) }

    static func fold(_ text: some StringProtocol, _ map: (UInt32) -> UInt32) -> [UInt8] {
        var folded: [UInt8] = []
        var isBlankDue = false
        var isAfterHan = false
        for scalar in text.unicodeScalars {
            let value = map(halfWidth(scalar.value))
            switch role(value) {
            case .dropped: continue
            case .blank: isBlankDue = true
            case .letter:
                let isHan = isHan(value)
                if isBlankDue, !folded.isEmpty, !isHan, !isAfterHan { folded.append(0x20) }
                isBlankDue = false
                isAfterHan = isHan
                append(value, to: &folded)
            }
        }
        return folded
    }

    private enum Role { case letter, blank, dropped }

    private static func role(_ value: UInt32) -> Role {
        switch value {
        case 0x30...0x39, 0x61...0x7A: .letter
        case 0x26, 0x27, 0x2E, 0xAD, 0xB7, 0x300...0x36F, 0x200B...0x200F, 0x2018, 0x2019, 0x2060, 0x30FB, 0xFEFF: .dropped
        case 0...0xBF, 0x2000...0x2BFF, 0x3000...0x3004, 0x3007...0x3030, 0xFE30...0xFE4F: .blank
        default: .letter
        }
    }

    private static func halfWidth(_ value: UInt32) -> UInt32 {
        switch value {
        case 0xFF21...0xFF3A: value - 0xFEE0 + 0x20
        case 0xFF01...0xFF5E: value - 0xFEE0
        case 0x41...0x5A: value + 0x20
        default: value
        }
    }

    /// Whether it is a Chinese character.
    static func isHan(_ value: UInt32) -> Bool {
        switch value {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF, 0x3005...0x3006: true
        default: false
        }
    }

    static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(value) else { return }
        bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
    }
}

/// Which scalars fold to which: made with ICU when an index is built, carried by the index, so that a query needs no ICU and folds as the
/// rows were folded.
struct FoldingTable {
    private(set) var pairs: [(from: UInt32, to: UInt32)] = []

    /// Of all scalars a name can have.
    init() {
        let variants = Self.variants
        var targets: [UInt32: UInt32] = [:]
        let latin = Self.transformed([0xC0...0x24F, 0x1E00...0x1EFF], "Latin-ASCII; Lower")
        let other = Self.transformed([0x370...0x52F], "Lower")
        let han = Self.transformed([0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF], "NFKC; Hant-Hans")
        for found in [latin, other, han] { targets.merge(found) { first, _ in first } }
        for (from, to) in variants { targets[from] = targets[to] ?? to }
        for (from, to) in targets {
            let end = variants[to] ?? targets[to] ?? to
            if end != from { pairs.append((from, end)) }
        }
        pairs.sort { $0.from < $1.from }
    }

    var folding: Folding {
        let table = Dictionary(pairs.map { ($0.from, $0.to) }) { first, _ in first }
        return Folding { table[$0] ?? $0 }
    }

    /// One scalar to one scalar; what becomes several stays.
    private static func transformed(_ ranges: [ClosedRange<UInt32>], _ transform: String) -> [UInt32: UInt32] {
        let scalars = ranges.flatMap { $0.compactMap { Unicode.Scalar($0) } }
        var text = String.UnicodeScalarView()
        for scalar in scalars {
            text.append(scalar)
            text.append("\n")
        }
        let changed = String(text).applyingTransform(StringTransform(transform), reverse: false) ?? String(text)
        let lines = changed.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        var table: [UInt32: UInt32] = [:]
        for (scalar, line) in zip(scalars, lines) {
            if line.count == 1, let to = line.first, to != scalar { table[scalar.value] = to.value }
        }
        return table
    }

    /// Ways of writing one character that ICU keeps apart, each group's first being the one the others become.
    private static let groups = [
        "汇滙匯彙", "台臺枱檯颱", "里裏裡", "线綫線", "峰峯", "群羣", "启啓啟", "卫衞衛", "鸡鷄雞", "床牀", "面麵麪", "恒恆", "强強彊", "产産產",
        "温溫", "户戶戸", "说説說", "内內", "吕呂", "青靑", "黄黃", "真眞", "值値", "净凈淨", "为爲為", "污汚汙", "秘祕", "游遊", "布佈", "占佔", "升昇陞",
        "周週", "钟鐘鍾锺", "姜薑", "烟煙菸", "粤粵", "巨鉅钜", "泛氾汎", "岩巖嵒", "村邨", "概槪", "洁潔絜", "栢柏", "晋晉", "叶葉", "志誌", "才纔", "佣傭",
        "伙夥", "沈瀋渖", "辉煇輝", "杰傑", "翱翺", "锐鋭銳", "悦悅", "税稅", "脱脫", "录録錄", "绿緑綠", "虚虛", "别別", "没沒", "冲沖衝", "决決", "况況",
        "凉涼", "减減", "凑湊", "针針鍼", "馆館舘", "宝寶寳", "厨廚", "厦廈", "厢廂", "并併並竝", "采採", "干乾幹", "后後", "发發髮", "只隻衹祇", "准準",
        "制製", "历歷曆", "谷穀", "系係繫", "云雲", "丰豐", "余餘", "斗鬥鬪", "回迴廻", "向嚮", "奖獎奨", "炉爐鑪", "丽麗", "暖煖", "托託", "咏詠", "韵韻",
        "笋筍", "糖醣", "粮糧", "闲閒閑", "雕鵰彫", "梁樑", "弦絃", "果菓", "卷捲", "克剋", "症癥", "修脩", "棋碁",
    ]

    private static let variants: [UInt32: UInt32] = {
        var table: [UInt32: UInt32] = [:]
        for group in groups {
            guard let first = group.unicodeScalars.first else { continue }
            for other in group.unicodeScalars.dropFirst() { table[other.value] = first.value }
        }
        return table
    }()
}
