import Files
import Texts

extension Failure {
    /// Why a file somebody named was not written.
    init(_ fault: OutputFile.Fault, _ path: String) {
        switch fault {
        case .notRegular: self = Failure(.outputNotFile, .init("path", path))
        case .unwritable(let reason): self = Failure(.outputUnwritable, .init("path", path), .init("reason", reason))
        }
    }
}

extension Failure {
    /// Why nothing is written to a folder somebody named.
    init(_ fault: OutputFolder.Fault, _ path: String) {
        switch fault {
        case .notFolder: self = Failure(.outputNotFolder, .init("path", path))
        case .unwritable(let reason): self = Failure(.outputUnwritable, .init("path", path), .init("reason", reason))
        }
    }
}

extension ErrorCode {
    /// What is there is no folder: `path`.
    static let outputNotFolder = ErrorCode("output.not-a-folder")
    /// What is there is a folder, a pipe, a device or a link: `path`.
    static let outputNotFile = ErrorCode("output.not-a-file")
    /// It cannot be written: `path`, `reason`.
    static let outputUnwritable = ErrorCode("output.unwritable")
}
