public import APNsRules
internal import MynahCore

extension Fault {
    /// How long an answer is held back, in real time.
    public enum Delay: Hashable, Sendable {
        /// Always so long.
        case fixed(Duration)
        /// Anything between two times, each length as likely.
        case uniform(Duration, Duration)
        /// About a mean; two of three within the deviation.
        case normal(mean: Duration, deviation: Duration)

        fileprivate var document: JSONValue {
            func text(_ duration: Duration) -> JSONValue { .string(DurationText.text(duration)) }
            return switch self {
            case .fixed(let duration): text(duration)
            case .uniform(let least, let most): ["uniform": [text(least), text(most)]]
            case .normal(let mean, let deviation): ["normal": [text(mean), text(deviation)]]
            }
        }
    }

    /// A certificate that a provider must not accept.
    public enum Certificate: String, CaseIterable, Sendable {
        /// Of the server's CA and with the right names, out of date.
        case expired
        /// Of the server's CA, for names of another service.
        case wrongHost
        /// With the right names, of a CA that nobody has been told of.
        case untrusted
    }

    /// How a connection ends.
    public enum Ending: String, CaseIterable, Sendable {
        /// By FIN, as a server that is done.
        case fin
        /// By a reset.
        case rst
        /// Not at all: the connection is forgotten, as behind a firewall that lost its table.
        case halfOpen
    }

    /// What happens to a request or a connection: a row of the table of actions (`Documents#Fault-rules`).
    public struct Action: Hashable, Sendable {
        let document: JSONValue

        private init(_ type: String, _ members: [(String, JSONValue?)] = []) {
            self.document = .object(
                [JSONMember("type", .string(type))]
                    + members.compactMap { name, value in value.map { JSONMember(name, $0) } })
        }

        /// An action as the control API takes it, for all that has no word here.
        public init(_ document: JSONValue) { self.document = document }

        // MARK: Answers

        /// As APNs would; with a delay, late.
        public static func pass(delay: Delay? = nil) -> Action { Action("pass", [("delay", delay?.document)]) }

        /// As APNs would.
        public static var pass: Action { .pass(delay: nil) }

        /// A refusal of the table of reasons.
        ///
        /// - Parameters:
        ///   - reason: The reason, with its status.
        ///   - timestamp: Of a 410, since when the token is no longer good; `nil`: the moment of the answer.
        ///   - delay: How long it is held back.
        ///   - deliver: Whether the device gets the push all the same, which makes a provider's retry a duplicate.
        public static func respond(
            _ reason: Reason, timestamp: Instant? = nil, delay: Delay? = nil, deliver: Bool? = nil
        ) -> Action {
            Action(
                "respond",
                [
                    ("reason", .string(reason.rawValue)),
                    ("timestamp", timestamp.map { .number(JSONNumber($0.milliseconds)) }),
                    ("delay", delay?.document), ("deliver", deliver.map { .bool($0) }),
                ])
        }

        /// Any answer.
        ///
        /// - Parameters:
        ///   - status: The status, 200 to 599.
        ///   - body: The body; empty where there is none.
        ///   - headers: Further headers; an empty value is one, too.
        ///   - delay: How long it is held back.
        ///   - deliver: Whether the device gets the push all the same.
        public static func respond(
            status: Int, body: String, headers: [String: String] = [:], delay: Delay? = nil, deliver: Bool? = nil
        ) -> Action {
            let fields = headers.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
            return Action(
                "respond",
                [
                    ("status", .number(JSONNumber(status))), ("body", .string(body)),
                    ("headers", fields.isEmpty ? nil : .object(fields)), ("delay", delay?.document),
                    ("deliver", deliver.map { .bool($0) }),
                ])
        }

        /// No answer, ever.
        public static let stall = Action("stall")

        /// No answer, ever, to a push that the device gets.
        public static let stallAndDeliver = Action("stall", [("deliver", true)])

        /// 200, and nothing is delivered.
        public static let lose = Action("lose")

        /// 200 at once; the device gets the push so much later, on its clock.
        public static func deliverLate(by time: Duration) -> Action {
            Action("deliverLate", [("by", .string(DurationText.text(time)))])
        }

        /// 200; the device gets the push so many times.
        public static func duplicate(times: Int = 2) -> Action {
            Action("duplicate", [("times", .number(JSONNumber(times)))])
        }

        // MARK: HTTP/2

        /// RST_STREAM in place of the answer, by a code of RFC 9113 §7 such as `REFUSED_STREAM`.
        public static func resetStream(code: String = "INTERNAL_ERROR", deliver: Bool? = nil) -> Action {
            Action("resetStream", [("code", .string(code)), ("deliver", deliver.map { .bool($0) })])
        }

        /// GOAWAY; what is open is finished, then the connection is closed.
        ///
        /// - Parameters:
        ///   - code: The code of RFC 9113 §7.
        ///   - reason: The reason in its debug data, as APNs gives one.
        public static func goAway(code: String = "NO_ERROR", reason: Reason? = nil) -> Action {
            Action("goaway", [("code", .string(code)), ("reason", reason.map { .string($0.rawValue) })])
        }

        // MARK: Connections

        /// The connection's end in place of the answer.
        public static func close(_ how: Ending = .rst) -> Action { Action("close", [("how", .string(how.rawValue))]) }

        /// From then on, on that connection, at most so many bytes a second.
        public static func throttle(bytesPerSecond: Int) -> Action {
            Action("throttle", [("bytesPerSecond", .number(JSONNumber(bytesPerSecond)))])
        }

        /// Connections are refused while the fault is there; not in a scope, because connections belong to none.
        public static let refuseConnections = Action("refuse")

        /// A certificate in the handshake that a provider must not accept; not in a scope.
        public static func certificate(_ certificate: Certificate) -> Action {
            Action("tls", [("certificate", .string(certificate.rawValue))])
        }

        /// A TLS alert in the handshake, by its name in RFC 8446 §6; not in a scope.
        public static func alert(_ name: String) -> Action { Action("tls", [("alert", .string(name))]) }
    }
}
