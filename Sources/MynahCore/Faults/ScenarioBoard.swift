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
        // The rules that it added and has not removed: ids, with the age that distinguishes rules of the same id.
        fileprivate var rules: [(id: String, age: Int)] = []
        fileprivate var problem: String?
        package var scenario: Scenario { run.scenario }

        // The ids of its rules that are still there.
        fileprivate func present(in set: FaultSet) -> [String] {
            rules.filter { set.age(of: $0.id) == $0.age }.map(\.id)
        }

        // Whether a remaining step waits for pushes.
        fileprivate var countsPushes: Bool {
            scenario.steps[run.doneCount...].contains { if case .pushes = $0.after { true } else { false } }
        }
    }

    /// The most scenarios at once; each is asked at every step of another.
    private static let scenariosMax = 100

    /// The scenarios in the order of their starts; those whose steps are all done stay until they are removed.
    package private(set) var entries: [Entry] = []
    package init() {}
    package subscript(name: String) -> Entry? { entries.first { $0.scenario.name == name } }
    package var countsPushes: Bool { entries.contains(where: \.countsPushes) }

    /// The number of the last push for which the present rules hold; `Int.max` if no next step waits for pushes.
    package var pushesThrough: Int {
        entries.reduce(Int.max) { least, entry in
            guard case .pushes(let count)? = entry.run.next else { return least }
            return min(least, entry.pushesAtStart + count)
        }
    }

    /// When the next step is due that waits for the clock.
    package var nextMoment: Instant? {
        entries.compactMap { entry in
            guard case .time(let time)? = entry.run.next else { return nil }
            return entry.startedAt.advanced(by: time)
        }.min()
    }

    /// Starts a scenario, takes its steps that are due, and returns the ids of new rules; an error changes nothing.
    package mutating func start(
        _ scenario: Scenario, at now: Instant, pushes: Int, in set: inout FaultSet
    ) throws(InputError) -> [String] {
        guard self[scenario.name] == nil else {
            throw InputError(
                .conflict, at: "/name",
                "scenario \(scenario.name) already exists: remove it first, or give another name")
        }
        guard entries.count < ScenarioBoard.scenariosMax else {
            throw InputError(.conflict, "a server runs at most \(ScenarioBoard.scenariosMax) scenarios")
        }
        for (index, step) in scenario.steps.enumerated() {
            for (number, draft) in step.add.enumerated() {
                guard let id = draft.id, set.age(of: id) != nil else { continue }
                throw InputError(
                    .conflict, at: "/steps/\(index)/add/\(number)/id",
                    "rule \(id) already exists: remove it first, or give another id")
            }
        }
        var entry = Entry(run: ScenarioRun(scenario), startedAt: now, pushesAtStart: pushes)
        let made = ScenarioBoard.advance(&entry, at: now, pushes: pushes, in: &set)
        entries.append(entry)
        return made
    }

    /// Does all steps that are due, and returns the ids of new rules.
    package mutating func advance(at now: Instant, pushes: Int, in set: inout FaultSet) -> [String] {
        var made: [String] = []
        for index in entries.indices where !entries[index].run.isDone {
            made += ScenarioBoard.advance(&entries[index], at: now, pushes: pushes, in: &set)
        }
        return made
    }

    /// Keeps the progress of all scenarios after the clock was set back.
    package mutating func move(back time: Duration) {
        for index in entries.indices { entries[index].startedAt = entries[index].startedAt.advanced(by: .zero - time) }
    }

    /// Removes a scenario and the rules that it has added; returns their number, or `nil` if it isn't there.
    package mutating func remove(_ name: String, in set: inout FaultSet) -> Int? {
        guard let index = entries.firstIndex(where: { $0.scenario.name == name }) else { return nil }
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
            for id in step.remove {
                // A user may have removed the rule, or replaced it by one that isn't the scenario's.
                guard let index = entry.rules.firstIndex(where: { $0.id == id }) else { continue }
                let rule = entry.rules.remove(at: index)
                if set.age(of: id) == rule.age { set.remove(id) }
            }
            do throws(InputError) {
                let rules = try set.add(step.add, at: now, seed: entry.scenario.seed)
                entry.rules += rules.compactMap { rule in set.age(of: rule.id).map { (rule.id, $0) } }
                made += rules.map(\.id)
            } catch {
                entry.problem = "the rules of step \(first + offset + 1) were not added: \(error.problem)"
            }
        }
        return made
    }

    /// A scenario as the control API shows it: what it is, how far it has come, and the rules that it has added.
    package func json(_ entry: Entry, pushes: Int, in set: FaultSet) -> JSONValue {
        let next = entry.run.next.map { after -> JSONValue in
            let (at, left): (JSONValue, JSONValue) =
                switch after {
                case .time(let time): (.string(entry.startedAt.advanced(by: time).rfc3339), .null)
                case .pushes(let count): (.null, .whole(max(0, count - (pushes - entry.pushesAtStart))))
                }
            return ["step": .whole(entry.run.doneCount), "after": after.json, "at": at, "pushesLeft": left]
        }
        let progress: JSONValue = [
            "startedAt": .string(entry.startedAt.rfc3339), "stepsDone": .whole(entry.run.doneCount),
            "next": next ?? .null, "rules": .texts(entry.present(in: set)), "problem": .text(entry.problem),
        ]
        return .object([entry.scenario.json, progress].flatMap { $0.object ?? [] })
    }
}

extension ScenarioBoard: ByteCodable {
    package func write(to writer: inout ByteWriter) { writer.write(entries) }
    package init(from reader: inout ByteReader) throws(CodingProblem) { entries = try reader.read() }
}

extension ScenarioBoard.Entry: ByteCodable {
    package func write(to writer: inout ByteWriter) {
        writer.write(run, startedAt, pushesAtStart)
        writer.write(varint: UInt64(rules.count))
        for rule in rules {
            writer.write(rule.id, rule.age)
        }
        writer.write(problem)
    }

    package init(from reader: inout ByteReader) throws(CodingProblem) {
        run = try reader.read()
        startedAt = try reader.read()
        pushesAtStart = try reader.read()
        guard 0...Int.max - Scenario.pushesMax ~= pushesAtStart else {
            throw reader.problem("\(pushesAtStart) pushes can't be counted")
        }
        for _ in 0..<(try reader.count()) {
            let id = try String(from: &reader)
            rules.append((id, try reader.read()))
        }
        problem = try reader.read()
    }
}
