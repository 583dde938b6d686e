package import Logging
package import MynahCore
package import MynahStore
internal import MynahTrust

/// A recorded run that is shown at one place after another, each by a server of its own.
package actor RecordedViewer {
    private let run: RecordedRun
    private let logger: Logger
    // The loops of a server need trust material, though nothing listens here.
    private let trust: TrustMaterial
    private let last: RecordedPlace
    private var retired: Server?

    /// Opens a `run.mynah`, given by its own path or its folder's, and finds its end.
    ///
    /// - Parameter leftOut: Changes that are not applied, besides the ones that the run's server has left out.
    /// - Throws: `LogProblem` when it can't be read.
    package init(reading path: String, leavingOut leftOut: [ReplayMark.Place] = [], logger: Logger) throws {
        run = try RecordedRun(reading: path, leavingOut: leftOut)
        if let rest = run.rest { logger.warning("\(rest)") }
        last = try run.state(at: .end) { RecordedViewer.simulation($0, logger) }.place
        trust = try TrustMaterial.open(stateDirectory: nil, now: WallClock.now())
        self.logger = logger
    }

    /// A server that shows the run at a place: without ports for pushes, with all clocks standing.
    /// - Throws: `InputError` for a place that the run doesn't have; `LogProblem` when it can't be read.
    package func server(at place: RecordedRun.Place) async throws -> Server {
        let state = try run.state(at: place) { [logger] in RecordedViewer.simulation($0, logger) }
        return try await Server(
            state.simulation, trust, order: nil,
            recorded: RecordedView(viewer: self, place: state.place, first: run.first, last: last), logger: logger)
    }

    /// Ends the streams of a server that is no longer shown, and shuts it down once the next one is retired, since calls
    /// may still ask it.
    package func retire(_ server: Server) async throws {
        server.endStreams()
        let before = retired
        retired = server
        try await before?.shutDown()
    }

    /// Shuts down what was retired.
    package func end() async throws { try await retired?.shutDown() }

    fileprivate static func simulation(_ choices: Choices, _ logger: Logger) -> Simulation {
        let settings = choices.settings
        return Simulation(
            settings: settings, seed: choices.seed, journal: JournalStore(bounds: JournalBounds(settings)) { _ in },
            trust: TrustStore(keys: SigningKeyRing([]), authentication: .strict), log: ConnectionLog(logger),
            clock: ClockState())
    }
}

extension RecordedRun {
    /// Writes a new SQLite file with the pushes that the journal has at the end of a run; returns how many those are.
    ///
    /// - Throws: `LogProblem` when the run can't be read, or the file can't be written.
    package static func writePushes(ofRun run: String, to path: String, logger: Logger) throws -> Int {
        let end = try RecordedRun(reading: run).state(at: .end) { RecordedViewer.simulation($0, logger) }
        return try PushTable.write(end.simulation.journal, to: path)
    }
}

/// What a server shows of a recorded run.
package struct RecordedView: Sendable {
    package let viewer: RecordedViewer
    package let place: RecordedPlace
    /// The first and the last place that can be shown.
    package let first, last: RecordedPlace

    package var json: JSONValue { .object(RecordedView.fields.members(of: self)) }

    package static let fields: Fields<RecordedView> =
        [
            Field(shown: "file", .anyText, "The path of the run's file.") { .string($0.place.file) },
            Field(
                shown: "position", .whole,
                "The number of the last batch of changes before the place that is shown."
            ) { .whole($0.place.position) },
        ] + RecordedPlace.fields.shown(\.place) + [
            Field(shown: "first", .object(RecordedPlace.fields.showing), "The first place that can be shown.") {
                $0.first.json
            },
            Field(shown: "last", .object(RecordedPlace.fields.showing), "The end of the run.") { $0.last.json },
            Field(
                shown: "differs",
                .nullable(.object(ReplayDifference.fields.showing)).described(
                    "Why what is shown may differ from what the server had shown: the run was recorded by other rules.")
            ) { $0.place.difference?.json ?? .null },
        ]
}
