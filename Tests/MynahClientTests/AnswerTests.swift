import APNsRules
import MynahClient
import MynahTestSupport
import Testing

/// What ``ControlAnswer`` reads of a document, and what it says of a wrong one.
@Suite("The answers of the control API")
struct AnswerTests {
    typealias Device = ControlClient.Device

    private func device(_ change: (String, String)...) throws -> Device {
        let text = change.reduce(SampleAnswers.device) { $0.replacing($1.0, with: $1.1) }
        return try Device(json: try JSONValue(parsing: text))
    }

    @Test("members have their names and types")
    func members() throws {
        let device = try device()
        #expect(device.id == "kims-phone")
        #expect(device.user == "kim")
        #expect(device.scope == nil)
        #expect(!device.online)
        #expect(device.platform == .iOS)
        #expect(device.power == .normal)
        let app = try #require(device.registrations.first)
        #expect(app.topic == "com.example.app")
        #expect(app.state == .active)
        #expect(app.since == Instant(rfc3339: "2030-01-01T09:30:00Z"))
        #expect(app.permissions.showPreviews == .always)
        #expect(device.inbox.count == 0)
    }

    @Test("the payload of a push is reached by its own names, and the whole document by json")
    func document() throws {
        let json = try JSONValue(parsing: SampleAnswers.notification)
        let push = try ControlClient.Notification(json: json)
        #expect(push.payload?["aps"]?["alert"]?.string == "hi")
        #expect(push.headers == [["apns-topic", "com.example.app"]])
        #expect(push.credential?.keyID == "ABC123DEFG")
        #expect(push.timeline.first?.event == "received")
        #expect(push.json == json)
    }

    @Test("further members of a newer server are ignored, and kept in json")
    func furtherMembers() throws {
        let newer = try device((#""id": "kims-phone""#, #""id": "kims-phone", "battery": {"level": 3}"#))
        #expect(newer.id == "kims-phone")
        #expect(newer.json["battery"]?["level"] == 3)
        #expect(try newer != device())
    }

    @Test("a word of a newer server is kept")
    func furtherWord() throws {
        let power = try device((#""power": "normal""#, #""power": "charging""#)).power
        #expect(power != .normal)
        #expect(power.rawValue == "charging")
    }

    @Test("a seed may be any number that a server takes")
    func seed() throws {
        let text = SampleAnswers.status.replacing(#""seed": 0"#, with: #""seed": \#(UInt64.max)"#)
        #expect(try ControlClient.Status(json: try JSONValue(parsing: text)).seed == .max)
    }

    @Test("a fault rule is read from an event, which doesn't say it in words")
    func event() throws {
        let answer = try JSONValue(parsing: SampleAnswers.fault)
        #expect(try ControlClient.Fault(json: answer).words?.does == ["answers 410 Unregistered"])
        let members = try #require(answer.object).filter { $0.name != "words" }
        let fault = try ControlClient.Fault(json: .object(members + [JSONMember("change", "changed")]))
        #expect(fault.id == "f-1")
        #expect(fault.words == nil)
    }

    @Test("a value that has one of two forms is one of two cases")
    func choice() throws {
        #expect(try device((#""focus": null"#, #""focus": "Work""#)).focus == .text("Work"))
        let focus = try device((#""focus": null"#, #""focus": {"name": "Work"}"#)).focus
        guard case .object(let known) = focus else {
            Issue.record("not an object: \(String(describing: focus))")
            return
        }
        #expect(known.name == "Work")
    }

    @Test(
        "a wrong answer is an error that names the member",
        arguments: [
            (#""online": false,"#, "", "/online", "/online of the Device is missing: expected true or false"),
            (
                #""online": false"#, #""online": null"#, "/online",
                "/online of the Device is null: expected true or false"
            ),
            (
                #""topic": "com.example.app""#, #""topic": 7"#, "/registrations/0/topic",
                "/registrations/0/topic of the Device is a number: expected a string"
            ),
            (
                #""since": "2030-01-01T09:30:00.000Z""#, #""since": "today""#, "/registrations/0/since",
                "/registrations/0/since of the Device is \"today\": expected a time, RFC 3339"
            ),
            (
                #""languages": []"#, #""languages": ["en", {}]"#, "/languages/1",
                "/languages/1 of the Device is an object: expected a string"
            ),
            (
                #""stored": 0"#, #""stored": 0.5"#, "/stored",
                "/stored of the Device is a number: expected a whole number"
            ),
            (
                #""strings": {}"#, #""strings": {"a/b": 1}"#, "/registrations/0/strings/a~1b",
                "/registrations/0/strings/a~1b of the Device is a number: expected a string"
            ),
        ])
    func wrongMember(part: String, wrong: String, field: String, message: String) {
        let error = #expect(throws: ClientError.self) { try device((part, wrong)) }
        #expect(error?.code == .notMynah)
        #expect(error?.field == field)
        #expect(error?.message == message)
    }

    @Test("a document that is no object is an error")
    func noObject() {
        let error = #expect(throws: ClientError.self) { try Device(json: ["kims-phone"]) }
        #expect(error?.message == "the Device is an array: expected an object")
    }

    @Test("a call's error says which server answered wrongly")
    func call() async throws {
        try await RecordingServer.run(.init(body: #"{"removed":{"devices":"two"}}"#)) { server in
            let client = ControlClient.patient(url: ControlURL(host: "127.0.0.1", port: server.port))
            let error = await #expect(throws: ClientError.self) { try await client.removeDevice("kim") }
            let problem = "/removed/devices of the Removed is a string: expected a whole number"
            #expect(error?.message == "http://127.0.0.1:\(server.port) answered wrongly: \(problem)")
            #expect(error?.field == "/removed/devices")
        }
    }
}
