import APNsRules
import Testing

@testable import MynahCore

private func problem(_ read: () throws -> Void) -> InputError? {
    do {
        try read()
        return nil
    } catch {
        return error as? InputError
    }
}

private func filter(_ text: String) throws -> Filter { try Filter(json: try JSONValue(parsing: text)) }

@Suite("Values that nothing has")
struct ImpossibleValueTests {
    @Test(
        "a part or a pattern that no value of its key can meet is refused, negated or not",
        arguments: [
            (#"{"apnsId": {"prefix": "42-"}}"#, "no apnsId begins with 42-"),
            (#"{"apnsId": {"contains": "42-D-"}}"#, "no apnsId contains 42-D-"),
            (#"{"uniqueId": {"contains": "0123456789abc"}}"#, "no uniqueId contains"),
            (#"{"uniqueId": {"prefix": "27CFDC15-E305-27E0-E290-8FC98E115899a"}}"#, "no uniqueId begins with"),
            (#"{"keyId": {"contains": "ABC123DEFGH"}}"#, "no keyId contains ABC123DEFGH"),
            (#"{"team": {"regex": "^.{9}$"}}"#, "no team matches ^.{9}$"),
            (#"{"team": {"regex": "-"}}"#, "no team matches -"),
            (#"{"token": {"regex": "^[g-z]"}}"#, "no token matches ^[g-z]"),
            (#"{"token": {"prefix": "DIGITS"}}"#, "no token begins with"),
            (#"{"apnsId": {"regex": "^[0-9a-f]{32}$"}}"#, "no apnsId matches"),
            (#"{"scope": {"regex": " "}}"#, "no scope matches"),
            (#"{"device": {"contains": "LONG"}}"#, "no device contains"),
            (#"{"outcome": {"prefix": "livered"}}"#, "no outcome begins with"),
            (#"{"token": {"regex": "^[0-9a-f]{63}$"}}"#, "no token matches"),
            (#"{"topic": {"regex": "a^b"}}"#, "no text matches a^b"),
            (#"{"text": {"regex": "[^\\s\\S]"}}"#, "no text matches"),
            (#"{"outcome": {"regex": "^sent"}}"#, "no outcome matches ^sent"),
            (#"{"kind": {"contains": "alert"}}"#, "is in no kind"),
            (#"{"topic": {"prefix": ""}}"#, "the empty one is a part of every text"),
        ])
    func parts(text: String, says: String) throws {
        let text = text.replacing("DIGITS", with: String(repeating: "0a", count: 101))
            .replacing("LONG", with: String(repeating: "a", count: 300))
        let match = try JSONValue(parsing: text)
        let member = try #require(match.object?.first)
        for value in [member.value, ["not": member.value], [member.value]] {
            let found = problem { _ = try Filter(json: .object([JSONMember(member.name, value)])) }
            #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
        }
    }

    @Test(
        "parts and patterns of values that there may be are taken",
        arguments: [
            #"{"apnsId": {"contains": "42DCE312BA68"}}"#, #"{"apnsId": {"contains": "15-E305-2"}}"#,
            #"{"apnsId": {"prefix": "27CFDC15-"}}"#, #"{"apnsId": {"regex": "^27CF.*-[0-9A-F]{12}$"}}"#,
            #"{"keyId": {"contains": "BC123DEFG"}}"#, #"{"team": {"regex": "^.{10}$"}}"#, #"{"team": {"regex": ""}}"#,
            #"{"token": {"regex": "^[0-9A-F]{64}$"}}"#, #"{"token": {"regex": "ff$"}}"#,
            #"{"token": {"prefix": "00fc1"}}"#, #"{"pushType": {"regex": "^(alert|voip)$"}}"#,
            #"{"scope": {"regex": "^t-[0-9]+$"}}"#, #"{"device": {"regex": "\\bkim\\b"}}"#,
            #"{"reason": {"regex": "^Own"}}"#, #"{"pushType": {"prefix": "back"}}"#,
            #"{"pushType": {"regex": "^Alert$"}}"#, #"{"pushType": "foo"}"#, #"{"device": {"contains": "LONG"}}"#,
            #"{"device": {"regex": "^(ab){100}$"}}"#,
        ])
    func possibleParts(text: String) throws {
        _ = try filter(text.replacing("LONG", with: String(repeating: "ab", count: 75)))
    }

    @Test(
        "what no value at a place of a screen or of a web push is, is refused wherever it stands",
        arguments: [
            ("screen./activities/0/state", "activ", "did you mean \"active\"?"),
            ("screen./activities/0/contentStat/score", "1", "did you mean \"/contentState\"?"),
            ("screen./actions/0/nix", "x", "unknown member of /actions/0"),
            ("screen./banner/actions/0/titel", "x", "did you mean \"/title\"?"),
            ("webPush./refusals/0/reason", "BadTopik", "did you mean \"BadTopic\"?"),
            ("webPush./refusals/0/status", "99", "a whole number from 4"),
            ("screen./mutableContent~", "modifed", "holds for no screen:/mutableContent"),
        ])
    func below(name: String, value: String, says: String) {
        for negation in ["", "!"] {
            let found = problem { _ = try Filter(parameters: [(negation + name, value)]) }
            #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
        }
    }

    @Test(
        "of several values for a place each must be possible",
        arguments: [
            (#"{"screen": {"/interruptionLevel": ["active", "urgnt"]}}"#, "urgnt"),
            (#"{"screen": {"/interruptionLevel": {"not": {"regex": "^urgent$"}}}}"#, "holds for no"),
            (#"{"webPush": {"/urgency": {"prefix": "low-"}}}"#, "holds for no"),
            (#"{"screen": {"/sound": {"regex": "x"}}}"#, "holds for no"),
            (#"{"screen": {"/actions": {"prefix": "x"}}}"#, "holds for no"),
        ])
    func each(text: String, says: String) {
        let found = problem { _ = try filter(text) }
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
    }

    @Test(
        "a text that may be a number or a text is taken if one of both is possible",
        arguments: ["screen:/activities/0/contentState/score:1", "screen:/badge:3", "screen:/title:3"])
    func readings(line: String) throws { _ = try Filter(line: line) }

    @Test(
        "paths and operators in what a payload is to include are refused",
        arguments: [
            (#"{"payloadIncludes": {"aps.alert": "Hi"}}"#, "/match/payloadIncludes/aps.alert", "{\"/aps/alert\": 1}"),
            (#"{"payloadIncludes": {"/aps/alert": "Hi"}}"#, "/match/payloadIncludes/~1aps~1alert", "no member"),
            (
                #"{"payloadIncludes": {"aps": {"badge": {"gte": 1}}}}"#, "/match/payloadIncludes/aps/badge/gte",
                #"{"payload": {"/aps/badge": {"gte":1}}}"#
            ),
            (
                #"{"payloadIncludes": {"aps": {"alert": {"title": {"regex": "^H"}}}}}"#,
                "/match/payloadIncludes/aps/alert/title/regex", #""/aps/alert/title""#
            ),
            (#"{"payload": {"/aps.alert": "Hi"}}"#, "/match/payload", "as in /aps/alert"),
            (#"{"payload": {"/$.aps.alert": "Hi"}}"#, "/match/payload", "as in /aps/alert"),
            (
                #"{"payloadIncludes": {"aps": {"badge": {"gte": 3, "lte": 5}}}}"#,
                "/match/payloadIncludes/aps/badge/gte",
                "without gte"
            ),
            (#"{"payloadIncludes": {"not": {"a": 1}}}"#, "/match/payloadIncludes/not", "without not"),
            (
                #"{"payloadIncludes": {"aps": {"/alert": "Hi"}}}"#, "/match/payloadIncludes/aps/~1alert",
                "no member of aps"
            ),
        ])
    func included(text: String, field: String, says: String) {
        let found = problem { _ = try filter(text) }
        #expect(found?.field == field)
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
    }

    @Test(
        "an app's own members may have any names",
        arguments: [
            #"{"payloadIncludes": {"data": {"exists": true}}}"#, #"{"payloadIncludes": {"a.b": {"not": 1}}}"#,
            #"{"payloadIncludes": {"aps": {"content-state": {"not": 1}}}}"#, #"{"payload": {"/a.b": 1}}"#,
            #"{"payload": {"/~1deep~1link": 1}}"#, #"{"payload": {"/aps.own": 1}}"#,
            #"{"payloadIncludes": {"/deep": 1}}"#,
        ])
    func ownMembers(text: String) throws { _ = try filter(text) }

    @Test(
        "more conditions that no push meets together are refused",
        arguments: [
            (#"{"device": null, "scope": "t1"}"#, "nor has a push without a device"),
            (#"{"fault": "none", "outcome": "lost"}"#, "only a fault has a push lost"),
            (
                #"{"fault": "none", "outcome": "delivered", "status": 410}"#,
                "only a fault has a push lost, or delivered"
            ),
            (#"{"kind": "push", "device": null, "outcome": "delivered"}"#, "a broadcast has no device"),
            (#"{"kind": "broadcast", "shown": true}"#, "only a delivered push to a device is shown"),
            (#"{"kind": "broadcast", "screen": {"/title": "Hi"}}"#, "only a delivered push to a device is on a screen"),
        ])
    func together(text: String, says: String) {
        let found = problem { _ = try filter(text) }
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
    }

    @Test("a place needs a pointer where its value is a text")
    func emptyPointer() {
        for name in ["payload.", "!payload.", "screen.", "webPush."] {
            let found = problem { _ = try Filter(parameters: [(name, "x")]) }
            #expect(
                found?.problem.contains("names no place: expected a pointer") == true, "\(found?.problem ?? "taken")")
        }
    }

    @Test("a sign that compares, at the end of a pointer in a URL, is refused", arguments: ["!", ">", "<"])
    func signs(sign: String) {
        let found = problem { _ = try Filter(parameters: [("payload./aps/badge" + sign, "3")]) }
        #expect(found?.problem.contains("compares no values: expected") == true)
    }

    @Test("a hyphen alone, as of an exclusion without its word, is refused", arguments: ["-", " - "])
    func hyphen(line: String) throws {
        #expect(problem { _ = try Filter(line: line) }?.problem.hasPrefix("- excludes nothing") == true)
        _ = try Filter(line: #""-""#)
    }

    @Test("a part of an array is an element, as it is written")
    func elements() throws {
        let list = try JSONValue(parsing: #"["a", 1, 2.5, true, ["b"]]"#)
        for text in ["a", "1", "2.5", "true"] { #expect(list.contains(text)) }
        for text in ["b", "tru", "2", ""] { #expect(!list.contains(text)) }
    }

    @Test("punctuation alone is no reason", arguments: ["*", ".*", "^", "%"])
    func punctuation(text: String) {
        #expect(problem { _ = try Filter(parameters: [("reason", text)]) }?.problem.contains("as a whole") == true)
    }

    @Test("the patterns of a key are judged in a moment, whatever they are")
    func manyPatterns() throws {
        let patterns = (0..<8).map { "a[0-9a-f]{9}\($0)z|^f{19\($0),}$" }
        for pattern in patterns {
            let compiled = try Pattern(pattern, ignoresCase: true, at: "")
            #expect(TextShape(of: .token)?.mayMatch(compiled) == true)
        }
    }

    @Test("an empty part of a payload is refused", arguments: ["prefix", "contains"])
    func emptyPart(name: String) {
        let found = problem {
            _ = try Filter(json: ["payload": ["/a": .object([JSONMember(name, "")])]])
        }
        #expect(found?.field == "/match/payload/~1a/\(name)")
        #expect(found?.problem.contains("the empty one is a part of every text") == true)
    }

    @Test("the empty phrase, which is in every payload, is refused", arguments: [#""""#, #"-"""#, #"topic:com.a """#])
    func emptyPhrase(line: String) {
        #expect(problem { _ = try Filter(line: line) }?.problem.contains("in every payload") == true)
    }

    @Test(
        "a provider token with its signature is no value of authorization, which is kept without",
        arguments: ["bearer abc.def.ghi", "vapid t=abc.def.ghi, k=BA"])
    func authorization(value: String) {
        let found = problem { _ = try Filter(json: ["headers": ["authorization": .string(value)]]) }
        #expect(found?.field == "/match/headers/authorization")
        #expect(found?.problem.hasPrefix("authorization is kept without its signature") == true)
    }

    @Test("what is kept of a provider token is taken")
    func kept() throws {
        _ = try Filter(json: ["headers": ["authorization": "bearer abc.def"]])
        let key = "B" + String(repeating: "A", count: 86)
        _ = try Filter(json: ["headers": ["authorization": .string("vapid t=abc.def., k=\(key)")]])
        _ = try Filter(json: ["headers": ["authorization": ""]])
        _ = try Filter(json: ["headers": ["authorization": ["prefix": "bearer abc.def.ghi"]]])
    }

    @Test(
        "what is to be removed is never selected by an empty text",
        arguments: [#"topic:"""#, #"-payload:/aps/alert:"""#, #"-collapseId:"""#, #"-screen:/title:"""#])
    func selection(line: String) throws {
        let filter = try Filter(parameters: [("q", line)])
        let found = problem { try filter.checkSelection(at: "q") }
        #expect(found?.problem.contains("is empty: expected a value") == true)
    }

    @Test("a token of a length that the server doesn't take is refused wherever it stands")
    func tokenLengths() throws {
        let lengths = 32...100
        let half = String(repeating: "0a", count: 16)
        for text in [#"{"token": "HALF"}"#, #"{"token": {"not": "HALF"}}"#, #"{"token": ["HALF"]}"#] {
            let read = try filter(text.replacing("HALF", with: half))
            let found = problem { try read.checkTokens(lengths, at: "token") }
            #expect(found?.problem.contains("32 hexadecimal digits, expected 64 to 200") == true)
        }
        try filter(#"{"token": {"prefix": "00"}}"#).checkTokens(lengths, at: "token")
        let devices = try DeviceFilter(parameters: [("!token", half)])
        #expect(problem { try devices.checkTokens(lengths) }?.field == "!token")
        let draft = try FaultDraft(json: ["match": ["token": .string(half)], "action": ["type": "stall"]])
        #expect(problem { try draft.checkTokens(lengths, at: "/2") }?.field == "/2/match/token")
        let expectation = try Expectation(json: ["inOrder": [[:], ["token": .string(half)]]])
        #expect(problem { try expectation.checkTokens(lengths) }?.field == "/inOrder/1/token")
        let others = try Expectation(json: ["otherThan": [["token": .string(half)]], "count": ["max": 0]])
        #expect(problem { try others.checkTokens(lengths) }?.field == "/otherThan/0/token")
    }
}

@Suite("Filters of events and of arrivals that nothing can meet")
struct ImpossibleSubjectTests {
    @Test(
        "what the chosen kinds of events don't have is refused",
        arguments: [
            (["device"], "status", "200", "an event of the kind device has no status"),
            (["device"], "q", "hi", "has no text"),
            (["device", "fault"], "has", "warnings", "device or fault has no has"),
            (["clock"], "connection", "1", "has no connection"), (["channel"], "device", "kim", "has no device"),
            (["device"], "payload./aps/badge", "1", "has no payload:/aps/badge"),
            (["fault"], "topic", "com.a", "expected scope, fault, since or until"),
            (["clock", "reset"], "device", "kim", "expected scope, since or until"),
        ])
    func events(kinds: [String], name: String, value: String, says: String) {
        let subject = FilterSubject.ofEvents(kinds.compactMap { Event.Kind(rawValue: $0) })
        let found = problem { _ = try Filter(parameters: [(name, value)], of: subject) }
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
    }

    @Test(
        "what one of the chosen kinds has is taken",
        arguments: [
            (["device", "notification"], "status", "200"), (["device"], "topic", "com.a"),
            (["device"], "!status", "200"),
            (["activity"], "channel", "tvI2UK0vEfEAAA6GFnjo2Q=="), (["connection"], "team", "TEAM123456"),
            (["clock"], "since", "2026-11-21T09:30:00Z"), (["reset"], "scope", "t1"),
        ])
    func eventsWithKey(kinds: [String], name: String, value: String) throws {
        let subject = FilterSubject.ofEvents(kinds.compactMap { Event.Kind(rawValue: $0) })
        _ = try Filter(parameters: [(name, value)], of: subject)
    }

    @Test(
        "what no push that arrived has is refused",
        arguments: [
            ("outcome", "refused"), ("outcome", "unanswered"), ("outcome", "lost"), ("status", "99"),
        ])
    func arrivals(name: String, value: String) {
        #expect(problem { _ = try Filter(parameters: [(name, value)], of: .arrivals) } != nil)
    }

    @Test(
        "what a push that arrived may have is taken",
        arguments: [
            ("outcome", "delivered"), ("topic", "com.a"), ("kind", "broadcast"), ("status", "410"), ("shown", "true"),
            ("scope", "t1"), ("q", "payload:/a:1"),
        ])
    func possibleArrivals(name: String, value: String) throws {
        _ = try Filter(parameters: [(name, value)], of: .arrivals)
    }
}

@Suite("Filters of lists in a URL that exclude everything")
struct ExcludingParameterTests {
    @Test("an exclusion of every value is refused")
    func all() {
        let devices = problem {
            _ = try DeviceFilter(parameters: [("!online", "true"), ("!online", "false")])
        }
        #expect(devices?.field == "!online")
        #expect(devices?.problem.contains("all values of online are excluded") == true)
        let events = FaultEvent.allCases.map { (name: "!event", value: $0.rawValue) }
        #expect(problem { _ = try FaultFilter(of: events) }?.field == "!event")
        #expect(problem { _ = try FaultFilter(of: Array(events.dropLast())) } == nil)
    }

    @Test("a rule of a connection's event has no scope")
    func scoped() {
        let found = problem { _ = try FaultFilter(of: [("scope", "t1"), ("event", "accept")]) }
        #expect(found?.problem == "a rule of event accept has no scope: expected one of both")
        #expect(problem { _ = try FaultFilter(of: [("scope", "t1"), ("event", "request")]) } == nil)
        #expect(problem { _ = try FaultFilter(of: [("scope", ""), ("event", "accept")]) } == nil)
    }

    @Test(
        "a sign that compares is answered by what a URL has for it",
        arguments: [
            ("topic!", "expected !topic and the value to exclude it"), ("status>", "a URL compares no values"),
            ("status<", "a URL compares no values"), ("apns-topic", "did you mean \"topic\"?"),
            ("apns-push-type", "did you mean \"pushType\"?"), ("collapse-id", "did you mean \"collapseId\"?"),
        ])
    func signs(name: String, says: String) {
        let found = problem { _ = try Filter(parameters: [(name, "x")]) }
        #expect(found?.problem.contains(says) == true, "\(found?.problem ?? "taken")")
    }

    @Test("the same holds for devices and rules")
    func otherLists() {
        let devices = problem { _ = try DeviceFilter(parameters: [("scope!", "t1")]) }
        #expect(devices?.problem.contains("expected !scope and the value to exclude it") == true)
    }
}

@Suite("Clearer words for values in a URL")
struct ClearerValueTests {
    @Test("a plus of a time that a URL made a space is named")
    func time() {
        let found = problem { _ = try Filter(parameters: [("since", "2026-11-21T09:30:00 01:00")]) }
        #expect(found?.problem.contains("in a URL, + is written %2B") == true)
    }

    @Test("braces around a UUID are named")
    func braces() {
        let found = problem {
            _ = try Filter(parameters: [("apnsId", "{27CFDC15-E305-27E0-E290-8FC98E115899}")])
        }
        #expect(found?.problem.contains("a UUID without braces") == true)
    }

    @Test("a list of conditions is read as one of values")
    func list() {
        let found = problem { _ = try Filter(line: "topic:com.a|topic:com.b") }
        #expect(found?.problem.contains("as in topic:com.a topic:com.b on a line") == true, "\(found?.problem ?? "")")
    }
}
