package import APNsRules

// A web push (`Documents#Web-pushes`).
extension PushView {
    package var kind: JournalKind { entry.web != nil ? .webPush : isBroadcast ? .broadcast : .push }

    /// The bytes that the app gets: the body, or of a web push what its browser decrypts.
    package var content: ArraySlice<UInt8> {
        guard let web = entry.web else { return entry.body }
        return web.plaintext?[...] ?? entry.body
    }

    /// The members of the document's `webPush`; `nil` for any other push.
    var webPushJSON: JSONValue? {
        guard let web = entry.web else { return nil }
        let view = WebPushView(
            record: web, judgement: readAgain(web),
            message: web.plaintext.map { WebPushMessage($0, origin: web.topic ?? "") })
        return .object(WebPushView.fields.members(of: view))
    }

    /// The request as its rules read it; what they found then stands, as the token has no signature any more.
    private func readAgain(_ web: WebPushRecord) -> WebPushJudgement {
        let authorization = entry.credential.authorization.map { AuthorizationValue(Array($0.utf8)) }
        var request = PushRequest(headers: entry.headers, authorization: authorization, body: Array(entry.body))
        if entry.isBodyCut { request.excessiveBodyByteCount = Int(entry.bodyByteCount) }
        return WebPushAdmission.reading(WebPushRequest(request), found: web.findings, at: entry.receivedAt)
    }
}

/// What only a web push has in the journal (`Documents#Web-pushes`).
package struct WebPushView: Sendable {
    let record: WebPushRecord
    let judgement: WebPushJudgement
    /// `nil` if the browser has decrypted nothing.
    let message: WebPushMessage?

    package static let fields: Fields<WebPushView> = [
        Field(
            shown: "refusals", .array(of: .object(WebPushRefusal.fields.showing)),
            "Everything that is wrong with it; the first one was answered."
        ) { .array($0.record.findings.refusals.map(\.json)) },
        Field(
            shown: "claims", .nullable(.map(of: .any())), "The claims of the VAPID token; null if they can't be read."
        ) {
            $0.judgement.token?.claims ?? .null
        },
        Field(
            shown: "applicationServerKey", .nullableText,
            "The key in Authorization, in base64url; null without a valid one."
        ) {
            .text(($0.judgement.credential?.key).map { Base64.encode($0, url: true) })
        },
        Field(
            shown: "ttl", .nullable(.whole),
            "For how many seconds it is stored: TTL, at most 30 days; null if it is malformed."
        ) {
            .whole($0.judgement.timeToLive.map { $0.components.seconds })
        },
        Field(shown: "urgency", .nullableText, "Urgency; normal if it was not sent, null if it is malformed.") {
            .text($0.judgement.urgency?.rawValue)
        },
        Field(shown: "topic", .nullableText, "Topic; null if it was not sent, or is malformed.") {
            .text($0.judgement.topic)
        },
        Field(shown: "encoding", .nullableText, "aes128gcm or aesgcm; null for a body that is neither.") {
            .text($0.judgement.message?.encoding.rawValue)
        },
        Field(shown: "plaintext", .nullableText, "What the browser decrypts; null if it can't, or got nothing.") {
            .text($0.record.plaintext.map { String(decoding: $0, as: UTF8.self) })
        },
        Field(shown: "problem", .nullableText, "Why the browser can't decrypt it; null if it can, or got nothing.") {
            .text($0.record.problem)
        },
        Field(
            shown: "declarative", .nullable(.bool),
            "Whether it declares its notification, which iOS before 18.4 doesn't look at; null if it wasn't decrypted."
        ) { $0.message.map { .bool($0.isDeclarative) } ?? .null },
        Field(shown: "notDeclarative", .nullableText, "Why a push with web_push is not declarative; null for others.") {
            .text($0.message?.problem)
        },
        Field(shown: "navigate", .nullableText, "The address that a tap on its notification opens; null without one.") {
            .text($0.message?.notification.navigate)
        },
    ]
}

extension WebPushRefusal {
    static let fields: Fields<WebPushRefusal> = [
        Field(shown: "status", .whole, "The status that goes with the reason.") { .whole($0.reason.status) },
        Field(shown: "reason", .anyText, "The reason.") { .string($0.reason.rawValue) },
        Field(shown: "cause", .anyText, "What is wrong and what was expected.") { .string($0.cause) },
        Field(
            shown: "evidence", .choice(Evidence.self),
            "How it is known that Apple refuses it: documented, observed or inferred."
        ) { .string($0.evidence.rawValue) },
    ]

    package var json: JSONValue { .object(WebPushRefusal.fields.members(of: self)) }
}
