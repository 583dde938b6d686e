package import APNsRules

/// A script that adds and removes fault rules (`Documents#Scenarios`).
package struct Scenario: Sendable, Hashable {
    /// What a step waits for, counted from the scenario's start.
    package enum After: Sendable, Hashable {
        /// A time on the server's clock.
        case time(Duration)
        /// Accepted or refused.
        case pushes(Int)
    }

    /// Rules that are removed and added at one moment.
    package struct Step: Sendable, Hashable {
        /// When the step is due; never before the step above it.
        package let after: After
        /// Ids of rules that an earlier step added; removed before `add` is added.
        package let remove: [String]
        package let add: [FaultDraft]
    }

    /// What a server knows a running scenario by.
    package struct Name: Sendable, Hashable {
        package let text: String
        /// `nil` for the whole server.
        package let scope: String?
        package init(_ text: String, scope: String?) {
            self.text = text
            self.scope = scope
        }
    }

    /// The most steps, and the most rules of one step.
    private static let countMax = 1000
    /// The longest wait: as long as anything is kept (`ProviderAPI#Storage-and-throttling`).
    package static let afterMax = Limits.storageMax
    package static let pushesMax = FaultSchedule.countMax
    private static let descriptionBytesMax = 10_000

    package let name: String
    package let description: String?
    /// The scope whose pushes its rules touch, and whose clock its steps follow; `nil` for all pushes and the server's.
    package let scope: String?
    /// The seed of the scenario's rules' random choices; `nil` for the server's.
    package let seed: UInt64?
    package let steps: [Step]
    package var id: Name { Name(name, scope: scope) }

    private static let fields: Fields<ScenarioPart<Scenario>> = [
        Field(
            Member("name", .name("a scenario name", bytesMax: 64), summary: "The name.", isRequired: true)
        ) { .string($0.part.name) },
        Field(Member("description", .text(0...descriptionBytesMax), summary: "What the scenario is about.")) {
            .text($0.part.description)
        },
        Field(
            Member(
                "scope", ScopeName.form,
                summary: "Its rules touch only pushes to devices of this scope, and its steps follow the scope's clock."
            )
        ) { .text($0.part.scope) },
        Field(
            Member("seed", .integer(0...Int64.max), summary: "Of its rules' random choices; null: the server's.")
        ) { .whole($0.part.seed) },
        Field(
            Member(
                "steps", .array(of: .object(Step.fields.making), 1...countMax), summary: "Its steps in order.",
                isRequired: true)
        ) { scenario in .array(scenario.part.steps.map { $0.document(of: scenario.rule) }) },
    ]
    package static let schema = fields.making
    /// The document of a call that starts one: by the name of a built-in one, it has no steps.
    package static let document = RequestDocument(
        "ScenarioSpecification",
        Schema(schema.members.map { Member($0.name, $0.form, summary: $0.summary, isRequired: $0.name == "name") }),
        example: [
            "name": "outage",
            "steps": [
                ["add": [["id": "outage", "action": FaultActionType.document.example]]],
                ["after": "30s", "remove": ["outage"]],
            ],
        ])

    /// - Throws: ``InputError``, also for a step that is due before the one above it, for an id that is removed but not
    ///   there, or added twice, and with a scope for what no scope has: rules of connections, and numbers of pushes.
    package init(json: JSONValue, at pointer: String = "") throws(InputError) {
        try self.init(json: json, at: pointer, isKept: false)
    }

    /// Reads a scenario that was accepted before, with the filters of its rules as they are.
    package init(kept json: JSONValue, at pointer: String = "") throws(InputError) {
        try self.init(json: json, at: pointer, isKept: true)
    }

    private init(json: JSONValue, at pointer: String, isKept: Bool) throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, Scenario.schema)
        name = reader.text("name") ?? ""
        description = reader.text("description")
        scope = reader.text("scope")
        seed = reader.integer("seed")
        steps = try reader.elements("steps").map { [scope] json, place throws(InputError) in
            try Step(json: json, scope: scope, at: place, isKept: isKept)
        }
        try check(at: reader.place("steps"))
    }

    /// The scenario for a scope only, in place of the one that it may have.
    package func within(_ scope: String) throws(InputError) -> Scenario {
        try Scenario(json: json.setting(.string(scope), at: ["scope"]))
    }

    private func check(at pointer: String) throws(InputError) {
        var present: Set<String> = []
        var lastTime = Duration.zero
        var lastPushes = 0
        for (index, step) in steps.enumerated() {
            let place = pointer + "/\(index)"
            switch step.after {
            case .time(let time):
                guard time >= lastTime else {
                    throw InputError(
                        at: place + "/after",
                        "times count from the start, and a step above waits for \(DurationText.text(lastTime)) already")
                }
                lastTime = time
            case .pushes(let pushes):
                guard pushes >= lastPushes else {
                    throw InputError(
                        at: place + "/after/pushes",
                        "pushes count from the start, and a step above waits for \(lastPushes)")
                }
                lastPushes = pushes
            }
            for (number, id) in step.remove.enumerated() where present.remove(id) == nil {
                throw InputError(
                    at: place + "/remove/\(number)", "no step above adds a rule \(id) that is still there",
                    allowed: present.sorted())
            }
            for (number, draft) in step.add.enumerated() {
                guard let id = draft.id, !present.insert(id).inserted else { continue }
                throw InputError(at: place + "/add/\(number)/id", "rule \(id) already exists")
            }
        }
    }

    /// The scenario in the form in which it is read.
    package var json: JSONValue { document(of: \.json) }
    /// The scenario as the control API shows it, with its rules in words.
    package var answer: JSONValue { document(of: \.answer) }

    private func document(of rule: @escaping @Sendable (FaultDraft) -> JSONValue) -> JSONValue {
        .object(Scenario.fields.remakingMembers(of: ScenarioPart(part: self, rule: rule)))
    }
}

