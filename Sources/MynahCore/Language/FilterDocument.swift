internal import APNsRules

/// A document of a push whose places filters name by JSON pointers (`Documents#Matchers`), described once.
///
/// One more document is a case with its facts; what a push has of it is beside ``DecodedPush`` and ``FaultFacts``.
package enum FilterDocument: String, CaseIterable, Sendable {
    case payload, screen, webPush

    struct Facts {
        /// What the document means in a `match` object, for the OpenAPI document.
        let sentence: String
        var examples: [JSONValue] = []
        /// A condition on a place, as a line of the query language has it.
        let line: String
        /// What it costs to find a place in the document.
        let cost: FilterCost
        /// Whether a request has the document before it is judged.
        let isOfRequest: Bool
        /// Which pushes have a place in it.
        var applies = Applicability.maybe
    }

    var facts: Facts {
        switch self {
        case .payload:
            Facts(
                sentence: "By JSON pointer, what a place in the payload must be.",
                line: "payload:/aps/category:NEWS", cost: .payload, isOfRequest: true)
        case .screen:
            Facts(
                sentence: """
                    Keyed by JSON pointer into the notification as GET /v1/devices/{id}/screen shows it (title, \
                    subtitle, body, sound, threadId, category, actions, interruptionLevel, relevanceScore, \
                    collapseId, mutableContent, shownAt, group, banner, attachments, details), and badge, the \
                    number that the push put on the app's icon: 0 if it removed the number, null if it left it \
                    alone. This does not change when the user dismisses the notification or a newer push replaces \
                    it. A push to a Live Activity has activities, with the activity as it became \
                    (/activities/0/contentState/score), and of its alert title, subtitle, body, sound, banner and \
                    lockScreen. A push that is not shown has badge, sound and reason; a push that has not arrived, or is \
                    not for the user, has nothing.
                    """,
                examples: [["/title": "Hello", "/badge": 3, "/sound/name": ["exists": true]]],
                line: "screen:/title:Hello", cost: .wholePush, isOfRequest: false,
                applies: Applicability(
                    "only a delivered push to a device is on a screen",
                    presence: { $0.isOnDevice ? .maybe : .never }))
        case .webPush:
            Facts(
                sentence: "Keyed by JSON pointer into the webPush of a push; others have nothing there.",
                examples: [["/ttl": ["gte": 3600], "/claims/sub": ["prefix": "mailto:"]]],
                line: "webPush:/topic:orders", cost: .wholePush, isOfRequest: false,
                applies: Applicability(
                    "only a web push has webPush", presence: { $0.kind == .webPush ? .maybe : .never }))
        }
    }

    /// The member of a `match` object.
    var member: Member {
        Member(
            rawValue, .map(of: .any(schema: "Matcher")), summary: facts.sentence, mayBeNull: false,
            examples: facts.examples)
    }
}
