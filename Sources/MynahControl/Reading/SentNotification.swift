internal import APNsRules
internal import Mynah
internal import MynahCore

/// What came of a push that the server sent itself (`Documents#Sent-pushes`).
struct SentNotification: Sendable {
    let outcome: OwnPush.Outcome
    let id: String
    /// The push's number in the journal; `nil` if it did not get there.
    let sequence: UInt64?

    private var reason: String? { (try? JSONValue(parsing: outcome.body))?["reason"]?.string }

    var json: JSONValue { .object(SentNotification.fields.members(of: self)) }

    static let fields: Fields<SentNotification> = [
        Field(shown: "status", .nullable(.whole), "null if there was no answer.") { .whole($0.outcome.status) },
        Field(shown: "reason", .nullableText.described(FilterKey.reason.sentence)) { .text($0.reason) },
        Field(shown: "apnsId", .anyText, "The push's apns-id, or apns-request-id.") { .string($0.id) },
        Field(
            shown: "sequence", .nullable(.whole), "The push in the journal; null if it did not get there."
        ) { .whole($0.sequence) },
        Field(shown: "problem", .nullableText.described("Why there was no answer, as a clause.")) {
            .text($0.outcome.problem)
        },
    ]
}
