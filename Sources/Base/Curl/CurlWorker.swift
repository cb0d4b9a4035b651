import CCurl
import Foundation
import HTTP

/// One thread's curl handle: its connections are reused from request to request.
final class CurlWorker {
    private let configuration: CurlClient.Configuration
    private let handle: UnsafeMutableRawPointer?

    init(_ configuration: CurlClient.Configuration) {
        self.configuration = configuration
        handle = curl_easy_init()
    }

    deinit { curl_easy_cleanup(handle) }

    /// Until the queue closes.
    func run(_ queue: WorkQueue) {
        while let work = queue.take() {
            if !work.isCancelled { work.finish(perform(work)) }
            queue.done(work)
        }
    }

    private func perform(_ work: Work) -> Work.Outcome {
        guard let handle else { return .failure(.offline("libcurl made no handle")) }
        let request = work.request
        guard Self.isPlain(request.method), let components = URLComponents(string: request.url),
            let scheme = components.scheme?.lowercased(),
            scheme == "http" || scheme == "https", components.host?.isEmpty == false, components.user == nil
        else { return .failure(.badURL("expected http:// or https:// with a host")) }
        let milliseconds = work.remaining.components.seconds * 1000 + work.remaining.components.attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return .failure(.timedOut) }
        curl_easy_reset(handle)
        let transfer = Transfer(work, limit: configuration.maximumResponseBytes)
        guard let fields = Self.fieldList(request) else { return .failure(.badURL("a header field holds a line break")) }
        defer { curl_slist_free_all(fields.list) }
        guard configure(handle, request, transfer, fields.list, milliseconds) else {
            return .failure(.offline("libcurl refused an option"))
        }
        let code = request.body.withUnsafeBufferPointer { body in
            if !body.isEmpty {
                _ = causeway_curl_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int(body.count))
                _ = causeway_curl_pointer(handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
            }
            // Set last, for POSTFIELDS turns the method into POST.
            _ = causeway_curl_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
            return withExtendedLifetime(transfer) { curl_easy_perform(handle) }
        }
        if work.isCancelled { return .failure(.cancelled) }
        guard code == CURLE_OK else { return .failure(failure(code, handle, transfer)) }
        return .success(HTTPResponse(status: causeway_curl_status(handle), headers: transfer.headers, body: transfer.body))
    }

    private func configure(
        _ handle: UnsafeMutableRawPointer, _ request: HTTPRequest, _ transfer: Transfer, _ fields: UnsafeMutablePointer<curl_slist>?,
        _ milliseconds: Int64
    ) -> Bool {
        let owner = Unmanaged.passUnretained(transfer).toOpaque()
        var codes = [
            causeway_curl_text(handle, CURLOPT_URL, request.url),
            causeway_curl_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
            causeway_curl_long(handle, CURLOPT_FOLLOWLOCATION, 0),
            causeway_curl_long(handle, CURLOPT_NOSIGNAL, 1),
            causeway_curl_long(handle, CURLOPT_TIMEOUT_MS, Int(milliseconds)),
            causeway_curl_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            causeway_curl_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // An account's server is asked directly, whatever the environment says about proxies for loopback.
            causeway_curl_text(handle, CURLOPT_NOPROXY, "127.0.0.1,localhost,::1"),
            // Empty: all codings libcurl knows; answers arrive unpacked and are bounded unpacked.
            causeway_curl_text(handle, CURLOPT_ACCEPT_ENCODING, ""),
            causeway_curl_pointer(handle, CURLOPT_HTTPHEADER, fields),
            causeway_curl_pointer(handle, CURLOPT_WRITEDATA, owner),
            causeway_curl_on_bytes(handle, CURLOPT_WRITEFUNCTION, takeBody),
            causeway_curl_pointer(handle, CURLOPT_HEADERDATA, owner),
            causeway_curl_on_bytes(handle, CURLOPT_HEADERFUNCTION, takeHeader),
            causeway_curl_long(handle, CURLOPT_NOPROGRESS, 0),
            causeway_curl_pointer(handle, CURLOPT_XFERINFODATA, owner),
            causeway_curl_on_progress(handle, isOver),
        ]
        if request.method == "HEAD" { codes.append(causeway_curl_long(handle, CURLOPT_NOBODY, 1)) }
        switch configuration.trust {
        case .system: break
        case .authorities(let file):
            codes.append(causeway_curl_text(handle, CURLOPT_CAINFO, file))
            codes.append(causeway_curl_text(handle, CURLOPT_CAPATH, nil))
        case .pinned(let sha256):
            codes.append(causeway_curl_text(handle, CURLOPT_PINNEDPUBLICKEY, "sha256//" + sha256))
            codes.append(causeway_curl_long(handle, CURLOPT_SSL_VERIFYPEER, 0))
            codes.append(causeway_curl_long(handle, CURLOPT_SSL_VERIFYHOST, 0))
        }
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    private static func isPlain(_ method: String) -> Bool {
        (1...20).contains(method.utf8.count) && method.utf8.allSatisfy { (65...90).contains($0) }
    }

    /// Nil: a field could break the header. libcurl's own `Expect` is turned off, for it costs a second with servers that ignore it.
    private static func fieldList(_ request: HTTPRequest) -> (list: UnsafeMutablePointer<curl_slist>?, Void)? {
        var list = curl_slist_append(nil, "Expect:")
        if !request.body.isEmpty && request.headers["content-type"] == nil { list = curl_slist_append(list, "Content-Type:") }
        for field in request.headers.fields {
            guard field.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }), !field.name.isEmpty,
                field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 })
            else {
                curl_slist_free_all(list)
                return nil
            }
            // `Name;` is how libcurl sends a field without a value.
            list = curl_slist_append(list, field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return (list, ())
    }

    private func failure(_ code: CURLcode, _ handle: UnsafeMutableRawPointer, _ transfer: Transfer) -> HTTPFailure {
        if transfer.isTooLarge { return .tooLarge }
        let text = String(cString: curl_easy_strerror(code))
        return switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .badURL(text)
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_ABORTED_BY_CALLBACK: .cancelled
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CERTPROBLEM:
            .untrusted(text)
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CONNECT_ERROR,
            CURLE_INTERFACE_FAILED:
            .offline(text)
        default: causeway_curl_sent(handle) > 0 ? .connectionLost(text) : .offline(text)
        }
    }
}

