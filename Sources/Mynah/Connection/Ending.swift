/// The steps of a shutdown: each is taken whatever the ones before it threw, and the first error is kept.
package struct Ending {
    private var failure: (any Error)?

    /// No step yet.
    package init() {}

    /// Takes a step.
    package mutating func run(_ step: () async throws -> Void) async {
        do { try await step() } catch { failure = failure ?? error }
    }

    /// Reports the first error, once all steps are taken.
    package func finish() throws {
        if let failure { throw failure }
    }
}
