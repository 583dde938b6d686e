package import APNsRules

/// The operating system of a device.
public enum Platform: String, CaseIterable, Sendable {
    case iOS, iPadOS, macOS, watchOS, tvOS, visionOS

    /// The model of a device that is described without one.
    package var usualModel: String {
        switch self {
        case .iOS: "iPhone 17"
        case .iPadOS: "iPad Air"
        case .macOS: "MacBook Air"
        case .watchOS: "Apple Watch Series 11"
        case .tvOS: "Apple TV 4K"
        case .visionOS: "Apple Vision Pro"
        }
    }
}

/// The description of a device, shared by all devices that are described alike.
package struct DeviceTraits: Hashable, Sendable {
    /// `nil` to show the id.
    package var name: String?
    package var model: String
    package var platform: Platform
    package var osVersion: String
    /// The environment of registrations that name none.
    package var environment: APNsEnvironment
    /// A language tag (BCP 47).
    package var locale: String

    package init(
        name: String? = nil, model: String? = nil, platform: Platform? = nil, osVersion: String? = nil,
        environment: APNsEnvironment? = nil, locale: String? = nil
    ) {
        self.name = name
        self.platform = platform ?? .iOS
        self.model = model ?? self.platform.usualModel
        self.osVersion = osVersion ?? "26.1"
        self.environment = environment ?? .sandbox
        self.locale = locale ?? "en"
    }
}
