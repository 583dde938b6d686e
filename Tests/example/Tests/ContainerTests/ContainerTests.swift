import Mynah
import MynahClient
import MynahControl
import Newsletter
import Testing

/// Tests of a provider with a server that runs elsewhere, such as in a container: they know its address alone.
struct ContainerTests {
    @Test func theUserSeesTheNews() async throws {
        // In place of the container.
        let server = try await MynahServer.start(control: .embedded)
        let url = ControlURL(host: "127.0.0.1", port: try #require(server.control?.port))
        do { try await theUserSeesTheNews(at: url) } catch {
            try? await server.stop()
            throw error
        }
        try await server.stop()
    }

    private func theUserSeesTheNews(at url: ControlURL) async throws {
        let mynah = ControlClient(url: url)
        let phone = try await mynah.addDevice(["registrations": [["topic": "com.example.news"]]])
        let token = try #require(phone.registrations.first?.token)

        try await newsletter(mynah, subscribers: [token]).publish("It rains")

        let report = try await mynah.expectation(["match": ["topic": "com.example.news", "device": .string(phone.id)]])
        #expect(report.met, "\(report.hints)")
        #expect(report.items.first?.payload?["aps"]?["badge"] == 1)
        let screen = try await mynah.screen(of: phone.id)
        #expect(screen.notifications.map(\.title) == ["It rains"])
        #expect(screen.badges == ["com.example.news": 1])
    }

    /// A newsletter that pushes to the server, as its control API says where that is and how tokens are signed.
    private func newsletter(_ mynah: ControlClient, subscribers: [String]) async throws -> Newsletter {
        let credentials = try await mynah.credentials()
        let port = try #require(try await mynah.status().ports.apns.first)
        let key = ProviderKey(
            keyID: try #require(credentials.keyID), teamID: try #require(credentials.teamID),
            pem: try #require(credentials.key))
        let now = try await mynah.clock().now
        let client = APNsClient(host: mynah.url.host, port: port, trustRoots: credentials.ca) {
            try key.token(issuedAt: now)
        }
        return Newsletter(client, subscribers: subscribers)
    }
}
