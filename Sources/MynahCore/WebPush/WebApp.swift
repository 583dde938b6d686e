package import APNsRules

/// What a registration is: an app with a device token, or a web app with a subscription (`WebPush#Subscriptions`).
package enum RegistrationKind: String, CaseIterable, Sendable {
    case app
    case web
}

/// What the service worker of a web app does with a push that declares no notification.
public enum ServiceWorker: String, CaseIterable, Sendable, DocumentValue {
    /// The service worker shows the title and body in the push, or its text.
    case shows
    /// The service worker shows nothing, which costs the web app its subscription after ``WebApp/silentPushesMax``
    /// pushes.
    case silent
    /// The web app has no service worker: only declarative pushes are shown.
    case none
}

extension ServiceWorker: ByteCodable {}

/// The state that only the registration of a web app has.
package struct WebApp: Sendable, Hashable {
    /// The number of pushes that have shown nothing after which all subscriptions of the origin are removed; WebKit
    /// never resets its count (`WebPush#Silent-pushes`).
    static let silentPushesMax = 3
    /// How long a service worker may take to show a notification.
    static let workerTimeMax: Duration = .seconds(30)

    /// The key with which the web app subscribed, an uncompressed point of 65 bytes.
    let applicationServerKey: [UInt8]
    /// How many of the web app's pushes have shown nothing.
    private(set) var silentPushCount = 0
    /// When the time of the service workers is over that have shown nothing so far, oldest first.
    private(set) var awaited: [Instant] = []

    /// Whether the web app's origin has lost its subscriptions.
    var hasLostSubscriptions: Bool { silentPushCount >= WebApp.silentPushesMax }
    /// Why the web app's subscription has ended, a clause.
    var endCause: String {
        hasLostSubscriptions
            ? "Safari removed the subscription after \(WebApp.silentPushesMax) pushes that showed nothing"
            : "the subscription was removed"
    }
    /// When the next service worker's time is over.
    var dueAt: Instant? { awaited.first }

    /// Records a push of which the service worker shows nothing.
    mutating func await(from now: Instant) { awaited.append(now.advanced(by: WebApp.workerTimeMax)) }

    /// Counts a service worker whose time is over.
    mutating func endAwaited() {
        awaited.removeFirst()
        silentPushCount = min(silentPushCount + 1, WebApp.silentPushesMax)
    }

    /// Forgets the pushes that were still to show something, because the subscription has ended.
    mutating func endAll() { awaited = [] }
}

extension WebApp: ByteRecord {
    package static let members = ByteMembers(WebApp.init) { ($0.applicationServerKey, $0.silentPushCount, $0.awaited) }

    package var damage: String? {
        (0...WebApp.silentPushesMax).contains(silentPushCount) ? nil : "\(silentPushCount) pushes have shown nothing"
    }
}

extension WebPushOrigin {
    /// Reads the topic of a web app, its origin: `https://`, a host and a port if it isn't 443, in lower case; `nil` for
    /// any other text.
    package init?(topic: String) {
        let scheme = "https://"
        guard topic.hasPrefix(scheme), let origin = WebPushOrigin(authority: topic.dropFirst(scheme.count)),
            origin.description == topic, Topic.suffixedPushType(of: Array(topic.utf8).span) == nil
        else { return nil }
        self = origin
    }
}

extension APNsEnvironment {
    /// The environment of an app: the given one, or else `usual`, the device's.
    ///
    /// A web app's is production, as Web Push has no sandbox (`WebPush#Endpoint`).
    package static func ofApp(_ topic: String, given: APNsEnvironment?, usual: APNsEnvironment) -> APNsEnvironment {
        WebPushOrigin(topic: topic) == nil ? given ?? usual : .production
    }
}

extension Form {
    /// The topic of an app, or of a web app its origin.
    package static let anyTopic = Form.name(
        "a topic, or a web app's origin", bytesMax: Limits.topicBytesMax, punctuation: ".:/-")
}
