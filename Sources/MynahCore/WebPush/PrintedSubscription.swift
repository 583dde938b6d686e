package import APNsRules

/// What `JSON.stringify(subscription)` prints in a browser (Push API §9.5), of a subscription at a push service's origin.
package struct PrintedSubscription: Sendable {
    private let subscription: WebPushSubscription
    private let origin: WebPushOrigin

    package init(_ subscription: WebPushSubscription, at origin: WebPushOrigin) {
        self.subscription = subscription
        self.origin = origin
    }

    package var json: JSONValue { .object(PrintedSubscription.fields.members(of: self)) }

    package static let fields: Fields<PrintedSubscription> = [
        Field(shown: "endpoint", .anyText, "Where pushes are sent.") {
            .string("\($0.origin)/\($0.subscription.segment)")
        },
        Field(shown: "expirationTime", .nullable(.time), "Always null.") { _ in .null },
        Field(shown: "keys", .object(keys.showing), "What a push is encrypted with.") {
            .object(keys.members(of: $0))
        },
    ]

    private static let keys: Fields<PrintedSubscription> = [
        Field(shown: "p256dh", .anyText, "The browser's public key, a point of P-256 in base64url.") {
            .string(Base64.encode($0.subscription.publicKey, url: true))
        },
        Field(shown: "auth", .anyText, "The browser's authentication secret, 16 bytes in base64url.") {
            .string(Base64.encode($0.subscription.authenticationSecret, url: true))
        },
    ]
}
