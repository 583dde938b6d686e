import APNsRules
import MynahCore
import MynahSystem

/// A web push as somebody has copied it: a `curl` command, an HTTP request, header fields alone, or a token; maybe within a
/// code fence of Markdown.
struct WebPushText {
    /// How much of a push the text has.
    enum Extent: Equatable {
        case token(String)
        /// The fields that name the sender.
        case credential
        /// Header fields, and maybe a path.
        case head
        case request
    }

    let extent: Extent
    let request: WebPushRequest
    /// The origin of its endpoint; `nil` if the text doesn't say.
    let origin: WebPushOrigin?
    /// What can't be judged, a clause each.
    let omissions: [String]
    /// The parts of the request that are not judged.
    let unseen: Set<WebPushContext.Part>

    /// Reads the text.
    ///
    /// - Parameter readFile: reads a file that a `curl` command names; `nil` if there is none.
    init(_ bytes: [UInt8], readFile: (String) -> [UInt8]?) throws(CommandFailure) {
        // Bodies may have any bytes.
        if case .foreign(let encoding) = TextFile.text(bytes, isOfKeys: true) {
            throw CommandFailure(.usage, "the input \(encoding.problem): expected UTF-8. \(encoding.remedy)")
        }
        let sent = WebPushText.sent(in: TextFile.withoutMark(bytes))
        let text = String(decoding: sent, as: UTF8.self)
        if let words = CurlCommand.text(in: text.drop { $0.isWhitespace || $0 == "$" }) {
            let command = try CurlCommand(words, readFile: readFile)
            try self.init(
                method: command.method, target: command.url, fields: command.fields, body: command.body,
                declared: command.body.count, missing: command.missingBody)
            return
        }
        if let token = text.wholeMatch(of: /\s*(e[\w+\/=-]+\.[\w+\/=-]+\.[\w+\/=-]*)\s*/) {
            self.init(fields: [], .token(String(token.1)))
            return
        }
        let (lines, body) = WebPushText.parts(of: sent)
        let line = lines.first.flatMap(WebPushText.requestLine)
        let printed = try line == nil ? PrintedRequest(json: sent) ?? PrintedRequest(go: text) : nil
        let fields = printed?.fields ?? lines.compactMap(WebPushText.field)
        let method = line?.method ?? printed?.method ?? fields.first { $0.name == ":method" }?.value
        let target = line?.target ?? printed?.target ?? fields.first { $0.name == ":path" }?.value
        if let method, let target, !fields.isEmpty {
            let declared =
                printed?.byteCount ?? fields.first { $0.name == "content-length" }.flatMap { Int($0.value) }
            // A copy often has more line ends than the request.
            let rest = printed == nil && !body.allSatisfy { [0x0A, 0x0D].contains($0) } ? body : []
            let content = printed?.body ?? rest
            try self.init(
                method: method, target: target, fields: fields,
                body: declared.map { Array(content.prefix(max(0, $0))) } ?? content, declared: declared, missing: nil)
            return
        }
        guard fields.contains(where: { $0.name == "authorization" }) else {
            throw CommandFailure(
                .usage,
                "the input is no web push: expected an HTTP request (POST /… HTTP/1.1 and its fields), header fields with "
                    + "Authorization, a VAPID token, or a curl command")
        }
        let isCredential = fields.allSatisfy { ["authorization", "crypto-key"].contains($0.name) }
        self.init(fields: fields, isCredential ? .credential : .head)
    }

    /// A request of which the path is known.
    ///
    /// - Parameters:
    ///   - declared: The size of its body, if something says so.
    ///   - missing: What is known to be missing of the body, a clause.
    private init(
        method: String, target: String, fields: [HTTPField], body: [UInt8], declared: Int?, missing: String?
    ) throws(CommandFailure) {
        let url = URLParts(target)
        guard url?.scheme ?? "https" == "https" else {
            throw CommandFailure(
                .usage,
                "the URL \(target) is not https: expected https://, because Apple's service answers nothing else")
        }
        let host = url.map { [HTTPField("host", String($0.authority))] } ?? []
        let byteCount = max(declared ?? 0, body.count)
        request = WebPushRequest(
            method: method, path: url?.target ?? target, fields: fields + host, body: body, bodyByteCount: byteCount)
        origin = request.authority.flatMap { WebPushOrigin(authority: $0) }
        var omission = missing
        if byteCount > body.count {
            omission = "the body, of which the text has \(body.count) of \(byteCount) bytes"
        } else if declared == nil, body.isEmpty, request["content-encoding"] != nil {
            omission = "the body, which the text lacks"
        }
        extent = omission == nil ? .request : .head
        omissions = omission.map { [$0] } ?? []
        unseen = omission == nil ? [.signature] : [.signature, .body]
    }

