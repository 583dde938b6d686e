import APNsRules
import MynahClient

/// An expectation and its result.
struct CheckedExpectation: Sendable {
    let expectation: NamedExpectation
    /// The server's answer, or the error of the call.
    let result: Result<ExpectationResult, ClientError>
    /// The duration of the call by the system's clock.
    let duration: Duration

    var isMet: Bool {
        guard case .success(let result) = result else { return false }
        return result.isMet
    }

    /// The most concurrent calls; further expectations wait.
    static let openMax = 100

    /// Checks expectations concurrently, so that a file takes as long as the slowest one.
    ///
    /// - Returns: The results in the order of the expectations.
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

    /// The exit status: an error takes precedence over an unmet expectation, so that 1 only means unmet.
    static func status(of checked: [CheckedExpectation]) -> CommandStatus {
        for one in checked {
            if case .failure(let error) = one.result { return MynahCommand.status(of: error) }
        }
        return checked.allSatisfy(\.isMet) ? .success : .unmet
    }
}
