import APNsRules
import MynahTrust

/// What libFuzzer calls with each input: bytes that a client could send as its certificate.
///
/// Each input is tried as a whole certificate, as the topic list inside of one, and as a chain that somebody judges.
/// Faults are the answer that is wanted; a trap, a leak or a use of memory that is not ours ends the run.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCertificate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(CertificateFault) {
        try check(ProviderCertificate.identity(of: bytes))
    } catch {
        precondition(!error.problem.isEmpty, "a fault says what it is")
    }
    do throws(CertificateFault) {
        let topics = try ProviderTopicList.read(bytes)
        // What can be read comes out the same when it was written again.
        let again = try ProviderTopicList.read(ProviderTopicList.encode(topics))
        precondition(again == topics, "a list changed")
    } catch {
        precondition(error.alert == .badCertificate, "a list's fault is a bad certificate")
    }
    // Nobody signed it: without CAs every chain is refused.
    let verdict = ProviderAuthorities().verdict(on: [bytes, bytes], at: Instant(seconds: 1_767_225_600))
    guard case .failure = verdict else { preconditionFailure("a chain that nobody signed is believed") }
    return 0
}

private func check(_ identity: CertificateIdentity) {
    precondition(!identity.topics.isEmpty, "an identity has a topic")
    precondition(identity.topics.count <= ProviderTopicList.topicsMax, "an identity has few topics")
    for topic in identity.topics {
        precondition(Topic.isWellFormed(Array(topic.name.utf8).span), "a topic is well formed")
    }
}
