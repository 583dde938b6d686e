import APNsRules
import Glibc
import MynahCore
import MynahTestSupport
import MynahTrust
import MynahWire
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import Mynah

/// Faults of TLS and TCP in a whole server, made by rules and over real sockets.
struct TransportFaultTests {
    private static let push = HTTPRequestHead(
        version: .http1_1, method: .POST, uri: "/3/device/00", headers: ["host": "localhost", "content-length": "0"])

    private func draft(_ action: String, event: FaultEvent) throws -> FaultDraft {
        let text = #"{"id": "f", "match": {"event": "\#(event.rawValue)"}, "action": \#(action)}"#
        return try FaultDraft(json: JSONValue(parsing: text))
    }

    /// A certificate that is valid by the wall clock, which a server in a box otherwise doesn't use.
    private func withIdentity(_ body: (ServerInABox, ClientIdentity, Int) async throws -> Void) async throws {
        let start = Instant(seconds: WallClock.now().milliseconds / 1000)
        try await ServerInABox.with(at: start) { box in
            var order = CertificateOrder(topics: ["com.example.app"])
            order.keyType = .ec
            let issued = try await box.server.issueCertificate(order)
            let identity = ClientIdentity(
                chainPEM: Array(issued.certificate.pem.utf8),
                keyPEM: Array(try #require(issued.privateKeyPEM).utf8))
            try await body(box, identity, try #require(box.server.ports.first))
        }
    }

    @Test(
        "another certificate is rejected by clients, and the server's is accepted again once the rule is gone",
        arguments: WireTLSFault.Certificate.allCases, TLSVersion.allCases)
    func certificate(_ kind: WireTLSFault.Certificate, over version: TLSVersion) async throws {
        try await withIdentity { box, identity, port in
            let action = #"{"type": "tls", "certificate": "\#(kind.rawValue)"}"#
            _ = try await box.server.addFaults([draft(action, event: .handshake)])
            await #expect(throws: (any Error).self) {
                try await CertificateClient.with(
                    port: port, caPEM: box.server.trust.caPEM, identity: identity, version: version
                ) { _ in }
            }
            #expect(box.server.fault("f")?.counters.fired == 1)
            #expect(try await box.server.removeFault("f"))
            try await CertificateClient.with(
                port: port, caPEM: box.server.trust.caPEM, identity: identity, version: version
            ) { _ in }
        }
    }

    @Test(
        "a cut, slow or silent connection does not delay the server's shutdown",
        arguments: [
            #"{"type": "close", "how": "halfOpen"}"#, #"{"type": "throttle", "bytesPerSecond": 1, "chunk": 1}"#,
            #"{"type": "close", "how": "fin"}"#, #"{"type": "close", "how": "rst"}"#,
            #"{"type": "close", "how": "halfOpen", "afterBytes": 10}"#,
        ], [FaultEvent.accept, .handshake])
    func ends(_ action: String, at event: FaultEvent) async throws {
        // The server is shut down when the block is over.
        let client = try await ServerInABox.with { box in
            _ = try await box.server.addFaults([draft(action, event: event)])
            let port = try #require(box.server.cleartextPort)
            let connecting = ClientBootstrap(group: NIOSingletons.posixEventLoopGroup)
                .connect(host: "127.0.0.1", port: port)
            let client: (any Channel)?
            do {
                client = try await connecting.get()
            } catch let error as NIOConnectionError
                where error.connectionErrors.allSatisfy({ ($0.error as? IOError)?.errnoCode == ECONNRESET })
            {
                // A connection that is reset at once may end before the client has it.
                client = nil
            }
            client?.writeAndFlush(ByteBuffer(bytes: CleartextConnection.preface), promise: nil)
            let fault = await box.server.waitForFault("f", hits: 1, until: ContinuousClock.now + Patience.duration)
            #expect(fault?.counters.fired == 1)
            return client
        }
        try await client?.closeFuture.get()
    }

    @Test("connections are refused by a reset until the rule is gone")
    func refuse() async throws {
        try await ServerInABox.with { box in
            let port = try #require(box.server.cleartextPort)
            _ = try await box.server.addFaults([draft(#"{"type": "refuse"}"#, event: .accept)])
            await #expect(throws: (any Error).self) {
                try await HTTP1Connection.with(port: port) { send in _ = try await send(Self.push, []) }
            }
            #expect(try await box.server.removeFault("f"))
            try await HTTP1Connection.with(port: port) { send in
                let reply = try await send(Self.push, [])
                #expect(reply.status == 403)
            }
        }
    }

    @Test("an act that waits for a frozen clock ends with its connection")
    func delayedAct() async throws {
        try await ServerInABox.with { box in
            let action = #"{"type": "close", "how": "rst", "delay": "1h", "clock": "virtual"}"#
            _ = try await box.server.addFaults([draft(action, event: .accept)])
            try await HTTP1Connection.with(port: try #require(box.server.cleartextPort)) { send in
                let reply = try await send(Self.push, [])
                #expect(reply.status == 403)
            }
            let connections = box.server.connectionTable
            while true {
                let (open, revision) = connections.entries()
                if open.isEmpty { break }
                await connections.wait(since: revision)
            }
            #expect(box.server.fault("f")?.counters.fired == 1)
            let due = try await box.server.loops.ask { $0.earliestDue }
            #expect(due == [nil])
        }
    }
}
