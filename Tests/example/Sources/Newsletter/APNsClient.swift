import MynahClient

/// Sends pushes: where to, whom to trust and how to sign is the caller's to say.
///
/// That is all that a test needs of a provider, whatever HTTP/2 client it uses.
public struct APNsClient: Sendable {
    /// Where APNs is: Apple's host, unless a test has another one.
    public var host = "api.push.apple.com"
    /// The port.
    public var port = 443
    /// The CAs to trust, PEM.
    public var trustRoots: String
    /// Makes a provider token.
    public var token: @Sendable () throws -> String

    /// A client of one APNs.
    public init(host: String, port: Int, trustRoots: String, token: @escaping @Sendable () throws -> String) {
        self.host = host
        self.port = port
        self.trustRoots = trustRoots
        self.token = token
    }

    /// Sends one push, and answers its status.
    func send(_ json: String, to deviceToken: String, topic: String) async throws -> Int {
        let provider = Provider(host: host, port: port, caPEM: trustRoots)
        let push = Provider.Push(
            path: "/3/device/\(deviceToken)",
            headers: [
                ("authorization", "bearer \(try token())"), ("apns-topic", topic), ("apns-push-type", "alert"),
            ],
            body: Array(json.utf8))
        return try await provider.send(push).status
    }

    /// Sends one broadcast to an app's channel, and answers its status.
    func broadcast(_ json: String, to channel: String, of bundleID: String) async throws -> Int {
        let provider = Provider(host: host, port: port, caPEM: trustRoots)
        let push = Provider.Push(
            path: "/4/broadcasts/apps/\(bundleID)",
            headers: [
                ("authorization", "bearer \(try token())"), ("apns-channel-id", channel),
                ("apns-push-type", "liveactivity"), ("apns-expiration", "0"),
            ],
            body: Array(json.utf8))
        return try await provider.send(push).status
    }
}
