public import APNsRules
public import MynahCore

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

        /// As APNs would; with a delay, late.
        public static func pass(delay: Delay? = nil) -> Action { Action(.pass, delay: delay) }
        /// As APNs would.
        public static var pass: Action { .pass(delay: nil) }

        /// A refusal of the table of reasons.
        ///
        /// - Parameters:
        ///   - reason: The reason, with its status.
        ///   - timestamp: Of a 410, since when the token is no longer good; `nil`: the moment of the answer.
        ///   - delay: How long it is held back.
        ///   - deliver: Whether the device gets the push nevertheless, which makes a provider's retry a duplicate.
        public static func respond(
            _ reason: Reason, timestamp: Instant? = nil, delay: Delay? = nil, deliver: Bool? = nil
        ) -> Action {
            Action(.respond(FaultResponse(reason, timestamp: timestamp)), delay: delay, deliver: deliver)
        }

        /// Any answer.
        ///
        /// - Parameters:
        ///   - status: The status, 200 to 599.
        ///   - body: The body.
        ///   - headers: Further headers.
        ///   - delay: How long it is held back.
        ///   - deliver: Whether the device gets the push nevertheless.
        public static func respond(
            status: Int, body: String, headers: [String: String] = [:], delay: Delay? = nil, deliver: Bool? = nil
        ) -> Action {
            let changes = headers.sorted { $0.key < $1.key }.map {
                FaultResponse.HeaderChange.set(name: $0.key, value: $0.value)
            }
            let body = body.isEmpty ? FaultResponse.Body.empty : .raw(body)
            return Action(
                .respond(FaultResponse(status: status, body: body, headerChanges: changes)), delay: delay,
                deliver: deliver)
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
            Action(.resetStream(code, when: .beforeHeaders), deliver: deliver)
        }

        /// GOAWAY; the open streams are finished, then the connection is closed.
        ///
        /// - Parameters:
        ///   - code: The error code.
        ///   - reason: The reason in its debug data, as APNs gives one.
        public static func goAway(code: HTTP2ErrorCode = .noError, reason: Reason? = nil) -> Action {
            var goAway = WireGoAway()
            goAway.code = code
            if let reason { goAway.debugData = .reason(reason.rawValue) }
            return Action(.goAway(goAway))
        }

        // MARK: Connections

        /// The connection's end instead of the answer.
        public static func close(_ how: Ending = .rst) -> Action { Action(.close(WireClose(how: how))) }

        /// From then on a limit of the connection's output.
        public static func throttle(bytesPerSecond: Int) -> Action {
            Action(.throttle(bytesPerSecond: bytesPerSecond, chunk: nil))
        }

        /// Connections are refused while the fault exists; not in a scope, because connections belong to none.
        public static let refuseConnections = Action(.refuse)

        /// A certificate in the handshake that a provider must not accept; not in a scope.
        public static func certificate(_ certificate: Certificate) -> Action { Action(.tls(.certificate(certificate))) }
        /// A TLS alert in the handshake; not in a scope.
        public static func alert(_ alert: TLSAlert) -> Action { Action(.tls(.alert(alert, .duringHandshake))) }
    }
}
