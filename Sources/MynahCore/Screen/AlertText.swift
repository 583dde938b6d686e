internal import APNsRules

/// The words of an alert as the user reads them (`DeviceBehaviour#What-the-user-sees`).
struct AlertText: Equatable {
    private(set) var title: String?
    private(set) var subtitle: String?
    private(set) var body: String?

    /// Whether there is nothing to read; an alert without words is not shown.
    var isEmpty: Bool { [title, subtitle, body].allSatisfy { $0?.isEmpty ?? true } }

    /// No words.
    init() {}

    /// Reads `aps.alert`, looks its keys up and puts their arguments in.
    ///
    /// A bare string is a body under the app's name. A dictionary has the titles that it names and no other: whether
    /// it named one is what a provider's test asks.
    init(_ alert: JSONValue, app: AppPresentation, topic: String, locale: String, warnings: inout [String]) {
        switch alert {
        case .string(let text):
            body = text
            title = text.isEmpty ? nil : app.displayName(topic: topic)
        case .object:
            var reader = PayloadReader(alert, called: "aps.alert")
            title = AlertText.part("title", "title-loc", &reader, app, locale)
            subtitle = AlertText.part("subtitle", "subtitle-loc", &reader, app, locale)
            body = AlertText.part("body", "loc", &reader, app, locale)
            reader.warnOfMisspelling(among: PayloadNames.alert)
            warnings += reader.warnings
        default:
            warnings.append("aps.alert is \(alert.kind); a string or an object was expected")
        }
    }

    // A localized text overrides the literal beside it (inferred).
    private static func part(
        _ literal: String, _ prefix: String, _ reader: inout PayloadReader, _ app: AppPresentation, _ locale: String
    ) -> String? {
        let text = reader.text(literal)
        let arguments = reader.arguments(prefix + "-args")
        guard let key = reader.text(prefix + "-key") else {
            if reader.value(prefix + "-args") != nil, reader.value(prefix + "-key") == nil {
                reader.warn("aps.alert.\(prefix)-args has no \(prefix)-key to go with")
            }
            return text
        }
        let found = app.localization.string(for: key, locale: locale)
        if found == nil {
            reader.warn("the app has no string \(key) for \(locale); the key itself is shown")
        }
        let format = LocalizedFormat(found ?? key, arguments: arguments, name: "the string \(key)")
        for warning in format.warnings { reader.warn(warning) }
        return format.text
    }
}
