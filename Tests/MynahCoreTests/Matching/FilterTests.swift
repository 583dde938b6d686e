import APNsRules
import MynahCore
import Testing

private let aUniqueID = NotificationID(unique: 7)

/// A push with something for every key of the filter language.
private func sample() -> PushView {
    let credential = JudgedCredential(
        authorization: nil,
        verdict: .token(ProviderIdentity(team: "TEAM123456", keyID: "ABC123DEFG", issuedAt: Instant(seconds: 1))))
    var entry = Entry.made(
        7, id: Entry.anID,
        headers: [
            ("apns-topic", "com.example.app"), ("apns-push-type", "alert"), ("apns-priority", "5"),
            ("apns-collapse-id", "score"), ("x-trace", "one"), ("x-trace", "two"),
        ],
        body:
            #"{"aps":{"alert":{"title":"Breaking \u004eews","args":["a","b"]},"badge":3,"category":"NEWS"},"a/b":{"m~n":true}}"#,
        credential: credential)
    entry.label = DeviceLabel(device: "kims-phone", scope: "t42")
    entry.uniqueID = aUniqueID
    return PushView(entry)
}

/// A push with hardly any values.
private func bare() -> PushView { PushView(.made(8, token: nil, status: nil, outcome: .pending)) }

private func parameters(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { part in
        let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(pair[0]), pair.count > 1 ? String(pair[1]) : "")
    }
}

@Suite("Filters in a URL")
struct FilterParameterTests {
    @Test(
        "matches",
        arguments: [
            "", "token=\(Entry.aToken)", "token=\(Entry.aToken.uppercased())", "device=kims-phone", "scope=t42",
            "topic=com.example.app", "team=TEAM123456", "keyId=ABC123DEFG", "apnsId=\(Entry.anID.lowercased())",
            "uniqueId=\(aUniqueID.text)", "uniqueId=\(aUniqueID.text.uppercased())", "!uniqueId=\(Entry.anID)",
            "collapseId=score", "pushType=alert", "priority=5", "environment=sandbox", "connection=12", "status=200",
            "outcome=delivered", "shown=true", "fault=none", "since=2026-11-21T09:30:00Z",
            "until=2026-11-21T10:30:00.123%2B01:00", "text=breaking news", "payload./aps/category=NEWS",
            "payload./aps/badge=3", "payload./aps/badge=3.0", "payload./a~1b/m~0n=true",
            "topic=com.other&topic=com.example.app", "!topic=com.other", "!topic=com.other&!topic=com.third",
            "!reason=BadTopic", "status=200&outcome=delivered&topic=com.example.app",
            "q=topic:com.example.app&status=200",
        ])
    func matches(query: String) throws {
        let filter = try Filter(parameters: parameters(query.replacing("%2B", with: "+")))
        #expect(filter.matches(sample()))
    }

    @Test(
        "does not match",
        arguments: [
            "token=\(Entry.anotherToken)", "device=other", "scope=t43", "topic=com.example", "status=410",
            "uniqueId=\(Entry.anID)", "status=400&status=410",
            "shown=false", "fault=f-1", "!fault=none", "since=2026-11-21T09:30:00.124Z",
            "until=2026-11-21T09:30:00.122Z",
            "!since=2026-11-21T09:30:00Z", "text=breakingnews", "payload./aps/category=SPORT", "payload./aps/none=NEWS",
            "!payload./aps/category=NEWS", "!topic=com.other&!topic=com.example.app", "status=200&topic=com.other",
            "reason=BadTopic", "q=-breaking",
        ])
    func doesNotMatch(query: String) throws {
        let filter = try Filter(parameters: parameters(query))
        #expect(!filter.matches(sample()))
    }

    @Test(
        "an absent value equals nothing",
        arguments: ["token=00", "topic=a", "status=200", "device=x", "payload./aps=1", "text=a", "team=TEAM000000"])
    func absent(query: String) throws {
        #expect(!(try Filter(parameters: parameters(query)).matches(bare())))
        #expect(try Filter(parameters: parameters("!" + query)).matches(bare()))
    }

