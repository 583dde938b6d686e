package import APNsRules

/// Which notifications a call removes from a screen; all without a condition.
package typealias ScreenFilter = ParameterFilter<ScreenFilterKey>

package enum ScreenFilterKey: String, ParameterKey {
    case topic
    /// The collapse id, without one the `apns-id`, as `removeDeliveredNotifications(withIdentifiers:)` takes it.
    case identifier

    package var sentence: String {
        switch self {
        case .topic: "The app's topic."
        case .identifier: "A collapse ID, or the apns-id of a push without one."
        }
    }

    package func check(_ value: String, at name: String) throws(InputError) {
        if self == .topic { try Alphabet.topics.check(value, of: .topic, at: name) }
    }
}

extension ParameterFilter<ScreenFilterKey> {
    func holds(_ notification: ScreenNotification) -> Bool {
        holds { key in
            switch key {
            case .topic: [notification.push.topic]
            case .identifier: [notification.identifier]
            }
        }
    }
}

/// What apps change about a screen by themselves (`Documents#Screen`).
package struct ScreenPatch: Sendable, Equatable {
    /// The badges by the app's topic; 0 removes the number.
    let badges: [String: Int64]

    package static let schema: Schema = [
        Member(
            "badges", .map(of: .integer(0...Int64.max)),
            summary: "For each app the number on its icon, as the app sets it; 0 removes it.", isRequired: true)
    ]
    package static let document = RequestDocument(
        "ScreenChange", schema, example: ["badges": ["com.example.app": 0]])

    package init(json: JSONValue, at place: String = "") throws(InputError) {
        let reader = try ObjectReader(json, at: place, ScreenPatch.schema)
        badges = reader.members("badges").reduce(into: [:]) { $0[$1.name] = $1.value.integer }
    }

    package var json: JSONValue { ["badges": .object(sorting: badges) { .whole($0) }] }
}
