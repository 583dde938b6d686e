import APNsRules
import Testing

@testable import MynahCore

private func error(_ read: () throws -> Filter) -> InputError? {
    do {
        _ = try read()
        return nil
    } catch {
        return error as? InputError
    }
}

@Suite("Filters that nothing can meet")
struct ImpossibleFilterTests {
    @Test(
        "a pattern or a list in place of a value is refused in every form, and the message names what does it",
        arguments: [
            ("topic", "com.*", "topic~:com. on a line"), ("topic", "/x/", "topic~:x on a line"),
            ("topic", "^com", "topic~:com on a line"), ("topic", "com$", "topic~=com in a URL"),
            ("topic", "a,b", "as in topic:a topic:b on a line"), ("topic", "a|b", "as in topic:a topic:b on a line"),
            ("topic", "(a b)", "an array in JSON"), ("topic", "!com.example", "like com.example.app"),
            ("topic", "https://shop.example/", "like com.example.app"),
            ("channel", "tvI2*", "channel~:tvI2 on a line"), ("channel", "/tvI2/", "channel~:tvI2 on a line"),
            ("team", "TEAM*", "team~:TEAM on a line"), ("team", "TEAM12345", "10 letters or digits"),
            ("keyId", "^ABC", "keyId~:ABC on a line"), ("token", "00fc*", "token~:00fc on a line"),
            ("apnsId", "07c0*", "apnsId~:07c0 on a line"), ("uniqueId", "07c0.*", "uniqueId~:07c0 on a line"),
            ("device", "kim*", "device~:kim on a line"), ("scope", "t4?", "scope~:t4 on a line"),
            ("fault", "f-1,f-2", "as in fault:f-1 fault:f-2"), ("pushType", "alert,background", "pushType:background"),
            ("outcome", "del*", "outcome~:del on a line"), ("kind", "push|broadcast", "kind:broadcast on a line"),
            ("reason", "Bad*", "reason~:Bad on a line"), ("reason", "BadTopic,BadPath", "reason:BadPath on a line"),
        ])
    func pattern(key: String, value: String, says: String) throws {
        for negation in ["", "!"] {
            let found = error { try Filter(parameters: [(negation + key, value)]) }
            #expect(found?.field == negation + key)
            #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
        }
        #expect(error { try Filter(line: "\(key):\"\(value)\"") }?.problem.contains(says) == true)
        for json: JSONValue in [.string(value), ["not": .string(value)], [.string(value)]] {
            let found = error { try Filter(json: .object([JSONMember(key, json)])) }
            #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
        }
    }

    @Test(
        "a range in place of a number is answered by the operators of JSON",
        arguments: [
            ("status", "4xx"), ("status", "400-499"), ("status", ">=400"), ("status", "40*"), ("priority", "5..10"),
            ("connection", "1+"),
        ])
    func range(key: String, value: String) {
        let found = error { try Filter(parameters: [(key, value)]) }
        #expect(found?.problem.contains("{\"\(key)\": {\"gte\": ") == true, "\(found?.problem ?? "")")
    }

    @Test(
        "a part that no value has is refused",
        arguments: [
            "topic~:com.*", "channel~:a*", "team~:T*", "apnsId~:x", "device~:kim*", "scope~:a?", "fault~:f*",
            "reason~:badtopic", "reason~:BadTopik",
        ])
    func part(line: String) {
        #expect(error { try Filter(line: line) }?.field == "q")
    }

    @Test(
        "what may be in the journal is taken",
        arguments: [
            "topic:com.example_app", "topic:https://shop.example:8443", "topic:pass.com.example.ticket", "topic:a..b",
            "collapseId:a*", "reason:MyOwnReason", "reason~:Own", "reason~:Token", #"reason:"quota exceeded""#,
            "reason:BadEnvironmentKeyIdInToken", "channel:/abcdefghijklmnopqrstu==", #"topic~:"com.""#, "scope:t-4.2_x",
            #"payload:/a:b*"#, "text:a*", "device:user@host:1",
        ])
    func taken(line: String) throws { _ = try Filter(line: line) }

