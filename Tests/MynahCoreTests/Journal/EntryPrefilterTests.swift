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
        let bodies = [
            "", #"{"aps":{"alert":"Hello"}}"#, #"{"a":"h\u0065LLO","n":1E5}"#, #"{"a":"\u{212A}elvin"}"#,
            "Hello, no JSON", #"{"aps":{"alert":{"title":"News","body":"Hello"},"badge":3}}"#,
            #"{"aps":{"alert":{"loc-key":"He%@o","loc-args":["ll"]}}}"#,
        ]
        var odd = Entry.made(status: 400, outcome: .refused)
        odd.recordReason(FaultReason(text: "Odd"))
        let answered: [Entry] = [
            odd, .made(status: nil, outcome: .pending), .made(status: 599), .made(status: 503),
            .made(status: 410, refusal: Refusal(.unregistered, ""), outcome: .refused),
        ]
        return answered + bodies.map { Entry.made(body: $0) }
            + headers.flatMap { fields -> [Entry] in
                var entries = [Entry.made(headers: fields), Entry.made(token: nil, headers: fields)]
                for scope in ["t1", "t2", nil] {
                    var entry = Entry.made(token: Entry.anotherToken, headers: fields)
                    entry.label = DeviceLabel(device: "d", scope: scope)
                    if scope != nil { entry.uniqueID = NotificationID(unique: 7) }
                    entries.append(entry)
                }
                return entries
            }
    }

    @Test(
        "a rejected entry does not match, an accepted one does",
        arguments: [
            "", "topic:com.example.app", "topic:com.example.app topic:com.example.other", "-topic:com.example.app",
            "topic:cafe\u{301}", "scope:t1", "-scope:t1", "scope:t1 scope:t2", "token:\(Entry.aToken)",
            "uniqueId:\(NotificationID(unique: 7).text.uppercased())", "-uniqueId:\(NotificationID(unique: 7).text)",
            "token:\(Entry.anotherToken) topic:com.example.other scope:t2", "outcome:delivered topic:com.example.app",
            "outcome:refused", "-outcome:refused", "status:410", "-status:410", "status:599", "reason:Unregistered",
            "-reason:Unregistered", "hello", "-hello", "kelvin", "1E5", "json", "status:200 outcome:delivered",
            "topic:caf\u{e9}", "token:\(Entry.aToken.uppercased())",
            "payload:/aps/alert:Hello", "-payload:/aps/alert:Hello", "payload:/aps/alert~:ell", "payload:/n:100000",
            "payload:/a:Hello", "screen:/body:Hello", "screen:/body~:ell", "-screen:/body:Hello", "screen:/title:Hello",
            "screen:/body:Hello screen:/title:News", "screen:/badge:3",
            "pushType:alert status:200", "topic:com.example.app reason:Unregistered",
        ])
    func agrees(line: String) throws {
        let filter = try Filter(line: line)
        let conditions = EntryPrefilter(filter)
        for entry in Self.entries {
            let verdict = conditions.verdict(on: EntryFacts(entry))
            if filter.matches(PushView(entry)) {
                #expect(verdict != .rejected && conditions.mayHaveTexts(entry))
            } else {
                #expect(verdict != .accepted)
            }
        }
    }

    @Test(
        "entries with other values are ruled out",
        arguments: [
            "topic:a", "scope:b", "token:0a0b", "uniqueId:\(Entry.anID)", "uniqueId:\(NotificationID(unique: 9).text)",
            "status:410",
            "-outcome:delivered", "reason:Unregistered",
        ])
    func rulesOut(line: String) throws {
        let conditions = EntryPrefilter(try Filter(line: line))
        #expect(conditions.verdict(on: EntryFacts(.made(headers: [("apns-topic", "com.example.app")]))) == .rejected)
    }

    @Test(
        "usual values need no decoding",
        arguments: [
            "", "topic:com.example.app", "token:\(Entry.aToken)", "-status:410", "outcome:delivered",
            "-reason:Unregistered", "topic:com.example.app status:200 outcome:delivered",
        ])
    func accepts(line: String) throws {
        let conditions = EntryPrefilter(try Filter(line: line))
        #expect(conditions.verdict(on: EntryFacts(.made(headers: [("apns-topic", "com.example.app")]))) == .accepted)
    }

    @Test("a payload without the words is ruled out where its bytes are its text")
    func rulesOutTexts() throws {
        let conditions = EntryPrefilter(try Filter(line: "hello"))
        #expect(!conditions.mayHaveTexts(.made(body: #"{"aps":{"alert":"Hell"}}"#)))
        #expect(conditions.mayHaveTexts(.made(body: #"{"aps":{"alert":"HELLO"}}"#)))
        #expect(conditions.mayHaveTexts(.made(body: #"{"aps":{"alert":"\u0048ello"}}"#)))
    }

    @Test(
        "so are payloads and screens without the wanted text",
        arguments: [
            "payload:/aps/alert:Hello", "payload:/a/b~:Hello", "screen:/body:Hello", "screen:/title~:ello",
            #"{"payload":{"/aps/alert":{"prefix":"Hello"}}}"#,
        ])
    func rulesOutTextsOfPlaces(text: String) throws {
        let conditions = EntryPrefilter(
            try text.hasPrefix("{") ? Filter(json: JSONValue(parsing: text)) : Filter(line: text))
        #expect(!conditions.mayHaveTexts(.made(body: #"{"aps":{"alert":"Hell"}}"#)))
        #expect(conditions.mayHaveTexts(.made(body: #"{"aps":{"alert":"Hello"}}"#)))
    }
}
