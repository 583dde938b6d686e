package import APNsRules

/// The scenarios that run on a server: they change its ``FaultSet`` as time passes and pushes arrive.
///
/// A push is judged by the rules in force after all pushes before it: up to ``pushesThrough``, the present ones.
package struct ScenarioBoard: Sendable {
    package struct Entry: Sendable {
        package fileprivate(set) var run: ScenarioRun
        package fileprivate(set) var startedAt: Instant
        /// How many pushes had been counted at the start.
        let pushesAtStart: Int
        // The rules that the scenario has added and not removed.
        fileprivate var rules: [Rule] = []
        fileprivate var problem: String?
        package var scenario: Scenario { run.scenario }

        /// A rule's id, and the age that distinguishes it from another rule of the same id.
        fileprivate struct Rule {
            let id: String
            let age: Int
        }

        // The ids of the scenario's rules that are still in the set.
        fileprivate func present(in set: FaultSet) -> [String] {
            rules.filter { set.age(of: $0.id) == $0.age }.map(\.id)
        }

        // Whether a remaining step waits for pushes.
        /// The scenario's own name of a rule is its id on the server; in a scope, where others may have the same, with it.
        fileprivate func ruleID(_ id: String) -> String { scenario.scope.map { "\(id)@\($0)" } ?? id }

        fileprivate var countsPushes: Bool {
            scenario.steps[run.doneCount...].contains { if case .pushes = $0.after { true } else { false } }
        }
    }

    /// The most scenarios at once; each one is checked at every step of another.
    private static let scenariosMax = 100

    /// The scenarios in the order of their starts; scenarios whose steps are all done stay until they are removed.
    package private(set) var entries: [Entry] = []
    package init() {}
    package subscript(name: Scenario.Name) -> Entry? { entries.first { $0.scenario.id == name } }
    package var countsPushes: Bool { entries.contains(where: \.countsPushes) }

    /// The number of the last push for which the present rules hold; `Int.max` if no next step waits for pushes.
    package var pushesThrough: Int {
        entries.reduce(Int.max) { least, entry in
            guard case .pushes(let count)? = entry.run.next else { return least }
            return min(least, entry.pushesAtStart + count)
        }
    }

    /// When the next steps are due that wait for a clock: the server's, or with a scope the scope's.
    package var nextMoments: [(scope: String?, at: Instant)] {
        entries.compactMap { entry in
            guard case .time(let time)? = entry.run.next else { return nil }
            return (entry.scenario.scope, entry.startedAt.advanced(by: time))
        }
    }

    /// Starts a scenario, takes its steps that are due, and returns the ids of new rules; an error changes nothing.
    ///
    /// - Parameter now: The time of the scenario's clock.
    package mutating func start(
        _ scenario: Scenario, at now: Instant, pushes: Int, in set: inout FaultSet
    ) throws(InputError) -> [String] {
        guard self[scenario.id] == nil else {
            let place = scenario.scope.map { " in scope \($0)" } ?? ""
            throw InputError(
                .conflict, at: "/name",
                "scenario \(scenario.name) already exists\(place): remove it first, or give another name")
        }
        guard entries.count < ScenarioBoard.scenariosMax else {
            throw InputError(.conflict, "a server runs at most \(ScenarioBoard.scenariosMax) scenarios")
        }
        var entry = Entry(run: ScenarioRun(scenario), startedAt: now, pushesAtStart: pushes)
        for (index, step) in scenario.steps.enumerated() {
            for (number, draft) in step.add.enumerated() {
                let place = "/steps/\(index)/add/\(number)"
                // Not when a scenario is read, so that a run with one that was started earlier can still be read.
                guard !draft.rule.match.filter.conditions.contains(where: { $0.field == .key(.connection) }) else {
                    throw InputError(
                        at: place + "/match/connection",
                        "a scenario can't know the server's numbers of connections: expected the rule's connections, "
                            + "which counts those that it meets")
                }
                guard let id = draft.id.map(entry.ruleID), set.age(of: id) != nil else { continue }
                throw InputError(
                    .conflict, at: place + "/id", "rule \(id) already exists: remove it first, or give another id")
            }
        }
        let made = ScenarioBoard.advance(&entry, at: now, pushes: pushes, in: &set)
        entries.append(entry)
        return made
    }

    /// Does all steps that are due, and returns the ids of new rules.
    ///
    /// - Parameter now: The time of a scope's clock, with `nil` of the server's.
    package mutating func advance(
        at now: (_ scope: String?) -> Instant, pushes: Int, in set: inout FaultSet
    ) -> [String] {
        var made: [String] = []
        for index in entries.indices where !entries[index].run.isDone {
            let now = now(entries[index].scenario.scope)
            made += ScenarioBoard.advance(&entries[index], at: now, pushes: pushes, in: &set)
        }
        return made
    }

    /// Keeps the progress of all scenarios after clocks were set back, by how much in each scope and, with `nil`, of the
    /// server.
    package mutating func move(back time: (_ scope: String?) -> Duration) {
        for index in entries.indices {
            let back = time(entries[index].scenario.scope)
            guard back > .zero else { continue }
            entries[index].startedAt = entries[index].startedAt.advanced(by: .zero - back)
        }
    }

    /// Removes a scenario and the rules that it has added; returns their number, or `nil` if it isn't there.
    package mutating func remove(_ name: Scenario.Name, in set: inout FaultSet) -> Int? {
        guard let index = entries.firstIndex(where: { $0.scenario.id == name }) else { return nil }
        let entry = entries.remove(at: index)
        let present = entry.present(in: set)
        for id in present { set.remove(id) }
        return present.count
    }

    private static func advance(
        _ entry: inout Entry, at now: Instant, pushes: Int, in set: inout FaultSet
    ) -> [String] {
        var made: [String] = []
        let first = entry.run.doneCount
        let due = entry.run.due(elapsed: now.since(entry.startedAt), pushes: pushes - entry.pushesAtStart)
        for (offset, step) in due.enumerated() {
            for id in step.remove.map(entry.ruleID) {
                // A user may have removed the rule, or replaced it by one that isn't the scenario's.
                guard let index = entry.rules.firstIndex(where: { $0.id == id }) else { continue }
                let rule = entry.rules.remove(at: index)
                if set.age(of: id) == rule.age { set.remove(id) }
            }
            do throws(InputError) {
                let drafts =
                    entry.scenario.scope == nil ? step.add : step.add.map { $0.renamed($0.id.map(entry.ruleID)) }
                let rules = try set.add(drafts, at: now, seed: entry.scenario.seed)
                entry.rules += rules.compactMap { rule in set.age(of: rule.id).map { Entry.Rule(id: rule.id, age: $0) }
                }
                made += rules.map(\.id)
            } catch {
                entry.problem = "the rules of step \(first + offset + 1) were not added: \(error.problem)"
            }
        }
        return made
    }

    /// A scenario as the control API shows it: what it is, how far it has come, and the rules that it has added.
    package func json(_ entry: Entry, pushes: Int, in set: FaultSet) -> JSONValue {
        let progress = ScenarioProgress(
            entry: entry, pushCount: pushes - entry.pushesAtStart, rules: entry.present(in: set))
        return .object((entry.scenario.answer.object ?? []) + ScenarioProgress.fields.members(of: progress))
    }
}

