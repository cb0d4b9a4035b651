import Foundation

/// libFuzzer as a library: it calls `test` with input after input until its time is over, and says how it went.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The decoder CAUSEWAY_FUZZ_DECODER names. See scripts/fuzz.
private let decoder: FuzzDecoder = {
    let name = ProcessInfo.processInfo.environment["CAUSEWAY_FUZZ_DECODER"] ?? ""
    guard let decoder = FuzzDecoder(rawValue: name) else { fatalError("CAUSEWAY_FUZZ_DECODER names no decoder: \(name)") }
    return decoder
}()

/// What the linker takes for `main` of this program.
@_cdecl("causeway_fuzz_main")
public func fuzz(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var count = count
    var arguments = arguments
    return runDriver(&count, &arguments) { start, length in
        let input = Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : length))
        do { try decoder.check(input) } catch { fatalError("\(decoder): \(error)") }
        return 0
    }
}
