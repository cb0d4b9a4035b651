/// The one list of cases that are not run, with the reason. It only ever gets shorter.
private let skips: [(prefix: String, reason: String)] = [
    ("eio-", "long polling is not spoken; the transport is WebSocket only")
]

/// Why the case of that id is not run; nil: it is.
func skipReason(_ id: String) -> String? {
    skips.first { id == $0.prefix || ($0.prefix.hasSuffix("-") && id.hasPrefix($0.prefix)) }?.reason
}
