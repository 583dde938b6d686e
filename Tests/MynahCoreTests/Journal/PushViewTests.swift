import APNsRules
import Testing

@testable import MynahCore

@Suite("A push in the journal")
struct PushViewTests {
    private let claims = "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJURUFNMTIzNDU2In0"

    private func credential(warnings: [String] = []) -> JudgedCredential {
        JudgedCredential(
            authorization: AuthorizationValue(Array("bearer \(claims).c2lnbmF0dXJl".utf8)),
            verdict: .token(
                ProviderIdentity(
                    team: "TEAM123456", keyID: "ABC123DEFG", issuedAt: Instant(seconds: 1), warnings: warnings)))
    }

    @Test("it is printed with the keys of the contract, in their order")
    func json() {
        let view = PushView(
            .made(
                4711, id: Entry.anID,
                headers: [
                    ("authorization", "x"), ("apns-id", Entry.anID), ("apns-topic", "com.example.app"), ("x-own", "1"),
                    ("x-own", "2"),
                ],
                body: #"{"aps":{"alert":"hi"}}"#, credential: credential()))
        #expect(
            view.json.encodedText == """
                {"sequence":4711,"apnsId":"\(Entry.anID)","kind":"push","attempt":1,"repeats":null,"uniqueId":null,\
                "receivedAt":"2026-11-21T09:30:00.123Z","environment":"sandbox","connection":12,"stream":3,\
                "credential":{"kind":"token","team":"TEAM123456","keyId":"ABC123DEFG","subject":null},\
                "token":"\(Entry.aToken)","device":"\(Entry.aToken)","scope":null,"topic":"com.example.app",\
                "channel":null,"devices":null,"pushType":"alert","priority":10,"expiration":null,"collapseId":null,"method":"POST",\
                "path":"/3/device/\(Entry.aToken)","headers":[["authorization","bearer \(claims)"],\
                ["apns-id","\(Entry.anID)"],["apns-topic","com.example.app"],["x-own","1"],["x-own","2"]],\
                "payload":{"aps":{"alert":"hi"}},"payloadSize":22,"warnings":["push type inferred"],"status":200,\
                "reason":null,"timestamp":null,"fault":null,"outcome":"delivered","shown":true,"sounded":false,\
                "timeline":[\
                {"at":"2026-11-21T09:30:00.123Z","event":"received","detail":null},\
                {"at":"2026-11-21T09:30:00.123Z","event":"delivered","detail":null},\
                {"at":"2026-11-21T09:30:00.123Z","event":"shown","detail":null}]}
                """)
    }

    @Test("a payload is printed byte for byte, or as base64 if it is not JSON")
    func payloadBytes() {
        let spaced = "{ \"aps\" : {\"badge\":1.0, \"badge\":2} }"
        #expect(PushView(.made(body: spaced)).json["payload"] == .raw(Array(spaced.utf8)))
        #expect(PushView(.made(body: spaced)).json["payloadBase64"] == nil)
        #expect(PushView(.made(body: "{nope")).json["payload"] == .null)
        #expect(PushView(.made(body: "{nope")).json["payloadBase64"] == "e25vcGU=")
    }

    @Test("a body that was too large to keep has its size, and its beginning is not judged")
    func cutBody() {
        var entry = Entry.made(headers: [("apns-push-type", "alert")], body: #"{"aps":{"alert":"a"#)
        entry.bodyByteCount = 5022
        let json = PushView(entry).json
        #expect(json["payloadSize"] == 5022)
        #expect(json["payload"] == .null)
        #expect(json["payloadBase64"]?.string == Base64.encode(Array(#"{"aps":{"alert":"a"#.utf8)))
        #expect(json["warnings"] == [])
        // Digits are JSON wherever they are cut.
        var digits = Entry.made(headers: [("apns-push-type", "alert")], body: "123")
        digits.bodyByteCount = 5022
        #expect(PushView(digits).json["payload"] == .null && PushView(digits).warnings.isEmpty)
    }

    @Test("a refused push has status, reason, time and detail, and no device")
    func refused() {
        let refusal = Refusal(.unregistered, "uninstalled", timestamp: Instant(milliseconds: 1_700_000_000_000))
        let json = PushView(.made(body: "{}", refusal: refusal)).json
        #expect(json["status"] == 410)
        #expect(json["reason"] == "Unregistered")
        #expect(json["timestamp"] == 1_700_000_000_000)
        #expect(json["device"] == .null)
        #expect(json["shown"] == false)
        #expect(json["timeline"]?.array?.last?["event"] == "refused")
        #expect(json["timeline"]?.array?.last?["detail"] == "uninstalled")
    }

    @Test("a pending push has no status and has only been received")
    func pending() {
        let json = PushView(.made(status: nil, outcome: .pending)).json
        #expect(json["status"] == .null)
        #expect(json["timeline"]?.array?.count == 1)
    }

    @Test("a timeline of its own is printed as it is")
    func timeline() {
        var entry = Entry.made(outcome: .stored)
        entry.timeline = [.init(at: entry.receivedAt, event: "stored", detail: "device offline")]
        #expect(PushView(entry).json["timeline"]?.array?.count == 1)
        #expect(PushView(entry).json["timeline"]?.array?.first?["detail"] == "device offline")
    }

    @Test(
        "a push that was delivered later was shown when it was delivered",
        arguments: [(#"{"aps":{"alert":"a"}}"#, ["shown"]), (#"{"aps":{"content-available":1}}"#, [])])
    func shownLater(body: String, further: [String]) {
        var entry = Entry.made(body: body, outcome: .stored)
        let at = entry.receivedAt.advanced(by: .seconds(60))
        entry.apply(EntryChange(sequence: 1, outcome: .delivered, at: at, detail: nil))
        let json = PushView(entry).json
        #expect(json["shown"] == .bool(!further.isEmpty))
        let steps = json["timeline"]?.array ?? []
        #expect(steps.map { $0["event"]?.string } == ["received", "stored", "delivered"] + further)
        #expect(steps.last?["at"] == .string(at.rfc3339))
    }

    @Test(
        "a delivered push that makes a sound has sounded, with an alert or without",
        arguments: [
            (#"{"aps":{"alert":"a","sound":"default"}}"#, nil, Outcome.delivered, true),
            (#"{"aps":{"sound":"default"}}"#, nil, .delivered, true),
            (#"{"aps":{"sound":{"name":"x.caf"}}}"#, "alert", .delivered, true),
            (#"{"aps":{"alert":"a"}}"#, nil, .delivered, false), (#"{"aps":{"sound":""}}"#, nil, .delivered, false),
            (#"{"aps":{"alert":"a","sound":"default","interruption-level":"passive"}}"#, nil, .delivered, false),
            (#"{"aps":{"alert":"a","sound":"default"}}"#, "voip", .delivered, false),
            (#"{"aps":{"alert":"a","sound":"default"}}"#, nil, .stored, false),
        ] as [(String, String?, Outcome, Bool)])
    func sounded(body: String, pushType: String?, outcome: Outcome, expected: Bool) throws {
        let headers = [("apns-topic", "com.example.app")] + (pushType.map { [("apns-push-type", $0)] } ?? [])
        let view = PushView(.made(headers: headers, body: body, outcome: outcome))
        #expect(view.json["sounded"] == .bool(expected))
        #expect(try Filter(json: ["sounded": .bool(expected)]).matches(view))
        let sounds = (view.json["timeline"]?.array ?? []).filter { $0["event"] == "sounded" }
        #expect(sounds.compactMap { $0["detail"]?.string } == (expected ? ["default"] : []))
    }

    @Test("the timeline of a device with a screen has no duplicate events")
    func notedOnce() {
        var entry = Entry.made(body: #"{"aps":{"alert":"a"}}"#)
        entry.recordShown(ShownOutcome(isShown: true, at: entry.receivedAt, reason: "banner"), at: entry.receivedAt)
        let steps = PushView(entry).json["timeline"]?.array ?? []
        #expect(steps.map { $0["event"]?.string } == ["received", "delivered", "shown"])
    }

    @Test("a push without token and headers has null members")
    func bare() {
        let json = PushView(.made(token: nil)).json
        #expect(json["token"] == .null)
        #expect(json["topic"] == .null)
        #expect(json["credential"] == .null)
        #expect(json["warnings"]?.array == ["push type inferred", "payload is empty"])
    }

    @Test(
        "the expiration is a time, or 0 as sent, or nothing",
        arguments: [
            ("0", JSONValue.number(JSONNumber(0))), ("1700000000", "2023-11-14T22:13:20.000Z"), ("soon", .null),
        ])
    func expiration(header: String, expected: JSONValue) {
        #expect(PushView(.made(headers: [("apns-expiration", header)])).json["expiration"] == expected)
    }

    @Test(
        "the push type is the one sent, else that of the topic's suffix, else of the payload",
        arguments: [
            (["apns-push-type": "background"], "{}", "background"), (["apns-push-type": "no-such"], "{}", "no-such"),
            (["apns-topic": "com.example.app.voip"], "{}", "voip"),
            ([:], #"{"aps":{"content-available":1}}"#, "background"),
            ([:], #"{"aps":{"content-available":1,"badge":0}}"#, "alert"),
            ([:], #"{"aps":{"content-available":true}}"#, "background"),
            ([:], #"{"aps":{"content-available":0}}"#, "alert"), ([:], "nope", "alert"),
        ] as [([String: String], String, String)])
    func pushType(headers: [String: String], body: String, expected: String) {
        let view = PushView(.made(headers: headers.map { ($0.key, $0.value) }, body: body))
        #expect(view.pushType(payload: view.payload) == expected)
    }

    @Test(
        "a delivered alert with text, badge or sound is shown",
        arguments: [
            (#"{"aps":{"alert":"a"}}"#, nil, Outcome.delivered, true),
            (#"{"aps":{"alert":""}}"#, nil, .delivered, false),
            (#"{"aps":{"alert":{"title":"a"}}}"#, "alert", .delivered, true),
            (#"{"aps":{"alert":{}}}"#, nil, .delivered, false),
            (#"{"aps":{"badge":1}}"#, "alert", .delivered, false),
            (#"{"aps":{"alert":"a"}}"#, "voip", .delivered, false),
            (#"{"aps":{"alert":"a"}}"#, nil, .stored, false), (#"{"aps":{"alert":7}}"#, nil, .delivered, false),
        ] as [(String, String?, Outcome, Bool)])
    func shown(body: String, pushType: String?, outcome: Outcome, expected: Bool) {
        let headers = pushType.map { [("apns-push-type", $0)] } ?? []
        #expect(PushView(.made(headers: headers, body: body, outcome: outcome)).json["shown"] == .bool(expected))
    }

    @Test(
        "oddities of a payload are warnings",
        arguments: [
            ("{nope", "payload is not JSON at byte 1: a member's name in quotes was expected"),
            ("[]", "payload is an array: expected an object"), ("{}", "payload has no aps"),
            (#"{"mdm":"x"}"#, "payload has no aps"), (#"{"aps":1}"#, "aps is a number: expected an object"),
        ])
    func warnings(body: String, expected: String) {
        let view = PushView(.made(headers: [("apns-push-type", "voip"), ("apns-topic", "a.voip")], body: body))
        #expect(view.warnings == [expected])
    }

    @Test(
        "what any device would find wrong is a warning, what only its app could is not",
        arguments: [
            (
                #""content-available":"1""#,
                ["aps.content-available is a string: expected the number 1; the app is not woken"]
            ),
            (#""content-available":0"#, ["aps.content-available is 0: expected the number 1; the app is not woken"]),
            (#""content-available":1"#, []), (#""badge":"3""#, ["aps.badge is a string: expected a number"]),
            (#""thread_id":"a""#, ["aps.thread_id is unknown: did you mean thread-id?"]),
            (
                #""alert":{"loc-key":"%@","loc-args":[],"action-loc-key":"PLAY"},"category":"A""#, []
            ),
            (#""interruption-level":"critical""#, []),
            (#""sound":{"critical":1,"name":"siren.caf","volume":0.5}"#, []),
        ] as [(String, [String])])
    func deviceWarnings(members: String, expected: [String]) {
        let alert = members.contains("alert") ? "" : #""alert":"hi","#
        let view = PushView(.made(headers: [("apns-push-type", "alert")], body: "{\"aps\":{\(alert)\(members)}}"))
        #expect(view.warnings == expected)
    }

    @Test(
        "what Wallet, Safari and device management can't use is a warning",
        arguments: [
            ("pass.com.example.card", "{}", nil), ("pass.com.example.card", #"{"aps":{}}"#, nil),
            ("pass.com.example.card", #"{"aps":{"alert":"hi"}}"#, "aps is of no use to Wallet"),
            ("pass.com.example.card", #"{"a":1}"#, "a is of no use to Wallet: expected the payload {}"),
            ("web.com.example", #"{"aps":{"alert":{"title":"a","body":"b"},"url-args":["c",4]}}"#, nil),
            ("web.com.example", #"{"aps":{"alert":"a","url-args":[]}}"#, nil),
            ("web.com.example", #"{"aps":{"alert":"a"}}"#, "aps has no url-args: expected an array of strings"),
            ("web.com.example", #"{"aps":{"alert":"a","url-args":null}}"#, "aps.url-args is null: expected an array"),
            ("web.com.example", #"{"aps":{"alert":"a","url-args":"c"}}"#, "aps.url-args is a string: expected"),
            ("web.com.example", #"{"aps":{"alert":"a","url-args":[[]]}}"#, "aps.url-args has an array: expected"),
            ("com.apple.mgmt.External.1", #"{"mdm":"m"}"#, nil),
            ("com.apple.mgmt.External.1", "{}", "payload has no mdm: expected the string"),
            ("com.apple.mgmt.External.1", #"{"mdm":5}"#, "mdm is a number: expected the string"),
            ("com.apple.mgmt.External.1", #"{"mdm":"m","aps":{},"b":1}"#, "aps and b beside mdm: expected mdm alone"),
        ] as [(String, String, String?)])
    func otherTopics(topic: String, body: String, expected: String?) {
        let type = topic.hasPrefix("com.apple.mgmt") ? "mdm" : "alert"
        let view = PushView(.made(headers: [("apns-push-type", type), ("apns-topic", topic)], body: body))
        #expect(view.warnings.count == (expected == nil ? 0 : 1), "\(view.warnings)")
        if let expected { #expect(view.warnings.first?.hasPrefix(expected) == true, "\(view.warnings)") }
    }

    @Test("oddities of a provider token are warnings of every push with it")
    func tokenWarnings() {
        let entry = Entry.made(
            headers: [("apns-push-type", "alert")], body: #"{"aps":{"alert":"a"}}"#,
            credential: credential(warnings: ["iat is a string"]))
        #expect(PushView(entry).warnings == ["iat is a string"])
    }
}

@Suite("Contradictions between push type, topic, priority and payload")
struct AgreementTests {
    private func reasons(
        _ pushType: PushType?, topic: String? = nil, priority: Priority? = nil, payload: String? = nil
    ) throws -> [Reason] {
        let value = try payload.map { try JSONValue(parsing: $0) }
        guard let topic else {
            return Agreement.contradictions(pushType: pushType, topic: nil, priority: priority, payload: value)
                .map(\.reason)
        }
        let bytes = Array(topic.utf8)
        return Agreement.contradictions(pushType: pushType, topic: bytes.span, priority: priority, payload: value)
            .map(\.reason)
    }

    @Test("an alert needs alert, badge or sound")
    func alert() throws {
        #expect(try reasons(.alert, payload: "{}") == [.invalidPushType])
        #expect(try reasons(.alert, payload: #"{"aps":{"content-available":1}}"#) == [.invalidPushType])
        for name in ["alert", "badge", "sound"] {
            #expect(try reasons(.alert, payload: "{\"aps\":{\"\(name)\":0}}") == [])
        }
    }

    @Test("a background push has none of them, and not priority 10, which is the default")
    func background() throws {
        let silent = #"{"aps":{"content-available":1}}"#
        #expect(try reasons(.background, priority: .powerConsiderate, payload: silent) == [])
        #expect(try reasons(.background, priority: .lowest, payload: silent) == [])
        #expect(try reasons(.background, priority: .immediate, payload: silent) == [.badPriority])
        #expect(try reasons(.background, payload: silent) == [.badPriority])
        let visible = #"{"aps":{"alert":"a","content-available":1}}"#
        #expect(try reasons(.background, priority: .lowest, payload: visible) == [.invalidPushType])
    }

    @Test("only the number 1 as content-available wakes an app", arguments: ["0", "2", #""1""#, "null", "true", "[1]"])
    func contentAvailable(value: String) throws {
        let payload = "{\"aps\":{\"content-available\":\(value)}}"
        #expect(try reasons(.background, priority: .powerConsiderate, payload: payload) == [.invalidPushType])
        #expect(try reasons(.voip, payload: payload) == [])
        #expect(ContentAvailable(try JSONValue(parsing: payload)["aps"]).wakesApp == (value == "true"))
    }

    @Test("a background push without content-available wakes nothing", arguments: ["{}", #"{"aps":{}}"#])
    func contentAvailableMissing(payload: String) throws {
        #expect(try reasons(.background, priority: .powerConsiderate, payload: payload) == [.invalidPushType])
    }

    @Test("a Live Activity has priority 5 or 10")
    func liveActivity() throws {
        #expect(try reasons(.liveactivity, priority: .lowest) == [.badPriority])
        #expect(try reasons(.liveactivity, priority: .powerConsiderate) == [])
        #expect(try reasons(.liveactivity) == [])
    }

    @Test("the topic's suffix is that of the push type")
    func topic() throws {
        let suffixes: [(PushType, String)] = [
            (.location, ".location-query"), (.voip, ".voip"), (.complication, ".complication"),
            (.fileprovider, ".pushkit.fileprovider"), (.liveactivity, ".push-type.liveactivity"),
            (.pushtotalk, ".voip-ptt"), (.widgets, ".push-type.widgets"), (.controls, ".push-type.controls"),
        ]
        for (pushType, suffix) in suffixes {
            #expect(try reasons(pushType, topic: "com.example.app" + suffix) == [])
            #expect(try reasons(pushType, topic: "com.example.app") == [.invalidPushType])
            #expect(try reasons(.alert, topic: "com.example.app" + suffix) == [.invalidPushType])
        }
        #expect(try reasons(.mdm, topic: "com.example.app.voip") == [.invalidPushType])
        #expect(try reasons(.mdm, topic: "com.apple.mgmt.External.1") == [])
        #expect(try reasons(.alert, topic: "com.apple.mgmt.External.1", payload: "{}") == [.invalidPushType])
    }

    @Test(
        "the update of a pass contradicts nothing, unless its push type is for something else",
        arguments: ["{}", #"{"aps":{}}"#])
    func pass(payload: String) throws {
        let topic = "pass.com.example.card"
        for pushType in [nil, .alert, .background] as [PushType?] {
            for priority in [nil] + Priority.allCases {
                #expect(try reasons(pushType, topic: topic, priority: priority, payload: payload) == [])
            }
        }
        #expect(try reasons(.voip, topic: topic, payload: payload) == [.invalidPushType])
        #expect(try reasons(.mdm, topic: topic, payload: payload) == [.invalidPushType])
    }

    @Test("a push type that was not given follows from topic and payload, and contradicts no topic")
    func inferred() throws {
        #expect(try reasons(nil, topic: "com.example.app.voip", priority: .immediate, payload: "{}") == [])
        #expect(try reasons(nil, topic: "com.example.app", payload: "{}") == [])
        #expect(try reasons(nil, topic: "com.example.app", payload: #"{"aps":{"alert":"a"}}"#) == [])
        #expect(try reasons(nil, payload: #"{"aps":{}}"#) == [.invalidPushType])
        let silent = #"{"aps":{"content-available":1}}"#
        #expect(try reasons(nil, priority: .powerConsiderate, payload: silent) == [])
        #expect(try reasons(nil, payload: silent) == [.badPriority])
        #expect(
            try reasons(nil, priority: .powerConsiderate, payload: #"{"aps":{"content-available":"1"}}"#)
                == [.invalidPushType, .invalidPushType])
    }
}
