internal import HTTPTypes
internal import Hummingbird

/// Decides whether a request is allowed: by `Host`, `Origin` and token (`ControlAPI#Browser-safety`).
struct Gate: Sendable {
    /// How long a browser may cache the answer to a preflight request.
    private static let preflightSeconds = 600
    private let hosts: HostRule
    private let origins: Set<Origin>
    private let token: BearerToken?

    /// A gate that also allows these hosts and origins, and requires `token` unless it is `nil`.
    init(hosts: [String], origins: [String], token: String?) {
        self.hosts = HostRule(allowing: hosts)
        self.origins = Set(origins.compactMap { Origin($0) })
        self.token = token.map { BearerToken($0) }
    }

    /// Refuses a request that a page of another site could have made.
    func checkSource(_ request: Request) throws(Problem) {
        guard let host = request.head.authority, hosts.allows(host), !request.headers.contains(.secondHost) else {
            throw Problem(
                .forbidden,
                "Host \(request.head.authority ?? "(none)") is not a name of this server: expected an address, a "
                    + "name without a dot, or one given by --tls-name or --allowed-host", field: "Host")
        }
        guard let text = request.headers[.origin] else { return try checkCause(request) }
        guard let origin = Origin(text), isAllowed(origin, host) else {
            throw Problem(
                .forbidden, "Origin \(text) is not this server's own: allow it with --cors-origin", field: "Origin")
        }
    }

    /// Refuses a request without `Origin` that a page of another site caused, such as for an image.
    ///
    /// Browsers report the cause on loopback addresses and over TLS, and pages can't change it (W3C, *Fetch Metadata Request
    /// Headers*). A link may lead here, because the user sees its target; with parameters it could do more than show a page.
    private func checkCause(_ request: Request) throws(Problem) {
        guard let site = request.headers[.secFetchSite], site != "same-origin", site != "none" else { return }
        guard request.headers[.secFetchDest] == "document", request.method == .get, request.uri.query == nil else {
            throw Problem(
                .forbidden, "this request comes from a page of another origin: allow it with --cors-origin",
                field: "Sec-Fetch-Site")
        }
    }

    /// Refuses a request without the token, if one is required.
    func checkToken(_ request: Request) throws(Problem) {
        guard let token else { return }
        guard let value = request.headers[.authorization] else {
            throw Problem(
                .unauthorized,
                "the token is missing: expected Authorization: Bearer TOKEN, with the token of --control-token",
                field: "Authorization", headers: [.wwwAuthenticate: "Bearer realm=\"mynah\""])
        }
        guard token.matches(value) else {
            throw Problem(
                .unauthorized, "wrong token: expected the token of --control-token", field: "Authorization",
                headers: [.wwwAuthenticate: "Bearer realm=\"mynah\", error=\"invalid_token\""])
        }
    }

    /// The answer to a preflight request for a page of an allowed origin, or `nil` for any other request (Fetch, *CORS
    /// preflight*).
    func preflight(_ request: Request, methods: [HTTPRequest.Method]) -> Response? {
        guard request.method == .options, isCrossOrigin(request), request.headers[.accessControlRequestMethod] != nil
        else { return nil }
        var headers: HTTPFields = [
            .accessControlAllowMethods: methods.map(\.rawValue).joined(separator: ", "),
            .accessControlAllowHeaders: "Authorization, Content-Type, Accept, Last-Event-ID",
            .accessControlMaxAge: String(Gate.preflightSeconds),
        ]
        if request.headers[.accessControlRequestPrivateNetwork] == "true" {
            headers[.accessControlAllowPrivateNetwork] = "true"
        }
        return Response(status: .noContent, headers: headers)
    }

    /// Lets pages of allowed origins read the answer, and prevents all others from embedding it.
    func protect(_ response: inout Response, _ request: Request) {
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.frameOptions] = "DENY"
        guard isCrossOrigin(request), let origin = request.headers[.origin] else {
            response.headers[.crossOriginResourcePolicy] = "same-origin"
            return
        }
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = ListHeaders.all.map(\.canonicalName).joined(separator: ", ")
        response.headers[.vary] = "Origin"
    }

    private func isCrossOrigin(_ request: Request) -> Bool {
        guard let text = request.headers[.origin], let origin = Origin(text) else { return false }
        return origins.contains(origin)
    }

    private func isAllowed(_ origin: Origin, _ host: String) -> Bool {
        if origins.contains(origin) { return true }
        guard let authority = Authority(host) else { return false }
        return origin.isSameServer(as: authority)
    }
}

struct BearerToken: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether an `Authorization` value carries this token (RFC 6750 §2.1), with the scheme in any case.
    ///
    /// Takes the same time wherever the first wrong byte is, so that the token can't be guessed byte by byte.
    func matches(_ authorization: String) -> Bool {
        let scheme = "bearer "
        guard authorization.utf8.count >= scheme.utf8.count,
            authorization.prefix(scheme.count).lowercased() == scheme
        else { return false }
        let given = Array(authorization.utf8.dropFirst(scheme.utf8.count).drop { $0 == 0x20 })
        var difference = given.count ^ bytes.count
        for index in bytes.indices {
            difference |= Int(bytes[index] ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}
