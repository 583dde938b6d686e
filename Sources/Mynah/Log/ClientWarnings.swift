package import Logging
internal import NIOCore
internal import Synchronization

/// Logs the warnings that clients can cause, without letting a client fill the log: the first of its kind at once,
/// repetitions as one line with their number per ``interval``.
///
/// Every line at `warning` or above that a client's traffic can cause goes through here.
package final class ClientWarnings: Sendable {
    /// How often repetitions are logged.
    static let interval: Duration = .seconds(10)

    private struct State {
        var tally = WarningTally()
        var loop: (any EventLoop)?
    }

    private let logger: Logger
    private let state = Mutex(State())

    /// Warnings to a logger; repetitions are only counted from ``begin(on:)`` on.
    init(_ logger: Logger) {
        self.logger = logger
    }

    /// Uses a loop for the end of the intervals, until ``end()``.
    func begin(on loop: any EventLoop) { state.withLock { $0.loop = loop } }

    /// Logs what was counted and not logged yet; later warnings are logged one by one.
    func end() {
        state.withLock { $0.loop = nil }
        endInterval()
    }

    /// Logs a warning unless the same sentence was logged shortly before.
    package func warn(_ sentence: String, _ metadata: Logger.Metadata = [:], level: Logger.Level = .warning) {
        let isLogged = state.withLock { state in
            guard let loop = state.loop else { return true }
            switch state.tally.note(sentence) {
            case .count: return false
            case .log(let beginsInterval):
                if beginsInterval { scheduleEnd(on: loop) }
                return true
            }
        }
        if isLogged { logger.log(level: level, "\(sentence)", metadata: metadata) }
    }

    private func scheduleEnd(on loop: any EventLoop) {
        loop.scheduleTask(in: TimeAmount(ClientWarnings.interval)) { [weak self] in self?.endInterval() }
    }

    private func endInterval() {
        let repeats = state.withLock { state in
            let (repeats, goesOn) = state.tally.endInterval()
            if goesOn, let loop = state.loop { scheduleEnd(on: loop) }
            return repeats
        }
        for again in repeats {
            let times = "\(again.count) more within \(ClientWarnings.interval.components.seconds) s"
            logger.warning("\(again.kind.map { "\(times): \($0)" } ?? "\(times), of further kinds")")
        }
    }
}
