internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import MynahCore
internal import NIOCore

/// `/` and `/assets`: the files of the web page, which are served without the token.
///
/// The page sends the token with its calls of the API.
enum PageRoutes {
    static let routes: [Route] = [
        route(at: "/", id: "page", summary: "The web page", types: ["text/html"]),
        route(
            at: "/assets/{file}", id: "pageFile", summary: "A file that the page loads", parameters: ["file"],
            types: fileTypes),
        route(
            at: "/assets/{folder}/{file}", id: "pageFolderFile", summary: "A file that the page loads, in a folder",
            parameters: ["folder", "file"], types: fileTypes),
    ]

    /// Paths under which other servers show their API.
    private static let usualPathsOfAPIs: Set<String> = [
        "/api", "/api-docs", "/apidocs", "/docs", "/openapi", "/redoc", "/swagger", "/swagger-ui", "/swagger-ui.html",
        "/swagger/index.html", "/swagger-ui/index.html",
    ]

    /// The answer to such a path, which leads to the page's API; `nil` for all others.
    static func leadingToAPI(_ request: Request) -> Response? {
        let path = request.uri.path
        let name = path.hasSuffix("/") ? String(path.dropLast()) : path
        guard [.get, .head].contains(request.method), usualPathsOfAPIs.contains(name) else { return nil }
        return Response(status: .found, headers: [.location: "/#/api", .cacheControl: "no-cache"])
    }

    private static let fileTypes = ["text/javascript", "text/css", "image/svg+xml", "text/html"]

    private static func route(
        at path: String, id: String, summary: String, parameters: [String] = [], types: [String]
    ) -> Route {
        let parameters = parameters.map { CallParameter.path($0, "A name below the page's assets.") }
        let problems: [Problem.Kind] = parameters.isEmpty ? [] : [.notFound]
        let cached = CallAnswer(status: 304, description: "If-None-Match names the current version.")
        return Route(
            .get, path, id: id, summary: summary, isOpen: true, ignoresQuery: true, parameters: parameters,
            answers: [.text("The file, with an ETag.", types), cached], problems: problems
        ) { try answer($0) }
    }

    /// Allows only this server's own scripts, styles and API, and images that the scripts draw: even if a payload became
    /// markup by mistake, it could load and run nothing.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
        "base-uri 'none'", "frame-ancestors 'none'", "form-action 'none'",
    ].joined(separator: "; ")

    private static func answer(_ call: Call) throws -> Response {
        let name = try ["folder", "file"].filter { call.parameters[$0] != nil }.map { try call.pathText($0) }
            .joined(separator: "/")
        guard let file = PageFile.named(name.isEmpty ? "index.html" : name), let contentType = file.contentType
        else { throw Problem(.notFound, "unknown file \(name): the page has no such file", field: "file") }
        let tag = "\"\(file.tag)\""
        var headers: HTTPFields = [
            .contentType: contentType, .eTag: tag,
            // Cached, but revalidated each time: another version of the server has other files.
            .cacheControl: "no-cache", .contentSecurityPolicy: policy,
            .xContentTypeOptions: "nosniff", .referrerPolicy: "no-referrer",
            .crossOriginOpenerPolicy: "same-origin", .crossOriginResourcePolicy: "same-origin",
        ]
        guard !isKnown(tag, call) else {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: file.text)))
    }

    /// Whether the caller already has this version (RFC 9110 §13.1.2: weak comparison).
    private static func isKnown(_ tag: String, _ call: Call) -> Bool {
        call.request.headers[values: .ifNoneMatch].contains { value in
            value.split(separator: ",").contains { part in
                let known = part.drop { $0 == " " || $0 == "\t" }
                return known == "*" || known == tag || known == "W/" + tag
            }
        }
    }
}
