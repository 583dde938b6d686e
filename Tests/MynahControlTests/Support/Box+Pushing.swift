import APNsRules
import Logging
import MynahControl
import MynahCore
import Synchronization
import Testing

@testable import Mynah

extension Box {
    /// The time of frozen clocks in tests.
    static let noon = "2026-11-21T12:00:00.000Z"

    /// Runs `body` with a box that accepts pushes without TLS, signed with any key.
    static func withPushes(
        _ change: (inout Settings, inout ControlSettings) -> Void = { _, _ in }, logLevel: Logger.Level = .info,
        _ body: (Box) async throws -> Void
    ) async throws {
        try await with(
            { server, control in
                server.cleartextPort = 0
                server.authentication = .structural
                change(&server, &control)
            }, logLevel: logLevel
        ) { box in
            try await body(box)
        }
    }

    /// Sends a push over HTTP/1.1 as a provider does, and returns its status.
    @discardableResult
    func send(
        to token: String, topic: String = "com.example.app", _ payload: String = #"{"aps":{"alert":"hi"}}"#,
        headers: [(String, String)] = []
    ) async throws -> Int {
        let apns = HTTPCaller(port: try #require(server.cleartextPort))
        let answer = try await apns.call(
            "POST", "/3/device/\(token)", payload,
            headers: [("authorization", "bearer \(providerToken)"), ("apns-topic", topic)] + headers)
        if let id = answer.headers["apns-id"].first.flatMap({ NotificationID($0) }),
            let sequence = server.journal.read({ $0.newestEntry(id)?.sequence })
        {
            sent.add(sequence)
        }
        return answer.status
    }

    /// The n-th sent push in the journal.
    func notification(_ ordinal: Int) async throws -> JSONValue {
        try await json("GET", "/v1/notifications/\(try #require(sent[ordinal]))")
    }

    /// The positions, from 1, of a list's items among the sent pushes.
    ///
    /// Sequence numbers don't count only pushes, so tests name the first or second push by its position.
    func ordinals(_ target: String) async throws -> [Int?] {
        ordinals(try #require(try await json("GET", target)["items"]?.array))
    }

    /// The positions of these events' IDs among the sent pushes.
    func ordinals(_ events: [EventReader.Event]) -> [Int?] {
        events.map { event in event.id.flatMap { UInt64($0) }.flatMap { sent.ordinal(of: $0) } }
    }

    /// The positions of these items among the sent pushes.
    func ordinals(_ items: [JSONValue]?) -> [Int?] {
        (items ?? []).map { item in item["sequence"]?.integer.flatMap { sent.ordinal(of: UInt64($0)) } }
    }

    private var providerToken: String {
        let parts = [
            #"{"alg":"ES256","kid":"ABC123DEFG"}"#,
            #"{"iss":"TEAM123456","iat":\#(server.now.milliseconds / 1000)}"#,
        ].map { Base64.encode(Array($0.utf8), url: true) }
        return (parts + [Base64.encode([UInt8](repeating: 1, count: 64), url: true)]).joined(separator: ".")
    }

    /// Freezes the server's clock.
    func freeze(at time: String = noon) async throws {
        let start = try #require(Instant(rfc3339: "2026-01-01T00:00:00Z"))
        var clock = ClockState()
        try clock.set(.frozen, now: start, wall: start)
        // Set the system's clock aside first, because a clock never goes back.
        try await server.setClock(clock)
        let answer = try await http.call("PUT", "/v1/clock", #"{"mode":"frozen","now":"\#(time)"}"#)
        #expect(answer.status == 200, "\(answer.text)")
    }

    /// Makes a device by the API and returns the token of its first app; with `online` false, takes the device
    /// offline.
    @discardableResult
    func device(_ id: String, _ further: String = "", online: Bool = true) async throws -> String {
        let answer = try await http.call(
            "POST", "/v1/devices", #"{"id":"\#(id)","registrations":[{"topic":"com.example.app"}]\#(further)}"#)
        #expect(answer.status == 201, "\(answer.text)")
        if !online { _ = try await json("PATCH", "/v1/devices/\(id)", #"{"online":false}"#) }
        return try #require(try answer.json()["registrations"]?.array?.first?["token"]?.string)
    }

    /// A call that must succeed, as JSON.
    func json(
        _ method: String, _ target: String, _ body: String? = nil, status: Int = 200,
        location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let answer = try await http.call(method, target, body)
        #expect(answer.status == status, "\(method) \(target): \(answer.text)", sourceLocation: location)
        return try answer.json()
    }

    /// The values of a member in a list's items.
    func items(_ target: String, _ name: String) async throws -> [JSONValue] {
        try #require(try await json("GET", target)["items"]?.array).compactMap { $0[name] }
    }
}

/// The numbers of pushes, in the order in which they were sent.
final class SentPushes: Sendable {
    private let numbers = Mutex<[UInt64]>([])

    func add(_ number: UInt64) { numbers.withLock { $0.append(number) } }

    /// The number of the n-th push, from 1.
    subscript(ordinal: Int) -> UInt64? {
        numbers.withLock { $0.indices.contains(ordinal - 1) ? $0[ordinal - 1] : nil }
    }

    /// The position of the push with a number.
    func ordinal(of number: UInt64) -> Int? { numbers.withLock { $0.firstIndex(of: number).map { $0 + 1 } } }
}
