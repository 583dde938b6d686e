package import APNsRules
internal import MynahCore

/// What a comparison found, without anything of the user's own.
package struct ComparisonResult: Sendable {
    /// What became of a case.
    package enum Verdict: Sendable {
        case same
        case differs
        /// Not played, with the reason, a clause.
        case notTried(String)

        package var name: String {
            switch self {
            case .same: "same"
            case .differs: "differs"
            case .notTried: "not tried"
            }
        }
    }

    /// The answers of both services to one request.
    package struct Pair: Sendable {
        package let mynah: ComparedAnswer
        package let other: ComparedAnswer

        package init(mynah: ComparedAnswer, other: ComparedAnswer) {
            self.mynah = mynah
            self.other = other
        }

        package var differences: [Difference] { mynah.differences(from: other) }
    }

    /// A case, or the opening of a connection.
    package struct Row: Sendable {
        /// The name of the case's file without its suffix.
        package let id: String
        /// A sentence about the behaviour.
        package let name: String
        /// The section of the specification with its evidence, as `ProviderAPI#Token-age (inferred)`.
        package let source: String
        package let verdict: Verdict
        /// The answers to the case's requests, in order; empty if it wasn't tried.
        package let pairs: [Pair]
        /// The reason that Mynah gave in place of the case's own answer; `nil` if the case was seen as it is.
        ///
        /// Harmless requests come no further than their device token, channel or topic: only the checks before that were
        /// compared.
        package let upTo: String?

        /// A row with the verdict of its answers.
        package init(id: String, name: String, source: String, pairs: [Pair], upTo: String? = nil) {
            self.id = id
            self.name = name
            self.source = source
            self.pairs = pairs
            self.upTo = upTo
            verdict = pairs.allSatisfy(\.differences.isEmpty) ? .same : .differs
        }

        package init(_ fixture: FixtureCase, pairs: [Pair]) {
            let expected = fixture.step.expect
            let reason = pairs.last?.mynah.reason
            let isSeen = pairs.last?.mynah["status"] == String(expected.status) && reason == expected.reason
            self.init(
                id: fixture.file, name: fixture.name, source: fixture.source, pairs: pairs, upTo: isSeen ? nil : reason)
        }

        package init(_ fixture: FixtureCase, notTried reason: String) {
            self.init(id: fixture.file, name: fixture.name, source: fixture.source, notTried: reason)
        }

        init(id: String, name: String, source: String, notTried reason: String) {
            self.id = id
            self.name = name
            self.source = source
            verdict = .notTried(reason)
            pairs = []
            upTo = nil
        }
    }

    package var rows: [Row] = []
    /// Why the comparison ended before the last case, as a clause.
    package var stopped: String?

    package init() {}

    package var same: Int { rows.count { if case .same = $0.verdict { true } else { false } } }
    /// How many of the same cases were refused before what they are about.
    package var samePartly: Int { rows.count { if case .same = $0.verdict { $0.upTo != nil } else { false } } }
    package var differing: [Row] { rows.filter { if case .differs = $0.verdict { true } else { false } } }
    package var notTried: [(row: Row, reason: String)] {
        rows.compactMap { row in if case .notTried(let reason) = row.verdict { (row, reason) } else { nil } }
    }

    /// The results as JSON, after these members about the comparison.
    package func json(_ facts: [JSONMember]) -> JSONValue {
        let counts = [
            JSONMember("same", .whole(Int64(same))), JSONMember("samePartly", .whole(Int64(samePartly))),
            JSONMember("differs", .whole(Int64(differing.count))),
            JSONMember("notTried", .whole(Int64(notTried.count))), JSONMember("stopped", .text(stopped)),
        ]
        return .object(facts + counts + [JSONMember("cases", .array(rows.map(\.json)))])
    }
}

extension ComparisonResult.Row {
    /// A case in the report of `mynah compare`; it is by hand because no call answers it.
    fileprivate var json: JSONValue {
        var members = [
            JSONMember("case", .string(id)), JSONMember("name", .string(name)), JSONMember("source", .string(source)),
            JSONMember("result", .string(verdict.name)),
        ]
        if case .notTried(let reason) = verdict { members.append(JSONMember("reason", .string(reason))) }
        if let upTo { members.append(JSONMember("upTo", .string(upTo))) }
        if !pairs.isEmpty {
            let answers = pairs.map { pair -> JSONValue in ["mynah": pair.mynah.json, "other": pair.other.json] }
            members.append(JSONMember("answers", .array(answers)))
        }
        return .object(members)
    }
}

extension ComparedAnswer {
    /// The reason of a refusal; `nil` if the body has none.
    fileprivate var reason: String? {
        // Parsing fails only for a body that isn't JSON.
        self["body"].flatMap { try? JSONValue(parsing: Array($0.utf8)) }?["reason"]?.string
    }

    /// The facts as members of an object; several SETTINGS are one text.
    fileprivate var json: JSONValue {
        var members: [JSONMember] = []
        for fact in facts where !members.contains(where: { $0.name == fact.name }) {
            let values = facts.filter { $0.name == fact.name }.map(\.value)
            members.append(JSONMember(fact.name, .string(values.joined(separator: "; "))))
        }
        return .object(members)
    }
}
