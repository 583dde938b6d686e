internal import APNsRules
package import Logging
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// Logs the warnings that clients' traffic can cause without letting it fill the log: the first of a kind at once, and
/// its repetitions as one line with their number per ``interval``.
package final class ClientWarnings: Sendable {
    static let interval: Duration = .seconds(10)
    /// The most kinds that are distinguished, since a client can make up new ones.
    static let kindsMax = 64

    private struct State {
        var throttle = ReportThrottle(keysMax: ClientWarnings.kindsMax)
        var loop: (any EventLoop)?
    }

    private let logger: Logger
    private let state = Mutex(State())
    init(_ logger: Logger) { self.logger = logger }
    func begin(on loop: any EventLoop) { state.withLock { $0.loop = loop } }

    /// Logs what was counted and not logged yet; later warnings are logged one by one.
    func end() {
        logRepeats(
            state.withLock { state in
                state.loop = nil
                return state.throttle.takeDue(at: Instant(milliseconds: .max)).due
            })
    }

    /// Logs a warning unless the same sentence was logged shortly before.
    package func warn(_ sentence: String, _ metadata: Logger.Metadata = [:], level: Logger.Level = .warning) {
        let isLogged = state.withLock { state in
            guard let loop = state.loop else { return true }
            switch state.throttle.recordOccurrence(of: sentence, at: loop.instant, interval: ClientWarnings.interval) {
            case .report: return true
            case .counted: return false
            case .reportLater(let rest):
                logRepeats(after: rest, on: loop)
                return false
            }
        }
        if isLogged { logger.log(level: level, "\(sentence)", metadata: metadata) }
    }

    private func logRepeats(after rest: Duration, on loop: any EventLoop) {
        loop.scheduleTask(in: TimeAmount(rest)) { [weak self] in
            guard let self else { return }
            logRepeats(
                state.withLock { state in
                    let (due, next) = state.throttle.takeDue(at: loop.instant)
                    if let next { self.logRepeats(after: next, on: loop) }
                    return due
                })
        }
    }

    private func logRepeats(_ repeats: [ReportThrottle.Repeats]) {
        for again in repeats {
            let times = "\(again.count) more within \(ClientWarnings.interval.components.seconds) s"
            logger.warning("\(again.key.map { "\(times): \($0)" } ?? "\(times), of further kinds")")
        }
    }
}

extension EventLoop {
    fileprivate var instant: Instant { Instant(milliseconds: Int64(now.uptimeNanoseconds / 1_000_000)) }
}
