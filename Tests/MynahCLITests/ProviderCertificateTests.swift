import APNsRules
import Mynah
import MynahClient
import MynahTestSupport
import Testing

@testable import MynahCLI

@Suite("A provider with a certificate")
struct ProviderCertificateTests {
    /// A server, its control API, and a provider certificate for an order.
    private struct Box {
        let facts: ServerFacts
        let client: ControlClient
        let caPEM: String
        let serialNumber: String
        let certificate: Provider.Certificate

        func provider(_ version: Provider.TLSVersion? = nil) -> Provider {
            Provider.patient(
                host: facts.clientHost, port: facts.ready.port, caPEM: caPEM, certificate: certificate,
                tlsVersion: version)
        }

        func push(_ headers: [(name: String, value: String)] = []) -> Provider.Push {
            Provider.Push(
                path: "/3/device/\(Banner.exampleToken)", headers: headers + [("apns-push-type", "alert")],
                body: Array(#"{"aps":{"alert":"hi"}}"#.utf8))
        }
    }

    private func with(
        _ order: JSONValue = ["topics": ["com.example.app"], "keyType": "ec"],
        _ body: @escaping @Sendable (Box) async throws -> Void
    ) async throws {
        try await TestServer.with { facts in
            let client = ControlClient.patient(url: try ControlURL(facts.ready.controlURL))
            let issued = try await client.issueCertificate(order)
            let key = try #require(issued.privateKey)
            let box = Box(
                facts: facts, client: client, caPEM: try await client.certificateAuthority(),
                serialNumber: issued.serialNumber,
                certificate: Provider.Certificate(chainPEM: issued.certificate, keyPEM: key))
            try await body(box)
        }
    }

    @Test("a valid certificate is accepted without topic and token", arguments: Provider.TLSVersion.allCases)
    func accepted(version: Provider.TLSVersion) async throws {
        try await with { box in
            let answer = try await box.provider(version).send(box.push())
            #expect(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
            let page = try await box.client.notifications([QueryItem("topic", "com.example.app")])
            #expect(page.items.count == 1)
        }
    }

    @Test("a topic that isn't in the certificate is refused")
    func otherTopic() async throws {
        try await with { box in
            let answer = try await box.provider().send(box.push([("apns-topic", "com.example.other")]))
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self) == #"{"reason":"TopicDisallowed"}"#)
        }
    }

    @Test(
        "an expired certificate is refused in the handshake, and the error has the alert",
        arguments: Provider.TLSVersion.allCases)
    func expired(version: Provider.TLSVersion) async throws {
        try await with(["topics": ["com.example.app"], "expired": true, "keyType": "ec"]) { box in
            let error = await #expect(throws: ClientError.self) { try await box.provider(version).send(box.push()) }
            #expect(error?.code == .unavailable)
            #expect(
                error?.message.contains("the server refused the certificate: certificate expired") == true,
                "\(error?.message ?? "")")
        }
    }

    @Test("a revoked certificate is refused in the handshake", arguments: Provider.TLSVersion.allCases)
    func revoked(version: Provider.TLSVersion) async throws {
        try await with { box in
            #expect(try await box.provider(version).send(box.push()).status == 200)
            let revoked = try await box.client.revokeCertificate(box.serialNumber)
            #expect(revoked.revokedAt != nil)
            let error = await #expect(throws: ClientError.self) { try await box.provider(version).send(box.push()) }
            #expect(
                error?.message.contains("the server refused the certificate: certificate revoked") == true,
                "\(error?.message ?? "")")
        }
    }

    @Test("a certificate of another CA is refused in the handshake", arguments: Provider.TLSVersion.allCases)
    func foreign(version: Provider.TLSVersion) async throws {
        try await with { other in
            try await with { box in
                let provider = Provider.patient(
                    host: box.facts.clientHost, port: box.facts.ready.port, caPEM: box.caPEM,
                    certificate: other.certificate, tlsVersion: version)
                let error = await #expect(throws: ClientError.self) { try await provider.send(box.push()) }
                #expect(
                    error?.message.contains("the server refused the certificate: unknown CA") == true,
                    "\(error?.message ?? "")")
            }
        }
    }

    @Test(
        "a certificate for the other environment gets GOAWAY, and the error has its reason",
        arguments: Provider.TLSVersion.allCases)
    func otherEnvironment(version: Provider.TLSVersion) async throws {
        try await with(["topics": ["com.example.app"], "environment": "production", "keyType": "ec"]) { box in
            let error = await #expect(throws: ClientError.self) { try await box.provider(version).send(box.push()) }
            #expect(
                error?.message.contains("the server ended the connection: BadCertificateEnvironment") == true,
                "\(error?.message ?? "")")
        }
    }
}
