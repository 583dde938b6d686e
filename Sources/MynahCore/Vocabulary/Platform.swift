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

extension Platform: ByteCodable {}
