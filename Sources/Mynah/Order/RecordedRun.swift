package import APNsRules
internal import MynahCore
package import MynahStore

/// A run in a file, whose state can be had at any place that the file reaches back to; the file stays as it is.
///
/// Belongs to one thread. The file or its folder is locked for other writers until the value ends.
package final class RecordedRun {
    /// Where to look at a run.
    package enum Place: Hashable, Sendable {
        /// After the last change.
        case end
        /// After the change that gave this number to a push or an event.
        case sequence(UInt64)
        /// What a look at this time of the system's clock would have seen.
        case time(Instant)
    }

    private let log: SQLiteLog
    // What is not recorded has no effect on what a run has become.
    private let settings: Settings
    // The oldest first.
    private let snapshots: [(snapshot: LoggedSnapshot, mark: KeptRun.Mark)]

    /// Opens a `run.mynah`, or that of a folder.
    package init(reading path: String) throws(LogProblem) {
        let log = try SQLiteLog(reading: path)
        var settings = Settings()
        (settings.ports, settings.channelsPorts, settings.stateDirectory) = ([], [], nil)
        settings.eventLoops = 1
        let snapshots = try KeptRun.snapshots(in: log, settings)
        guard !snapshots.isEmpty else { throw LogProblem(unreadable: log.file, "it has no state to begin with") }
        (self.log, self.settings, self.snapshots) = (log, settings, snapshots)
    }

    /// The state at a place, in a new simulation, whose wall stands at the time of the last change before, or at that of
    /// the place.
    ///
    /// - Parameter make: Makes a simulation in which nothing has happened.
    /// - Throws: `LogProblem`, and `InputError` for a place that the run doesn't have.
    func state(
        at place: Place, make: (Choices) -> Simulation
    ) throws -> (simulation: Simulation, place: RecordedPlace, order: OrderState) {
        let (snapshot, mark) = try snapshot(before: place)
        let simulation = make(mark.choices)
        let applier = OrderApplier(simulation, log: log, lastTime: snapshot.time)
        applier.restore(try KeptRun.state(of: snapshot, in: log, for: simulation))
        let leftOut = try KeptRun.LeftOut(log)
        var position = snapshot.position
        var isThere = if case .sequence(let sequence) = place { applier.lastSequence >= sequence } else { false }
        while !isThere, let batch = try log.batch(after: position) {
            if case .time(let time) = place, batch.time > time { break }
            let takes = { (index: Int) in !leftOut.contains(.init(position: batch.position, index: index)) }
            do throws(CodingProblem) {
                if case .sequence(let sequence) = place {
                    try applier.replay(batch, takes, throughSequence: sequence)
                    isThere = applier.lastSequence >= sequence
                } else {
                    try applier.replay(batch, takes)
                }
            } catch {
                throw LogProblem(unreadable: log.file, "change \(batch.position): \(error)")
            }
            position = batch.position
        }
        switch place {
        case .end: break
        case .sequence(let sequence):
            guard isThere else {
                let (first, last) = (snapshots[0].mark.lastSequence, applier.lastSequence)
                throw RecordedRun.absent("number \(sequence)", "\(first) to \(last)")
            }
        case .time(let time): applier.look(at: time)
        }
        let reached = RecordedPlace(
            file: log.file, position: position, sequence: applier.lastSequence, time: applier.lastTime)
        return (simulation, reached, applier.state)
    }

    /// The newest snapshot from which a place can be reached: for a number the newest without it, since the change that
    /// gave it may not be the last before the next snapshot.
    private func snapshot(before place: Place) throws(InputError) -> (snapshot: LoggedSnapshot, mark: KeptRun.Mark) {
        let oldest = snapshots[0]
        switch place {
        case .end: return snapshots[snapshots.count - 1]
        case .sequence(let sequence):
            if let found = snapshots.last(where: { $0.mark.lastSequence < sequence }) { return found }
            guard oldest.mark.lastSequence == sequence else {
                throw RecordedRun.absent("number \(sequence)", "\(oldest.mark.lastSequence) or more")
            }
            return oldest
        case .time(let time):
            guard let found = snapshots.last(where: { $0.snapshot.time <= time }) else {
                throw RecordedRun.absent("state at \(time.rfc3339)", "\(oldest.snapshot.time.rfc3339) or later")
            }
            return found
        }
    }

    private static func absent(_ what: String, _ expected: String) -> InputError {
        InputError(.invalid, "the run has no \(what): expected \(expected)")
    }
}

/// A place in a recorded run.
package struct RecordedPlace: Hashable, Sendable {
    /// The path of the file.
    package let file: String
    /// The number of the last batch of changes before it.
    package let position: UInt64
    /// The last number that had been given out.
    package let sequence: UInt64
    /// The time of the system's clock, at which it stands.
    package let time: Instant

    package var json: JSONValue {
        [
            "file": .string(file), "position": .whole(position), "sequence": .whole(sequence),
            "time": .string(time.rfc3339),
        ]
    }
}
