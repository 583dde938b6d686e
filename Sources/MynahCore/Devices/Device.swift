package import APNsRules

/// How much power a device has to spend (`DeviceBehaviour#From-APNs-to-the-device`).
public enum Power: String, CaseIterable, Sendable {
    /// Delivers all.
    case normal
    /// Low Power Mode: holds priorities 5 and 1, and background pushes.
    case low
    /// Holds priorities 5 and 1; 10 wakes it for itself only.
    case asleep
}

/// An operating system of Apple's.
public enum Platform: String, CaseIterable, Sendable {
    case iOS, iPadOS, macOS, watchOS, tvOS, visionOS

    /// A device that runs it, where nobody named one.
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

/// What a device is, apart from what it is doing; shared by all devices that are alike.
package struct DeviceTraits: Hashable, Sendable {
    /// What people call it; `nil`: its id.
    package var name: String?
    /// The product.
    package var model: String
    /// The system.
    package var platform: Platform
    /// The system's version.
    package var osVersion: String
    /// The environment of registrations that name none.
    package var environment: APNsEnvironment
    /// A language tag (BCP 47).
    package var locale: String

    /// An iPhone in English.
    package init(
        name: String? = nil, model: String? = nil, platform: Platform = .iOS, osVersion: String = "26.1",
        environment: APNsEnvironment = .sandbox, locale: String = "en"
    ) {
        self.name = name
        self.model = model ?? platform.usualModel
        self.platform = platform
        self.osVersion = osVersion
        self.environment = environment
        self.locale = locale
    }
}

/// A device: what every one has, in few bytes, since there may be millions.
struct Device: Slotted {
    /// Its id; `nil` for one that a push to an unknown token made: the digits of its first token.
    var id: String?
    var inbox = Inbox()
    /// What few have.
    var rare = Rare<DeviceDetail>()
    /// When something is due by itself; the end of time when nothing is.
    var dueAt = Device.never
    /// The number of its traits in the table.
    var traits: Int32
    /// The number of its scope in the table; 0 is none.
    var scope: Int32
    /// Its oldest registration, or -1; the next free place.
    var first: Int32 = -1
    var isOnline = true
    var power = Power.normal
    /// Whether the place is taken.
    var isOccupied = true

    /// The moment of what never happens.
    static let never = Instant(milliseconds: .max)

    var nextSlot: Int32 { first }

    init(id: String?, traits: Int32, scope: Int32) {
        self.id = id
        self.traits = traits
        self.scope = scope
    }

    static func vacant(next: Int32) -> Device {
        var vacant = Device(id: nil, traits: 0, scope: 0)
        vacant.first = next
        vacant.isOccupied = false
        return vacant
    }
}

/// What few devices have.
struct DeviceDetail: Sendable {
    /// The Focus that is on.
    var focus: Focus?
    /// What is on its screen; `nil` while nobody has asked, and nothing but the payloads decides it.
    var screen: NotificationCentre?
    /// The live clients that keep it online (`?connect=true`), by their numbers.
    var clients: Set<UInt64> = []

    /// Whether there is nothing that a device without a detail has not.
    var isEmpty: Bool { focus == nil && screen == nil && clients.isEmpty }
}
