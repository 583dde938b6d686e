internal import APNsRules
internal import MynahCore

/// A request to the Web Push service, judged by the rules that need no subscription; a class, like
/// ``IncomingChannelRequest``.
final class IncomingWebPush: Sendable {
    let judgement: WebPushJudgement
    /// The segment of the subscription that it goes to; `nil` if the path has none.
    let segment: String?
    /// What the segment ends in; `nil` if it has not the form of one.
    let token: DeviceToken?
    /// The magic token that the endpoint has, if it has one.
    let magic: MagicToken?

    convenience init(_ judgement: WebPushJudgement) {
        let magic = judgement.segment.flatMap { MagicTokens.magic(segment: $0) }
        self.init(judgement, segment: magic == nil ? judgement.segment : nil, magic: magic)
    }

    init(_ judgement: WebPushJudgement, segment: String?, magic: MagicToken?) {
        self.judgement = judgement
        self.segment = segment
        self.magic = magic
        token = segment.flatMap { WebPushSubscription.token(ofSegment: $0) }
    }

    /// A request that was judged before, when its token still had its signature.
    convenience init(_ request: WebPushRequest, found findings: WebPushFindings, at now: Instant) {
        self.init(WebPushAdmission.reading(request, found: findings, at: now))
    }
}

/// What is decided about a web push, and what the journal keeps of it.
struct JudgedWebPush {
    let judgement: Judgement
    let record: WebPushRecord
    /// What the device of the web app gets; `nil` if the push was refused.
    var push: Push?
}
