import APNsRules
import Mynah
import MynahTesting
import Synchronization
import Testing

/// The scopes and ports that tests have seen, for those that come after them.
private final class Seen: Sendable {
    private let values = Mutex<[String]>([])

    /// Records a value; answers whether it is new.
    func add(_ value: String) -> Bool {
        values.withLock { values in
            guard !values.contains(value) else { return false }
            values.append(value)
            return true
        }
    }
}

private let scopes = Seen()

@Suite("The trait on a suite: one server, a scope for each test", .mynah)
struct MynahTraitTests {
    @Test("a hundred cases at once see their own pushes and no other's", arguments: 1...100)
    func aHundredCasesAtOnceSeeTheirOwnPushes(number: Int) async throws {
        let apns = try MynahScope.current
        #expect(scopes.add(apns.name), "the scope \(apns.name) was another case's, too")
        let phone = try await apns.addDevice(app: "com.example.app")
        #expect(try await apns.send(["aps": ["alert": .string("case \(number)")]], to: phone.token) == 200)
        let pushes = try await apns.expect(.topic("com.example.app"), count: 1)
        #expect(pushes.map { $0.payload?["aps"]?["alert"] } == [.string("case \(number)")])
        #expect(try await apns.pushes().count == 1)
    }

    @Test("a fault of one case does not touch another", arguments: [true, false])
    func aFaultOfOneCaseDoesNotTouchAnother(isBroken: Bool) async throws {
        let apns = try MynahScope.current
        let phone = try await apns.addDevice(app: "com.example.app")
        if isBroken { try await apns.addFault(Fault(.respond(.serviceUnavailable))) }
        for _ in 1...3 {
            #expect(try await apns.send(to: phone.token) == (isBroken ? 503 : 200))
        }
    }

    @Suite("a suite within")
    struct Within {
        @Test("shares the server of the suite around it and has a scope")
        func sharesTheServer() throws {
            #expect(try MynahScope.current.server === MynahServer.current)
        }

        @Test("that asks for the trait again shares it, too", .mynah)
        func sharesTheServerAgain() throws {
            #expect(try MynahScope.current.server === MynahServer.current)
        }

        @Test("that gives settings has a server of its own", .mynah(.embedded { $0.seed = 4711 }))
        func hasAServerOfItsOwn() throws {
            #expect(try MynahScope.current.server.seed == 4711)
        }
    }

    @Test("a detached task is told that it has no scope")
    func aDetachedTaskHasNoScope() async throws {
        let error = await #expect(throws: MynahError.self) {
            try await Task.detached { _ = try MynahScope.current }.value
        }
        #expect(error?.code == .noScope)
        #expect(error?.description.contains(".mynah") == true)
    }
}

@Suite("The trait on a test alone")
struct MynahTraitOfTestTests {
    @Test("the test has a server, which is its own", .mynah)
    func theTestHasAServer() async throws {
        let apns = try MynahScope.current
        #expect(apns.server === MynahServer.current)
        #expect(await apns.server.connections().isEmpty)
    }

    @Test("without it there is none")
    func withoutItThereIsNone() {
        #expect(MynahServer.current == nil)
        #expect(throws: MynahError.self) { try MynahScope.current }
    }
}
