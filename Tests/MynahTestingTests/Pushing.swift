import APNsRules
import Mynah
import MynahClient
import MynahTestSupport

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
        let provider = Provider.patient(host: host, port: port, caPEM: trustRoots.pem)
        return try await provider.send(
            .init(path: "/3/device/\(token.hex)", headers: own + headers, body: payload.encoded)
        ).status
    }

    /// Sends a broadcast that updates Live Activities, as a provider does, and answers its status and reason.
    @discardableResult
    func broadcast(
        _ contentState: JSONValue, to channel: ChannelID, of bundleID: String = "com.example.app",
        expiration: String = "0"
    ) async throws -> (status: Int, reason: String?) {
        let headers = [
            (name: "authorization", value: "bearer \(try providerToken())"),
            (name: "apns-channel-id", value: channel.text), (name: "apns-push-type", value: "liveactivity"),
            (name: "apns-expiration", value: expiration),
        ]
        let update: JSONValue = [
            "event": "update", "timestamp": .number(JSONNumber(now.milliseconds / 1000)),
            "content-state": contentState,
        ]
        let provider = Provider.patient(host: host, port: port, caPEM: trustRoots.pem)
        let answer = try await provider.send(
            .init(
                path: "/4/broadcasts/apps/\(bundleID)", headers: headers,
                body: JSONValue.object([.init("aps", update)]).encoded))
        return (answer.status, (try? JSONValue(parsing: answer.body))?["reason"]?.string)
    }
}