    /// Fields or a token alone.
    private init(fields: [HTTPField], _ extent: Extent) {
        self.extent = extent
        request = WebPushRequest(method: "POST", path: "/", fields: fields)
        origin = request.authority.flatMap { WebPushOrigin(authority: $0) }
        omissions = extent == .head ? ["the path", "the body"] : ["the rest of the request"]
        unseen = request["content-encoding"] == nil ? [.signature, .path] : [.signature, .path, .body]
    }

    /// The text without blanks and comments before it, and without a code fence; of what `curl -v` prints, what was sent.
    private static func sent(in bytes: ArraySlice<UInt8>) -> [UInt8] {
        let rest = withoutComments(withoutFence(withoutComments(bytes)))
        let lines = rest.split(separator: UInt8(ascii: "\n"))
        let sent = lines.filter { $0.starts(with: "> ".utf8) }.map { $0.dropFirst(2) }
        // A progress meter and notes may come first.
        guard let first = sent.first, requestLine(String(decoding: first, as: UTF8.self)) != nil,
            !lines.contains(where: { requestLine(String(decoding: $0, as: UTF8.self)) != nil })
        else { return Array(rest) }
        return Array(sent.joined(separator: "\n".utf8))
    }

    private static func withoutComments(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let blanks = Array(" \t\r\n".utf8)
        var rest = bytes.drop { blanks.contains($0) }
        while rest.first == UInt8(ascii: "#") {
            rest = rest.drop { $0 != UInt8(ascii: "\n") }.drop { blanks.contains($0) }
        }
        return rest
    }

    /// The lines between the marks of a code fence, if the text begins with one.
    private static func withoutFence(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = ["```", "~~~"].first { bytes.starts(with: $0.utf8) }
        guard let mark else { return bytes }
        let newline = UInt8(ascii: "\n")
        let lines = bytes.drop { $0 != newline }.dropFirst().split(separator: newline, omittingEmptySubsequences: false)
        let within = lines.prefix { !$0.starts(with: mark.utf8) }
        return Array(within.joined(separator: [newline]))[...]
    }

    /// The lines up to the first empty one, and the bytes after it.
    private static func parts(of bytes: [UInt8]) -> (lines: [String], body: [UInt8]) {
        var lines: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            let line = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[min(end + 1, rest.endIndex)...]
            if line.isEmpty || line == "\r" { break }
            lines.append(line.hasSuffix("\r") ? String(line.dropLast()) : line)
        }
        return (lines, Array(rest))
    }

    /// The field in a line, which may be the value of `Authorization` alone; `nil` for another line.
    private static func field(_ line: String) -> HTTPField? {
        let text = line.drop(while: \.isWhitespace)
        if ["vapid ", "webpush ", "bearer "].contains(where: { text.lowercased().hasPrefix($0) }) {
            return HTTPField("authorization", String(text))
        }
        // The colon that begins a pseudo-header isn't the one behind its name.
        guard let colon = text.dropFirst().firstIndex(of: ":"), requestLine(line) == nil else { return nil }
        let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
        return HTTPField(text[..<colon].lowercased(), String(value))
    }

    private static func requestLine(_ line: String) -> (method: String, target: String)? {
        guard let match = line.wholeMatch(of: /\s*([A-Za-z]+) +(\S+?)( +HTTP\/[0-9.]+)?\s*/) else { return nil }
        let target = String(match.2)
        // Without a version only the target tells it from other words.
        guard match.3 != nil || target.hasPrefix("/") || target.contains("://") else { return nil }
        return (String(match.1), target)
    }
}
