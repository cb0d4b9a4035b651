import HTTP

/// An answer as bytes. Adds Content-Length, Connection and the fields every answer carries; a field that could break the header is
/// left out.
func httpAnswer(_ response: HTTPResponse, isHead: Bool, keepAlive: Bool) -> [UInt8] {
    let status = (100...999).contains(response.status) ? response.status : 500
    var text = "HTTP/1.1 \(status) \(httpReason(status))\r\n"
    let ours: Set = ["content-length", "connection", "transfer-encoding", "keep-alive"]
    var names = Set<String>()
    for field in response.headers.fields where isSafe(field) {
        let name = field.name.lowercased()
        if ours.contains(name) { continue }
        names.insert(name)
        text += "\(field.name): \(field.value)\r\n"
    }
    for (name, value) in [("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store")]
    where !names.contains(name.lowercased()) {
        text += "\(name): \(value)\r\n"
    }
    let hasBody = status >= 200 && status != 204 && status != 304
    if hasBody { text += "Content-Length: \(response.body.count)\r\n" }
    text += keepAlive ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n"
    return Array(text.utf8) + (hasBody && !isHead ? response.body : [])
}

/// The answer to a request that never became one.
func httpRefusalResponse(_ refusal: HTTPRefusal) -> HTTPResponse {
    let code =
        switch refusal.status {
        case 413, 431: "request.too-large"
        case 503: "server.unavailable"
        default: "request.invalid"
        }
    let text = "{\"error\":{\"code\":\"\(code)\",\"args\":{},\"text\":\"\(httpReason(refusal.status)): \(refusal.reason)\"}}"
    var response = HTTPResponse(status: refusal.status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    if refusal.status == 426 {
        response.headers.append("Upgrade", "websocket")
        response.headers.append("Sec-WebSocket-Version", "13")
    }
    return response
}

private func isSafe(_ field: HTTPFields.Field) -> Bool {
    !field.name.isEmpty && field.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
}

func httpReason(_ status: Int) -> String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 413: "Content Too Large"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 421: "Misdirected Request"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: "Status \(status)"
    }
}
