public import APNsRules
public import MynahCore

/// An expectation that was not met; its description is what `mynah expect` prints: the count, near misses with their
/// differences, and hints at causes.
public struct UnmetExpectation: Error, Sendable, CustomStringConvertible {
    /// A field of a push that is not as expected.
    public struct Difference: Hashable, Sendable {
        /// The field as a JSON pointer into the push.
        public let field: String
        /// What was expected, a value or a matcher.
        public let expected: JSONValue
        /// What is there; `null` for nothing.
        public let actual: JSONValue
    }

    /// A push that nearly matches.
    public struct NearMiss: Hashable, Sendable {
        /// The push's number.
        public let sequence: UInt64
        /// The fields in which the push differs from what was expected.
        public let differences: [Difference]
    }

    /// The pushes that match, too few or too many.
    public let matching: [ReceivedPush]
    /// The pushes that nearly match, at most three, the nearest first.
    public let nearMisses: [NearMiss]
    /// Usual causes that were recognised, a sentence each.
    public let hints: [String]
    /// The whole result as `POST /v1/expectations` answers it.
    public let document: JSONValue
    /// The result in words.
    public let description: String

    init(_ answer: ExpectationAnswer, _ expectation: Expectation) {
        matching = answer.matching
        document = answer.json
        hints = (document["hints"]?.array ?? []).compactMap(\.string)
        nearMisses = (document["nearest"]?.array ?? []).map { candidate in
            let differences = (candidate["differences"]?.array ?? []).map {
                Difference(
                    field: $0["field"]?.string ?? "", expected: $0["expected"] ?? .null, actual: $0["actual"] ?? .null)
            }
            return NearMiss(sequence: UInt64(candidate["sequence"]?.integer ?? 0), differences: differences)
        }
        description = FindingText(document, wanted: expectation.wanted)
            .lines(valueCountMax: FindingText.valueCountMax).map(\.indentedText).joined(separator: "\n")
    }
}

extension Expectation {
    /// What is expected, in words.
    fileprivate var wanted: String {
        let within = DurationText.text(within)
        let settle = settle > .zero ? DurationText.text(settle) : nil
        return switch subject {
        case .matching(_, let count):
            FindingText.wanted(
                steps: nil, least: Int64(count.least), most: count.most.map { Int64($0) }, within: within,
                settle: settle)
        case .inOrder(let filters):
            FindingText.wanted(steps: filters.count, least: 0, most: nil, within: within, settle: settle)
        }
    }
}
