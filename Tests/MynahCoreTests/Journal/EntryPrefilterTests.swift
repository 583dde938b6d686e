import APNsRules
import Testing

@testable import MynahCore

@Suite("Conditions that are checked on an entry in place")
struct EntryPrefilterTests {
    private static var entries: [Entry] {
        let headers: [[(String, String)]] = [
            [], [("apns-topic", "com.example.app")], [("apns-topic", "com.example.other")],
            [("apns-topic", "caf\u{e9}")],
            [("apns-topic", "com.example.app"), ("apns-topic", "com.example.other")], [("x-a", "com.example.app")],
        ]
        return headers.flatMap { fields -> [Entry] in
            var entries = [Entry.made(headers: fields), Entry.made(token: nil, headers: fields)]
            for scope in ["t1", "t2", nil] {
                var entry = Entry.made(token: Entry.anotherToken, headers: fields)
                entry.label = DeviceLabel(device: "d", scope: scope)
                entries.append(entry)
            }
            return entries
        }
    }

    @Test(
        "a ruled-out entry does not match",
        arguments: [
            "", "topic:com.example.app", "topic:com.example.app topic:com.example.other", "-topic:com.example.app",
            "topic:cafe\u{301}", "scope:t1", "-scope:t1", "scope:t1 scope:t2", "token:\(Entry.aToken)",
            "token:\(Entry.anotherToken) topic:com.example.other scope:t2", "outcome:delivered topic:com.example.app",
        ])
    func agrees(line: String) throws {
        let filter = try Filter(line: line)
        let conditions = EntryPrefilter(filter)
        for entry in Self.entries where filter.matches(PushView(entry)) { #expect(conditions.mayPass(entry)) }
    }

    @Test("entries of another topic, token or scope are ruled out", arguments: ["topic:a", "scope:b", "token:0a0b"])
    func rulesOut(line: String) throws {
        let conditions = EntryPrefilter(try Filter(line: line))
        #expect(!conditions.mayPass(.made(headers: [("apns-topic", "com.example.app")])))
    }
}
