internal import Logging
internal import Mynah
internal import Synchronization

/// Whether the server accepts pushes; the answer of `/readyz`, and shown by `/livez`.
public enum Readiness: String, CaseIterable, Sendable {
    /// The fixtures are not loaded yet: 503.
    case starting
    /// 200.
    case ready
    /// The data folder can't be written, so that pushes and changes are refused: 503.
    case unavailable
    /// The server is shutting down: 503.
    case stopping
}

final class ControlState: Sendable {
    let logger: Logger
    let streamLimits: StreamLimits
    /// How many callers read a stream of events or of a device.
    let streamReaderCount = Atomic<Int>(0)
    let eventReaders = EventReaders()
    private let changing: Mutex<(server: Server, readiness: Readiness, controlPort: Int?)>

    init(server: Server, logger: Logger, streamLimits: StreamLimits) {
        self.logger = logger
        self.streamLimits = streamLimits
        changing = Mutex((server, .starting, nil))
    }

    /// The server that is controlled; for a recorded run the one that shows it at the present place.
    var server: Server { changing.withLock { $0.server } }

    /// Shows a recorded run at another place from now on; returns the server of the place before.
    func show(_ server: Server) -> Server {
        changing.withLock { changing in
            defer { changing.server = server }
            return changing.server
        }
    }

    var readiness: Readiness {
        get { changing.withLock { $0.readiness } }
        set { changing.withLock { $0.readiness = newValue } }
    }

    /// The port of the control API, once it is bound.
    var controlPort: Int? {
        get { changing.withLock { $0.controlPort } }
        set { changing.withLock { $0.controlPort = newValue } }
    }
}
