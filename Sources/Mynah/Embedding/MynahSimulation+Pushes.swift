internal import APNsRules
public import MynahCore

/// The journal and expectations on it. A push is in the journal before the first byte of its answer leaves, so a test
/// that has the answer finds the push.
extension MynahSimulation {
    /// Returns the pushes after a number that all filters match, accepted and refused ones, the oldest first; without
    /// filters all of the server or scope; works on a stopped server too.
    public func pushes(
        _ filters: PushFilter..., after sequence: UInt64 = 0
    ) async throws(MynahError) -> [ReceivedPush] {
        let all = scopeName.map { filters + [.scope($0)] } ?? filters
        let journal = server.running.journal
        return try await MynahError.converting {
            let filter = try PushFilter.conditions(all, ofScope: scopeName)
            var found: [PushView] = []
            try await journal.forEach(
                after: sequence, through: await journal.settled(), mayPass: EntryPrefilter(filter)
            ) { entry in
                let view = PushView(entry)
                if filter.matches(view) { found.append(view) }
            }
            return found
        }
    }

    /// Removes a push from the journal, and the events about it, while its device keeps what it received; returns whether
    /// it was there.
    @discardableResult
    public func removePush(_ sequence: UInt64) async throws(MynahError) -> Bool {
        try await server.change { try await $0.removePush(sequence) }
    }

    /// The newest sequence number: take it, act, and ask for what comes `after` it.
    public var lastSequence: UInt64 { server.running.journal.lastIssued }

    /// Waits until `count` pushes have arrived that all filters match, and returns them, the oldest first.
    ///
    /// They may have arrived already. All times are real time, so that a frozen clock hangs no test. In a scope only
    /// its own pushes count, without filters all of them.
    /// - Parameters:
    ///   - filters: The pushes that count: all without filters.
    ///   - count: How many are expected.
    ///   - within: How long the fewest may take, at most an hour.
    ///   - settle: How long the most must not be exceeded after that.
    ///   - sequence: Only pushes after this number count.
    /// - Throws: ``UnmetExpectation`` if too few or too many arrive; ``MynahError`` for an invalid filter, count or
    ///   time; `CancellationError` if the task is cancelled.
    @discardableResult
    public func expect(
        _ filters: PushFilter..., count: PushCount = .atLeast(1), within: Duration = .seconds(5),
        settle: Duration = .zero, after sequence: UInt64 = 0
    ) async throws -> [ReceivedPush] {
        let filter = try MynahError.reading { () throws(InputError) in
            try PushFilter.conditions(filters, ofScope: scopeName)
        }
        try count.check()
        return try await check(.matching(filter, count), within: within, settle: settle, after: sequence)
    }

    /// Waits until a push has arrived for each step, in this order, possibly with others between; returns those pushes.
    ///
    /// There may be 1 to 1000 steps, which may take at most an hour; only pushes after the number `sequence` count.
    /// Throws as ``expect(_:count:within:settle:after:)`` does.
    @discardableResult
    public func expectInOrder(
        _ steps: [PushFilter]..., within: Duration = .seconds(5), after sequence: UInt64 = 0
    ) async throws -> [ReceivedPush] {
        guard (1...Expectation.stepsMax).contains(steps.count) else {
            throw MynahError(.invalid, "\(steps.count) steps are not valid: expected 1 to \(Expectation.stepsMax)")
        }
        let filters = try MynahError.reading { [scopeName] () throws(InputError) in
            try steps.map { step throws(InputError) in try PushFilter.conditions(step, ofScope: scopeName) }
        }
        return try await check(.inOrder(filters), within: within, settle: .zero, after: sequence)
    }

    private func check(
        _ subject: Expectation.Subject, within: Duration, settle: Duration, after: UInt64
    ) async throws -> [ReceivedPush] {
        for (name, time) in [("within", within), ("settle", settle)]
        where !(.zero...Expectation.waitMax).contains(time) {
            let longest = DurationText.text(Expectation.waitMax)
            throw MynahError(
                .invalid, field: name, "\(name) is \(DurationText.text(time)): expected 0s to \(longest)")
        }
        let expectation = Expectation(subject, within: within, settle: settle, after: after, scope: scopeName)
        guard let answer = try await server.running.check(expectation) else {
            throw MynahError(.busy, "the server was too busy to check the expectation in time")
        }
        guard answer.isMet else { throw UnmetExpectation(answer, expectation) }
        return answer.matching
    }
}

/// The number of pushes that an expectation wants.
public typealias PushCount = ExpectedCount

extension ExpectedCount: ExpressibleByIntegerLiteral {
    /// An exact number: `count: 3`.
    public init(integerLiteral count: Int) { self.init(least: count, most: count) }
    /// An exact number.
    public static func exactly(_ count: Int) -> Self { Self(least: count, most: count) }
    /// A number or more.
    public static func atLeast(_ count: Int) -> Self { Self(least: count) }
    /// A number or fewer.
    public static func atMost(_ count: Int) -> Self { Self(least: 0, most: count) }
    /// A range: `.between(2, 4)`.
    public static func between(_ least: Int, _ most: Int) -> Self { Self(least: least, most: most) }
    /// No push; use it with `settle`, for pushes that may be on their way.
    public static let none = Self(least: 0, most: 0)

    /// - Throws: ``MynahError`` for an impossible count.
    fileprivate func check() throws(MynahError) {
        guard least >= 0, most.map({ $0 >= least }) ?? true else {
            let range = "\(least) to \(most.map { "\($0)" } ?? "any number")"
            throw MynahError(.invalid, field: "count", "count is \(range): expected a range from 0 or more upwards")
        }
    }
}
