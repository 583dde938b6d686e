import APNsRules
import Mynah
import MynahClient
import MynahControl
import MynahTestSupport
import MynahTrust
import Testing

@testable import MynahCLI

/// The cases of `fixtures/web-push` against a server in this process, over HTTP/2.
@Suite("The cases of the Web Push service, by a server")
struct WebPushServerTests {
    /// Runs a test with a server whose clock stands at ``WebPushSender/now``.
    private func withServer(_ test: @Sendable (WebPushSender) async throws -> Void) async throws {
        try await TestServer.with({ $0.server.webPushPort = 0 }) { facts in
            let control = ControlClient.patient(url: try ControlURL(facts.ready.controlURL))
            let port = try #require(facts.ready.webPushPort)
            try await control.freezeClock(at: WebPushSender.now)
            let provider = Provider.patient(
                host: "localhost", port: port, caPEM: try await control.certificateAuthority())
            try await test(WebPushSender(control: control, provider: provider, port: port))
        }
    }

    @Test("each request of the cases is answered as Apple does, with all that is wrong in the journal")
    func requestsAreAnswered() async throws {
        try await withServer { sender in
            var count = 0
            for fixture in try WebPushCase.all() {
                // A provider of this package sends nothing but POST, and a key that is on no curve can't subscribe.
                let method = fixture.json["request"]?["method"]
                guard method == nil, fixture.json["endpoint"]?["key"]?.string != "offcurve" else { continue }
                count += 1
                var world = try WebPushWorld()
                let device = "phone-\(count)"
                let key = fixture.json["endpoint"]?["key"]?.string == "other" ? world.other : world.own
                try await sender.subscribe(device, key, &world)
                if fixture.json["endpoint"]?.string == "gone" { try await sender.remove(device) }
                let request = try world.request(of: fixture)
                for _ in 0..<(fixture.json["times"]?.integer ?? 1) {
                    let push = try await sender.send(request)
                    let expected = try #require(fixture.json["expect"])
                    #expect(push["status"] == expected["status"], "\(fixture)")
                    #expect(push["reason"] ?? .null == expected["reason"] ?? .null, "\(fixture)")
                    let refusals = push["webPush"]?["refusals"]?.array ?? []
                    // The rules ask for a subscription also where the path has none.
                    guard fixture.json["endpoint"]?.string != "unknown" else { continue }
                    // The journal names the other key by the device that has it; the rules' tests compare that.
                    let causes = refusals.compactMap { $0["cause"]?.string }
                    let parts = (expected["causes"]?.array ?? []).compactMap(\.string)
                    #expect(causes.count == parts.count, "\(fixture): \(causes)")
                    for (cause, part) in zip(causes, parts) where !part.contains("the other app") {
                        #expect(cause.contains(part), "\(fixture)")
                    }
                }
            }
            #expect(count > 100)
        }
    }

    @Test("each message of the cases is shown as a browser does")
    func messagesAreShown() async throws {
        try await withServer { sender in
            for (index, fixture) in try WebPushCase.all(messages: true).enumerated() {
                var world = try WebPushWorld()
                let device = "phone-\(index)"
                try await sender.subscribe(device, world.own, &world)
                let message = try #require(fixture.json["message"])
                let text = JSONValue.string(message.string ?? message.encodedText)
                let request = WebPushCase(file: fixture.file, json: ["request": ["body": ["text": text]]])
                let push = try await sender.send(try world.request(of: request))
                let screen = try await sender.control.documents.screen(of: device)
                // One without any text isn't shown.
                let shown = screen["notifications"]?.array?.first
                for member in fixture.json["shows"]?.object ?? [] {
                    let value = member.value
                    switch member.name {
                    case "declarative": #expect(push["webPush"]?["declarative"] == value, "\(fixture)")
                    case "navigate": #expect(push["webPush"]?["navigate"] == value, "\(fixture)")
                    case "problem":
                        let problem = push["webPush"]?["notDeclarative"]?.string
                        #expect(problem.map { $0.contains(value.string ?? "") } ?? (value == .null), "\(fixture)")
                    case "title", "body": #expect(shown?[member.name] ?? .null == value, "\(fixture)")
                    case "badge":
                        let badge = screen["badges"]?[WebPushSender.topic] ?? .null
                        #expect(badge == (value == .whole(0) ? .null : value), "\(fixture)")
                    case "silent":
                        #expect(shown.map { $0["sound"] ?? .null == .null } == value.bool, "\(fixture)")
                    case "warnings":
                        let texts = (shown?["warnings"]?.array ?? []).compactMap(\.string)
                        if value.array?.isEmpty == true { #expect(texts.isEmpty, "\(fixture): \(texts)") }
                        for part in (value.array ?? []).compactMap(\.string) {
                            #expect(texts.contains { $0.contains(part) }, "\(fixture): \(texts)")
                        }
                    default: Issue.record("unknown member \(member.name)")
                    }
                }
            }
        }
    }
}

/// Sends web pushes to the devices of a server.
private struct WebPushSender: Sendable {
    static let topic = "https://shop.example"
    /// A time to come, since a clock can't go back.
    static let now = Instant(seconds: 4_070_908_800)

    let control: ControlClient
    let provider: Provider
    let port: Int

    /// Subscribes a web app on a new device, and puts its subscription into the world of the cases.
    func subscribe(_ device: String, _ key: P256PrivateKey, _ world: inout WebPushWorld) async throws {
        let made = try await control.documents.addDevice([
            "id": .string(device),
            "registrations": [
                [
                    "topic": .string(WebPushSender.topic), "kind": "web",
                    "applicationServerKey": .string(Base64.encode(key.publicKey.point, url: true)),
                ]
            ],
        ])
        let subscription = try #require(made["registrations"]?.array?.first?["webPush"])
        func bytes(_ name: String) throws -> [UInt8] {
            try #require(Base64.decode((subscription["keys"]?[name]?.string ?? "").utf8)?.bytes)
        }
        let segment = try #require(subscription["endpoint"]?.string?.split(separator: "/").last)
        world.now = WebPushSender.now
        world.origin = WebPushOrigin(host: "localhost", port: port)
        // The private number stays with the server.
        world.subscription = WebPushSubscription(
            segment: String(segment), privateNumber: [], publicKey: try bytes("p256dh"),
            authenticationSecret: try bytes("auth"))
    }

    /// Uninstalls the web app of a device, which the service has noticed then.
    func remove(_ device: String) async throws {
        try await control.uninstallApp(on: device, topic: WebPushSender.topic)
    }

    /// Sends a request; returns what the journal has of it.
    func send(_ request: WebPushRequest) async throws -> JSONValue {
        let fields = request.fields.filter { $0.name != "host" }.map { (name: $0.name, value: $0.value) }
        let answer = try await provider.send(.init(path: request.path, headers: fields, body: request.body))
        let id = try #require(answer.headers.first { $0.name == "apns-id" }?.value)
        let push = try #require(try await control.documents.notification(id))
        #expect(push["status"]?.integer == Int64(answer.status))
        return push
    }
}