/// What one transfer gathers.
private final class Transfer {
    let work: Work
    let limit: Int
    var headers = HTTPFields()
    var headerBytes = 0
    var body: [UInt8] = []
    var isTooLarge = false

    init(_ work: Work, limit: Int) {
        self.work = work
        self.limit = limit
    }
}

private func transfer(_ owner: UnsafeMutableRawPointer?) -> Transfer? {
    owner.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?) -> Int {
    guard let transfer = transfer(owner) else { return 0 }
    let length = size * count
    guard transfer.body.count + length <= transfer.limit else {
        transfer.isTooLarge = true
        return 0
    }
    transfer.body.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: length))
    return length
}

/// One header line a call; a status line begins the fields anew (after `100 Continue`).
private func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?) -> Int {
    guard let transfer = transfer(owner) else { return 0 }
    let length = size * count
    transfer.headerBytes += length
    guard transfer.headerBytes <= 64 << 10 else {
        transfer.isTooLarge = true
        return 0
    }
    let line = String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
    if line.hasPrefix("HTTP/") {
        transfer.headers = HTTPFields()
    } else if let colon = line.firstIndex(of: ":") {
        transfer.headers.append(String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return length
}

/// Called at least once a second, and whenever bytes move.
private func isOver(_ owner: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t) -> Int32 {
    transfer(owner)?.work.isCancelled == true ? 1 : 0
}
