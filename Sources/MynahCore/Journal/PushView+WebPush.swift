internal import APNsRules

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
        let judgement = readAgain(web)
        let message = web.plaintext.map { WebPushMessage($0, origin: web.topic ?? "") }
        return [
            "refusals": .array(web.findings.refusals.map(\.json)), "claims": judgement.token?.claims ?? .null,
            "applicationServerKey": .text((judgement.credential?.key).map { Base64.encode($0, url: true) }),
            "ttl": .whole(judgement.timeToLive.map { $0.components.seconds }),
            "urgency": .text(judgement.urgency?.rawValue), "topic": .text(judgement.topic),
            "encoding": .text(judgement.message?.encoding.rawValue),
            "plaintext": .text(web.plaintext.map { String(decoding: $0, as: UTF8.self) }),
            "problem": .text(web.problem),
            "declarative": message.map { .bool($0.isDeclarative) } ?? .null,
            "notDeclarative": .text(message?.problem), "navigate": .text(message?.notification.navigate),
        ]
    }

    /// The request as its rules read it; what they found then stands, as the token has no signature any more.
    private func readAgain(_ web: WebPushRecord) -> WebPushJudgement {
        let authorization = entry.credential.authorization.map { AuthorizationValue(Array($0.utf8)) }
        var request = PushRequest(headers: entry.headers, authorization: authorization, body: Array(entry.body))
        if entry.isBodyCut { request.excessiveBodyByteCount = Int(entry.bodyByteCount) }
        return WebPushAdmission.reading(WebPushRequest(request), found: web.findings, at: entry.receivedAt)
    }

    package static let webPushSchema: Schema = [
        Member(
            "refusals", .array(of: .object(webPushRefusal)),
            summary: "Everything that is wrong with it; the first one was answered."),
        Member("claims", .nullable(.map(of: .any())), summary: "The claims of the VAPID token."),
        Member("applicationServerKey", .nullableText, summary: "The key in Authorization, in base64url."),
        Member("ttl", .nullable(.whole), summary: "For how many seconds it is stored: TTL, at most 30 days."),
        Member("urgency", .nullableText, summary: "Urgency; normal if it was not sent."),
        Member("topic", .nullableText, summary: "Topic."),
        Member("encoding", .nullableText, summary: "aes128gcm or aesgcm."),
        Member("plaintext", .nullableText, summary: "What the browser decrypts."),
        Member("problem", .nullableText, summary: "Why the browser can't decrypt it."),
        Member(
            "declarative", .nullable(.bool),
            summary: "Whether it declares its notification, which iOS before 18.4 doesn't look at."),
        Member("notDeclarative", .nullableText, summary: "Why a push with web_push is not declarative."),
        Member("navigate", .nullableText, summary: "The address that a tap on its notification opens."),
    ]

    static let webPushRefusal: Schema = [
        Member("status", .whole, summary: "The status that goes with the reason."),
        Member("reason", .anyText, summary: "The reason."),
        Member("cause", .anyText, summary: "What is wrong and what was expected."),
        Member(
            "evidence", .choice(Evidence.self),
            summary: "How it is known that Apple refuses it: documented, observed or inferred."),
    ]
}