    @Test(
        "an impossible value is an error that names the parameter",
        arguments: [
            ("status=ok", "status", []), ("priority=7", "priority", ["10", "5", "1"]),
            ("!outcome=gone", "!outcome", Outcome.allCases.map(\.rawValue)),
            ("pushType=Alert", "pushType", PushType.allCases.map(\.rawValue)),
            ("environment=development", "environment", ["sandbox", "production"]),
            ("shown=yes", "shown", ["true", "false"]),
            ("reason=Bad", "reason", Reason.allCases.map(\.rawValue)), ("since=yesterday", "since", []),
            ("token=xyz", "token", []), ("token=abc", "token", []), ("!token=abc", "!token", []),
            ("connection=-x", "connection", []), ("connection=0", "connection", []), ("status=42", "status", []),
            ("apnsId=07c0", "apnsId", []), ("uniqueId=x", "uniqueId", []), ("device=a b", "device", []),
            ("fault=a b", "fault", []), ("text=", "text", []), ("!payload.aps.alert=hi", "!payload.aps.alert", []),
            ("payload.aps/category=NEWS", "payload.aps/category", []), ("screen.title=Hi", "screen.title", []),
            ("webPush./tll=60", "webPush./tll", WebPushView.fields.showing.names.map { "/" + $0 }),
            ("webPush.ttl=60", "webPush.ttl", []),
            ("since=2026-11-21T10:00:00Z&until=2026-11-21T09:00:00Z", "until", []),
            ("payload./a~2=1", "payload./a~2", []), ("q=\"open", "q", []),
        ] as [(String, String, [String])])
    func errors(query: String, field: String, allowed: [String]) throws {
        let error = #expect(throws: InputError.self) { try Filter(parameters: parameters(query)) }
        #expect(error?.field == field)
        #expect(error?.allowed == allowed)
        #expect(error?.problem.isEmpty == false)
    }

    @Test("an unknown key is an error with the nearest known one and all that are allowed")
    func unknownKey() throws {
        let error = #expect(throws: InputError.self) {
            try Filter(parameters: [("tpoic", "com.example.app")], besides: ["limit", "order"])
        }
        #expect(error?.field == "tpoic")
        #expect(error?.problem == "unknown filter \"tpoic\": did you mean \"topic\"?")
        #expect(error?.allowed.contains("payload.<pointer>") == true)
        #expect(error?.allowed.contains("limit") == true)
        let far = #expect(throws: InputError.self) { try Filter(parameters: [("colour", "red")]) }
        #expect(far?.problem.hasPrefix("unknown filter \"colour\": expected token, device, ") == true)
        // The caller may have q as well.
        let listed = #expect(throws: InputError.self) { try Filter(parameters: [("colour", "red")], besides: ["q"]) }
        #expect(listed?.allowed.filter { $0 == "q" } == ["q"])
    }

    @Test("an array in an array of matchers adds its matchers, so that arrays have one level")
    func arrayInArray() throws {
        let filter = try Filter(json: ["topic": [["a", ["prefix": "b"]], "c"]])
        #expect(filter.conditions.map(\.matcher.json) == [["a", ["prefix": "b"], "c"]])
    }

    @Test("the documented spelling of a reason is understood too")
    func documentedReason() throws {
        let view = PushView(.made(refusal: Refusal(.badEnvironmentKeyInToken, "")))
        #expect(try Filter(parameters: [("reason", "BadEnvironmentKeyIdInToken")]).matches(view))
        #expect(try Filter(parameters: [("reason", "BadEnvironmentKeyInToken")]).matches(view))
    }
}

@Suite("Filters on one line")
struct FilterLineTests {
    @Test(
        "matches",
        arguments: [
            "", "  ", "breaking", "BREAKING news", #""breaking news""#, "topic:com.example.app", "-topic:com.other",
            "payload:/aps/category:NEWS", "payload./aps/category:NEWS", "-sport",
            #"payload:/aps/alert/title:"Breaking News""#, #"topic:"com.example.app""#, "status:200 status:410 news",
            "-status:400 -status:410", "since:2026-11-21T09:30:00Z", "badge", #"-scope:"""#, "news -", #"-"no phrase""#,
            "topic~:example", "-topic~:other", "topic~:other topic~:com.", "payload:/aps/category~:EW",
            "payload./aps/category~:EW", #"payload:/aps/alert/title~:"ing Ne""#, "-payload:/aps/category~:SPO",
            "outcome~:eliver", "text~:NEWS", "token~:00FC",
        ])
    func matches(line: String) throws {
        // A lone minus sign is a word like any other, and this payload has none.
        let expected = line != "news -"
        #expect(try Filter(line: line).matches(sample()) == expected)
    }

