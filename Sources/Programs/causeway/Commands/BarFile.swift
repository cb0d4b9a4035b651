import Charting
import Files
import Texts

/// Bars in a file of the user's own, as `BarReader` reads them.
struct BarFile {
    let bars: BarColumns
    let times: [ChartTime]
    /// Most decimals a price has, two at least.
    let decimals: Int

    /// - Throws: `data.missing`; `bars.unreadable`; `bars.file` with the line and what is wrong with it.
    init(path: String) throws(Failure) {
        func unreadable(_ reason: String) -> Failure { Failure(.barsUnreadable, .init("file", path), .init("reason", reason)) }
        var reader = BarReader()
        do {
            try RegularFile.pieces(path, limit: Self.mostBytes) { piece in try reader.feed(piece) }
            try reader.finish()
        } catch let error as BarReader.Fault {
            throw Self.fault(path, error.line, error.reason)
        } catch let error as RegularFile.Fault {
            switch error {
            case .missing: throw Usage.noFile(path)
            case .notRegular: throw unreadable("is no regular file")
            case .tooLong: throw unreadable("is longer than 2 GB")
            case .unreadable(let reason): throw unreadable(reason)
            }
        } catch { throw unreadable("\(error)") }
        (bars, times, decimals) = (reader.bars, reader.times, max(reader.decimals, 2))
    }

    static let mostBytes = 2 << 30

    static func fault(_ path: String, _ line: Int, _ reason: String) -> Failure {
        Failure(.barsFile, .init("file", path), .init("line", "\(line)"), .init("reason", reason))
    }
}

extension ErrorCode {
    /// A user's file of bars cannot be used: `file`, `line`, `reason`.
    static let barsFile = ErrorCode("bars.file")
    /// It is no file of bars, too long or not to be read: `file`, `reason`.
    static let barsUnreadable = ErrorCode("bars.unreadable")
    /// An indicator cannot be made of what there is: `indicator`, `reason` (a word).
    static let indicatorInvalid = ErrorCode("indicator.invalid")
}
