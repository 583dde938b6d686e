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
            "NewDevice", "DeviceChange", "NewRegistration", "AppSettings", "NewLiveActivity", "LiveActivityChange",
            "NewSubscription", "NewChannel", "ScreenChange", "NewFault", "NewScenario",
        ])
    func exampleIsReadAsItWas(_ name: String) throws {
        let rewriting = try #require(Self.rewritings[name])
        #expect(try rewriting(OpenAPIExamples([]).body(name)))
    }

    private static let rewritings: [String: Rewriting] = [
        "NewDevice": rewriting({ try DeviceSpecification(json: $0) }, \.json),
        "DeviceChange": rewriting({ try DevicePatch(json: $0) }, \.json),
        "NewRegistration": rewriting({ try RegistrationSpecification(json: $0) }, \.json),
        "AppSettings": rewriting({ try AppPatch(json: $0) }, \.json),
        "NewLiveActivity": rewriting({ try ActivitySpecification(json: $0) }, \.json),
        "LiveActivityChange": rewriting({ try ActivityPatch(json: $0) }, \.json),
        "NewSubscription": rewriting({ try SubscriptionSpecification(json: $0) }, \.json),
        "NewChannel": rewriting({ try ChannelSpecification(json: $0) }, \.json),
        "ScreenChange": rewriting({ try ScreenPatch(json: $0) }, \.json),
        "NewFault": rewriting({ try FaultDraft(json: $0) }, \.json),
        "NewScenario": rewriting({ try Scenario(json: $0) }, \.json),
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
