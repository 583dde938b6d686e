/// The steps of a shutdown: each is taken even if earlier ones threw, and the first error is kept.
package struct Teardown {
    private var failure: (any Error)?

    package init() {}

    package mutating func run(_ step: () async throws -> Void) async {
        do { try await step() } catch { failure = failure ?? error }
    }

    /// Throws the first error, once all steps are taken.
    package func finish() throws {
        if let failure { throw failure }
    }
}
