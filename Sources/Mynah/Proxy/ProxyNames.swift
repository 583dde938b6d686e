internal import APNsRules
internal import MynahWire

/// The targets that lead to this server when a proxy is asked for them.
struct ProxyNames: Sendable {
    private let apple: Set<String>
    // Names and addresses of the server's certificate; some begin with `*.`.
    private let own: Set<String>
    // The TLS ports and their environments.
    private let ports: [Int: APNsEnvironment?]

    /// `apple` are the names that lead here on any port; `own` are all names of the server's certificate, of which the
    /// others lead here only on one of `ports`, because other programs may listen on this machine too.
    init(apple: [String], own: [String], ports: [Int: APNsEnvironment?]) {
        (self.apple, self.own) = (Set(apple.map { $0.lowercased() }), Set(own.map { $0.lowercased() }))
        self.ports = ports
    }

    func binding(of target: ConnectTarget) -> Acceptor.Binding? {
        if apple.contains(target.host) { return .tls(nil, asked: APNsEnvironment(serverName: target.host)) }
        guard let environment = ports[target.port], isOwn(target.host) else { return nil }
        return .tls(environment)
    }

    private func isOwn(_ host: String) -> Bool {
        if own.contains(host) { return true }
        // A star stands for one label (RFC 9525 §6.3).
        guard let dot = host.firstIndex(of: ".") else { return false }
        return own.contains("*" + host[dot...])
    }
}
