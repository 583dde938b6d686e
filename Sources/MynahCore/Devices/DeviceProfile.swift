internal import APNsRules

/// What calls set of a device, and its document shows: its description, its state, and what its user has set
/// (`Documents#Devices`).
@dynamicMemberLookup
package struct DeviceProfile: Described, Hashable {
    package var traits: DeviceTraits
    package var state: DeviceState
    package var screen: ScreenSettings

    package init() {
        self.init(traits: DeviceTraits(), state: DeviceState(), screen: ScreenSettings())
    }

    // Makes no defaults, because filters ask every device of a list.
    init(traits: DeviceTraits, state: DeviceState, screen: ScreenSettings) {
        self.traits = traits
        self.state = state
        self.screen = screen
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<DeviceState, Value>) -> Value {
        get { state[keyPath: path] }
        set { state[keyPath: path] = newValue }
    }

    /// Throws if two members contradict each other.
    func check() throws(InputError) {
        try traits.check()
        try screen.check(on: traits.platform)
    }

    package static let fields: Fields<DeviceProfile> =
        [
            Field(
                "user", \.traits.user,
                "The label of its owner's devices, by which they are listed, changed and removed together.",
                default: nil, form: .shortText, uses: [.clearable, .filtered]),
            Field(
                "name", \.traits.name, "The name that its user sees.", default: nil, form: .shortText, shown: .anyText),
            Field(
                "model", \.traits.model, "The product, such as iPhone 17.", default: Platform.iOS.usualModel,
                form: .shortText,
                isDefaultSaid: false, uses: [.made, .shown]),
            Field(
                "platform", \.traits.platform, "The platform, which determines what the device can show.",
                default: .iOS, uses: [.made, .shown, .filtered]),
            Field(
                "osVersion", \.traits.osVersion, "The system's version, such as 26.1.",
                default: DeviceTraits.usualVersion, form: .shortText, isDefaultSaid: false),
            Field(
                "environment", \.traits.environment,
                "The environment of apps that name none; by default the server's.", default: .sandbox,
                isDefaultSaid: false, uses: [.made, .shown]),
            Field(
                "locale", \.traits.locale, "The language, a tag of BCP 47 such as en-GB.", default: "en",
                form: .shortText,
                check: { tag, place throws(InputError) in try LanguageTag.check(tag, at: place) }),
        ] + DeviceState.fields.lifted(\.state) + ScreenSettings.fields.lifted(\.screen)
}