/// A scenario or a step of one, and how a rule in it is written: as it is read, or as an answer shows it.
private struct ScenarioPart<Part: Sendable>: Sendable {
    let part: Part
    let rule: @Sendable (FaultDraft) -> JSONValue
}

extension Scenario.Step {
    fileprivate static let fields: Fields<ScenarioPart<Scenario.Step>> = [
        Field(
            Member(
                "after",
                .either(
                    .duration(.zero...Scenario.afterMax),
                    .object([
                        Member(
                            "pushes", .integer(1...Scenario.pushesMax),
                            summary: "How many pushes must have arrived since the start.", isRequired: true)
                    ])),
                summary: "A duration of the server's clock, or {\"pushes\": 100}; both from the start.")
        ) { $0.part.after.json },
        Field(
            Member(
                "add", .array(of: .any(schema: "FaultSpecification"), 0...Scenario.countMax),
                summary: "The rules that it adds.")
        ) { .array($0.part.add.map($0.rule)) },
        Field(Member("remove", .array(of: .anyText), summary: "The IDs of the rules that it removes.")) {
            .texts($0.part.remove)
        },
    ]

    fileprivate init(json: JSONValue, scope: String?, at pointer: String, isKept: Bool) throws(InputError) {
        let reader = try ObjectReader(json, at: pointer, Scenario.Step.fields.making)
        let pushes = reader["after"]?["pushes"]?.integer
        guard scope == nil || pushes == nil else {
            throw InputError(
                at: pointer + "/after",
                "a scenario of a scope can't count pushes: expected a duration of the scope's clock, or no scope")
        }
        after = pushes.map { .pushes(Int($0)) } ?? .time(reader.duration("after") ?? .zero)
        var drafts =
            try reader.map("add") { json, place throws(InputError) in
                try FaultDraft.list(json: json, at: place, isKept: isKept)
            } ?? []
        if let scope {
            for index in drafts.indices {
                drafts[index] = try drafts[index].within(scope, at: reader.place("add", index), isKept: isKept)
            }
        }
        add = drafts
        remove = reader.texts("remove") ?? []
        guard !add.isEmpty || !remove.isEmpty else {
            throw InputError(
                at: pointer, "a step that adds and removes nothing does nothing", allowed: ["add", "remove"])
        }
    }

    fileprivate func document(of rule: @escaping @Sendable (FaultDraft) -> JSONValue) -> JSONValue {
        .object(Scenario.Step.fields.remakingMembers(of: ScenarioPart(part: self, rule: rule)))
    }
}

extension Scenario.After {
    var json: JSONValue {
        switch self {
        case .time(let time): .duration(time)
        case .pushes(let pushes): ["pushes": .whole(pushes)]
        }
    }
}

/// A running scenario: decides which steps are due after a time and a number of pushes.
package struct ScenarioRun: Sendable, Hashable {
    package let scenario: Scenario
    package private(set) var doneCount = 0
    /// Whether all steps are done; the rules of the last stay.
    package var isDone: Bool { doneCount == scenario.steps.count }
    package var next: Scenario.After? { isDone ? nil : scenario.steps[doneCount].after }

    /// Takes the steps that are due, in order; `elapsed` and `pushes` count since the scenario began.
    package mutating func due(elapsed: Duration, pushes: Int) -> ArraySlice<Scenario.Step> {
        let first = doneCount
        while let next {
            let isDue =
                switch next {
                case .time(let time): elapsed >= time
                case .pushes(let count): pushes >= count
                }
            guard isDue else { break }
            doneCount += 1
        }
        return scenario.steps[first..<doneCount]
    }
}

extension ScenarioRun {
    package init(_ scenario: Scenario) { self.scenario = scenario }
}

extension Scenario: ByteDocument {}

extension ScenarioRun: ByteRecord {
    package static let members = ByteMembers(ScenarioRun.init) { ($0.scenario, $0.doneCount) }

    package var damage: String? {
        0...scenario.steps.count ~= doneCount ? nil : "\(doneCount) of \(scenario.steps.count) steps are done"
    }
}
