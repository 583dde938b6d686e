public import APNsRules
internal import NIOCore

/// Calls the control API of a running server (`ControlAPI#Endpoints`).
///
/// Calls may be made from any task, at the same time. Every call throws ``ClientError``:
/// ``ClientError/Code/unavailable`` without an answer, ``ClientError/Code/problem`` with the server's message, status and
/// field when it refuses.
public struct ControlClient: Sendable {
    /// How long the answer to a call without `wait` may take.
    public static let answerTimeout: Duration = .seconds(30)
    /// How long a call with `wait` may take: the longest wait of the API, 60 s, and ``answerTimeout``.
    public static let waitTimeout: Duration = .seconds(90)
    /// The default of an expectation's `within` (`Documents#Expectations`).
    private static let withinDefault: Duration = .seconds(5)

    /// The address of the control API.
    public let url: ControlURL
    let token: String?

    /// A client of the server at `url`.
    ///
    /// - Parameter token: the bearer token of `--control-token`, if the server requires one.
    public init(url: ControlURL, token: String? = nil) {
        self.url = url
        self.token = token
    }

    /// A client of a server that was found.
    public init(_ server: ServerLocator.Server) {
        self.init(url: server.url, token: server.token)
    }

    /// `GET /v1/status`.
    public func status() async throws(ClientError) -> JSONValue {
        try await json("GET", "/v1/status")
    }

    /// `GET /v1/credentials`: the CA and the development key for the code under test.
    public func credentials() async throws(ClientError) -> ServerCredentials {
        try ServerCredentials(try await json("GET", "/v1/credentials"))
    }

    /// `GET /ca.pem`: the CA's certificate.
    public func certificateAuthority() async throws(ClientError) -> String {
        String(decoding: try await answer("GET", "/ca.pem").body, as: UTF8.self)
    }

    /// `GET /v1/notifications`: a page of the journal.
    ///
    /// - Parameter query: filters, `limit`, `order`, `after`, and `wait` with `count` to wait until that many match.
    public func notifications(_ query: [QueryItem] = []) async throws(ClientError) -> NotificationPage {
        let waits = query.contains { $0.name == "wait" }
        return try NotificationPage(
            try await json(
                "GET", QueryItem.target("/v1/notifications", query),
                timeout: waits ? ControlClient.waitTimeout : ControlClient.answerTimeout))
    }

    /// `GET /v1/notifications/{id}`: one push by sequence or apns-id; `nil` for an unknown one.
    public func notification(_ id: String) async throws(ClientError) -> JSONValue? {
        do {
            return try await json("GET", "/v1/notifications/" + QueryItem.encoded(id))
        } catch {
            if error.status == 404 { return nil }
            throw error
        }
    }

    /// `DELETE /v1/notifications`: removes the pushes that match; all without a filter.
    ///
    /// - Returns: the answer; ``APNsRules/JSONValue/null`` when it has no body.
    @discardableResult
    public func deleteNotifications(_ query: [QueryItem] = []) async throws(ClientError) -> JSONValue {
        try await json("DELETE", QueryItem.target("/v1/notifications", query))
    }

    /// `POST /v1/reset`: restores the state after start.
    ///
    /// - Parameters:
    ///   - only: the parts to reset (`notifications`, `devices`, …); `nil` for all.
    ///   - scope: the scope to reset; `nil` for everything.
    /// - Returns: `{"removed": {…}}`.
    @discardableResult
    public func reset(only: [String]? = nil, scope: String? = nil) async throws(ClientError) -> JSONValue {
        var members: [JSONMember] = []
        if let only { members.append(JSONMember("only", .array(only.map { .string($0) }))) }
        if let scope { members.append(JSONMember("scope", .string(scope))) }
        return try await json("POST", "/v1/reset", body: .object(members))
    }

    /// `POST /v1/expectations`: waits for an expectation to be met.
    ///
    /// - Parameter expectation: `{"match", "count", "within", "settle", "after", "scope"}` of `Documents`.
    public func expectation(_ expectation: JSONValue) async throws(ClientError) -> ExpectationResult {
        let within = expectation["within"]?.string.flatMap { DurationText.parse($0) } ?? ControlClient.withinDefault
        let settle = expectation["settle"]?.string.flatMap { DurationText.parse($0) } ?? .zero
        return try ExpectationResult(
            try await json(
                "POST", "/v1/expectations", body: expectation,
                timeout: within + settle + ControlClient.answerTimeout))
    }

