package import MynahClient

/// How long a test waits for what has to happen.
///
/// Tests wait for events, never for a time: only one that hangs comes to this end. It is many times what a machine that
/// is ten times slower than a usual one needs, so that no test is red for want of speed: a test's time also runs while
/// other tests compute on the threads that it needs.
package enum Patience {
    package static let minutes = 15
    package static let duration: Duration = .seconds(60 * minutes)
}

extension ControlClient {
    /// A client that waits as long as a test does for an answer: while tests compute, a server's tasks wait for a thread.
    package static func patient(url: ControlURL, token: String? = nil) -> ControlClient {
        ControlClient(url: url, token: token, answerTimeout: Patience.duration)
    }
}
