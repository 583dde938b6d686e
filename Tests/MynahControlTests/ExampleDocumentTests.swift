import APNsRules
import MynahCore
import Testing

@testable import MynahControl

@Suite("Examples of bodies")
struct ExampleDocumentTests {
    private typealias Rewriting = @Sendable (JSONValue) throws -> Bool

    @Test(
        "an example is read from what is written of it as it was",
        arguments: [
            "DeviceSpecification", "DeviceChange", "RegistrationSpecification", "AppSettings",
            "LiveActivitySpecification", "LiveActivityChange",
            "SubscriptionSpecification", "ChannelSpecification", "ScreenChange", "FaultSpecification",
            "ScenarioSpecification",
        ])
    func exampleIsReadAsItWas(_ name: String) throws {
        let rewriting = try #require(Self.rewritings[name])
        let document = try #require(OpenAPIDocument.requests.first { $0.name == name })
        #expect(try rewriting(document.example))
    }

    private static let rewritings: [String: Rewriting] = [
        "DeviceSpecification": rewriting({ try DeviceSpecification(json: $0) }, \.json),
        "DeviceChange": rewriting({ try DevicePatch(json: $0) }, \.json),
        "RegistrationSpecification": rewriting({ try RegistrationSpecification(json: $0) }, \.json),
        "AppSettings": rewriting({ try AppPatch(json: $0) }, \.json),
        "LiveActivitySpecification": rewriting({ try ActivitySpecification(json: $0) }, \.json),
        "LiveActivityChange": rewriting({ try ActivityPatch(json: $0) }, \.json),
        "SubscriptionSpecification": rewriting({ try SubscriptionSpecification(json: $0) }, \.json),
        "ChannelSpecification": rewriting({ try ChannelSpecification(json: $0) }, \.json),
        "ScreenChange": rewriting({ try ScreenPatch(json: $0) }, \.json),
        "FaultSpecification": rewriting({ try FaultDraft(json: $0) }, \.json),
        "ScenarioSpecification": rewriting({ try Scenario(json: $0) }, \.json),
    ]

    /// Whether a document is read as the same value from what is written of it.
    private static func rewriting<Value: Equatable & SendableMetatype>(
        _ read: @escaping @Sendable (JSONValue) throws -> Value, _ json: @escaping @Sendable (Value) -> JSONValue
    ) -> Rewriting {
        { document in
            let value = try read(document)
            return try read(try JSONValue(parsing: json(value).encoded)) == value
        }
    }
}
