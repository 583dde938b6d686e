public import APNsRules

/// Calls the control API of a running server (`ControlAPI#Endpoints`).
///
/// Calls may be made from any task, at the same time. Every call throws ``ClientError``:
/// ``ClientError/Code/unavailable`` without an answer, ``ClientError/Code/problem`` with the server's message, status and
/// field when it refuses, ``ClientError/Code/notMynah`` with the member's name for an answer of another form.
public struct ControlClient: Sendable {
    /// How long the answer to a call may take, unless a client is made with another time: more than the minute for which a
    /// machine may stand still.
    public static let defaultAnswerTimeout: Duration = .seconds(120)

    /// The address of the control API.
    public let url: ControlURL
    let token: String?
    /// How long the answer to a call may take, beyond the time for which the call asks the server to wait.
    public let answerTimeout: Duration
    /// How long connecting may take, before ``answerTimeout`` begins.
    package var connectTimeout: Duration = .seconds(5)
    /// How long the answer to a call with `wait` may take: the longest wait of the API
    /// (`ControlAPI#Lists-and-waiting`), 60 s, and ``answerTimeout``.
    public var waitTimeout: Duration { .seconds(60) + answerTimeout }

    /// A client of the server at `url`; `token` is the bearer token of `--control-token`, if the server requires one.
    public init(url: ControlURL, token: String? = nil, answerTimeout: Duration = defaultAnswerTimeout) {
        self.url = url
        self.token = token
        self.answerTimeout = answerTimeout
    }
    /// A client of a server that was found.
    public init(_ server: ServerLocator.Server) { self.init(url: server.url, token: server.token) }

    /// `GET /readyz`: whether the server is ready; `false` while it starts or shuts down.
    public func isReady() async throws(ClientError) -> Bool { try await readiness().isReady }

    /// `GET /readyz`: whether the server is ready, and why it isn't, as a clause; `nil` if it doesn't say.
    package func readiness() async throws(ClientError) -> (isReady: Bool, problem: String?) {
        let response = try await exchange("GET", "/readyz", body: nil)
        switch response.status {
        case 200...299:
            let document = try? JSONValue(parsing: response.body)
            guard document?["status"]?.string == "ready" else {
                throw ClientError(.notMynah, "GET /readyz at \(url) does not say that the server is ready")
            }
            return (true, nil)
        case 503:
            // The only error is that the body isn't JSON.
            let document = try? JSONValue(parsing: response.body)
            let status = document?["status"]?.string
            let isPassing = status == "starting" || status == "stopping"
            return (false, document?["problem"]?.string ?? (isPassing ? status.map { "it is \($0)" } : nil))
        default: throw problem(response, to: "GET", of: "/readyz")
        }
    }

    /// Makes any call, also one that this version doesn't know, with JSON in and out, to an encoded path and query; returns
    /// ``APNsRules/JSONValue/null`` for an answer without a body.
    ///
    /// The answer may take `timeout`, or else ``answerTimeout``.
    public func json(
        _ method: String, _ target: String, body: JSONValue? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> JSONValue {
        try await sizedJSON(method, target, body: body, timeout: timeout).document
    }

    /// As ``json(_:_:body:timeout:)``, with the bytes of the answer's body.
    func sizedJSON(
        _ method: String, _ target: String, body: JSONValue? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> (document: JSONValue, byteCount: Int) {
        let response = try await answer(method, target, body: body, timeout: timeout)
        guard !response.body.isEmpty else { return (.null, 0) }
        do { return (try JSONValue(parsing: response.body), response.body.count) } catch {
            throw ClientError(.notMynah, "\(method) \(target) at \(url) is \(error)")
        }
    }

    func answer(
        _ method: String, _ target: String, body: JSONValue? = nil, timeout: Duration? = nil
    ) async throws(ClientError) -> HTTPResponse {
        let response = try await exchange(method, target, body: body?.encoded, timeout: timeout)
        guard (200...299).contains(response.status) else { throw problem(response, to: method, of: target) }
        return response
    }

    /// The error for an answer other than 2xx, with the message of the problem document if there is one.
    func problem(_ response: HTTPResponse, to method: String, of target: String) -> ClientError {
        let document = try? JSONValue(parsing: response.body)
        guard let document, let detail = document["detail"]?.string ?? document["title"]?.string else {
            return ClientError(
                .problem, "\(method) \(target) at \(url) answered \(response.status)", status: response.status,
                document: document)
        }
        let field = document["field"]?.string
        // What a 404 is about is in its detail; the field is the part of the path that names it.
        let isNamed = response.status == 404 || field.map { detail.contains($0) } ?? true
        var message = isNamed ? detail : "\(field ?? ""): \(detail)"
        let allowed = (document["allowed"]?.array ?? []).compactMap(\.string)
        // Most details name them.
        if !allowed.allSatisfy(detail.contains) { message += "; allowed: " + allowed.joined(separator: ", ") }
        if response.status == 401 { message += " (set MYNAH_CONTROL_TOKEN to the server's --control-token)" }
        return ClientError(.problem, message, status: response.status, field: field, document: document)
    }
}
