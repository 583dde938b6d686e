package import APNsRules
internal import MynahCore
internal import MynahStore

/// Where a replay of a run parts from what was recorded: by then, or from then on, the state may be another one.
///
/// It is found by the version of the rules that a batch of changes has, and by its digest of the answers before it. That
/// has the numbers that were given out and the statuses of answers alone, so what else differs is not noticed.
package struct ReplayDifference: Hashable, Sendable, CustomStringConvertible {
    private enum Cause: Hashable {
        case rules(UInt32)
        case answers
    }

    /// The number of the first batch of changes that was recorded otherwise.
    package let position: UInt64
    private let cause: Cause

    /// Compares the digests after a batch; `nil` if they are equal.
    init?(of batch: LoggedBatch, recordedAfter recorded: UInt64, replayedAfter replayed: UInt64) {
        position = batch.position
        if batch.rules != OrderApplier.rulesVersion {
            cause = .rules(batch.rules)
        } else if recorded != replayed {
            cause = .answers
        } else {
            return nil
        }
    }

    /// What differs, as a part of a sentence.
    package var description: String {
        switch cause {
        case .rules(let version):
            "batch \(position) was recorded by rules of version \(version), and these are of version "
                + "\(OrderApplier.rulesVersion)"
        case .answers: "what had been answered before batch \(position) was something else when it was recorded"
        }
    }

    /// The warning that a recorded run gives about the difference.
    package var warning: String {
        "\(description): what is shown may differ from what the server had shown; open the run with the version of Mynah "
            + "that recorded it"
    }

    /// What a start says of it that goes on with the run.
    var startWarning: String {
        "\(description): the run goes on with what its last changes lead to now, which may differ from what was answered "
            + "then; a server that is stopped before an upgrade leaves no change to be applied again"
    }

    package var json: JSONValue { .object(ReplayDifference.fields.members(of: self)) }

    static let fields: Fields<ReplayDifference> = [
        Field(shown: "position", .whole, "The number of the first batch of changes that was recorded otherwise.") {
            .whole($0.position)
        },
        Field(shown: "detail", .anyText, "What differs, and what to do.") { .string($0.warning) },
    ]
}
