import Glibc
import NIOCore
import Testing

@testable import Mynah

@Suite("Binding localhost")
struct ListenerTests {
    /// Which addresses are bound on a machine that has only these.
    private func bound(_ present: [String], missing: Int32) async throws -> [String] {
        try await Listener.bind(host: "localhost", port: 0) { address, port in
            guard present.contains(address) else {
                throw ListenError(on: address, port: port, after: IOError(errnoCode: missing, reason: "bind")) { _ in
                    nil
                }
            }
            return ("\(address):\(port)", 7)
        } close: { _ in
        }
    }

    @Test("takes those loopback addresses that there are", arguments: [EADDRNOTAVAIL, EAFNOSUPPORT])
    func addresses(missing: Int32) async throws {
        #expect(try await bound(["127.0.0.1", "::1"], missing: missing) == ["127.0.0.1:0", "::1:7"])
        #expect(try await bound(["127.0.0.1"], missing: missing) == ["127.0.0.1:0"])
        #expect(try await bound(["::1"], missing: missing) == ["::1:0"])
        await #expect(throws: ListenError.self) { try await bound([], missing: missing) }
    }

    @Test("fails for a port that is taken")
    func taken() async throws {
        await #expect(throws: ListenError.self) { try await bound(["::1"], missing: EADDRINUSE) }
    }
}
