/// The groups of operations, by which generators of clients make modules and viewers make chapters.
enum OpenAPITag: String, CaseIterable {
    case pushes = "Pushes"
    case devices = "Devices"
    case liveActivities = "Live Activities"
    case channels = "Channels"
    case faults = "Faults"
    case clock = "Clock"
    case trust = "Trust"
    case connections = "Connections"
    case server = "Server"
    case page = "Page"

    /// The group of the operations of a path.
    init(path: String) {
        let parts = path.split(separator: "/").map { String($0) }
        self =
            switch parts.count > 1 ? parts[1] : parts.first ?? "" {
            case _ where parts.contains("activities") || parts.contains("subscriptions"): .liveActivities
            case _ where path == "/" || parts.first == "assets": .page
            case "notifications", "expectations", "events": .pushes
            case "devices", "fleets": .devices
            case "channels": .channels
            case "faults", "scenarios", "magic-tokens": .faults
            case "clock": .clock
            case "keys", "certificates", "credentials", "ca.pem": .trust
            case "connections", "closed-connections", "failed-handshakes": .connections
            default: .server
            }
    }

    var summary: String {
        switch self {
        case .pushes: "What arrived, what is expected to arrive, and everything as it happens."
        case .devices: "Simulated devices, their apps, what arrived on them, and what their users see and do."
        case .liveActivities: "Live Activities, as apps and users start, change and dismiss them."
        case .channels: "Broadcast channels."
        case .faults: "What the server does wrong: rules, scenarios and magic tokens."
        case .clock: "The time of the server and of scopes."
        case .trust: "Signing keys, provider certificates and the CA."
        case .connections: "Open and closed connections, and TLS handshakes that failed."
        case .server: "The server as a whole: its state, scopes, probes and metrics."
        case .page: "The web page."
        }
    }
}
