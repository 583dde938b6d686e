internal import HTTPTypes
internal import Hummingbird

/// Decides whether a request may be heard at all: `Host`, `Origin`, token (`ControlAPI#Browser-safety`).
struct Gate: Sendable {
    /// How long a browser may remember what a preflight said.
    private static let preflightSeconds = 600

    private let hosts: HostRule
    private let origins: Set<Origin>
    private let token: BearerToken?

    init(_ settings: ControlSettings, tlsNames: [String]) {
        hosts = HostRule(allowing: settings.allowedHosts + tlsNames)
        origins = Set(settings.corsOrigins.compactMap { Origin($0) })
        token = settings.requiredToken.map { BearerToken($0) }
    }

    /// Refuses a request that a page of somebody else's could have made.
    func checkSource(_ request: Request) throws(Problem) {
        guard let host = request.head.authority, hosts.allows(host), !request.headers.contains(.secondHost) else {
            throw Problem(
                .forbidden,
                "Host \(request.head.authority ?? "(none)") is not a name of this server: call it by an "
                    + "address, a name without a dot, or one given by --tls-name or --allowed-host",
                field: "Host")
        }
        guard let text = request.headers[.origin] else { return try checkCause(request) }
        guard let origin = Origin(text), isAllowed(origin, host) else {
            throw Problem(
                .forbidden, "Origin \(text) is not this server's own; allow it by --cors-origin", field: "Origin")
        }
    }

    /// Refuses what a page of somebody else's has caused without saying so in `Origin`, such as an image.
    ///
    /// A link may lead here, for the user sees where it has led; with parameters it could do more than show.
    private func checkCause(_ request: Request) throws(Problem) {
        let cause = FetchMetadata(request.headers)
        guard cause.isForeign else { return }
        guard cause.isNavigation, request.method == .get, request.uri.query == nil else {
            throw Problem(
                .forbidden,
                "a page of another origin has caused this request, which only pages of this server and of "
                    + "--cors-origin may", field: "Sec-Fetch-Site")
        }
    }

    /// Refuses a request without the token, when one is needed.
    func checkToken(_ request: Request) throws(Problem) {
        guard let token else { return }
        guard let value = request.headers[.authorization] else {
            throw Problem(
                .unauthorized, "this call needs the token of --control-token: Authorization: Bearer TOKEN",
                field: "Authorization", headers: [.wwwAuthenticate: "Bearer realm=\"mynah\""])
        }
        guard token.matches(value) else {
            throw Problem(
                .unauthorized, "the token is not the one of --control-token", field: "Authorization",
                headers: [.wwwAuthenticate: "Bearer realm=\"mynah\", error=\"invalid_token\""])
        }
    }

    /// The answer to a browser that asks whether a page of an allowed origin may call, or `nil` for any other
    /// request (Fetch, *CORS preflight*).
    func preflight(_ request: Request, methods: [HTTPRequest.Method]) -> Response? {
        guard request.method == .options, isCrossOrigin(request),
            request.headers[.accessControlRequestMethod] != nil
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

    /// Lets a page of an allowed origin read the answer, and nobody else's show it as something of its own.
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

extension HTTPField.Name {
    fileprivate static let frameOptions = HTTPField.Name.known("X-Frame-Options")
    fileprivate static let crossOriginResourcePolicy = HTTPField.Name.known("Cross-Origin-Resource-Policy")
    static let accessControlRequestPrivateNetwork = HTTPField.Name.known("Access-Control-Request-Private-Network")
    static let accessControlAllowPrivateNetwork = HTTPField.Name.known("Access-Control-Allow-Private-Network")
    /// HTTPTypes takes the first `Host` out of the fields and leaves further ones.
    static let secondHost = HTTPField.Name.known("Host")

    /// A name that is written in this module and is one.
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a field name in the source is malformed") }
        return name
    }
}
