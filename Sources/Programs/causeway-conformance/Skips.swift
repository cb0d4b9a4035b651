/// The one list of cases that are not run, with the reason. It only ever gets shorter.
private let skips: [(prefix: String, reason: String)] = [
    ("eio-e02", "a binary packet as base64 text is framing of long polling alone; on a WebSocket it is a binary frame")
]

/// Why the case of that id is not run; nil: it is.
func skipReason(_ id: String) -> String? {
    skips.first { id == $0.prefix || ($0.prefix.hasSuffix("-") && id.hasPrefix($0.prefix)) }?.reason
}
