package import MynahClient

/// How long a test waits for what has to happen.
///
/// Tests wait for events, never for a time: only one that hangs comes to this end. It is many times what a machine that
/// is ten times slower than a usual one needs, so that no test is red for want of speed: a test's time also runs while
/// other tests compute on the threads that it needs.
package enum Patience {
    package static let minutes = 15
    package static let duration: Duration = .seconds(60 * minutes)
    /// The same as `within` or `settle` of an expectation.
    package static let text = "\(minutes)m"
}

extension ControlClient {
    /// A client that waits as long as a test does for an answer: while tests compute, a server's tasks wait for a thread.
    package static func patient(url: ControlURL, token: String? = nil) -> ControlClient {
        var client = ControlClient(url: url, token: token, answerTimeout: Patience.duration)
        client.connectTimeout = Patience.duration
        return client
    }
}

extension Provider {
    /// A provider that waits as long as a test does for a connection and an answer.
    package static func patient(
        host: String, port: Int, caPEM: String, certificate: Certificate? = nil, tlsVersion: TLSVersion? = nil
    ) -> Provider {
        var provider = Provider(
            host: host, port: port, caPEM: caPEM, certificate: certificate, tlsVersion: tlsVersion)
        provider.timeout = Patience.duration
        return provider
    }
}
