internal import NIOHTTP1

/// Why a proxy does not do what it was asked to: the status, and what the person at the client can do about it.
///
/// Many clients show the status line and nothing else, so the problem stands in it, too.
package struct ProxyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Characters of what a client sent that are shown to it.
    private static let quotedMax = 80

    /// The status of the answer, 400 to 599.
    package let status: Int
    /// What is wrong: a clause without a full stop, in visible ASCII.
    package let problem: String
    /// What would be right: a sentence without a full stop.
    package let remedy: String

    /// A refusal; both texts are visible ASCII, without a line's end.
    package init(_ status: Int, _ problem: String, remedy: String) {
        self.status = status
        self.problem = problem
        self.remedy = remedy
    }

    /// Two sentences.
    package var description: String { "\(problem). \(remedy)." }

    /// The whole answer, after which the connection ends.
    var answer: String {
        let body = description + "\n"
        return "HTTP/1.1 \(status) \(HTTPResponseStatus(statusCode: status).reasonPhrase) (\(problem))\r\n"
            + (status == 405 ? "allow: CONNECT\r\n" : "")
            + "content-type: text/plain; charset=utf-8\r\ncontent-length: \(body.utf8.count)\r\n"
            + "connection: close\r\n\r\n" + body
    }

    /// What a client sent, as far as it can be shown.
    static func quoted(_ text: some StringProtocol) -> String {
        let shown = text.unicodeScalars.prefix(quotedMax).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" }
        return "\"\(String(shown))\(text.unicodeScalars.count > quotedMax ? "..." : "")\""
    }
}

// MARK: - What a head can be

extension ProxyRefusal {
    /// The first bytes are no HTTP.
    static let notHTTP = ProxyRefusal(
        400, "this is no HTTP request", remedy: "A proxy is asked by CONNECT host:port HTTP/1.1 and an empty line")
    /// The first byte is that of a TLS record.
    static let startsTLS = ProxyRefusal(
        400, "this is TLS, and the proxy itself speaks none",
        remedy: "Name it by an http:// address: HTTPS_PROXY=http://localhost:PORT")

    /// A head above the limit.
    static func headTooLong(_ bytesMax: Int) -> ProxyRefusal {
        ProxyRefusal(
            431, "the request's head is longer than \(bytesMax) bytes", remedy: "A CONNECT needs no field at all")
    }

    /// A head that did not come in time.
    static func headTimedOut(seconds: Int64) -> ProxyRefusal {
        ProxyRefusal(
            408, "no whole request came within \(seconds) s", remedy: "Its head ends with an empty line")
    }

    /// A line that RFC 9112 does not have.
    static func malformed(_ problem: String) -> ProxyRefusal {
        ProxyRefusal(
            400, problem, remedy: "A proxy is asked by CONNECT host:port HTTP/1.1, fields, and an empty line")
    }

    /// Another version of HTTP.
    static func version(_ text: String) -> ProxyRefusal {
        ProxyRefusal(505, "\(quoted(text)) is not spoken here", remedy: "The proxy speaks HTTP/1.1 and HTTP/1.0")
    }

    /// Another method than CONNECT.
    static func method(_ text: String) -> ProxyRefusal {
        ProxyRefusal(
            405, "the method \(quoted(text)) is not CONNECT",
            remedy: "This proxy carries https alone: set HTTPS_PROXY to it, and leave HTTP_PROXY unset")
    }
}

// MARK: - What becomes of a target

extension ProxyRefusal {
    /// A target that is not the server's own, while the proxy can be reached from other machines.
    package static func otherTarget(_ target: ConnectTarget, bound host: String) -> ProxyRefusal {
        ProxyRefusal(
            403, "the proxy on \(host) leads to APNs alone, not to \(target)",
            remedy: "It tunnels to other targets when it is bound to localhost; or name them in NO_PROXY")
    }

    /// As many tunnels as there may be.
    package static func tooManyTunnels(_ max: Int) -> ProxyRefusal {
        ProxyRefusal(
            503, "\(max) tunnels are open, and no more may be", remedy: "Close some, or name hosts in NO_PROXY")
    }

    /// A tunnel for which there is no file descriptor left.
    package static let noDescriptors = ProxyRefusal(
        503, "nearly all file descriptors of this process are in use",
        remedy: "Close connections, or raise the limit (ulimit -n)")

    /// A target that can't be reached; the cause is a clause.
    static func unreachable(_ target: ConnectTarget, _ cause: String) -> ProxyRefusal {
        ProxyRefusal(
            502, "can't connect to \(target): \(cause)",
            remedy: "Apple's names alone lead to mynah; this one was asked for itself")
    }

    /// A target that does not answer in time.
    static func connectTimedOut(_ target: ConnectTarget, seconds: Int64) -> ProxyRefusal {
        ProxyRefusal(
            504, "\(target) did not answer within \(seconds) s",
            remedy: "Apple's names alone lead to mynah; this one was asked for itself")
    }
}
