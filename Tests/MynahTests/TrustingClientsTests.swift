import Testing

@testable import Mynah

@Suite("Clients that have just trusted the certificate")
struct TrustingClientsTests {
    private typealias Client = TrustingClients.Client
    private let now = ContinuousClock.now

    @Test("are known while one of their connections is open, and for a while after it")
    func time() {
        let clients = TrustingClients()
        let client = Client(peer: "127.0.0.1:5000", kind: 1)
        #expect(!clients.contains(client, at: now))
        clients.enter(client, at: now)
        clients.enter(client, at: now)
        clients.leave(client, at: now)
        let later = now + TrustingClients.time * 10
        #expect(clients.contains(client, at: later))
        clients.leave(client, at: later)
        #expect(clients.contains(client, at: later + TrustingClients.time - .milliseconds(1)))
        #expect(!clients.contains(client, at: later + TrustingClients.time))
    }

    @Test("are told apart by address and kind, not by port")
    func kinds() {
        let clients = TrustingClients()
        clients.enter(Client(peer: "127.0.0.1:5000", kind: 1), at: now)
        clients.enter(Client(peer: "[::1]:5000", kind: 2), at: now)
        #expect(clients.contains(Client(peer: "127.0.0.1:6000", kind: 1), at: now))
        #expect(clients.contains(Client(peer: "[::1]:6000", kind: 2), at: now))
        #expect(!clients.contains(Client(peer: "127.0.0.1:5000", kind: 2), at: now))
        #expect(!clients.contains(Client(peer: "127.0.0.2:5000", kind: 1), at: now))
    }

    @Test("are forgotten when there are many, but not while they are connected")
    func many() {
        let clients = TrustingClients()
        for kind in 0..<TrustingClients.countMax {
            clients.enter(Client(peer: "a:1", kind: kind), at: now)
            if kind > 0 { clients.leave(Client(peer: "a:1", kind: kind), at: now) }
        }
        clients.enter(Client(peer: "b:1", kind: 0), at: now)
        #expect(!clients.contains(Client(peer: "b:1", kind: 0), at: now))
        let later = now + TrustingClients.time
        clients.enter(Client(peer: "b:1", kind: 0), at: later)
        for one in ["a:1", "b:1"] { #expect(clients.contains(Client(peer: one, kind: 0), at: later)) }
        #expect(!clients.contains(Client(peer: "a:1", kind: 1), at: later))
    }
}