    @Test(
        "does not match",
        arguments: [
            "sport", "breaking sport", #""news breaking""#, "-breaking", "topic:com.other", "-topic:com.example.app",
            "payload:/aps/category:SPORT", #"collapseId:"""#,
            "topic~:other", "-topic~:example", "payload:/aps/category~:news", "payload:/aps/badge~:3",
        ])
    func doesNotMatch(line: String) throws {
        #expect(!(try Filter(line: line).matches(sample())))
    }

    @Test("quotes keep spaces, colons and escaped quotes together")
    func quotes() throws {
        let view = PushView(.made(body: #"{"aps":{"alert":"at 12:30 she said \"go\""}}"#))
        #expect(try Filter(line: #""12:30 she""#).matches(view))
        #expect(try Filter(line: #""said \"go\"""#).matches(view))
        #expect(!(try Filter(line: #""30 go""#).matches(view)))
    }

    @Test(
        "a malformed line is an error of q",
        arguments: [
            "tpoic:x", "12:30", #""open"#, "topic:", "payload:/aps/category", "payload:/a~9:x", "status:x",
            "payload:aps.alert:hi",
            "-payload:aps/alert:hi", "screen:title:Hi", "webPush:ttl:60", "webPush:/ttl", "token:abc",
            "topik~:x", "status~:20", "since~:2026", "shown~:tr", #"topic~:"""#, #"-payload:/aps/alert~:"""#,
            "outcome~:deliverd", "token~:xyz", "payload:aps.alert~:hi", "topic~~:x", "~:x",
            "status:200 -status:200", "has:warnings -has:warnings", "topic:a topic:b -topic:b -topic:a", "news -news",
            "topic:a OR topic:b", "topic:a AND status:200", "NOT topic:a", "status=410", "status>=500", "topic!=a",
            "topic~=a", "outcome=delivered,lost",
        ])
    func errors(line: String) throws {
        let error = #expect(throws: InputError.self) { try Filter(line: line) }
        #expect(error?.field == "q")
    }

    @Test("a wrong value in a line is named with its key")
    func wrongValueInLine() throws {
        let error = #expect(throws: InputError.self) { try Filter(line: "topic:a -priority:7") }
        #expect(error?.problem == "priority: 7 is not valid: expected 10, 5 or 1")
    }

    @Test(
        "what is meant as a condition is named with its form, and in quotes is a text",
        arguments: [
            (
                "status>=500",
                "status>=500 is no condition: a line compares no numbers; in JSON gte and lte do (Documents), as in {\"status\": {\"gte\": 500}}; \"status>=500\" in quotes is a word of the payload"
            ),
            (
                "OR",
                "OR is no operator: different keys have to match all, a repeated key any of its values, and - before a key negates it; \"OR\" in quotes is a word of the payload"
            ),
        ])
    func meantAsCondition(text: String, problem: String) throws {
        let error = #expect(throws: InputError.self) { try Filter(line: text) }
        #expect(error?.problem == problem)
        let view = PushView(.made(body: #"{"aps":{"alert":"x status>=500 OR"}}"#))
        #expect(try Filter(line: "\"\(text)\"").matches(view))
    }

    @Test(
        "a condition in another form is answered by the form of a line",
        arguments: [
            ("webPush./ttl=60", "webPush:/ttl:60"), ("payload./aps/category=NEWS", "payload:/aps/category:NEWS"),
            ("payload/aps/category=NEWS", "payload:/aps/category:NEWS"), ("webPush=/ttl=60", "webPush:/ttl:60"),
            ("payload.aps.category=NEWS", "payload:/aps/category:NEWS"), ("screen./title=Hello", "screen:/title:Hello"),
            ("-web-push./ttl=60", "-webPush:/ttl:60"), ("payload./aps/badge!=3", "-payload:/aps/badge:3"),
            ("payload./aps/alert/body~=rain", "payload:/aps/alert/body~:rain"),
            (#"payload./aps/alert/body="a b""#, #"payload:/aps/alert/body:"a b""#),
            ("!payload:/aps/category:NEWS", "-payload:/aps/category:NEWS"),
            ("apns-id=5", "apnsId:5"), ("collapse-id=x", "collapseId:x"), ("Topic=a", "topic:a"),
            ("apns-topic=a", "topic:a"), (#"topic="a""#, "topic:a"), ("topic~=a", "topic~:a"),
            ("reason!=BadTopic", "-reason:BadTopic"), ("-status=410", "-status:410"), ("status<>410", "-status:410"),
            ("topic=", "topic:com.example.app"), ("!topic:a", "-topic:a"), ("!topic=a", "-topic:a"),
            ("since>=2026-11-21T09:30:00Z", "since:2026-11-21T09:30:00Z"),
        ])
    func otherForm(text: String, form: String) throws {
        let error = #expect(throws: InputError.self) { try Filter(line: text) }
        #expect(error?.problem.contains(", as in \(form); ") == true, "\(error?.problem ?? "")")
    }

    @Test(
        "a bound is answered by JSON's operators",
        arguments: [
            ("priority<10", #"{"priority": {"lte": 10}}"#), ("status>", #"{"status": {"gte": 200}}"#),
            ("payload./aps/badge>=3", #"{"payload": {"/aps/badge": {"gte": 3}}}"#),
        ])
    func bound(text: String, json: String) throws {
        let error = #expect(throws: InputError.self) { try Filter(line: text) }
        #expect(error?.problem.contains(", as in \(json); ") == true, "\(error?.problem ?? "")")
        _ = try Filter(json: try JSONValue(parsing: json))
    }

    @Test("the example of each key is a value of it", arguments: FilterKey.allCases)
    func example(key: FilterKey) throws {
        _ = try Filter(line: "\(key.rawValue):\(key.example)")
    }

    @Test(
        "a condition that lacks its colon is refused where it would match all, or nothing",
        arguments: [
            ("topic~com", "topic~:com"), ("-topic~com", "-topic~:com"), ("-topic", "-topic:com.example.app"),
            ("-topic.com", "-topic:com"), ("-topic/com", "-topic:com"), ("-status;4", "-status:4"),
            ("-text", "-text:example"), ("topic.com", "topic:com"), ("topic*", "topic:com.example.app"),
            ("topic-com", "topic:com"), ("-topic-com", "-topic:com"), ("apns-topic-com", "topic:com"),
            ("Push-Type-alert", "pushType:alert"), ("topic/com", "topic:com"), ("topic;com", "topic:com"),
            ("topic!com", "topic:com"), ("topic(com)", "topic:com)"), ("!topic.com", "-topic:com"),
            ("topic.com:a", "topic:com:a"), ("token*", "token:\(FilterKey.token.example)"),
        ])
    func lackingColon(line: String, form: String) {
        let error = #expect(throws: InputError.self) { try Filter(line: line) }
        #expect(
            error?.problem.contains("expected a colon, as in \(form);") == true,
            "\(String(describing: error))")
    }

    @Test(
        "a word that has no value for a name is a word",
        arguments: [
            "payload.bin", "payload/aps", "screen", "web-push", "Topic!", "!topic", "my-topic=a", "a=b", "screens=2",
            #""topic=a""#, #"-"payload./a=b""#, #"-"topic""#, "topic", "-topics", #""topic.com""#, "topic.",
            "topics.com",
            "team's", "device_token", "com.topic", "a*b", #""news*""#, #""=""#, #"":)""#,
        ])
    func ordinaryWord(text: String) throws {
        #expect(try Filter(line: text).conditions.map(\.field) == [.key(.text)])
    }

    @Test(
        "a place in a document without its value, and a pointer that has taken a part of it, are refused",
        arguments: [
            ("payload./aps/url=https://x.example", "payload:/aps/url:https://x.example"),
            ("payload:/aps/url=https://x.example", "payload:/aps/url:https://x.example"),
            ("-payload./aps/url=https://x.example", "-payload:/aps/url:https://x.example"),
            ("screen.title", "screen:/title:Hello"), ("webPush/ttl", "webPush:/topic:orders"),
            ("payload.aps.badge", "payload:/aps/category:NEWS"), ("-payload.bin", "payload:/aps/category:NEWS"),
            ("-webPush", "webPush:/topic:orders"),
        ])
    func place(line: String, form: String) {
        let error = #expect(throws: InputError.self) { try Filter(line: line) }
        #expect(error?.problem.contains(", as in \(form);") == true, "\(String(describing: error))")
    }

    @Test("a pointer with a sign in it can be quoted")
    func pointerWithSign() throws {
        let filter = try Filter(line: #"payload:/a=b:"c""#)
        #expect(filter.conditions.map(\.field) == [.place(.payload, JSONPointer(steps: ["a=b"]))])
    }

    @Test(
        "signs that stand alone, and words that are written as patterns, are refused",
        arguments: ["topic = com.example.app", "status > 400", "topic :a", "news*", "-news**", "topic != a"])
    func punctuation(line: String) {
        let error = #expect(throws: InputError.self) { try Filter(line: line) }
        #expect(error?.problem.contains("in quotes is a word of the payload") == true, "\(String(describing: error))")
    }

    @Test(
        "a contradiction names what was written",
        arguments: [
            ("news -news", "text"), ("has:warnings -has:warnings", "has"), ("payload:/a:b -payload:/a:b", "payload:/a"),
            ("screen:/title:a -screen:/title:a", "screen:/title"), ("team:TEAM123456 -team:TEAM123456", "team"),
            ("since:2026-11-21T09:30:00Z -since:2026-11-21T09:30:00Z", "since"),
        ])
    func contradiction(line: String, name: String) throws {
        let error = #expect(throws: InputError.self) { try Filter(line: line) }
        #expect(error?.problem.hasPrefix("\(name) is to match and not to match") == true, "\(error?.problem ?? "")")
    }

    @Test(
        "one of several wanted values that is refused leaves the others",
        arguments: ["topic:a topic:b -topic:a", "-topic:a -status:200", "or and not"])
    func possible(line: String) throws {
        _ = try Filter(line: line)
    }

    @Test("a URL that wants and refuses the same is refused")
    func contradictoryParameters() throws {
        let error = #expect(throws: InputError.self) {
            try Filter(parameters: [("status", "200"), ("!status", "200")])
        }
        #expect(error?.field == "!status")
        #expect(
            error?.problem == "status is to match and not to match the same, so nothing can match: expected one of both"
        )
    }

    @Test("a payload that is not JSON is searched as text")
    func notJSON() throws {
        #expect(try Filter(line: "NEWS").matches(PushView(.made(body: "no json, but news"))))
    }
}

@Suite("Filters in JSON")
struct FilterJSONTests {
    private func filter(_ text: String) throws -> Filter { try Filter(json: try JSONValue(parsing: text)) }

    @Test(
        "matches",
        arguments: [
            "{}", #"{"topic":"com.example.app"}"#, #"{"topic":["com.other","com.example.app"]}"#,
            #"{"topic":{"prefix":"com."}}"#, #"{"topic":{"contains":"example"}}"#, #"{"topic":{"regex":"ex.mple"}}"#,
            #"{"topic":{"regex":"^com\\.example\\.app$"}}"#, #"{"topic":{"not":"com.other"}}"#,
            #"{"topic":{"not":["com.other","com.third"]}}"#, #"{"topic":{"not":{"prefix":"org."}}}"#,
            #"{"topic":{"exists":true}}"#, #"{"reason":{"exists":false}}"#, #"{"reason":null}"#, #"{"fault":"none"}"#,
            #"{"status":{"gte":200}}"#, #"{"status":{"lte":200}}"#, #"{"status":{"not":{"gte":400}}}"#,
            #"{"status":200.0}"#,
            #"{"shown":true}"#, #"{"token":{"prefix":"00FC"}}"#, #"{"token":{"regex":"^00FC"}}"#,
            #"{"apnsId":{"prefix":"07c0"}}"#,
            #"{"since":"2026-11-21T09:30:00Z","until":"2026-11-21T09:31:00Z"}"#, #"{"text":"NEWS"}"#,
            #"{"payload":{"/aps/category":"NEWS"}}"#, #"{"payload":{"/aps/badge":3}}"#,
            #"{"payload":{"/aps/badge":{"gte":3}}}"#,
            #"{"payload":{"/aps/alert/args":{"contains":"b"}}}"#, #"{"payload":{"/aps/alert/args/1":"b"}}"#,
            #"{"payload":{"/a~1b/m~0n":true,"/none":{"exists":false}}}"#, #"{"payload":{"":{"exists":true}}}"#,
            #"{"payloadIncludes":{"aps":{"badge":3}}}"#, #"{"payloadIncludes":{"aps":{"alert":{"args":["b"]}}}}"#,
            #"{"headers":{"x-trace":"two"}}"#, #"{"headers":{"X-Trace":["two","three"]}}"#,
            #"{"headers":{"x-none":{"exists":false}}}"#,
            #"{"headers":{"x-trace":{"not":"three"}}}"#, #"{"priority":{"lte":5}}"#, #"{"priority":[5,10]}"#,
        ])
    func matches(json: String) throws {
        #expect(try filter(json).matches(sample()))
    }

    @Test(
        "does not match",
        arguments: [
            #"{"topic":"com.example"}"#, #"{"topic":null}"#, #"{"topic":{"exists":false}}"#,
            #"{"topic":{"regex":"^example"}}"#,
            #"{"topic":{"not":{"not":"com.other"}}}"#, #"{"status":{"gte":201}}"#, #"{"payload":{"/aps/badge":"3"}}"#,
            #"{"payload":{"/aps/badge":{"gte":"3"}}}"#, #"{"payload":{"/aps/alert/args/2":{"exists":true}}}"#,
            #"{"payload":{"/aps/alert/args/01":"b"}}"#, #"{"payloadIncludes":{"aps":{"alert":{"args":["b","a"]}}}}"#,
            #"{"payloadIncludes":{"aps":{"alert":"x"}}}"#, #"{"headers":{"x-trace":"three"}}"#,
            #"{"headers":{"x-trace":{"not":"two"}}}"#, #"{"topic":"com.example.app","status":400}"#,
        ])
    func doesNotMatch(json: String) throws {
        #expect(!(try filter(json).matches(sample())))
    }

    @Test(
        "an error names the place as a JSON pointer",
        arguments: [
            ("[]", "/match"), (#"{"tpoic":"x"}"#, "/match/tpoic"), (#"{"status":"200"}"#, "/match/status"),
            (#"{"status":1.5}"#, "/match/status"), (#"{"status":[200,"x"]}"#, "/match/status/1"),
            (#"{"topic":{"prefx":"a"}}"#, "/match/topic/prefx"),
            (#"{"topic":{"prefix":"a","contains":"b"}}"#, "/match/topic"),
            (#"{"topic":{}}"#, "/match/topic"), (#"{"topic":[]}"#, "/match/topic"),
            (#"{"topic":{"regex":"("}}"#, "/match/topic/regex"),
            (#"{"topic":{"prefix":1}}"#, "/match/topic/prefix"), (#"{"topic":{"gte":"a"}}"#, "/match/topic/gte"),
            (#"{"status":{"prefix":"2"}}"#, "/match/status/prefix"), (#"{"status":{"gte":"a"}}"#, "/match/status/gte"),
            (#"{"topic":{"exists":"yes"}}"#, "/match/topic/exists"), (#"{"since":{"gte":1}}"#, "/match/since/gte"),
            (#"{"since":17}"#, "/match/since"), (#"{"shown":"true"}"#, "/match/shown"),
            (#"{"token":{"prefix":"xy"}}"#, "/match/token/prefix"),
            (#"{"payload":"x"}"#, "/match/payload"), (#"{"payload":{"/a~2":1}}"#, "/match/payload"),
            (#"{"payload":{"/a/b":{"nope":1}}}"#, "/match/payload/~1a~1b/nope"),
            (#"{"payloadIncludes":1}"#, "/match/payloadIncludes"),
            (#"{"payload":{"aps.alert":"hi"}}"#, "/match/payload"),
            (#"{"screen":{"title":"Hi"}}"#, "/match/screen/title"),
            (#"{"token":{"not":"abc"}}"#, "/match/token/not"), (#"{"apnsId":["x"]}"#, "/match/apnsId/0"),
            (#"{"headers":{"apns-priority":10}}"#, "/match/headers/apns-priority"),
            (#"{"headers":{"apns topic":"a"}}"#, "/match/headers/apns topic"),
            (#"{"headers":{":path":"a"}}"#, "/match/headers/:path"),
            (#"{"since":"2026-11-21T10:00:00Z","until":"2026-11-21T09:00:00Z"}"#, "/match/until"),
            (#"{"headers":[]}"#, "/match/headers"), (#"{"headers":{"x":{"nope":1}}}"#, "/match/headers/x/nope"),
            (#"{"topic":{"not":{"nope":1}}}"#, "/match/topic/not/nope"), (#"{"priority":7}"#, "/match/priority"),
            (#"{"payload.x":7}"#, "/match/payload.x"),
            (#"{"headers":{"X-Trace":"a","x-trace":{"not":"a"}}}"#, "/match/headers/x-trace"),
        ])
    func errors(json: String, field: String) throws {
        let error = #expect(throws: InputError.self) { try filter(json) }
        #expect(error?.field == field)
    }

    @Test("members listed in besides are ignored")
    func besides() throws {
        let json: JSONValue = ["event": "request", "topic": "com.example.app"]
        #expect(try Filter(json: json, besides: ["event"]).conditions.count == 1)
        #expect(throws: InputError.self) { try Filter(json: json) }
    }

    @Test("the three ways of writing one filter give the same one")
    func agree() throws {
        let byURL = try Filter(parameters: [("status", "200"), ("!topic", "a"), ("payload./aps/category", "NEWS")])
        let byLine = try Filter(line: "status:200 -topic:a payload:/aps/category:NEWS")
        #expect(byURL == byLine)
        let byJSON = try filter(#"{"status":200,"topic":{"not":"a"}}"#)
        #expect(try Filter(parameters: [("status", "200"), ("!topic", "a")]) == byJSON)
    }

    @Test("a pattern that is too long is refused")
    func longPattern() throws {
        let long = String(repeating: "a", count: Pattern.textCountMax + 1)
        #expect(throws: InputError.self) { try Filter(json: ["topic": ["regex": .string(long)]]) }
    }
}

@Suite("JSON pointers")
struct JSONPointerTests {
    @Test(
        "the examples of RFC 6901 §5",
        arguments: [
            ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
            ("/e^f", "3"),
            ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
        ])
    func examples(pointer: String, expected: String) throws {
        let document = try JSONValue(
            parsing: #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#)
        let parsed = try JSONPointer(pointer, at: "x")
        #expect(parsed.value(in: document) == (try JSONValue(parsing: expected)))
        #expect(parsed.description == pointer)
    }

    @Test("an empty pointer is the whole document, and a missing place is nil")
    func edges() throws {
        let document: JSONValue = ["a": ["b"]]
        #expect(try JSONPointer("", at: "x").value(in: document) == document)
        for pointer in ["/b", "/a/1", "/a/-", "/a/00", "/a/+0", "/a/0/c", "/a/99999999999999999999"] {
            #expect(try JSONPointer(pointer, at: "x").value(in: document) == nil)
        }
    }

    @Test("a path with periods is answered by the pointer that it may mean")
    func periods() throws {
        let error = #expect(throws: InputError.self) { try JSONPointer("aps.alert", at: "/here") }
        #expect(
            error?.problem
                == #""aps.alert" is not a JSON pointer: expected one that begins with /, as in /aps/alert"#)
    }

    @Test("a bad pointer is an error of its field", arguments: ["a", "/~", "/~2", "/a~"])
    func errors(pointer: String) throws {
        let error = #expect(throws: InputError.self) { try JSONPointer(pointer, at: "/here") }
        #expect(error?.field == "/here")
    }
}
