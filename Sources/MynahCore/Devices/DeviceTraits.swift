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
    /// The label of its owner's devices; they share nothing else.
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
}

extension DeviceTraits: ByteRecord {
    package static let members = ByteMembers(DeviceTraits.init) {
        ($0.name, $0.model, $0.platform, $0.osVersion, $0.environment, $0.locale, $0.user)
    }
}

extension APNsEnvironment: DocumentValue {}
extension Platform: DocumentValue {}
