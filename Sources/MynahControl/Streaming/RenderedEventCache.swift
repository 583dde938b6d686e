internal import MynahCore
internal import Synchronization

/// The events of pushes as readers were given them lately, so that one is written once for all who read it.
///
/// Of each push the newest form; a reader that comes later, to a push that is another than it was, has it written anew.
final class RenderedPushes: Sendable {
    /// The most that are kept: eight looks of a reader.
    static let countMax = 2048
    /// Bytes of the longest that is kept; the others are rare, and would hold much memory.
    static let bytesMax = 8192

    /// What of an entry can change after it has its number.
    private struct State: Equatable {
        let status: Int16?
        let outcome: Outcome
        let shown: Bool?
        let attempt: Int32
        let repeats: UInt64?
        let stepCount: Int

        init(_ entry: borrowing Entry) {
            status = entry.status
            outcome = entry.outcome
            shown = entry.shown
            attempt = entry.attempt
            repeats = entry.repeats
            stepCount = entry.timeline?.count ?? 0
        }
    }

    private struct Rendered {
        let sequence: UInt64
        let state: State
        let bytes: [UInt8]
    }

    // Each at its number's remainder.
    private let rendered = Mutex<[Rendered?]>([])

    /// The event of a push, written by `write` unless that was done for another reader.
    func event(of view: PushView, write: (PushView, inout [UInt8]) -> Void, to bytes: inout [UInt8]) {
        let sequence = view.entry.sequence
        let state = State(view.entry)
        let place = Int(sequence % UInt64(RenderedPushes.countMax))
        let known = rendered.withLock { $0.isEmpty ? nil : $0[place] }
        if let known, known.sequence == sequence, known.state == state {
            bytes.append(contentsOf: known.bytes)
            return
        }
        let start = bytes.count
        write(view, &bytes)
        guard bytes.count - start <= RenderedPushes.bytesMax else { return }
        let new = Rendered(sequence: sequence, state: state, bytes: Array(bytes[start...]))
        rendered.withLock { rendered in
            if rendered.isEmpty { rendered = Array(repeating: nil, count: RenderedPushes.countMax) }
            rendered[place] = new
        }
    }

    /// Forgets all, when the last reader has gone.
    func removeAll() { rendered.withLock { $0 = [] } }
}
