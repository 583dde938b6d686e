import APNsRules
import MynahCore
import MynahTestSupport
import MynahTrust
import MynahWire
import NIOCore
import NIOPosix
import Testing

@testable import Mynah

/// The client of `mynah send` against a server that goes wrong.
struct ProviderExchangeTests {
    /// After how many bytes of the server the connection is reset: within the server's part of the handshake and after
    /// it, where the client acknowledges SETTINGS.
    private static let moments: [(event: FaultEvent, lengths: StrideTo<Int>)] = [
        (.accept, stride(from: 1_000, to: 4_000, by: 20)), (.handshake, stride(from: 0, to: 900, by: 6)),
    ]

    @Test("a reset at any moment is an error, or arrives after the answer", arguments: moments.indices)
    func resets(_ index: Int) async throws {
        let (event, lengths) = Self.moments[index]
        // The certificates are valid by the wall clock.
        try await ServerInABox.with(at: Instant(seconds: WallClock.now().milliseconds / 1000)) { box in
            let port = try #require(box.server.ports.first)
            let token = String(repeating: "0", count: 64)
            var failures = 0
            for length in lengths {
                let rule = #"""
                    {"id": "f", "match": {"event": "\#(event.rawValue)"},
                     "action": {"type": "close", "how": "rst", "afterBytes": \#(length)}}
                    """#
                _ = try await box.server.addFaults([FaultDraft(json: JSONValue(parsing: rule))])
                let request = ProviderExchange.Request(
                    host: "localhost", port: port, caPEM: Array(box.server.trust.caPEM.utf8),
                    fields: [
                        HTTPField(":method", "POST"), HTTPField(":scheme", "https"),
                        HTTPField(":authority", "localhost"), HTTPField(":path", "/3/device/\(token)"),
                    ], body: Array(#"{"aps":{}}"#.utf8), timeout: TimeAmount(Patience.duration))
                do {
                    let answer = try await ProviderExchange.perform(
                        request, on: NIOSingletons.posixEventLoopGroup.next())
                    #expect(answer.fields.first?.value == "403")
                } catch let failure as ProviderFailure {
                    #expect(!failure.problem.contains("no answer within"))
                    failures += 1
                }
                #expect(box.server.fault("f")?.counters.fired == 1)
                #expect(try await box.server.removeFault("f"))
            }
            #expect(failures > 0)
        }
    }
}
