public import APNsRules

/// What a browser hands out of a web app's subscription (`WebPush#Subscriptions`).
public struct BrowserSubscription: Hashable, Sendable {
    /// What `JSON.stringify(subscription)` prints: `endpoint`, `expirationTime` and `keys`.
    public let document: JSONValue
    /// The URL to which pushes are sent, at the server's ``MynahServer/webPushPort``.
    public let endpoint: String
    /// `keys.p256dh`: the browser's public key, a point of P-256 in base64url.
    public let p256dh: String
    /// `keys.auth`: 16 bytes in base64url.
    public let auth: String

    init?(_ document: JSONValue) {
        guard let endpoint = document["endpoint"]?.string, let p256dh = document["keys"]?["p256dh"]?.string,
            let auth = document["keys"]?["auth"]?.string
        else { return nil }
        self.document = document
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
    }
}
