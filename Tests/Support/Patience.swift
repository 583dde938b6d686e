/// How long a test waits for what has to happen.
///
/// Tests wait for events, never for a time: only one that hangs comes to this end. It is many times what a machine that
/// is ten times slower than a usual one needs, so that no test is red for want of speed.
package enum Patience {
    package static let minutes = 5
    package static let duration: Duration = .seconds(60 * minutes)
}
