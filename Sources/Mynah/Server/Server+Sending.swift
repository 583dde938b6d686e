package import APNsRules
internal import MynahCore
internal import MynahTrust
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// A push that the server sends to its own port as a provider does, signed with the development key
/// (`Documents#Sent-pushes`).
package struct OwnPush: Sendable {
    /// `/3/device/<token>`, or the path of a broadcast.
    package let path: String
    /// The headers in order, without the provider token.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// The environment that the push goes to; `nil` for the server's.
    package let environment: APNsEnvironment?
    /// The limit for connecting, and again for the answer.
    package let timeout: Duration

    package init(
        path: String, headers: [(name: String, value: String)], body: [UInt8], environment: APNsEnvironment?,
        timeout: Duration
    ) {
        self.path = path
        self.headers = headers
        self.body = body
        self.environment = environment
        self.timeout = timeout
    }

    /// What became of the push.
    package struct Outcome: Sendable {
        /// `nil` if there was no answer.
        package let status: Int?
        package let headers: [(name: String, value: String)]
        package let body: [UInt8]
        /// Why there was no answer, as a clause.
        package let problem: String?
    }
}

extension Server {
    /// Sends a push over TLS and HTTP/2 to this server's own port, on a connection of its own; an answer that doesn't
    /// come, because of a fault for example, is an outcome.
    /// - Throws: ``InputError`` of the kind `conflict` without a port for the environment or without a development key;
    ///   `CancellationError`.
    package func send(_ push: OwnPush) async throws -> OwnPush.Outcome {
        let environment = push.environment ?? settings.usualEnvironment
        let matching = bound.ports.first { (bound.environments[$0] ?? nil).map { $0 == environment } ?? true }
        let port = matching ?? (push.environment == nil ? bound.ports.first : nil)
        guard let port else {
            let purpose = push.environment.map { " for \($0.rawValue)" } ?? ""
            throw InputError(.conflict, "this server has no TLS port\(purpose) to send to: --port opens one")
        }
        // A token of the user's own key would be valid at Apple, and the journal shows it.
        guard let key = trust.developmentKey else {
            throw InputError(
                .conflict,
                "this server has no development key to sign with, because it uses your own keys (--auth-key): send "
                    + "with mynah send --key")
        }
        let serverName = push.environment?.serverName ?? "localhost"
        let fields =
            [
                (":method", "POST"), (":scheme", "https"), (":authority", "\(serverName):\(port)"),
                (":path", push.path), ("authorization", "bearer \(try key.token(issuedAt: now))"),
            ] + push.headers
        var request = ProviderExchange.Request(
            host: settings.ownHost, port: port, caPEM: Array(trust.caPEM.utf8),
            fields: fields.map { HTTPField($0.0, $0.1) }, body: push.body, timeout: TimeAmount(push.timeout))
        request.serverName = serverName
        do {
            let answer = try await ProviderExchange.perform(request, on: MultiThreadedEventLoopGroup.singleton.next())
            return OwnPush.Outcome(
                status: answer.fields.first { $0.name == ":status" }.flatMap { Int($0.value) },
                headers: answer.fields.filter { !$0.name.hasPrefix(":") }.map { ($0.name, $0.value) },
                body: answer.body, problem: nil)
        } catch let error where !(error is CancellationError) {
            let problem = (error as? ProviderFailure)?.problem ?? "can't connect to port \(port): \(error)"
            return OwnPush.Outcome(status: nil, headers: [], body: [], problem: problem)
        }
    }
}

extension APNsEnvironment {
    /// The server name that leads to the environment.
    fileprivate var serverName: String {
        switch self {
        case .sandbox: "api.sandbox.push.apple.com"
        case .production: "api.push.apple.com"
        }
    }
}

extension Settings {
    /// The host at which this machine reaches the listeners.
    fileprivate var ownHost: String {
        ["0.0.0.0", "::", "[::]"].contains(host) ? "localhost" : Loopback.withoutBrackets(host)
    }
}
