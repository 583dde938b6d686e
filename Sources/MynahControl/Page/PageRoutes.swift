internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `/` and what it loads: the page in the browser.
///
/// Open to everybody, because the files are the same for everybody; what the page shows, it asks for with the token.
struct PageRoutes {
    var routes: [Route] {
        PageRoutes.paths.flatMap { path in
            [
                Route(.get, path, isOpen: true) { try PageRoutes.answer($0) },
                Route(.head, path, isOpen: true) { try PageRoutes.answer($0).createHeadResponse() },
            ]
        }
    }

    private static let paths = ["/", "/assets/{file}", "/assets/{folder}/{file}"]

    /// Nothing but this server's own scripts, styles and API, and images that the scripts draw.
    ///
    /// A push's payload is somebody's text; should it ever become markup by mistake, it still loads and runs nothing.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "base-uri 'none'", "frame-ancestors 'none'", "form-action 'none'",
    ].joined(separator: "; ")

    private static func answer(_ call: Call) throws -> Response {
        let name = [call.parameters["folder"], call.parameters["file"]].compactMap(\.self).joined(separator: "/")
        guard let file = PageFile.embedded[name.isEmpty ? "index.html" : name], let contentType = file.contentType
        else {
            throw Problem(.notFound, "the page has no file \(name)", field: "file")
        }
        let tag = "\"\(file.tag)\""
        var headers: HTTPFields = [
            .contentType: contentType,
            .eTag: tag,
            // Kept, but asked about each time: another version of the server has other files.
            .cacheControl: "no-cache",
            .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff",
            .referrerPolicy: "no-referrer",
            .crossOriginOpenerPolicy: "same-origin",
            .crossOriginResourcePolicy: "same-origin",
        ]
        guard !isKnown(tag, call) else {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: file.text)))
    }

    /// Whether the caller has this version already (RFC 9110 §13.1.2: weak comparison).
    private static func isKnown(_ tag: String, _ call: Call) -> Bool {
        call.request.headers[values: .ifNoneMatch].contains { value in
            value.split(separator: ",").contains { part in
                let known = part.drop { $0 == " " || $0 == "\t" }
                return known == "*" || known == tag || known == "W/" + tag
            }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
    fileprivate static let crossOriginOpenerPolicy = HTTPField.Name.known("Cross-Origin-Opener-Policy")
    fileprivate static let crossOriginResourcePolicy = HTTPField.Name.known("Cross-Origin-Resource-Policy")
}
