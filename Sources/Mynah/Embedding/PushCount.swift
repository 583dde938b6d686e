internal import MynahCore

/// The number of pushes that an expectation wants.
public struct PushCount: Hashable, Sendable, ExpressibleByIntegerLiteral {
    /// The fewest.
    public let least: Int
    /// The most; `nil` for no limit.
    public let most: Int?

    private init(_ least: Int, _ most: Int?) {
        self.least = least
        self.most = most
    }

    /// An exact number: `count: 3`.
    public init(integerLiteral count: Int) { self.init(count, count) }

    /// An exact number.
    public static func exactly(_ count: Int) -> PushCount { PushCount(count, count) }

    /// A number or more.
    public static func atLeast(_ count: Int) -> PushCount { PushCount(count, nil) }

    /// A number or fewer.
    public static func atMost(_ count: Int) -> PushCount { PushCount(0, count) }

    /// A range: `.between(2, 4)`.
    public static func between(_ least: Int, _ most: Int) -> PushCount { PushCount(least, most) }

    /// No push; to be used with `settle`, for pushes that may be on their way.
    public static let none = PushCount(0, 0)

    /// The count for the core.
    ///
    /// - Throws: ``MynahError`` for one that nothing could meet.
    func checked() throws(MynahError) -> Expectation.Count {
        guard least >= 0, most.map({ $0 >= least }) ?? true else {
            let range = "\(least) to \(most.map { "\($0)" } ?? "any number")"
            throw MynahError(.invalid, field: "count", "count is \(range), which nothing could meet")
        }
        return Expectation.Count(min: least, max: most)
    }
}
