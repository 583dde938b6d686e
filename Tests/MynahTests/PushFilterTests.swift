import APNsRules
import MynahCore
import Testing

@testable import Mynah

@Suite("Filters of pushes in Swift")
struct PushFilterTests {
    /// The filters by a key that have a function of their own.
    static let functions: [(FilterKey, PushFilter)] = [
        (.token, .token(DeviceToken(bytes: [UInt8](repeating: 7, count: 32)))),
        (.device, .device("kim")),
        (.scope, .scope("t1")),
        (.topic, .topic("com.example.app")),
        (.channel, .channel(.exists())),
        (.team, .teamID("TEAM123456")),
        (.keyId, .keyID("KEY1234567")),
        (.apnsId, .apnsID(NotificationID(generated: 1))),
        (.uniqueId, .uniqueID(NotificationID(generated: 2))),
        (.collapseId, .collapseID("score")),
        (.pushType, .pushType(.alert)),
        (.priority, .priority(.immediate)),
        (.environment, .environment(.sandbox)),
        (.connection, .connection(3)),
        (.kind, .webPush),
        (.status, .status(200)),
        (.reason, .reason(.badDeviceToken)),
        (.outcome, .outcome(.delivered)),
        (.shown, .shown()),
        (.sounded, .sounded()),
        (.has, .hasWarnings),
        (.text, .text("hi")),
    ]

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

    @Test("a filter with a function of its own is by its key", arguments: functions)
    func namedFunction(key: FilterKey, filter: PushFilter) throws {
        #expect(try PushFilter.conditions([filter]).conditions.map(\.field) == [.key(key)])
        #expect(try PushFilter.conditions([!filter]).conditions.map(\.field) == [.key(key)])
    }

    @Test("there is one for each key of the filter language", arguments: FilterKey.allCases)
    func everyKey(key: FilterKey) throws {
        let value = key.isTyped ? try JSONValue(parsing: key.example) : .string(key.example)
        let filter = PushFilter.key(key, value)
        #expect(try PushFilter.conditions([filter]).conditions.map(\.field) == [.key(key)])
        #expect(try PushFilter.conditions([!filter]).conditions.map(\.field) == [.key(key)])
        let others = try PushFilter.conditions([.key(key, .not(.equal(value)))])
        #expect(others.conditions.map(\.matcher) == (try PushFilter.conditions([!filter]).conditions.map(\.matcher)))
    }
}
