public import APNsRules
public import MynahCore

/// What the server does wrong, when, and to whom (`Documents#Fault-rules`).
///
/// ```swift
/// // Twice 503, then as APNs would.
/// try await apns.addFault(Fault(.respond(.serviceUnavailable), matching: .topic("com.example.app"), times: 2))
/// ```
public struct Fault: Hashable, Sendable {
    /// What follows the last of several actions.
    public typealias Then = FaultSchedule.Then
    /// The moment at which a fault acts.
    public typealias Event = FaultEvent

    // The rule's members; `match` is left out if there are filters, of which ``draft(scope:)`` makes it.
    private let members: [JSONMember]
    private let filters: [PushFilter]?
    private let event: Event?

    /// Makes a fault of its actions.
    ///
    /// - Parameters:
    ///   - actions: What happens; several actions take turns, each at one request.
    ///   - filters: The requests that it acts on: all without filters, in a scope only the scope's own.
    ///   - event: The moment at which it acts; `nil` for the action's usual one.
    ///   - then: What follows the last of several actions.
    ///   - times: How often it acts at most; `nil` for no limit.
    ///   - skip: How many matching requests are let through first.
    ///   - every: Acts at every n-th matching request.
    ///   - probability: How likely it acts, above 0 and at most 1; by the server's seed.
    ///   - name: A description.
    public init(
        _ actions: Action..., matching filters: PushFilter..., event: Event? = nil, then: Then = .pass,
        times: Int? = nil, skip: Int = 0, every: Int = 1, probability: Double = 1, name: String? = nil
    ) {
        let documents = actions.map(\.document)
        let action =
            documents.count == 1
            ? [JSONMember("action", documents[0])]
            : [JSONMember("actions", .array(documents)), JSONMember("then", .string(then.rawValue))]
        self.members =
            action + [
                JSONMember("times", .whole(times)), JSONMember("skip", .whole(skip)),
                JSONMember("every", .whole(every)), JSONMember("name", .text(name)),
                JSONMember("probability", .number(JSONNumber(text: "\(probability)"))),
            ]
        self.filters = filters
        self.event = event
    }

    /// A fault as the control API takes it, for what the other initialiser can't express.
    public init(_ document: JSONValue) {
        members = document.object ?? [JSONMember("", document)]
        filters = nil
        event = nil
    }

    /// A fault as the control API takes it, JSON.
    public init(json text: String) throws(MynahError) {
        do { self.init(try JSONValue(parsing: text)) } catch {
            throw MynahError(.invalid, "the fault is not JSON: \(error)")
        }
    }

    /// A preset of `mynah fault add`: its name, a status or a reason, then its options, as in
    /// `try Fault.preset("goaway", "--after", "3")`; without filters for all requests.
    public static func preset(_ words: String..., matching filters: PushFilter...) throws(MynahError) -> Fault {
        let document = try MynahError.reading { () throws(InputError) in try FaultPreset.parse(words) }
        return Fault(members: document.object ?? [], filters: filters)
    }

    private init(members: [JSONMember], filters: [PushFilter]) {
        self.members = members.filter { $0.name != "match" }
        self.filters = filters
        let match = members.last { $0.name == "match" }?.value
        self.event = (match?["event"]?.string).flatMap { Event(rawValue: $0) }
    }

    func draft(scope: String?) throws(MynahError) -> FaultDraft {
        var members = members
        if let filters {
            let event = JSONMember("event", .text(event?.rawValue))
            members.append(JSONMember("match", .object(try PushFilter.match(filters) + [event])))
        }
        if let scope {
            if let other = members.last(where: { $0.name == "scope" })?.value, other != .string(scope) {
                throw MynahError(
                    .invalid, field: "/scope",
                    "scope is \(other.encodedText), but the fault is added to the scope \(scope): leave it out")
            }
            members = members.filter { $0.name != "scope" } + [JSONMember("scope", .string(scope))]
        }
        return try MynahError.reading { [members] () throws(InputError) in try FaultDraft(json: .object(members)) }
    }
}

// MARK: - Actions

extension Fault {
    /// How long an answer is held back, in real time.
    public typealias Delay = FaultDelay.Length
    /// A certificate that a provider must not accept.
    public typealias Certificate = WireTLSFault.Certificate
    /// How a connection ends.
    public typealias Ending = WireClose.How

    /// What happens to a request or a connection: a row of the table of actions (`Documents#Fault-rules`).
    public struct Action: Hashable, Sendable {
        let document: JSONValue
        /// An action as the control API takes it, for those without a function here.
        public init(_ document: JSONValue) { self.document = document }

        private init(_ kind: FaultAction.Kind, delay: Delay? = nil, deliver: Bool? = nil) {
            self.document = FaultAction(kind, delay: delay.map { FaultDelay($0) }, deliver: deliver).json
        }

        // MARK: Answers

        /// Answers as APNs would; with a delay, late.
        public static func pass(delay: Delay? = nil) -> Action { Action(.pass, delay: delay) }
        /// Answers as APNs would.
        public static var pass: Action { .pass(delay: nil) }

        /// A refusal for a reason, with its status; `timestamp` is since when the token of a 410 is invalid, by default
        /// the time of the answer; with `deliver` the device still gets the push, which makes a retry a duplicate;
        /// `answerHeaders` are further header fields of the answer: `["retry-after": "5"]`.
        public static func respond(
            _ reason: Reason, timestamp: Instant? = nil, answerHeaders: [String: String] = [:], delay: Delay? = nil,
            deliver: Bool? = nil
        ) -> Action {
            let body = FaultResponse(reason, timestamp: timestamp).body
            let response = FaultResponse(status: reason.status, body: body, headerChanges: changes(answerHeaders))
            return Action(.respond(response), delay: delay, deliver: deliver)
        }

