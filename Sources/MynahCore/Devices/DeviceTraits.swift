package import APNsRules

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
    /// A label that the devices of one user share; they share nothing else.
    package var user: String?

    /// The version of a system that is described without one.
    static let usualVersion = "26.1"

    // What Apple's names of products begin with, and what runs on them; an iPad had iOS before iPadOS 13.
    private static let products: [(name: String, platforms: [Platform])] = [
        ("iPhone", [.iOS]), ("iPad", [.iPadOS, .iOS]), ("Mac", [.macOS]), ("iMac", [.macOS]),
        ("Apple Watch", [.watchOS]), ("Apple TV", [.tvOS]), ("Apple Vision", [.visionOS]),
    ]

    /// Throws if the model is a product of another platform.
    func check() throws(InputError) {
        guard let product = DeviceTraits.products.first(where: { model.hasPrefix($0.name) }),
            !product.platforms.contains(platform)
        else { return }
        throw InputError(
            at: "/platform", "\(model) has no \(platform.rawValue)", allowed: product.platforms.map(\.rawValue))
    }
}

extension DeviceTraits {
    package init(
        name: String? = nil, model: String? = nil, platform: Platform? = nil, osVersion: String? = nil,
        environment: APNsEnvironment? = nil, locale: String? = nil, user: String? = nil
    ) {
        self.name = name
        self.platform = platform ?? .iOS
        self.model = model ?? self.platform.usualModel
        self.osVersion = osVersion ?? DeviceTraits.usualVersion
        self.environment = environment ?? .sandbox
        self.locale = locale ?? "en"
        self.user = user
    }

    /// The first iOS and iPadOS that shows declarative messages; on a Mac that is a matter of Safari's version
    /// (`WebPush#Declarative-messages`).
    private static let declarativeVersion = [18, 4]

    /// Why the system knows no declarative messages, a sentence; `nil` if it does, or has a version that is no number.
    var declarativeProblem: String? {
        let parts = osVersion.split(separator: ".").map { Int($0) }
        guard [.iOS, .iPadOS].contains(platform), !parts.isEmpty, !parts.contains(nil),
            parts.compactMap(\.self).lexicographicallyPrecedes(DeviceTraits.declarativeVersion)
        else { return nil }
        let needed = DeviceTraits.declarativeVersion.map { "\($0)" }.joined(separator: ".")
        return "\(platform.rawValue) \(osVersion) knows no declarative messages: expected \(needed) or later"
    }

    /// Throws if there are no web apps with pushes on the platform.
    func checkWebApps() throws(InputError) {
        let platforms: [Platform] = [.iOS, .iPadOS, .macOS, .visionOS]
        guard !platforms.contains(platform) else { return }
        throw InputError(
            at: "/kind",
            "\(platform.rawValue) has no web apps that get pushes: expected kind app, or "
                + InputError.alternatives(platforms.map(\.rawValue)))
    }
}

extension DeviceTraits: ByteRecord {
    package static let members = ByteMembers(DeviceTraits.init) {
        ($0.name, $0.model, $0.platform, $0.osVersion, $0.environment, $0.locale, $0.user)
    }
}

extension APNsEnvironment: DocumentValue {}
extension Platform: DocumentValue {}
