package import APNsRules
internal import MynahCore
package import MynahStore

/// A run in a file, whose state can be had at any place that the file reaches back to; no change is added to it.
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

    private let log: RunLog
    // What is not recorded has no effect on what a run has become.
    private let settings: Settings
    private let leftOut: [ReplayMark.Place]
    /// A state of the run to go on from.
    private struct Start {
        enum State {
            case logged(LoggedSnapshot)
            case copied(SimulationSnapshot)
        }
        let state: State
        let position: UInt64
        let time: Instant
        let mark: KeptRun.Mark
        var difference: ReplayDifference?
    }

    /// The most states that are copied on the way to a place, so that the next one is near.
    private static let copiesMax: UInt64 = 64

    // The oldest first.
    private var starts: [Start]
    /// The first place that can be shown.
    package let first: RecordedPlace
    // The highest sequence number of the places that were reached.
    private var lastSequence: UInt64 = 0

    /// Opens a `run.mynah`, given by its own path or its folder's.
    ///
    /// - Parameter leftOut: Changes that are not applied, besides the ones that the run's server has left out.
    package init(reading path: String, leavingOut leftOut: [ReplayMark.Place] = []) throws(LogProblem) {
        let log = try RunLog(reading: path)
        var settings = Settings()
        settings.ports = []
        settings.channelsPorts = []
        settings.stateDirectory = nil
        settings.eventLoops = 1
        let starts = try KeptRun.snapshots(in: log, settings).map { snapshot, mark in
            Start(state: .logged(snapshot), position: snapshot.position, time: snapshot.time, mark: mark)
        }
        guard let oldest = starts.first else {
            guard log.lastPosition == 0 else { throw LogProblem(unreadable: log.file, "it has no state to begin with") }
            throw LogProblem(notBegun: log.file)
        }
        first = RecordedPlace(
            file: log.file, position: oldest.position, sequence: oldest.mark.lastSequence, time: oldest.time)
        self.log = log
        self.settings = settings
        self.starts = starts
        self.leftOut = leftOut
    }

    /// What follows the last whole batch of the file, in words; `nil` if nothing does.
    var rest: String? { log.rest }

    /// The state at a place, in a new simulation, whose wall stands at the time of the last change before, or at that of
    /// the place.
    ///
    /// - Parameter make: Makes a simulation in which nothing has happened.
    /// - Throws: `LogProblem`, and `InputError` for a place that the run doesn't have.
    func state(
        at place: Place, make: (Choices) -> Simulation
    ) throws -> (simulation: Simulation, place: RecordedPlace, order: OrderState) {
        let start = try start(before: place)
        let simulation = make(start.mark.choices)
        let applier = OrderApplier(simulation, lastTime: start.time)
        switch start.state {
        case .logged(let snapshot): applier.restore(try KeptRun.state(of: snapshot, in: log, for: simulation))
        case .copied(let snapshot): applier.restore(snapshot, at: start.position, start.difference)
        }
        var leftOut = try KeptRun.LeftOut(log)
        for place in self.leftOut { leftOut.insert(place) }
        var change: ReplayMark.Place?
        var position = start.position
        var lastCopied = start.mark.lastSequence
        let spacing = max((max(lastSequence, first.sequence) - first.sequence) / RecordedRun.copiesMax, 1)
        var isThere = if case .sequence(let sequence) = place { applier.lastSequence >= sequence } else { false }
        while !isThere, let batch = try log.batch(after: position) {
            if case .time(let time) = place, batch.time > time { break }
            change = nil
            let takes = { (index: Int) in
                let next = ReplayMark.Place(position: batch.position, index: index)
                change = next
                return !leftOut.contains(next)
            }
            do throws(CodingProblem) {
                if case .sequence(let sequence) = place {
                    try applier.replay(batch, takes, throughSequence: sequence)
                    isThere = applier.lastSequence >= sequence
                } else {
                    try applier.replay(batch, takes)
                }
            } catch {
                throw LogProblem(unreadable: log.file, change, of: batch, error)
            }
            position = batch.position
            if !isThere, applier.lastSequence - lastCopied >= spacing {
                lastCopied = applier.lastSequence
                keepCopy(of: applier, at: position, start.mark.choices)
            }
        }
        lastSequence = max(lastSequence, applier.lastSequence)
        switch place {
        case .end: break
        case .sequence(let sequence):
            guard isThere else {
                throw RecordedRun.absent("number \(sequence)", "\(first.sequence) to \(applier.lastSequence)")
            }
        case .time(let time): applier.advance(to: time)
        }
        let reached = RecordedPlace(
            file: log.file, position: position, sequence: applier.lastSequence, time: applier.lastTime,
            difference: applier.difference)
        return (simulation, reached, applier.state)
    }

    // Only once the end has been reached: before, the distance between two copies isn't known.
    private func keepCopy(of applier: OrderApplier, at position: UInt64, _ choices: Choices) {
        let place = starts.firstIndex { $0.position >= position } ?? starts.endIndex
        guard lastSequence > 0, place == starts.endIndex || starts[place].position != position else { return }
        let mark = KeptRun.Mark(choices: choices, lastSequence: applier.lastSequence)
        starts.insert(
            Start(
                state: .copied(applier.snapshot()), position: position, time: applier.lastTime, mark: mark,
                difference: applier.difference), at: place)
    }

    /// The newest state from which a place can be reached: for a number the newest without it, since the change that
    /// gave it may not be the last before the next state.
    private func start(before place: Place) throws(InputError) -> Start {
        let found =
            switch place {
            case .end: starts.last
            case .sequence(first.sequence): starts.first
            case .sequence(let sequence): starts.last { $0.mark.lastSequence < sequence }
            case .time(let time): starts.last { $0.time <= time }
            }
        if let found { return found }
        switch place {
        case .sequence(let sequence): throw RecordedRun.absent("number \(sequence)", "\(first.sequence) or more")
        case .time(let time): throw RecordedRun.absent("state at \(time.rfc3339)", "\(first.time.rfc3339) or later")
        case .end: preconditionFailure("a run has a state to begin with")
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
    /// The last sequence number that had been given out.
    package let sequence: UInt64
    /// The time of the system's clock, at which it stands.
    package let time: Instant
    /// Where the way to it parts from what was recorded.
    package var difference: ReplayDifference?

    /// The place's number and time.
    var json: JSONValue { .object(RecordedPlace.fields.members(of: self)) }

    static let fields: Fields<RecordedPlace> = [
        Field(shown: "sequence", .whole, "The last sequence number by then.") { .whole($0.sequence) },
        Field(shown: "time", .time, "The system's clock, which stands there.") { .string($0.time.rfc3339) },
    ]
}
