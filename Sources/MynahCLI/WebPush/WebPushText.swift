import APNsRules
import MynahCore

/// What a copy of a web push lacks.
struct WebPushOmissions {
    /// What can't be judged, a clause each.
    private(set) var clauses: [String] = []
    /// The parts of the request that are not judged.
    private(set) var parts: Set<WebPushContext.Part> = [.signature]

    /// What is probably not meant, a sentence each without its period.
    private(set) var remarks: [String] = []

    mutating func remark(_ sentence: String) { remarks.append(sentence) }

    /// Notes that what would be in the body is in the URL.
    mutating func moveBodyToPath() { if parts.remove(.bodyBytes) != nil { parts.insert(.path) } }

    mutating func add(_ clause: String, _ parts: WebPushContext.Part...) {
        clauses.append(clause)
        self.parts.formUnion(parts)
    }
}

/// A web push as somebody has copied it: a `curl` command, an HTTP request, or header fields alone.
struct WebPushText {
    let request: WebPushRequest
    /// The origin of its endpoint; `nil` if the text doesn't say.
    let origin: WebPushOrigin?
    /// Whether only the fields that name the sender were given.
    let isCredentialAlone: Bool
    /// Whether fields were given without a request line.
    let hasFieldsAlone: Bool
    private(set) var omissions = WebPushOmissions()

    /// The words of a scheme, with which an `Authorization` without its name begins.
    private static let schemes = ["vapid ", "webpush ", "bearer "]

    /// Reads the text.
    ///
    /// - Parameter readFile: reads a file that a `curl` command names; `nil` if there is none.
    init(_ bytes: [UInt8], readFile: (String) -> [UInt8]?) throws(CommandFailure) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let start = CurlCommand.text(in: text.drop { $0.isWhitespace || $0 == "$" }) {
            let command = try CurlCommand(start, readFile: readFile)
            request = command.request
            origin = command.origin
            isCredentialAlone = false
            hasFieldsAlone = false
            omissions = command.omissions
            return
        }
        let (head, body) = WebPushText.parts(of: bytes)
        var fields = WebPushText.fields(of: head)
        guard !fields.isEmpty else { throw WebPushText.unknown }
        let line = head.first { !$0.isEmpty }.flatMap { WebPushText.requestLine($0) }
        let method = line?.method ?? fields.first { $0.name == ":method" }?.value
        let target = line?.target ?? fields.first { $0.name == ":path" }?.value
        guard let method, let target else {
            guard fields.contains(where: { $0.name == "authorization" }) else { throw WebPushText.unknown }
            request = WebPushRequest(method: "POST", path: "/", fields: fields)
            origin = nil
            isCredentialAlone = fields.allSatisfy { ["authorization", "crypto-key"].contains($0.name) }
            hasFieldsAlone = true
            if !isCredentialAlone {
                omissions.add("the path", .path)
                omissions.add("the body", .body)
            }
            return
        }
        let url = URLParts(target)
        if url?.isSecure == false { throw URLParts.insecure("the URL \(target) of the request") }
        if let authority = url?.authority { fields.append(HTTPField("host", authority)) }
        let declared = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        request = WebPushRequest(
            method: method, path: url?.path ?? target, fields: fields, body: body,
            bodyByteCount: max(declared, body.count))
        origin = request.authority.flatMap { WebPushOrigin(authority: $0) }
        isCredentialAlone = false
        hasFieldsAlone = false
        if declared > body.count {
            omissions.add("the body, of which the text has \(body.count) of \(declared) bytes", .bodyBytes)
        }
    }

    private static var unknown: CommandFailure {
        CommandFailure(
            .usage,
            "the input is no web push: expected an HTTP request (POST /… HTTP/1.1 and its fields), an Authorization "
                + "header, or a curl command")
    }

    /// The lines up to the first empty one, and the bytes after it.
    static func parts(of bytes: [UInt8]) -> (head: [String], body: [UInt8]) {
        var lines: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[min(end + 1, rest.endIndex)...]
            let trimmed = line.hasSuffix("\r") ? String(line.dropLast()) : line
            if trimmed.isEmpty, lines.contains(where: { !$0.isEmpty }) { break }
            lines.append(trimmed)
        }
        return (lines, Array(rest))
    }

    /// The fields in lines of a head; lines without a field are left out.
    static func fields(of lines: [String]) -> [HTTPField] {
        lines.compactMap { line in
            let text = line.drop(while: \.isWhitespace)
            if schemes.contains(where: { text.lowercased().hasPrefix($0) }) {
                return HTTPField("authorization", String(text))
            }
            // The colon that begins a pseudo-header isn't the one behind its name.
            guard let colon = text.dropFirst().firstIndex(of: ":"), requestLine(line) == nil else { return nil }
            let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
            return HTTPField(text[..<colon].lowercased(), String(value))
        }
    }

    private static func requestLine(_ line: String) -> (method: String, target: String)? {
        guard let match = line.wholeMatch(of: /\s*([A-Za-z]+) +(\S+?)( +HTTP\/[0-9.]+)?\s*/) else { return nil }
        let target = String(match.2)
        // Without a version only the target tells it from other words.
        guard match.3 != nil || target.hasPrefix("/") || target.contains("://") else { return nil }
        return (String(match.1), target)
    }
}

/// The parts of a URL that a request needs.
struct URLParts {
    /// Whether its scheme is `https`.
    let isSecure: Bool
    /// Host and port.
    let authority: String
    /// The path with its query, `/` if there is none.
    let path: String

    /// Reads an absolute URL; `nil` for any other text.
    init?(_ text: some StringProtocol) {
        guard let match = String(text).wholeMatch(of: /([A-Za-z][A-Za-z0-9+.-]*):\/\/([^\/?#]+)([^#]*)(?:#.*)?/) else {
            return nil
        }
        isSecure = match.1.lowercased() == "https"
        authority = String(match.2)
        path = match.3.isEmpty ? "/" : String(match.3)
    }

    /// That a URL, which is named in `what`, has another scheme than that of all endpoints.
    static func insecure(_ what: String) -> CommandFailure {
        CommandFailure(.usage, "\(what) is not https: expected https://, because Apple's service answers nothing else")
    }
}
