internal import HTTPTypes
internal import Hummingbird

/// One call of the API.
struct Route: Sendable {
    let method: HTTPRequest.Method
    /// As OpenAPI writes it: `/v1/notifications/{id}`.
    let path: String
    /// Whether it needs no token.
    let isOpen: Bool
    let handle: @Sendable (Call) async throws -> Response
    private let pattern: [Part]

    /// What a path must have between two slashes.
    private enum Part {
        /// This text.
        case literal(String)
        /// Any text, which is the value of this parameter.
        case parameter(String)

        init(_ text: Substring) {
            self = text.hasPrefix("{") ? .parameter(String(text.dropFirst().dropLast())) : .literal(String(text))
        }
    }

    init(
        _ method: HTTPRequest.Method, _ path: String, isOpen: Bool = false,
        _ handle: @escaping @Sendable (Call) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.isOpen = isOpen
        self.handle = handle
        self.pattern = RouteTable.parts(path).map { Part($0) }
    }

    /// The named parts of a path that is this route's, or `nil` when it is not.
    func parameters(of path: [Substring]) -> [String: String]? {
        guard pattern.count == path.count else { return nil }
        var parameters: [String: String] = [:]
        for (expected, given) in zip(pattern, path) {
            switch expected {
            case .literal(let text): if text != given { return nil }
            case .parameter(let name):
                guard !given.isEmpty else { return nil }
                parameters[name] = String(given)
            }
        }
        return parameters
    }
}

/// All calls of the API.
///
/// A table of our own in front of Hummingbird's responder protocol: its router answers 404 where only the
/// method is wrong, and it can't list its routes, which the OpenAPI document is compared with.
struct RouteTable: Sendable {
    let routes: [Route]

    /// The routes of a path, with its named parts; several methods of one path have the same names.
    func find(_ path: String) -> (routes: [Route], parameters: [String: String]) {
        let parts = RouteTable.parts(path)
        var found: [Route] = []
        var names: [String: String] = [:]
        for route in routes {
            guard let parameters = route.parameters(of: parts) else { continue }
            found.append(route)
            names = parameters
        }
        return (found, names)
    }

    static func parts(_ path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
    }

    /// Every route that there is.
    static func all(_ state: ControlState) -> RouteTable {
        RouteTable(
            routes: ProbeRoutes(state: state).routes + NotificationRoutes(state: state).routes
                + ExpectationRoutes(state: state).routes + ResetRoutes(state: state).routes
                + DeviceRoutes(state: state).routes + RegistrationRoutes(state: state).routes
                + InboxRoutes(state: state).routes + ScreenRoutes(state: state).routes
                + DeviceStreamRoutes(state: state).routes + ScopeRoutes(state: state).routes
                + ClockRoutes(state: state).routes + FaultRoutes(state: state).routes
                + ScenarioRoutes(state: state).routes + MagicTokenRoutes(state: state).routes
                + KeyRoutes(state: state).routes + CertificateRoutes(state: state).routes
                + ConnectionRoutes(state: state).routes + EventRoutes(state: state).routes
                + StatusRoutes(state: state).routes + CredentialRoutes(state: state).routes + OpenAPIRoutes().routes
                + PageRoutes().routes + MetricsRoutes(state: state).routes)
    }
}
