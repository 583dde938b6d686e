import APNsRules
import Mynah
import MynahClient

extension MynahSimulation {
    /// Sends a push as a provider does, and answers its status.
    @discardableResult
    func send(
        _ payload: JSONValue = ["aps": ["alert": "hi"]], to token: DeviceToken, topic: String = "com.example.app",
        headers: [(name: String, value: String)] = [], signedWith key: ProviderKey? = nil
    ) async throws -> Int {
        let own = [
            (name: "authorization", value: "bearer \(try providerToken(signedWith: key))"),
            (name: "apns-topic", value: topic), (name: "apns-push-type", value: "alert"),
        ]
        let provider = Provider(host: host, port: port, caPEM: trustRoots.pem)
        return try await provider.send(
            .init(path: "/3/device/\(token.hex)", headers: own + headers, body: payload.encoded)
        ).status
    }
}
