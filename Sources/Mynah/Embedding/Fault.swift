public import APNsRules
public import MynahCore

/// What the server does wrong, when, and to whom (`Documents#Fault-rules`).
///
/// ```swift
/// // Twice 503, then as APNs would.
/// try await apns.addFault(Fault(.respond(.serviceUnavailable), matching: .topic("com.example.app"), times: 2))
/// ```
public struct Fault: Hashable, Sendable {
    /// What follows when each of several actions has had its turn.
    public typealias Then = FaultSchedule.Then
    /// When a fault is asked.
    public typealias Event = FaultEvent

    // Without `match`, which is made of the filters; reading those may throw.
    private let members: [JSONMember]
    private let filters: [PushFilter]?
    private let event: Event?

    /// A fault by what happens.
    ///
    /// - Parameters:
    ///   - actions: What happens; several actions take turns, each at one request.
    ///   - filters: Which requests; none: all of them. In a scope only its own.
    ///   - event: When it is asked; `nil`: where the action belongs.
    ///   - then: What follows the last of several actions.
    ///   - times: At how many requests at most; `nil`: without limit.
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
                JSONMember("times", times.map { .number(JSONNumber($0)) } ?? .null),
                JSONMember("skip", .number(JSONNumber(skip))), JSONMember("every", .number(JSONNumber(every))),
                JSONMember("probability", .number(JSONNumber(text: "\(probability)"))),
                JSONMember("name", name.map { .string($0) } ?? .null),
            ]
        self.filters = filters
        self.event = event
    }

    /// A fault as the control API takes it, for what the other initialiser can't express.
    public init(_ document: JSONValue) {
        self.members = document.object ?? [JSONMember("", document)]
        self.filters = nil
        self.event = nil
    }

    /// A fault as the control API takes it, JSON.
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
    func draft(scope: String?) throws(MynahError) -> FaultDraft {
        var members = members
        if let filters {
            let event = JSONMember("event", event.map { .string($0.rawValue) } ?? .null)
            members.append(JSONMember("match", .object(try PushFilter.match(filters) + [event])))
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
