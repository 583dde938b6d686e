import APNsRules
import MynahClient

/// What became of one expectation.
struct CheckedExpectation: Sendable {
    /// What was expected.
    let expectation: NamedExpectation
    /// The server's answer, or why there is none.
    let result: Result<ExpectationResult, ClientError>
    /// How long it took on the wall.
    let duration: Duration

    /// Whether it is met.
    var isMet: Bool {
        guard case .success(let result) = result else { return false }
        return result.isMet
    }

    /// Calls that are held open at a time; a file with more has to wait for the first of them.
    static let openMax = 100

    /// Puts expectations to the server, all together, so that a file takes as long as the slowest of them; answers
    /// them in their order.
    static func all(_ expectations: [NamedExpectation], _ client: ControlClient) async -> [CheckedExpectation] {
        await withTaskGroup(of: (Int, CheckedExpectation).self) { group in
            var rest = Array(expectations.enumerated())[...]
            for _ in 0..<min(openMax, expectations.count) {
                guard let (index, expectation) = rest.popFirst() else { break }
                group.addTask { (index, await check(expectation, client)) }
            }
            var checked: [(Int, CheckedExpectation)] = []
            while let one = await group.next() {
                checked.append(one)
                guard let (index, expectation) = rest.popFirst() else { continue }
                group.addTask { (index, await check(expectation, client)) }
            }
            return checked.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func check(_ expectation: NamedExpectation, _ client: ControlClient) async -> CheckedExpectation {
        let started = ContinuousClock.now
        let result: Result<ExpectationResult, ClientError>
        do throws(ClientError) {
            result = .success(try await client.expectation(expectation.body))
        } catch {
            result = .failure(error)
        }
        return CheckedExpectation(
            expectation: expectation, result: result, duration: ContinuousClock.now - started)
    }

    /// How the command ends: an error goes before an expectation that is unmet, so that 1 means that and nothing else.
    static func status(of checked: [CheckedExpectation]) -> CommandStatus {
        for one in checked {
            if case .failure(let error) = one.result { return MynahCommand.status(of: error) }
        }
        return checked.allSatisfy(\.isMet) ? .success : .unmet
    }
}
