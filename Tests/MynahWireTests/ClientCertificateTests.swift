import APNsRules
import NIOCore
import Testing

@testable import MynahWire

/// A client's certificate in the handshake, and the effect of its verdict.
struct ClientCertificateTests {
    private static let identity = CertificateIdentity(
        subject: "CN=Test", subjectID: "com.example.app", topics: [], environment: .sandbox, serialNumber: "01",
        notBefore: Instant(seconds: 0), notAfter: Instant(seconds: 1))

    /// The result of a handshake.
    private struct Outcome {
        let client: TestClient
        let facts: TLSFacts
        let fault: CertificateFault?
        let isResumed: Bool
        let serverFailed: Bool
        var asked: [[[UInt8]]] = []
    }

    private final class Chains {
        var all: [[[UInt8]]] = []
    }

    /// Exchanges bytes until neither the client nor the session has more to send.
    private func handshake(
        _ context: TLSContext, _ version: TestClient.Version, showsCertificate: Bool,
        resuming session: TestClient.Session? = nil, verdict: CertificateVerdict
    ) throws -> Outcome {
        let chains = Chains()
        var server = try TLSSession(server: context) { chain in
            chains.all.append(chain)
            return verdict
        }
        server.proceed()
        let client = try #require(TestClient(version, showsCertificate: showsCertificate, resuming: session))
        var isComplete = false
        var hasFailed = false
        var plaintext = [UInt8](repeating: 0, count: 1024)
        var wasSilent = false
        while !wasSilent {
            client.advance()
            let toServer = client.takeOutput()
            if !toServer.isEmpty { server.receive(ByteBuffer(bytes: toServer)) }
            let progress = isComplete ? server.read(into: &plaintext) : server.handshake()
            switch progress {
            case .complete: isComplete = true
            case .failed: hasFailed = true
            case .incomplete, .closed: break
            }
            let toClient = server.takeOutput().map { Array($0.readableBytesView) } ?? []
            client.receive(toClient)
            wasSilent = toServer.isEmpty && toClient.isEmpty
        }
        return Outcome(
            client: client, facts: server.facts, fault: server.certificateFault, isResumed: server.isResumed,
            serverFailed: hasFailed, asked: chains.all)
    }

    @Test(
        "a refused certificate ends the handshake with the alert of its fault",
        arguments: CertificateFault.Alert.allCases, TestClient.Version.allCases)
    func alert(_ alert: CertificateFault.Alert, _ version: TestClient.Version) throws {
        let number: Int32 =
            switch alert {
            case .badCertificate: 42
            case .unsupportedCertificate: 43
            case .certificateRevoked: 44
            case .certificateExpired: 45
            case .unknownCA: 48
            }
        let fault = CertificateFault(alert, "of the test")
        let outcome = try handshake(
            TLSContext(TestIdentity.identity), version, showsCertificate: true, verdict: .failure(fault))
        #expect(outcome.client.alert == number)
        #expect(outcome.serverFailed)
        #expect(outcome.fault == fault)
        #expect(outcome.facts.clientCertificate == nil)
    }

    @Test(
        "an accepted certificate is in the facts, although OpenSSL itself would refuse it",
        arguments: TestClient.Version.allCases)
    func trusted(_ version: TestClient.Version) throws {
        let outcome = try handshake(
            TLSContext(TestIdentity.identity), version, showsCertificate: true, verdict: .success(Self.identity))
        #expect(outcome.client.isConnected)
        #expect(outcome.client.alert == nil)
        #expect(outcome.facts.clientCertificate === Self.identity)
        #expect(outcome.asked.count == 1)
        // DER of one certificate: a SEQUENCE.
        #expect(outcome.asked.first?.count == 1)
        #expect(outcome.asked.first?.first?.first == 0x30)
    }

    @Test("a client without a certificate is accepted without a verdict", arguments: TestClient.Version.allCases)
    func none(_ version: TestClient.Version) throws {
        let outcome = try handshake(
            TLSContext(TestIdentity.identity), version, showsCertificate: false,
            verdict: .failure(CertificateFault(.unknownCA, "of the test")))
        #expect(outcome.client.isConnected)
        #expect(outcome.facts.clientCertificate == nil)
        #expect(outcome.asked.isEmpty)
    }

    /// The contexts of two loops of one server.
    private func contexts() throws -> (TLSContext, TLSContext) {
        let identity = TestIdentity.with(ticketKeys: try TLSTicketKeys())
        return (try TLSContext(identity), try TLSContext(identity))
    }

    @Test("a session without a certificate is resumed on each loop", arguments: TestClient.Version.allCases)
    func resumption(_ version: TestClient.Version) throws {
        let (context, other) = try contexts()
        let verdict = CertificateVerdict.success(Self.identity)
        let first = try handshake(context, version, showsCertificate: false, verdict: verdict)
        for next in [context, other] {
            let session = try #require(first.client.session)
            let second = try handshake(next, version, showsCertificate: false, resuming: session, verdict: verdict)
            #expect(second.client.isConnected)
            #expect(second.client.isResumed)
            #expect(second.isResumed)
        }
    }

    @Test("a ticket of another server is not accepted", arguments: TestClient.Version.allCases)
    func foreignTicket(_ version: TestClient.Version) throws {
        let verdict = CertificateVerdict.success(Self.identity)
        let first = try handshake(contexts().0, version, showsCertificate: false, verdict: verdict)
        let session = try #require(first.client.session)
        let second = try handshake(
            contexts().0, version, showsCertificate: false, resuming: session, verdict: verdict)
        #expect(second.client.isConnected)
        #expect(!second.client.isResumed)
    }

    @Test(
        "a session with a certificate is not resumed: the certificate is requested and judged again",
        arguments: TestClient.Version.allCases)
    func noResumption(_ version: TestClient.Version) throws {
        let (context, other) = try contexts()
        let first = try handshake(
            context, version, showsCertificate: true, verdict: .success(Self.identity))
        let session = try #require(first.client.session)
        let fault = CertificateFault(.certificateRevoked, "revoked meanwhile")
        for next in [context, other] {
            let second = try handshake(
                next, version, showsCertificate: true, resuming: session, verdict: .failure(fault))
            #expect(second.asked.count == 1)
            #expect(second.fault == fault)
            #expect(second.client.alert == 44)
        }
        // Nor is it resumed for a client that leaves the certificate out.
        let third = try handshake(
            other, version, showsCertificate: false, resuming: session, verdict: .success(Self.identity))
        #expect(!third.client.isResumed)
        #expect(third.facts.clientCertificate == nil)
    }
}
