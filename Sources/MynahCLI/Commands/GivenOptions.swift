import APNsRules
import MynahClient

extension [JSONMember] {
    /// The options that were given, as texts.
    init(given options: KeyValuePairs<String, String?>) {
        self = options.compactMap { name, text in text.map { JSONMember(name, .string($0)) } }
    }
}

extension [QueryItem] {
    /// The values of repeatable options.
    init(given options: KeyValuePairs<String, [String]>) {
        self = options.flatMap { name, values in values.map { QueryItem(name, $0) } }
    }
}
