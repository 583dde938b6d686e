internal import APNsRules
internal import Mynah
package import MynahCore
internal import Synchronization

/// The fault rules of `--fixtures` and the scenarios of `--scenario`: in force at the start, and again after each reset.
final class FixtureFaults: Sendable {
    private struct State {
        // With the ids that they were given, which they keep.
        var rules: [(id: String, draft: FaultDraft)] = []
        var scenarios: [Scenario] = []
    }

    private let state = Mutex(State())

    /// Adds the rules, all or none, and remembers them.
    ///
    /// - Throws: ``FaultFixtureFault``, at the first rule that the server does not take.
    func load(_ drafts: [FaultDraft], _ server: Server) throws(FaultFixtureFault) {
        do throws(FaultSet.ChangeError) {
            let made = try server.addFaults(drafts, pointers: drafts.indices.map { "/\($0)" })
            state.withLock { $0.rules += zip(made, drafts).map { ($0.rule.id, $1) } }
        } catch {
            throw FaultFixtureFault(error.error)
        }
    }

    /// Lets a scenario begin, and remembers it.
    func start(_ scenario: Scenario, _ server: Server) async throws {
        try await server.startScenario(scenario)
        state.withLock { $0.scenarios.append(scenario) }
    }

    /// Takes the rules of a scope away, or all of them and all scenarios; how many rules those were.
    func remove(ofScope scope: String?, _ server: Server) async throws -> Int {
        guard scope == nil else { return server.removeFaults(ofScope: scope) }
        let ofScenarios = try await server.removeScenarios().faults
        return ofScenarios + server.removeFaults(ofScope: nil)
    }

    /// Brings back the rules of a scope, or all of them and the scenarios, which begin anew.
    func restore(ofScope scope: String?, _ server: Server) async throws {
        let (rules, scenarios) = state.withLock { ($0.rules, $0.scenarios) }
        for (id, draft) in rules where scope == nil || draft.rule.scope == scope {
            // In place of one that somebody gave the same id meanwhile.
            _ = try server.putFault(draft, id: id)
        }
        if scope == nil { for scenario in scenarios { try await server.startScenario(scenario) } }
    }
}

/// A fault rule of fixtures that the server does not take.
package struct FaultFixtureFault: Error, Sendable {
    /// Which of the rules that were given, from 0.
    package let index: Int
    /// Why not; its field is a JSON pointer into the rule.
    package let error: QueryError

    /// The fault of the rule that the error's field begins with, a JSON pointer into the list.
    init(_ error: QueryError) {
        let steps = error.field.split(separator: "/", maxSplits: 1)
        self.index = steps.first.flatMap { Int($0) } ?? 0
        self.error = QueryError(
            steps.count > 1 ? "/" + steps[1] : "", error.problem, allowed: error.allowed)
    }
}

extension ControlServer {
    /// Adds the fault rules of fixtures, now and after each reset.
    ///
    /// - Throws: ``FaultFixtureFault``, at the first rule that the server does not take.
    package func load(_ faults: [FaultDraft]) throws(FaultFixtureFault) {
        try state.fixtureFaults.load(faults, state.server)
    }

    /// Lets a scenario begin, now and after each reset.
    ///
    /// - Throws: `FaultSet.ChangeError` when a scenario or a rule of that name is there.
    package func start(_ scenario: Scenario) async throws {
        try await state.fixtureFaults.start(scenario, state.server)
    }
}
