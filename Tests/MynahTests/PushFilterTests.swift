import APNsRules
import MynahCore
import Testing

@testable import Mynah

@Suite("Filters of pushes in Swift")
struct PushFilterTests {
    /// A filter by a key; `nil` for a key that the API asks for otherwise.
    private static func filter(_ key: FilterKey) -> PushFilter? {
        switch key {
        case .token: .token(DeviceToken(bytes: [UInt8](repeating: 7, count: 32)))
        case .device: .device("kim")
        case .scope: .scope("t1")
        case .topic: .topic("com.example.app")
        case .channel: .channel(.exists())
        case .team: .teamID("TEAM123456")
        case .keyId: .keyID("KEY1234567")
        case .apnsId: .apnsID(NotificationID(generated: 1))
        case .uniqueId: .uniqueID(NotificationID(generated: 2))
        case .collapseId: .collapseID("score")
        case .pushType: .pushType(.alert)
        case .priority: .priority(.immediate)
        case .environment: .environment(.sandbox)
        case .connection: .connection(3)
        case .kind: .webPush
        case .status: .status(200)
        case .reason: .reason(.badDeviceToken)
        case .outcome: .outcome(.delivered)
        case .shown: .shown()
        case .sounded: .sounded()
        case .has: .hasWarnings
        case .text: .text("hi")
        // A fault is one of a server's, and times are asked for by sequence numbers.
        case .fault, .since, .until: nil
        }
    }

    @Test("a place in what only a web push has is a filter, beside the one for all web pushes")
    func webPushes() throws {
        let pointer = try JSONPointer("/ttl", at: "")
        let filter = PushFilter.webPush("/ttl", .atLeast(60))
        let fields = try PushFilter.conditions([.webPush, filter]).conditions.map(\.field)
        #expect(fields == [.key(.kind), .place(.webPush, pointer)])
        #expect(throws: InputError.self) { try PushFilter.conditions([.webPush("/tll", 60)]) }
    }

    @Test("filters that no push can meet together are refused, also in the scope that they are asked in")
    func contradictions() throws {
        let together: [[PushFilter]] = [
            [.topic("com.a"), .topic("com.b")], [.shown(), .outcome(.refused)], [.webPush, .priority(.immediate)],
            [.query("topic:com.a"), .topic("com.b")], [.hasWarnings, !.hasWarnings],
        ]
        for filters in together {
            #expect(throws: InputError.self, "\(filters)") { try PushFilter.conditions(filters) }
        }
        let broadcasts = PushFilter.channel(.exists())
        _ = try PushFilter.conditions([broadcasts])
        #expect(throws: InputError.self) { try PushFilter.conditions([broadcasts], ofScope: "t1") }
        #expect(throws: InputError.self) { try PushFilter.conditions([.topic("com.*")]) }
    }

    @Test("there is one for each key of the filter language", arguments: FilterKey.allCases)
    func everyKey(key: FilterKey) throws {
        guard let filter = Self.filter(key) else { return }
        #expect(try PushFilter.conditions([filter]).conditions.map(\.field) == [.key(key)])
        #expect(try PushFilter.conditions([!filter]).conditions.map(\.field) == [.key(key)])
    }
}
