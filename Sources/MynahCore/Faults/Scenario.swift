package import APNsRules

/// Rules that come and go by a script (`Documents#Scenarios`).
package struct Scenario: Sendable, Hashable {
    /// What a step waits for, counted from the scenario's start.
    package enum After: Sendable, Hashable {
        /// So much time of the server's clock.
        case time(Duration)
        /// So many pushes, accepted or refused.
        case pushes(Int)
    }

    /// Rules that are taken away and added at one moment.
    package struct Step: Sendable, Hashable {
        /// When; a step never comes before the one above it.
        package let after: After
        /// Ids of rules that an earlier step added; they go before others come.
        package let remove: [String]
        /// The rules that come.
        package let add: [FaultDraft]
    }

    /// The most steps.
    package static let stepsMax = 1000
    /// The most rules of one step.
    package static let rulesMax = 1000
    /// The longest wait: as long as anything is kept (`ProviderAPI#Storage-and-throttling`).
    package static let afterMax = Limits.storageMax
    /// The most pushes that a step waits for.
    package static let pushesMax = FaultSchedule.countMax
    /// The most bytes of the description, a page.
    package static let descriptionBytesMax = 10_000

    /// The name in URLs.
    package let name: String
    /// What it is, and what a good provider does about it.
    package let description: String?
    /// The seed of its rules' random choices; `nil` for the server's.
    package let seed: UInt64?
    /// The steps, in order.
    package let steps: [Step]

    /// All members, for errors.
    static let memberNames = ["name", "description", "seed", "steps"]

    /// Reads a scenario.
    ///
    /// - Throws: ``QueryError`` with a JSON pointer: a rule that is wrong, a step that would come before the one above
    ///   it, an id that is removed and not there, or added and there already.
    package init(json: JSONValue, at pointer: String = "") throws(QueryError) {
        let fields = try FaultFields(json, at: pointer, what: "scenario", known: Scenario.memberNames)
        let name = try fields.required("name", fields.text("name"), of: "a scenario")
        guard Scenario.isName(name) else {
            throw fields.error("name", "\(name) was given; 1 to 64 characters of A-Z a-z 0-9 . _ - were expected")
        }
        self.name = name
        self.description = try fields.text("description")
        if let description, description.utf8.count > Scenario.descriptionBytesMax {
            throw fields.error("description", "at most \(Scenario.descriptionBytesMax) bytes were expected")
        }
        self.seed = try fields.whole("seed", in: 0...Int64.max).map { UInt64($0) }
        let list = try fields.required("steps", fields["steps"], of: "a scenario")
        guard let elements = list.array, !elements.isEmpty, elements.count <= Scenario.stepsMax else {
            throw fields.error("steps", "an array of 1 to \(Scenario.stepsMax) steps was expected")
        }
        var steps: [Step] = []
        for (index, element) in elements.enumerated() {
            steps.append(try Step(json: element, at: fields.place("steps") + "/\(index)"))
        }
        self.steps = steps
        try check(at: fields.place("steps"))
    }

    private func check(at pointer: String) throws(QueryError) {
        var present: Set<String> = []
        var lastTime: Duration = .zero
        var lastPushes = 0
        for (index, step) in steps.enumerated() {
            let place = pointer + "/\(index)"
            switch step.after {
            case .time(let time):
                guard time >= lastTime else {
                    throw QueryError(
                        place + "/after",
                        "times count from the start, and a step above waits for \(DurationText.text(lastTime)) already")
                }
                lastTime = time
            case .pushes(let pushes):
                guard pushes >= lastPushes else {
                    throw QueryError(
                        place + "/after/pushes", "pushes count from the start, and a step above waits for \(lastPushes)"
                    )
                }
                lastPushes = pushes
            }
            for (number, id) in step.remove.enumerated() where present.remove(id) == nil {
                throw QueryError(
                    place + "/remove/\(number)", "no step above adds a rule \(id) that is still there",
                    allowed: present.sorted())
            }
            for (number, draft) in step.add.enumerated() {
                guard let id = draft.id, !present.insert(id).inserted else { continue }
                throw QueryError(place + "/add/\(number)/id", "a rule \(id) is there already")
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            }
    }

    /// The scenario as it is read, for `GET /v1/scenarios`.
    package var json: JSONValue {
        [
            "name": .string(name), "description": .text(description), "seed": .whole(seed),
            "steps": .array(steps.map(\.json)),
        ]
    }
}

extension Scenario.Step {
    static let memberNames = ["after", "add", "remove"]

    init(json: JSONValue, at pointer: String) throws(QueryError) {
        let fields = try FaultFields(json, at: pointer, what: "step", known: Scenario.Step.memberNames)
        self.after = try Scenario.After(fields)
        self.add =
            try fields["add"].map { json throws(QueryError) in
                let count = json.array?.count ?? 0
                guard json.array != nil, count <= Scenario.rulesMax else {
                    throw fields.error("add", "an array of at most \(Scenario.rulesMax) rules was expected")
                }
                return try FaultDraft.list(json: json, at: fields.place("add"))
            } ?? []
        var ids: [String] = []
        if let json = fields["remove"] {
            guard let elements = json.array else {
                throw fields.error("remove", "an array of ids was expected")
            }
            for (index, element) in elements.enumerated() {
                guard let id = element.string else {
                    throw QueryError(
                        fields.place("remove") + "/\(index)", "\(element.kind) was given; an id was expected")
                }
                ids.append(id)
            }
        }
        self.remove = ids
        guard !add.isEmpty || !remove.isEmpty else {
            throw QueryError(pointer, "a step that adds and removes nothing does nothing", allowed: ["add", "remove"])
        }
    }

    var json: JSONValue {
        let rules = add.map { draft in
            let members = draft.rule.json(FaultCounters()).object ?? []
            let written = members.filter { !FaultDraft.serverNames.contains($0.name) && $0.name != "id" }
            return JSONValue.object([JSONMember("id", .text(draft.id))] + written)
        }
        return ["after": after.json, "add": .array(rules), "remove": .array(remove.map { .string($0) })]
    }
}

extension Scenario.After {
    init(_ fields: FaultFields) throws(QueryError) {
        switch fields["after"] {
        case nil: self = .time(.zero)
        case .object?:
            let inner = try FaultFields(
                fields["after"] ?? .null, at: fields.place("after"), what: "wait", known: ["pushes"])
            let pushes = try inner.count("pushes", in: 1...Scenario.pushesMax)
            self = .pushes(try inner.required("pushes", pushes, of: "after"))
        default: self = .time(try fields.duration("after", in: .zero...Scenario.afterMax) ?? .zero)
        }
    }

    var json: JSONValue {
        switch self {
        case .time(let time): .string(DurationText.text(time))
        case .pushes(let pushes): ["pushes": .number(JSONNumber(pushes))]
        }
    }
}

/// A scenario that is running: told how much time and how many pushes there have been, it answers what is due.
package struct ScenarioRun: Sendable, Hashable {
    /// The scenario.
    package let scenario: Scenario
    /// How many of its steps are done.
    package private(set) var doneCount = 0

    /// A run that begins.
    package init(_ scenario: Scenario) {
        self.scenario = scenario
    }

    /// Whether all steps are done; the rules of the last stay.
    package var isDone: Bool { doneCount == scenario.steps.count }

    /// What the next step waits for, so that a clock or a counter can be set to it; `nil` when all are done.
    package var next: Scenario.After? { isDone ? nil : scenario.steps[doneCount].after }

    /// The steps that are due and were not before, in order; to be carried out all, one after the other.
    ///
    /// - Parameters:
    ///   - elapsed: Time of the server's clock since the scenario began.
    ///   - pushes: Pushes since then.
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
