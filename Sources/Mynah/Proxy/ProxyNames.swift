internal import APNsRules
internal import MynahWire

/// The targets of a proxy that lead to this server.
struct ProxyNames: Sendable {
    private let apple: Set<String>
    // Names and addresses of the server's certificate; some begin with `*.`.
    private let own: Set<String>
    // The TLS ports and their environments.
    private let ports: [Int: APNsEnvironment?]
    // The ports of channel management.
    private let channelsPorts: [Int: APNsEnvironment?]
    private let webPushPort: Int?

    /// `apple` are the names that lead here on any port; `own` are all names of the server's certificate, of which the
    /// others lead here only on one of these ports, because other programs may listen on this machine too.
    init(
        apple: [String], own: [String], ports: [Int: APNsEnvironment?], channelsPorts: [Int: APNsEnvironment?] = [:],
        webPushPort: Int? = nil
    ) {
        self.apple = Set(apple.map { $0.lowercased() })
        self.own = Set(own.map { $0.lowercased() })
        self.ports = ports
        self.channelsPorts = channelsPorts
        self.webPushPort = webPushPort
    }

    func binding(of target: ConnectTarget) -> Acceptor.Binding? {
        if apple.contains(target.host) {
            let environment = APNsEnvironment(serverName: target.host)
            return switch APNsService(serverName: target.host) {
            case .channels: .channels(nil, asked: environment)
            case .webPush: .webPush
            case .pushes, nil: .tls(nil, asked: environment)
            }
        }
        guard isOwn(target.host) else { return nil }
        if target.port == webPushPort { return .webPush }
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
