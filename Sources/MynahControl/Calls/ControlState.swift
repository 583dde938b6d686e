internal import Logging
internal import Mynah
internal import Synchronization

/// What all routes share.
final class ControlState: Sendable {
    private struct Changing {
        var readiness: Readiness
        var controlPort: Int?
    }

    let server: Server
    let logger: Logger
    let streamLimits: StreamLimits
    let streamReaders = StreamReaderCount()
    let eventReaders = EventReaders()
    private let changing: Mutex<Changing>

    init(server: Server, readiness: Readiness, logger: Logger, streamLimits: StreamLimits) {
        self.server = server
        self.logger = logger
        self.streamLimits = streamLimits
        self.changing = Mutex(Changing(readiness: readiness))
    }

    var readiness: Readiness { changing.withLock { $0.readiness } }

    func setReadiness(_ readiness: Readiness) { changing.withLock { $0.readiness = readiness } }

    /// The port of the control API, once it is bound.
    var controlPort: Int? { changing.withLock { $0.controlPort } }

    func setControlPort(_ port: Int) { changing.withLock { $0.controlPort = port } }
}
