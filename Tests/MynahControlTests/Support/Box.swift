import APNsRules
import Logging
import MynahCore
import MynahTestSupport
import Testing

@testable import Mynah
@testable import MynahControl

/// A server and its control plane on free ports, with trust material in memory.
struct Box: Sendable {
    let server: Server
    let control: ControlServer
    let http: HTTPCaller
    let log: LogLines
    /// The numbers of the pushes that ``send(to:topic:_:headers:)`` sent.
    let sent = SentPushes()

    /// Runs `body` with a new box, then shuts it down.
    static func with(
        _ change: (inout Settings, inout ControlSettings) -> Void = { _, _ in }, logLevel: Logger.Level = .info,
        readiness: Readiness = .ready, _ body: (Box) async throws -> Void
    ) async throws {
        var settings = Settings()
        settings.ports = [Settings.PortBinding(port: 0)]
        settings.stateDirectory = nil
        settings.eventLoops = 1
        settings.seed = 1
        settings.handshakeTimeout = Patience.duration
        settings.requestTimeout = Patience.duration
        var controlSettings = ControlSettings()
        controlSettings.port = 0
        // A caller whose thread has to wait may be late: with its request, the next one, or in taking its answer.
        controlSettings.listenerLimits.firstHeadTimeout = Patience.duration
        controlSettings.listenerLimits.headAboveTimeout = Patience.duration
        controlSettings.listenerLimits.bodyTimeout = Patience.duration
        controlSettings.listenerLimits.idleTimeout = Patience.duration
        controlSettings.listenerLimits.closeTimeout = Patience.duration
        controlSettings.streamLimits.stallMax = Patience.duration
        change(&settings, &controlSettings)
        let log = LogLines()
        let server = try await Server(settings, logger: log.logger(logLevel))
        do {
            let control = try await ControlServer.start(server, controlSettings, logger: log.logger(logLevel))
            control.setReadiness(readiness)
            let box = Box(server: server, control: control, http: HTTPCaller(port: control.port), log: log)
            do {
                try await body(box)
            } catch {
                await control.shutDown()
                throw error
            }
            await control.shutDown()
            try await server.shutDown()
        } catch {
            try await server.shutDown()
            throw error
        }
    }

    /// Adds a push to the journal as the push path does, and returns its number.
    @discardableResult
    func push(
        topic: String = "com.example.app", token: Int = 1, payload: String = #"{"aps":{"alert":"hi"}}"#,
        id: UInt128? = nil, refused: Reason? = nil
    ) -> UInt64 {
        let sequence = server.journal.takeSequence()
        var headers = HeaderBlock()
        headers.append("apns-topic", topic)
        headers.append("apns-push-type", "alert")
        let digits = String(token, radix: 16)
        let request = Candidate(
            PushRequest(headers: headers, body: Array(payload.utf8)), credential: .none, environment: .sandbox,
            settings: RuleSettings(), receivedAt: server.now)
        var entry = Entry(
            request, id: NotificationID(generated: id ?? UInt128(sequence)),
            bytes: headers.bytes + Array(payload.utf8), connection: 1, stream: 1)
        entry.sequence = sequence
        entry.token = DeviceToken(String(repeating: "0", count: 64 - digits.count) + digits)
        entry.hasOwnID = id != nil
        entry.status = Int16(refused?.status ?? 200)
        entry.outcome = refused == nil ? .delivered : .refused
        if let refused { entry.recordRefusal(Refusal(refused, "as the test wanted")) }
        server.journal.append(entry)
        return sequence
    }

    /// The sequence numbers of a list's items.
    func sequences(_ target: String) async throws -> [Int64] {
        let answer = try await http.call("GET", target)
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json()["items"]?.array).compactMap { $0["sequence"]?.integer }
    }
}

/// Checks that an answer is a problem document with this status and field.
func expectProblem(
    _ answer: HTTPCaller.Answer, _ status: Int, field: String? = nil, mentions words: String...,
    location: SourceLocation = #_sourceLocation
) throws {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
    #expect(answer.headers["content-type"] == ["application/problem+json"], sourceLocation: location)
    let document = try answer.json()
    #expect(document["status"]?.integer == Int64(status), sourceLocation: location)
    for name in ["type", "title", "status", "detail", "field", "allowed"] {
        #expect(document[name] != nil, "\(name) is missing", sourceLocation: location)
    }
    #expect(document["field"]?.string == field, "\(answer.text)", sourceLocation: location)
    let detail = document["detail"]?.string ?? ""
    for word in words { #expect(detail.contains(word), "\(detail)", sourceLocation: location) }
}
