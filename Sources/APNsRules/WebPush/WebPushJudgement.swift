/// What a request to Apple's Web Push service meets: the state that its rules need (`WebPush#Order-of-checks`).
package struct WebPushContext: Sendable {
    /// The subscription that the path names.
    package enum Endpoint: Sendable, Hashable {
        /// Not looked up: neither the subscription nor its key is judged.
        case unasked
        case unknown
        /// A subscription that was removed, which Apple has noticed, with the reason, a clause.
        case gone(String)
        /// A subscription that may be used with this application server key, 65 bytes.
        case active(applicationServerKey: [UInt8])
    }

    /// A part of a request that a copy of it may lack; a server sees them all.
    package enum Part: Sendable, Hashable {
        case path
        /// The bytes of a body that isn't empty.
        case body
        /// The signature of a token that has none, as journals keep it.
        case signature
    }

    /// A key with the name by which the cause of a refusal can mention it.
    package struct KnownKey: Sendable, Hashable {
        package let name: String
        package let point: [UInt8]

        package init(_ name: String, _ point: [UInt8]) {
            self.name = name
            self.point = point
        }
    }

    /// When the request was complete, by the server's clock.
    package var now: Instant
    /// The origin of the endpoint's URL.
    package var origin: WebPushOrigin
    /// The hosts by which the endpoints of the server can be reached; `nil` if they aren't known.
    package var knownHosts: Set<String>?
    package var endpoint: Endpoint
    /// What isn't known of the request, so that no rule judges it.
    package var unseen: Set<Part> = []
    /// The application server keys of other subscriptions; asked only when a cause is to name the key that was used.
    package var knownKeys: @Sendable () -> [KnownKey] = { [] }
    /// The token that an application server key used last.
    package var lastToken: @Sendable (_ key: [UInt8]) -> VapidTokenUse? = { _ in nil }

    package init(now: Instant, origin: WebPushOrigin, endpoint: Endpoint) {
        self.now = now
        self.origin = origin
        self.endpoint = endpoint
    }
}

/// A VAPID token, without its signature, and since when its key uses it.
package struct VapidTokenUse: Sendable, Hashable {
    /// The token's header and claims without the signature: the same claims signed again are the same token.
    package let signed: String
    package let since: Instant
    package let expiresAt: Instant

    package init(_ token: String, since: Instant, expiresAt: Instant) {
        signed = String(token.split(separator: ".").prefix(2).joined(separator: "."))
        self.since = since
        self.expiresAt = expiresAt
    }
}

/// What is found wrong with a request.
package struct WebPushFindings: Sendable, Hashable {
    /// The rules that the request breaks, in the order in which Apple checks them; empty if it is accepted.
    package internal(set) var refusals: [WebPushRefusal] = []
    /// What Apple accepts and advises against, and where its documents and its answers differ.
    package internal(set) var warnings: [String] = []

    package init(refusals: [WebPushRefusal] = [], warnings: [String] = []) {
        self.refusals = refusals
        self.warnings = warnings
    }

    /// Whether the key or the token is refused.
    var refuseCredential: Bool {
        refusals.contains { $0.reason == .badJwtToken || $0.reason == .badVapidPublicKey }
    }
}

/// What Apple would answer to a request, with all that is wrong with it.
package struct WebPushJudgement: Sendable {
    package internal(set) var findings = WebPushFindings()
    /// The path's segment; `nil`, like the values below, if it was not sent or is malformed.
    package internal(set) var segment: String?
    package internal(set) var credential: VapidCredential?
    package internal(set) var token: VapidToken?
    /// How long Apple keeps the push, at most 30 days.
    package internal(set) var timeToLive: Duration?
    /// The field `urgency`; `normal` if it was not sent.
    package internal(set) var urgency: WebPushUrgency?
    package internal(set) var topic: String?
    /// The encrypted body; `nil` also if the body is empty.
    package internal(set) var message: EncryptedMessage?
    /// What the caller remembers of the token for the next request with its key; `nil` if the token is refused.
    package internal(set) var tokenUse: VapidTokenUse?

    /// The key that has signed the token; `nil` if that is in doubt, or the token is refused.
    package var provenKey: [UInt8]? { findings.refuseCredential ? nil : credential?.key }
    /// What decides the answer; `nil` if the request is accepted.
    package var refusal: WebPushRefusal? { findings.refusals.first }
    package var status: Int { refusal?.reason.status ?? WebPushJudgement.acceptedStatus }

    /// The status of success (RFC 8030 §5).
    package static let acceptedStatus = 201
}

/// The order of the rules of Apple's Web Push service: the first one that a request breaks decides the answer
/// (`WebPush#Order-of-checks`).
package enum WebPushAdmission {
    /// Judges a request by all rules; `verify` checks a signature.
    package static func judge(
        _ request: WebPushRequest, in context: WebPushContext, verify: @escaping VapidVerifier
    ) -> WebPushJudgement {
        var judge = WebPushJudge(request: request, context: context, verify: verify)
        judge.checkMethod()
        judge.checkRepetition()
        if !context.unseen.contains(.path) { judge.readPath() }
        judge.readCredential()
        judge.readTimeToLive()
        judge.readUrgency()
        judge.readTopic()
        judge.checkBodySize()
        judge.readBody()
        judge.judgement.checkEndpoint(in: context)
        return judge.judgement
    }

    /// The judgement of a request that was judged before with these findings, when its token still had its signature: what
    /// depends on that, on the time and on the endpoint is among them.
    package static func reading(
        _ request: WebPushRequest, found findings: WebPushFindings, at now: Instant
    ) -> WebPushJudgement {
        let context = WebPushContext(now: now, origin: .apple, endpoint: .unasked)
        var judgement = judge(request, in: context) { _, _, _ in .valid }
        judgement.findings = findings
        return judgement
    }

    /// Judges only who sent a request, by its `Authorization` and `Crypto-Key`, and whether that key may push to the
    /// endpoint.
    package static func judgeCredential(
        of request: WebPushRequest, in context: WebPushContext, verify: @escaping VapidVerifier
    ) -> WebPushJudgement {
        var judge = WebPushJudge(request: request, context: context, verify: verify)
        judge.readCredential()
        judge.judgement.checkEndpoint(in: context)
        return judge.judgement
    }

    /// Judges a token alone, with its signature if its key is known.
    package static func judge(
        token: String, of key: [UInt8]?, in context: WebPushContext, verify: @escaping VapidVerifier
    ) -> WebPushJudgement {
        let request = WebPushRequest(method: "POST", path: "/", fields: [])
        var judge = WebPushJudge(request: request, context: context, verify: verify)
        judge.readToken(token, of: key)
        return judge.judgement
    }
}

/// A request, the state that it is judged by, and the findings so far; each rule is a method in an extension.
struct WebPushJudge {
    let request: WebPushRequest
    let context: WebPushContext
    let verify: VapidVerifier
    var judgement = WebPushJudgement()

    mutating func refuse(_ reason: Reason, _ cause: String, _ evidence: Evidence) {
        judgement.findings.refusals.append(WebPushRefusal(reason, cause, evidence))
    }

    mutating func warn(_ warning: String) { judgement.findings.warnings.append(warning) }
}
