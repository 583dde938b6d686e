internal import APNsRules
internal import MynahWire

/// The targets that lead to this server when a proxy is asked for them.
struct ProxyNames: Sendable {
    private let apple: Set<String>
    // Names and addresses of the server's certificate; some begin with `*.`.
    private let own: Set<String>
    // The TLS ports and their environments.
    private let ports: [Int: APNsEnvironment?]
    // Those of channel management.
    private let channelsPorts: [Int: APNsEnvironment?]

    /// `apple` are the names that lead here on any port; `own` are all names of the server's certificate, of which the
    /// others lead here only on one of these ports, because other programs may listen on this machine too.
    init(
        apple: [String], own: [String], ports: [Int: APNsEnvironment?], channelsPorts: [Int: APNsEnvironment?] = [:]
    ) {
        (self.apple, self.own) = (Set(apple.map { $0.lowercased() }), Set(own.map { $0.lowercased() }))
        (self.ports, self.channelsPorts) = (ports, channelsPorts)
    }

    func binding(of target: ConnectTarget) -> Acceptor.Binding? {
        if apple.contains(target.host) {
            let environment = APNsEnvironment(serverName: target.host)
            return APNsService(serverName: target.host) == .channels
                ? .channels(nil, asked: environment) : .tls(nil, asked: environment)
        }
        guard isOwn(target.host) else { return nil }
        if let environment = channelsPorts[target.port] { return .channels(environment) }
        return ports[target.port].map { .tls($0) }
    }

    private func isOwn(_ host: String) -> Bool {
        if own.contains(host) { return true }
        // A star stands for one label (RFC 9525 §6.3).
        guard let dot = host.firstIndex(of: ".") else { return false }
        return own.contains("*" + host[dot...])
    }
}