        /// Any answer, with a status of 200 to 599 and further header fields.
        public static func respond(
            status: Int, body: String, answerHeaders: [String: String] = [:], delay: Delay? = nil, deliver: Bool? = nil
        ) -> Action {
            let body = body.isEmpty ? FaultResponse.Body.empty : .raw(body)
            return Action(
                .respond(FaultResponse(status: status, body: body, headerChanges: changes(answerHeaders))),
                delay: delay,
                deliver: deliver)
        }

        private static func changes(_ headers: [String: String]) -> [FaultResponse.HeaderChange] {
            headers.sorted { $0.key < $1.key }.map { .set(name: $0.key, value: $0.value) }
        }

        /// No answer, ever.
        public static let stall = Action(.stall)
        /// No answer, ever, to a push that the device gets.
        public static let stallAndDeliver = Action(.stall, deliver: true)
        /// 200, and nothing is delivered.
        public static let lose = Action(.lose)
        /// 200 at once; the device gets the push after `time`, on its clock.
        public static func deliverLate(by time: Duration) -> Action { Action(.deliverLate(by: time)) }
        /// 200; the device gets the push several times.
        public static func duplicate(times: Int = 2) -> Action { Action(.duplicate(times: times)) }

        // MARK: HTTP/2

        /// RST_STREAM instead of the answer.
        public static func resetStream(code: HTTP2ErrorCode = .internalError, deliver: Bool? = nil) -> Action {
            Action(.wire(.resetStream(code, afterHeaders: false)), deliver: deliver)
        }

        /// GOAWAY, with a reason in its debug data as APNs gives one; open streams are finished before the close.
        public static func goAway(code: HTTP2ErrorCode = .noError, reason: Reason? = nil) -> Action {
            var goAway = WireGoAway()
            goAway.code = code
            if let reason { goAway.debugData = .reason(reason.rawValue) }
            return Action(.wire(.goAway(goAway)))
        }

        // MARK: Connections

        /// The connection's end instead of the answer.
        public static func close(_ how: Ending = .rst) -> Action { Action(.wire(.close(how, afterBytes: nil))) }

        /// Limits the connection's output from then on.
        public static func throttle(bytesPerSecond: Int) -> Action {
            Action(.wire(.throttle(bytesPerSecond: bytesPerSecond, chunk: nil)))
        }

        /// Connections are refused while the fault exists; not in a scope, because connections belong to none.
        public static let refuseConnections = Action(.refuse)
        /// A certificate in the handshake that a provider must not accept; not in a scope.
        public static func certificate(_ certificate: Certificate) -> Action { Action(.tls(.certificate(certificate))) }
        /// A TLS alert in the handshake; not in a scope.
        public static func alert(_ alert: TLSAlert) -> Action { Action(.tls(.alert(alert, .duringHandshake))) }
    }
}

/// A fault in force.
public struct ActiveFault: Hashable, Sendable {
    /// A fault's counters.
    public struct Counts: Hashable, Sendable {
        /// How many requests the rule matched.
        public let matched: Int
        /// How often the rule acted.
        public let fired: Int
        /// How often the rule may still act; `nil` for no limit.
        public let remaining: Int?
    }

    let server: MynahServer
    /// The rule's id, by which the journal names it.
    public let id: String
    /// The rule's counters; `nil` if the rule was removed.
    public var counts: Counts? { server.running.fault(id).map { Counts($0) } }

    /// Waits until it has acted `times` times or the time is over, and returns its counters; `nil` if it is gone.
    public func waitUntilFired(_ times: Int = 1, within: Duration = .seconds(5)) async -> Counts? {
        await server.running.waitForFault(id, hits: times, until: .now + within).map { Counts($0) }
    }

    /// Removes the rule; returns `false` if it was removed before.
    @discardableResult
    public func remove() async throws(MynahError) -> Bool { try await server.change { try await $0.removeFault(id) } }
}

extension ActiveFault.Counts {
    fileprivate init(_ view: FaultView) {
        matched = view.counters.matched
        fired = view.counters.fired
        remaining = view.counters.remaining(of: view.rule.schedule)
    }
}

extension MynahSimulation {
    /// Adds a fault, in a scope for its pushes only; it takes precedence over existing ones.
    @discardableResult
    public func addFault(_ fault: Fault) async throws(MynahError) -> ActiveFault {
        let draft = try fault.draft(scope: scopeName)
        let view = try await server.change { try await $0.addFaults([draft]).first }
        guard let view else { throw MynahError(.conflict, "the fault was removed at the same time") }
        return ActiveFault(server: server, id: view.rule.id)
    }

    /// The faults in force, in order of precedence; in a scope its own.
    public var faults: [ActiveFault] {
        server.running.faults.filter { scopeName == nil || $0.rule.scope == scopeName }
            .map { ActiveFault(server: server, id: $0.rule.id) }
    }

    /// Removes all faults, in a scope its own; returns how many there were.
    @discardableResult
    public func removeFaults() async throws(MynahError) -> Int {
        try await server.change { [scopeName] in try await $0.removeFaults(ofScope: scopeName) }
    }
}
