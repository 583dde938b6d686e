public import APNsRules
internal import MynahCore

/// What the server is to do wrong, when, and to whom (`Documents#Fault-rules`).
///
/// ```swift
/// // Twice 503, then as APNs would.
/// try await apns.addFault(Fault(.respond(.serviceUnavailable), matching: .topic("com.example.app"), times: 2))
/// ```
public struct Fault: Hashable, Sendable {
    /// What follows when each of several actions has had its turn.
    public enum Then: String, CaseIterable, Sendable {
        /// As without the rule.
        case pass
        /// They begin anew.
        case `repeat`
        /// The last one again and again.
        case last
    }

    /// When it is asked.
    public enum Event: String, CaseIterable, Sendable {
        /// A TCP connection has been accepted.
        case accept
        /// The TLS handshake begins.
        case handshake
        /// A request is complete.
        case request
    }

    // Members of a rule, and what it is about; kept apart because reading the filters may throw.
    private let members: [JSONMember]
    private let filters: [PushFilter]?
    private let event: Event?

    /// A fault by what happens.
    ///
    /// - Parameters:
    ///   - actions: What happens; of several one after the other, each to one request.
    ///   - filters: Which requests; none: all of them. Of a scope only its own.
    ///   - event: When it is asked; `nil`: where the action belongs.
    ///   - then: What follows the last of several actions.
    ///   - times: At how many requests at most; `nil`: without limit.
    ///   - skip: How many matching requests are let through first.
    ///   - every: Of how many requests the last one is taken.
    ///   - probability: How likely each is taken, above 0 and at most 1; by the server's seed.
    ///   - name: What it is for, for people.
    public init(
        _ actions: Action..., matching filters: PushFilter..., event: Event? = nil, then: Then = .pass,
        times: Int? = nil, skip: Int = 0, every: Int = 1, probability: Double = 1, name: String? = nil
    ) {
        let documents = actions.map(\.document)
        var members =
            documents.count == 1
            ? [JSONMember("action", documents[0])]
            : [JSONMember("actions", .array(documents)), JSONMember("then", .string(then.rawValue))]
        if let times { members.append(JSONMember("times", .number(JSONNumber(times)))) }
        if skip != 0 { members.append(JSONMember("skip", .number(JSONNumber(skip)))) }
        if every != 1 { members.append(JSONMember("every", .number(JSONNumber(every)))) }
        if probability != 1 { members.append(JSONMember("probability", .number(JSONNumber(text: "\(probability)")))) }
        if let name { members.append(JSONMember("name", .string(name))) }
        self.members = members
        self.filters = filters
        self.event = event
    }

    /// A fault as the control API takes it, for all that the other initialiser has no word for.
    public init(_ document: JSONValue) {
        self.members = document.object ?? [JSONMember("", document)]
        self.filters = nil
        self.event = nil
    }

    /// A fault as the control API takes it, JSON.
    ///
    /// - Throws: ``MynahError`` when the text is no JSON.
    public init(json text: String) throws(MynahError) {
        do {
            self.init(try JSONValue(parsing: text))
        } catch {
            throw MynahError(.invalid, "the fault is no JSON: \(error)")
        }
    }

    /// A preset of `mynah fault add`, with its options: `try Fault.preset("goaway", "--after", "3")`.
    ///
    /// - Parameters:
    ///   - words: A preset's name, a status or a reason, then its options.
    ///   - filters: Which requests; none: all of them.
    /// - Throws: ``MynahError`` for an unknown name or option.
    public static func preset(_ words: String..., matching filters: PushFilter...) throws(MynahError) -> Fault {
        do throws(InputError) {
            return Fault(members: try FaultPreset.parse(words).object ?? [], filters: filters)
        } catch {
            throw MynahError(error)
        }
    }

    private init(members: [JSONMember], filters: [PushFilter]) {
        self.members = members.filter { $0.name != "match" }
        self.filters = filters
        let match = members.last { $0.name == "match" }?.value
        self.event = (match?["event"]?.string).flatMap { Event(rawValue: $0) }
    }

    /// The rule, in a scope or in none.
    ///
    /// - Throws: ``MynahError`` that names the field.
    func draft(scope: String?) throws(MynahError) -> FaultDraft {
        var members = members
        if let filters {
            var match = try PushFilter.match(filters).object ?? []
            if let event { match.append(JSONMember("event", .string(event.rawValue))) }
            members.append(JSONMember("match", .object(match)))
        }
        if let scope {
            if let other = members.last(where: { $0.name == "scope" })?.value, other != .string(scope) {
                throw MynahError(
                    .invalid, field: "/scope",
                    "scope is \(other.encodedText), and the fault is added to the scope \(scope); leave it out")
            }
            members = members.filter { $0.name != "scope" } + [JSONMember("scope", .string(scope))]
        }
        do throws(InputError) {
            return try FaultDraft(json: .object(members))
        } catch {
            throw MynahError(error)
        }
    }
}