/// How far a running scenario has come, which its answer has besides the scenario (`Documents#Scenarios`).
package struct ScenarioProgress: Sendable {
    fileprivate let entry: ScenarioBoard.Entry
    /// The number of pushes since the scenario's start.
    fileprivate let pushCount: Int
    fileprivate let rules: [String]

    package static let fields: Fields<ScenarioProgress> = [
        Field(shown: "startedAt", .time, "This and the following members: only of a running scenario.") {
            .string($0.entry.startedAt.rfc3339)
        },
        Field(shown: "stepsDone", .whole, "How many steps are done.") { .whole($0.entry.run.doneCount) },
        Field(
            shown: "next", .nullable(.object(Next.fields.showing)),
            "The next step and what it waits for; null when all are done."
        ) { progress in
            progress.entry.run.next.map { .object(Next.fields.members(of: Next(progress: progress, after: $0))) }
                ?? .null
        },
        Field(shown: "rules", .array(of: .anyText), "IDs of the rules that it has added and that still exist.") {
            .texts($0.rules)
        },
        Field(shown: "problem", .nullableText.described("Why a step could not be done.")) {
            .text($0.entry.problem)
        },
    ]

    private struct Next: Sendable {
        let progress: ScenarioProgress
        let after: Scenario.After

        /// When the step is due; `nil` if it waits for pushes.
        private var at: Instant? {
            guard case .time(let time) = after else { return nil }
            return progress.entry.startedAt.advanced(by: time)
        }

        /// For how many pushes the step waits; `nil` if it waits for a time.
        private var pushesLeft: Int? {
            guard case .pushes(let count) = after else { return nil }
            return max(0, count - progress.pushCount)
        }

        static let fields: Fields<Next> = [
            Field(shown: "step", .whole, "The index of the step, from 0.") { .whole($0.progress.entry.run.doneCount) },
            Field(shown: "after", .any(), "What the step waits for, as in the scenario.") { $0.after.json },
            Field(
                shown: "at", .nullable(.time), "When the step is due, by the clock; null if it waits for pushes."
            ) { .text($0.at?.rfc3339) },
            Field(
                shown: "pushesLeft", .nullable(.whole),
                "For how many pushes the step waits; null if it waits for a time."
            ) { .whole($0.pushesLeft) },
        ]
    }
}

extension ScenarioBoard: ByteRecord {
    package static let members = ByteProperties(of: ScenarioBoard.init, \.entries)
}

extension ScenarioBoard.Entry.Rule: ByteRecord {
    static let members = ByteMembers(ScenarioBoard.Entry.Rule.init) { ($0.id, $0.age) }
}

extension ScenarioBoard.Entry: ByteRecord {
    package static let members: some ByteForm<ScenarioBoard.Entry> = ByteMembers(ScenarioBoard.Entry.init) {
        ($0.run, $0.startedAt, $0.pushesAtStart, $0.rules, $0.problem)
    }

    package var damage: String? {
        guard !(0...Int.max - Scenario.pushesMax ~= pushesAtStart) else { return nil }
        return "\(pushesAtStart) pushes can't be counted"
    }
}
