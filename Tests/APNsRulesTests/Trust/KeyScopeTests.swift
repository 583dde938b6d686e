import APNsRules
import Testing

@Suite("The topics of a key")
struct KeyScopeTests {
    private static let scope = KeyScope(
        environment: .sandbox, topics: ["com.example.app", "com.example.call.voip"], relatedKeyID: nil)

    @Test("a listed bundle id covers each of its suffixed topics", arguments: PushType.suffixed)
    func suffixed(_ pushType: PushType) {
        #expect(covers("com.example.app" + pushType.topicSuffix))
        #expect(!covers("com.example.other" + pushType.topicSuffix))
    }

    @Test(
        "only listed topics are covered",
        arguments: [
            ("com.example.app", true), ("com.example.call.voip", true), ("com.example.call", false),
            ("com.example.call.voip-ptt", false), ("com.example.ap", false), ("com.example.app.", false),
            ("com.example.app.other", false), (".voip", false), ("", false),
        ])
    func listed(topic: String, isCovered: Bool) {
        #expect(covers(topic) == isCovered)
    }

    @Test("a key of the whole team covers any topic")
    func team() {
        let isCovered = KeyScope.team.covers(Array("anything".utf8).span)
        #expect(isCovered)
    }

    @Test(
        "a topic implies a push type by its suffix, or as an MDM certificate's topic",
        arguments: [
            ("com.example.app", nil), ("com.example.app.voip", .voip), ("com.apple.mgmt.External.1", .mdm),
            ("com.apple.mgmt.", nil), ("com.apple.mgmt", nil), ("com.apple.mgmt.External.voip", .mdm),
            ("pass.com.example.card", nil), ("pass.com.example.voip", nil), ("web.com.example", nil),
        ] as [(String, PushType?)])
    func implied(topic: String, expected: PushType?) {
        let pushType = Topic.impliedPushType(of: Array(topic.utf8).span)
        #expect(pushType == expected)
    }

    private func covers(_ topic: String) -> Bool { Self.scope.covers(Array(topic.utf8).span) }
}
