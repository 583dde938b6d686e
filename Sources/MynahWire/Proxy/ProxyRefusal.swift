internal import APNsRules
internal import NIOHTTP1

/// Why the proxy refuses a request; the status line has the problem too, because many clients show nothing else.
package struct ProxyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The most characters of a client's text that are quoted to it.
    private static let quotedMax = 80

    /// The status of the answer, 400 to 599.
    package let status: Int
    /// What is wrong: a clause without a full stop, in visible ASCII.
    package let problem: String
    /// What to do instead: a sentence without a full stop.
    package let remedy: String

    package init(_ status: Int, _ problem: String, remedy: String) {
        self.status = status
        self.problem = problem
        self.remedy = remedy
    }

    package var description: String { "\(problem). \(remedy)." }

    /// The whole answer, after which the connection ends.
    var answer: String {
        let body = description + "\n"
        return "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase) (\(problem))\r\n"
            + (status == 405 ? "allow: CONNECT\r\n" : "")
            + "content-type: text/plain; charset=utf-8\r\ncontent-length: \(body.utf8.count)\r\n"
            + "connection: close\r\n\r\n" + body
    }

    /// A client's text, shortened and without a password, with a question mark for each character that can't be shown.
    static func quoted(_ text: some StringProtocol) -> String {
        let text = Secrets.withoutUser(String(text))
        let shown = text.unicodeScalars.prefix(quotedMax).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        return "\"\(String(shown))\(text.unicodeScalars.count > quotedMax ? "..." : "")\""
    }
}

extension ProxyRefusal {
    static let notHTTP = Self(
        400, "this is not an HTTP request", remedy: "Send CONNECT host:port HTTP/1.1 and an empty line")
    static let startsTLS = Self(
        400, "this is TLS, but the proxy port expects plain HTTP",
        remedy: "Give the proxy an http:// address: HTTPS_PROXY=http://localhost:PORT")

    static func headTooLong(_ bytesMax: Int) -> Self {
        .init(431, "the request's head is longer than \(bytesMax) bytes", remedy: "A CONNECT needs no field at all")
    }

    static func headTimedOut(seconds: Int64) -> Self {
        .init(408, "no whole request came within \(seconds) s", remedy: "End its head with an empty line")
    }

    static func malformed(_ problem: String) -> Self {
        .init(400, problem, remedy: "Send CONNECT host:port HTTP/1.1, fields, and an empty line")
    }

    static func version(_ text: String) -> Self {
        .init(505, "\(quoted(text)) is not supported", remedy: "Use HTTP/1.1 or HTTP/1.0")
    }

    static func method(_ text: String) -> Self {
        .init(
            405, "the method \(quoted(text)) is not CONNECT",
            remedy: "This proxy carries only https: set HTTPS_PROXY to it, and leave HTTP_PROXY unset")
    }

    package static func otherTarget(_ target: ConnectTarget, bound host: String) -> Self {
        .init(
            403, "the proxy on \(host) leads only to APNs, not to \(target)",
            remedy: "Bind the proxy to localhost, where it tunnels to other targets, or name them in NO_PROXY")
    }

    package static func tooManyTunnels(_ max: Int) -> Self {
        .init(503, "\(max) tunnels are open, and no more are allowed", remedy: "Close some, or name hosts in NO_PROXY")
    }

    package static let noDescriptors = Self(
        503, "nearly all file descriptors of this process are in use",
        remedy: "Close connections, or raise the limit (ulimit -n)")

    static func unreachable(_ target: ConnectTarget, _ cause: String) -> Self {
        .init(502, "can't connect to \(target): \(cause)", remedy: otherNameRemedy)
    }

    static func connectTimedOut(_ target: ConnectTarget, seconds: Int64) -> Self {
        .init(504, "\(target) did not answer within \(seconds) s", remedy: otherNameRemedy)
    }

    private static let otherNameRemedy =
        "Only Apple's names lead to mynah; the proxy connects to other targets as named"
}