    /// `POST /v1/certificates`: issues a provider certificate of the server's CA.
    ///
    /// - Parameter order: `{"topics", "voip", "complication", "environment", "days", "expired", "password"}`.
    /// - Returns: the certificate with its key, the CA's certificate, and all of it as PKCS #12.
    public func issueCertificate(_ order: JSONValue) async throws(ClientError) -> JSONValue {
        try await json("POST", "/v1/certificates", body: order)
    }

    /// `DELETE /v1/certificates/{serialNumber}`: revokes a provider certificate, from its return on.
    ///
    /// - Returns: the certificate, with `revokedAt`.
    @discardableResult
    public func revokeCertificate(_ serialNumber: String) async throws(ClientError) -> JSONValue {
        try await json("DELETE", "/v1/certificates/" + QueryItem.encoded(serialNumber))
    }

    /// `GET /readyz`: whether the server is ready; `false` while it starts or shuts down.
    public func isReady() async throws(ClientError) -> Bool {
        let response = try await exchange("GET", "/readyz", body: nil, timeout: ControlClient.answerTimeout)
        switch response.status {
        case 200...299: return true
        case 503: return false
        default: throw ControlClient.problem(response, "GET", "/readyz", url)
        }
    }

    /// Makes any other call, with JSON in and out.
    ///
    /// - Parameters:
    ///   - method: `GET`, `POST`, `PUT`, `PATCH`, `DELETE`.
    ///   - target: path and query, encoded.
    ///   - body: the document to send, if any.
    ///   - timeout: how long the answer may take.
    /// - Returns: the answer's document; ``APNsRules/JSONValue/null`` when it has no body.
    public func json(
        _ method: String, _ target: String, body: JSONValue? = nil, timeout: Duration = ControlClient.answerTimeout
    ) async throws(ClientError) -> JSONValue {
        let response = try await answer(method, target, body: body, timeout: timeout)
        guard !response.body.isEmpty else { return .null }
        do {
            return try JSONValue(parsing: response.body)
        } catch {
            throw ClientError(.notMynah, "\(method) \(target) at \(url) is \(error)")
        }
    }

    private func answer(
        _ method: String, _ target: String, body: JSONValue? = nil, timeout: Duration = ControlClient.answerTimeout
    ) async throws(ClientError) -> HTTPExchange.Response {
        let response = try await exchange(method, target, body: body, timeout: timeout)
        guard (200...299).contains(response.status) else {
            throw ControlClient.problem(response, method, target, url)
        }
        return response
    }

    private func exchange(
        _ method: String, _ target: String, body: JSONValue?, timeout: Duration
    ) async throws(ClientError) -> HTTPExchange.Response {
        try await HTTPExchange(
            url: url, method: method, target: target, token: token, body: body?.encoded, timeout: timeout
        ).perform()
    }

    /// The error for an answer other than 2xx, with the message of the problem document if there is one.
    static func problem(
        _ response: HTTPExchange.Response, _ method: String, _ target: String, _ url: ControlURL
    ) -> ClientError {
        let document: JSONValue?
        do {
            document = try JSONValue(parsing: response.body)
        } catch {
            document = nil
        }
        guard let document, let detail = document["detail"]?.string ?? document["title"]?.string else {
            return ClientError(
                status: response.status, message: "\(method) \(target) at \(url) answers \(response.status)",
                field: nil, document: document)
        }
        let field = document["field"]?.string
        var message = field.map { detail.contains($0) ? detail : "\($0): \(detail)" } ?? detail
        let allowed = (document["allowed"]?.array ?? []).compactMap(\.string)
        // What was expected mostly is in the detail already.
        if !allowed.isEmpty, !detail.contains("expected ") {
            message += "; allowed: " + allowed.joined(separator: ", ")
        }
        if response.status == 401 { message += " (set MYNAH_CONTROL_TOKEN to the server's --control-token)" }
        return ClientError(status: response.status, message: message, field: field, document: document)
    }
}
