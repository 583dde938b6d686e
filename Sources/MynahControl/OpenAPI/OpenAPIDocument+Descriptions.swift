internal import APNsRules
internal import MynahCore

/// What the document says about members.
extension OpenAPIDocument {
    /// The component with the description of each member at its end.
    ///
    /// A default that a client must not send, because the member's absence means something else, becomes a sentence.
    static func described(_ schema: JSONValue, in component: String) -> JSONValue {
        guard let members = schema["properties"]?.object else { return schema }
        let described = members.map { member in
            var keywords = member.value.object ?? []
            var text = member.value["description"]?.string ?? ""
            if let standard = member.value["default"], withoutDefaults.contains(component) {
                keywords.removeAll { $0.name == "default" }
                text += " By default \(standard.string ?? standard.encodedText)."
            }
            keywords.removeAll { $0.name == "description" }
            return JSONMember(member.name, .object(keywords + [JSONMember("description", .string(text))]))
        }
        return schema.setting(.object(described), at: ["properties"])
    }

    /// Bodies that change only what they name, and those whose members exclude each other.
    private static let withoutDefaults: Set<String> = [
        "DeviceChange", "AppSettings", "RegistrationSpecification", "Permissions", "FaultChange", "FaultAction",
        "ExpectationCount",
    ]
}
