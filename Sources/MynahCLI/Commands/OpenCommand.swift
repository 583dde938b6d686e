import APNsRules
import ArgumentParser
import Logging
import Mynah
import MynahClient
import MynahControl
import MynahStore
import MynahSystem
import UnixSignals

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Shows a recorded run: its page and control API, read-only.",
        discussion: """
            The run of mynah serve --data DIR, once that server has ended:

              mynah open DIR
              mynah open run.mynah --at 41
              mynah open run.mynah --at 2026-01-01T09:30:00Z --control-port 8198

            It prints the page's address, and shows the run as of its last change, or of
            --at. Nothing in it can be changed, nothing expires, and no provider can
            connect. It ends with 0 on SIGTERM, SIGINT and SIGHUP.
            """)

    @Argument(help: .value("path", "The folder of --data, or its run.mynah.")) var path: String
    @Option(
        help: .value("place", "A sequence number, or a time of the system's clock (default: the end of the run)."),
        transform: PlaceArgument.read)
    var at: RecordedRun.Place?
    @Option(help: "The port of the page and the control API; 0 is a free one.") var controlPort = 0
    @Option(
        help: .value("change", "A change that can't be applied, as an error names it; repeatable."),
        transform: PlaceArgument.readChange)
    var leaveOut: [ReplayMark.Place] = []
    @Option(help: .value("file", "The file for port and URL as JSON, written when the run can be looked at."))
    var readyFile: String?

    func validate() throws {
        let form = ValueForm.port
        try require(form.read("\(controlPort)") != nil, "--control-port \(controlPort): expected \(form.expected)")
    }

    func run() async throws {
        // Before anything listens, so that no signal is missed.
        let logger = Logger(label: "mynah") { _ in StderrLogHandler(format: .text, logLevel: .warning) }
        let signals = await EndSignals(trapping: [.sigterm, .sigint, .sighup], logger)
        let place = at ?? .end
        let port = controlPort
        let leftOut = leaveOut
        try await RecordedServer.with(
            path, at: place, leavingOut: leftOut, controlPort: port
        ) { control, place in
            signals.started()
            if let readyFile {
                let ready = ReadyFile(ports: [], controlPort: control.port, controlURL: control.url, pid: getpid())
                try ready.write(to: readyFile)
            }
            try Terminal.out(
                "mynah shows \(place.file) at number \(place.sequence), \(place.time.rfc3339): \(control.url)/")
            _ = await signals.next()
        }
    }
}

enum PlaceArgument {
    static func readChange(_ text: String) throws -> ReplayMark.Place {
        if let place = ReplayMark.Place(text) { return place }
        throw ValidationError("expected \(ValueForm<ReplayMark.Place>.change.expected)")
    }

    static func read(_ text: String) throws -> RecordedRun.Place {
        if let sequence = UInt64(text) { return .sequence(sequence) }
        if let time = Instant(rfc3339: text) { return .time(time) }
        throw ValidationError("expected a sequence number, or a time such as 2026-01-01T09:30:00Z")
    }
}
