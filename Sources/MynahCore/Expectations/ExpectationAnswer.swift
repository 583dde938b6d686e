package import APNsRules

/// The answer to an expectation (`Documents#Expectations`).
package struct ExpectationAnswer: Sendable {
    package let isMet: Bool
    /// The pushes that count and match, in the order of their numbers; for `inOrder`, one for each step.
    package let matching: [PushView]
    let failedAt: Int?
    let nearest: [NearMiss]
    let hints: [String]
    let evicted: UInt64
    let lastSequence: UInt64

    package var json: JSONValue { .object(ExpectationAnswer.fields.members(of: self)) }

    package static let fields: Fields<ExpectationAnswer> = [
        Field(shown: "met", .bool, "Whether the expectation is met.") { .bool($0.isMet) },
        Field(
            shown: "matched", .whole, "How many match; items has the first \(Expectation.itemsMax) of them."
        ) { .whole($0.matching.count) },
        Field(
            shown: "items", .array(of: .any(schema: "Notification"), 0...Expectation.itemsMax),
            "The pushes that match, oldest first."
        ) { .array($0.matching.prefix(Expectation.itemsMax).map(\.json)) },
        Field(
            shown: "failedAt",
            .nullable(.whole).described("The index from 0 of the first filter of inOrder that no push matches.")
        ) { .whole($0.failedAt) },
        Field(
            shown: "nearest", .array(of: .object(NearMiss.fields.showing), 0...NearMiss.countMax),
            "The pushes with the fewest differences, newest first among equals; none of other scopes."
        ) { .array($0.nearest.map(\.json)) },
        Field(
            shown: "hints", .array(of: .anyText),
            """
            The usual causes, if found: matched before after, evicted, token of another scope, refused with a \
            reason, still pending, stored because its device is offline, delivered but not shown, too many.
            """
        ) { .texts($0.hints) },
        Field(shown: "evicted", .whole, JournalCounters.evictedSentence) { .whole($0.evicted) },
        Field(shown: "lastSequence", .whole, "The last sequence number that was given out.") {
            .whole($0.lastSequence)
        },
    ]
}
