/// The app in the path is named by its bundle id, and the credential is for it (`ProviderAPI#Broadcast-reasons`).
///
/// A key or a certificate that is for the topic of the app's Live Activities alone will do as well (inferred).
enum AppCheck {
    static func check(_ request: borrowing ChannelRequest, trust: borrowing ConnectionTrust) throws(Refusal) {
        let bundleID = Array(request.bundleID.utf8)
        let activityTopic = Array(request.activityTopic.utf8)
        if let type = Topic.suffixedPushType(of: bundleID.span) {
            throw Refusal(
                .topicDisallowed,
                "the path names \(request.bundleID), a topic with the suffix \(type.topicSuffix); a bundle id was expected"
            )
        }
        switch request.candidate.credential.verdict {
        case .token(let identity):
            let teamTopics = request.candidate.settings.teamTopics
            if identity.scope.topics == nil {
                guard !teamTopics.isEmpty, !Topic.isCovered(bundleID.span, by: teamTopics),
                    !Topic.isCovered(activityTopic.span, by: teamTopics)
                else { return }
                throw mismatch(
                    request, "belongs to no app of the team \(identity.team)",
                    expected: teamTopics.joined(separator: ", "))
            }
            func covers(_ scope: KeyScope) -> Bool { scope.covers(bundleID.span) || scope.covers(activityTopic.span) }
            // A topic added to a key takes effect on new connections only (`ProviderAPI#Key-scopes`).
            guard covers(identity.scope), trust.scope(of: identity.keyID).map(covers) != false else {
                throw mismatch(
                    request, "is not of the key \(identity.keyID)",
                    expected: (identity.scope.topics ?? []).sorted().joined(separator: ", "))
            }
        case .certificate(let identity):
            guard !identity.topics.isEmpty else { return }
            for topic in identity.topics
            where topic.name == request.bundleID || topic.name == request.activityTopic { return }
            throw mismatch(
                request, "is not of the certificate", expected: identity.topics.map(\.name).joined(separator: ", "))
        case .missing, .invalid, .revokedKey, .revokedCertificate: break
        }
    }

    private static func mismatch(
        _ request: borrowing ChannelRequest, _ problem: String, expected: String
    ) -> Refusal {
        Refusal(.topicMismatch, "the app \(request.bundleID) \(problem): expected one of \(expected)")
    }
}
