package import APNsRules

/// What the journal keeps of a web push besides its request, which has all that the rules read.
package struct WebPushRecord: Sendable, Equatable {
    /// What is wrong with the web push, and what Apple advises against.
    package var findings: WebPushFindings
    /// The web app's origin; `nil` if no subscription has the endpoint.
    package var topic: String?
    /// What the browser has decrypted; `nil` if it can't, or didn't get it.
    package var plaintext: [UInt8]?
    /// Why the browser can't decrypt the push.
    package var problem: String?

    /// The bytes that the record takes.
    var cost: Int {
        (plaintext?.count ?? 0) + (problem?.utf8.count ?? 0) + (topic?.utf8.count ?? 0)
            + findings.warnings.reduce(0) { $0 + $1.utf8.count }
            + findings.refusals.reduce(0) { $0 + $1.cause.utf8.count }
    }
}

extension WebPushRecord {
    package init(_ findings: WebPushFindings) { self.findings = findings }
}

extension WebPushRecord: ByteRecord {
    package static let members = ByteMembers(WebPushRecord.init) {
        ($0.findings, $0.topic, $0.plaintext, $0.problem)
    }
}

extension WebPushFindings: ByteRecord {
    package static let members = ByteMembers(WebPushFindings.init) { ($0.refusals, $0.warnings) }
}

extension WebPushRefusal: ByteRecord {
    package static let members = ByteMembers(WebPushRefusal.init) { ($0.reason, $0.cause, $0.evidence) }
}

extension Evidence: ByteCodable {}