    @Test("a literal text with punctuation can still be matched by a regular expression")
    func literal() throws {
        let filter = try Filter(json: ["topic": ["regex": #"^com\.\*$"#]])
        #expect(filter.matches(PushView(.made(headers: [("apns-topic", "com.*")]))))
    }

    @Test(
        "a reason that is nearly one of APNs is refused, one of somebody's own is not",
        arguments: [
            ("BadTopik", "did you mean \"BadTopic\"?"), ("badtopic", "did you mean \"BadTopic\"?"),
            ("Unregisterd", "did you mean \"Unregistered\"?"), ("Bad", "expected BadCollapseId"),
            ("", "expected BadCollapseId"),
        ])
    func reason(text: String, says: String) {
        let found = error { try Filter(parameters: [("reason", text)]) }
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
        #expect(error { try Filter(parameters: [("reason", "OutOfPigeons")]) } == nil)
    }

    @Test("an invented reason matches the push that a fault has answered with it")
    func invented() throws {
        var entry = Entry.made()
        entry.recordReason(FaultReason(text: "OutOfPigeons"))
        #expect(try Filter(line: "reason:OutOfPigeons").matches(PushView(entry)))
        #expect(try Filter(line: "reason~:Pigeons").matches(PushView(entry)))
    }

    @Test(
        "conditions that no push meets together are refused with the reason",
        arguments: [
            ("shown:true outcome:refused", "only a delivered push to a device is shown"),
            ("sounded:true outcome:stored", "only a delivered push to a device is heard"),
            ("screen:/title:Hello outcome:refused", "only a delivered push to a device is on a screen"),
            ("kind:broadcast device:kim", "a broadcast has no device"),
            ("kind:broadcast token:00", "a broadcast has no token"),
            ("kind:push channel:tvI2UK0vEfEAAA6GFnjo2Q==", "only a broadcast has a channel"),
            ("kind:webPush pushType:alert", "a web push has no pushType"),
            ("kind:webPush priority:10", "a web push has no priority"),
            ("kind:webPush team:TEAM123456", "a web push has no team"),
            ("kind:webPush environment:sandbox", "a web push is one to production"),
            ("kind:push webPush:/ttl:60", "only a web push has webPush"),
            ("webPush:/ttl:60 collapseId:a", "a web push has no collapseId"),
            ("reason:BadTopic status:200", "only an answer with a status of 300 or more has a reason"),
            ("reason:BadTopic outcome:pending", "only an answer with a status of 300 or more has a reason"),
            ("status:200 outcome:refused", "a refused one another than 200"),
            ("status:400 outcome:pending", "a pending or unanswered push has no status"),
            (
                "uniqueId:07C0F2E2-7CE0-71EC-D0D6-E7089220F778 environment:production",
                "only a push that the sandbox accepts"
            ),
            ("-kind:push -kind:broadcast token:00 priority:5", "a web push has no priority"),
            ("kind:broadcast scope:t1", "a broadcast has no scope"),
        ])
    func together(line: String, says: String) throws {
        let found = error { try Filter(line: line) }
        #expect(found?.field == "q")
        #expect(
            found?.problem.contains("exclude each other, so nothing can match: ") == true, "\(found?.problem ?? "")")
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
    }

    @Test(
        "conditions that a push can meet together are taken",
        arguments: [
            "shown:true outcome:delivered", "shown:false outcome:refused", "-shown:true outcome:refused",
            "kind:broadcast -device:kim", "kind:broadcast pushType:liveactivity", "-kind:push -kind:broadcast",
            "kind:webPush webPush:/ttl:60 environment:production", "outcome:delivered status:410",
            "reason:BadTopic status:500",
            "outcome:refused status:204", "outcome:refused outcome:delivered shown:true",
            "outcome:unanswered -status:200",
            "kind:webPush kind:push priority:10", "status:201 outcome:delivered", "-reason:BadTopic status:200",
        ])
    func possible(line: String) throws { _ = try Filter(line: line) }

    @Test(
        "bounds and negations that leave no value are refused",
        arguments: [
            (#"{"priority":{"gte":11}}"#, "/match/priority", "holds for no priority"),
            (#"{"priority":{"lte":0}}"#, "/match/priority", "holds for no priority"),
            (#"{"status":{"gte":600}}"#, "/match/status", "holds for no status"),
            (#"{"status":{"lte":199}}"#, "/match/status", "holds for no status"),
            (#"{"status":{"gte":599.5}}"#, "/match/status", "holds for no status"),
            (#"{"connection":{"lte":0}}"#, "/match/connection", "holds for no connection"),
            (#"{"shown":{"not":[true,false]}}"#, "/match/shown", "holds for no shown"),
            (#"{"kind":{"not":["push","broadcast","webPush"]}}"#, "/match/kind", "holds for no kind"),
            (#"{"environment":null}"#, "/match/environment", "holds for no environment"),
            (#"{"text":null}"#, "/match/text", "holds for no text"),
            (#"{"status":200,"status":410}"#, "/match/status", "given twice"),
            (#"{"topic":"com.a","topic":{"prefix":"org."}}"#, "/match/topic", "given twice"),
            (#"{"payload":{"/a":1,"/a":2}}"#, "/match/payload//a", "given twice"),
            (
                #"{"channel":"tvI2UK0vEfEAAA6GFnjo2Q==","device":"kim"}"#, "/match/device",
                "only a broadcast has a channel"
            ),
        ])
    func values(json: String, field: String, says: String) throws {
        let document = try JSONValue(parsing: json)
        let found = error { try Filter(json: document) }
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
        if !field.contains("//") { #expect(found?.field == field) }
    }

    @Test(
        "bounds that leave a value are taken",
        arguments: [
            #"{"priority":{"gte":10}}"#, #"{"priority":{"lte":1}}"#, #"{"status":{"gte":599}}"#,
            #"{"status":{"lte":200}}"#,
            #"{"status":{"gte":400.5},"status":{"lte":401.5}}"#, #"{"status":null}"#,
            #"{"connection":{"gte":5000000000}}"#,
            #"{"topic":["com.a","org.b"],"topic":{"prefix":"org."}}"#, #"{"headers":{"x-a":"1","x-A":"2"}}"#,
            #"{"priority":null,"kind":"webPush"}"#, #"{"screen":{"/title":{"exists":false}},"outcome":"refused"}"#,
        ])
    func bounds(json: String) throws { _ = try Filter(json: try JSONValue(parsing: json)) }

    @Test("a URL and its line are judged together")
    func parametersAndLine() {
        let found = error { try Filter(parameters: [("topic", "com.a"), ("q", "topic:com.b")]) }
        #expect(found?.field == "q")
        #expect(found?.problem.hasPrefix("topic is given twice") == true)
        #expect(error { try Filter(parameters: [("kind", "broadcast"), ("q", "device:kim")]) } != nil)
    }

    @Test("events other than pushes may have what no push has together")
    func events() throws {
        let all = FilterSubject.ofEvents(Event.Kind.allCases)
        _ = try Filter(parameters: [("channel", "tvI2UK0vEfEAAA6GFnjo2Q=="), ("device", "kim")], of: all)
        _ = try Filter(parameters: [("!environment", "sandbox"), ("!environment", "production")], of: all)
        #expect(error { try Filter(parameters: [("kind", "broadcast"), ("device", "kim")], of: all) } != nil)
        #expect(error { try Filter(line: "shown:true outcome:refused", of: all) } != nil)
    }

    @Test(
        "a value of another kind than a member has is refused",
        arguments: [
            ("webPush./ttl", "soon", "a whole number"), ("webPush./urgency", "urgent", "very-low"),
            ("webPush./encoding", "gzip", "aes128gcm"), ("webPush./declarative", "yes", "true or false"),
            ("webPush./ttl~", "6", "a whole number"), ("webPush./refusals/reason", "BadTtl", "/refusals/0"),
            ("webPush./refusals/0/reson", "BadTtl", "did you mean \"/reason\"?"),
            ("webPush./ttl/x", "1", "nothing is below"),
            ("screen./badge", "three", "a whole number"), ("screen./onWatch", "1", "true or false"),
            ("screen./interruptionLevel", "urgent", "critical"), ("screen./sound/nam", "x", "did you mean \"/name\"?"),
        ])
    func kind(name: String, value: String, says: String) {
        for negation in ["", "!"] {
            let found = error { try Filter(parameters: [(negation + name, value)]) }
            #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
        }
    }

    @Test(
        "a value of its member's kind is taken",
        arguments: [
            "webPush:/ttl:60", "webPush:/urgency:very-low", "webPush:/claims/sub:mailto:a@b.example",
            "webPush:/topic:5",
            "webPush:/refusals/0/status:403", "screen:/badge:3", "screen:/title:3", "screen:/sound/name:default",
            "screen:/activities/0/contentState/score:1", "screen:/details/a:b", "screen:/relevanceScore:0.5",
        ])
    func ofItsKind(line: String) throws { _ = try Filter(line: line) }

    @Test(
        "an expectation that can't be met is refused",
        arguments: [
            (#"{"match":{"q":""}}"#, "/match/q", "q is empty"), (#"{"match":{"q":"  "}}"#, "/match/q", "q is empty"),
            (#"{"match":{"topic":"a"},"otherThan":[{"topic":"a"}]}"#, "/otherThan/0", "nothing can count"),
            (#"{"match":{"topic":"a"},"otherThan":[{"topic":"b"},{}]}"#, "/otherThan/1", "nothing can count"),
            (#"{"match":{"kind":"broadcast"},"scope":"t1"}"#, "/scope", "a broadcast has no scope"),
            (#"{"match":{"scope":"t2"},"scope":"t1"}"#, "/scope", "given twice"),
            (#"{"inOrder":[{"channel":"tvI2UK0vEfEAAA6GFnjo2Q=="}],"scope":"t1"}"#, "/scope", "only a broadcast"),
            (#"{"match":{"kind":"broadcast","q":"device:kim"}}"#, "/match/q", "a broadcast has no device"),
            (#"{"match":{"headers":{"apns-unique-id":"x"}}}"#, "/match/headers/apns-unique-id", "no request has"),
            (#"{"match":{"headers":{"apns-topik":"x"}}}"#, "/match/headers/apns-topik", "did you mean \"apns-topic\"?"),
        ])
    func expectation(json: String, field: String, says: String) throws {
        let document = try JSONValue(parsing: json)
        let found = #expect(throws: InputError.self) { try Expectation(json: document) }
        #expect(found?.field == field)
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "")")
    }

    @Test(
        "headers that anybody may invent are taken",
        arguments: ["x-apns-topik", "priority", "content-language", "trace-id", "request-id", "te", "apns-foo"])
    func inventedHeader(name: String) throws {
        _ = try Filter(json: ["headers": .object([JSONMember(name, "a")])])
    }

    @Test("many conditions are judged in a moment")
    func many() throws {
        let values = (0..<20_000).map { JSONValue.string("com.a\($0)") }
        let members = (0..<20_000).map { JSONMember("topic", ["prefix": .string("com.\($0)")]) }
        _ = try? Filter(json: .object(members + [JSONMember("topic", .array(values))]))
        let places = (0..<20_000).map { JSONMember("/claims/\($0)", "a") }
        #expect(error { try Filter(json: ["webPush": .object(places), "kind": "push"]) } != nil)
    }
}

@Suite("Filters of lists in a URL that nothing can meet")
struct ImpossibleParameterTests {
    @Test("what is wanted and refused is refused")
    func contradiction() {
        let error = #expect(throws: InputError.self) {
            try FaultFilter(parameters: [("enabled", "true"), ("!enabled", "true")])
        }
        #expect(error?.field == "!enabled")
    }

    @Test("a pattern in place of a topic is refused", arguments: ["com.*", "a,b", "/x/"])
    func pattern(topic: String) {
        for name in ["topic", "!topic"] {
            #expect(throws: InputError.self) { try DeviceFilter(parameters: [(name, topic)]) }
            #expect(throws: InputError.self) { try ScreenFilter(parameters: [(name, topic)]) }
        }
    }

    @Test("what is no channel's ID selects no activity")
    func channel() throws {
        #expect(throws: InputError.self) { try ActivityFilter(parameters: [("!channel", "x")]) }
        _ = try ActivityFilter(parameters: [("channel", ""), ("!channel", "tvI2UK0vEfEAAA6GFnjo2Q==")])
    }
}
