internal import MynahCore
internal import Synchronization

/// The events of recent pushes as bytes, so that each is rendered once for all readers.
///
/// It holds the latest form of each push; a push that has changed since is rendered anew.
final class RenderedEventCache: Sendable {
    /// The most events that are kept: eight reads of a reader.
    static let countMax = 2048
    /// The longest event that is kept; longer ones are rare, and would take much memory.
    static let bytesMax = 8192

    /// What can change about an entry after it has its number.
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

    // Each at its sequence number modulo the capacity.
    private let rendered = Mutex<[Rendered?]>([])

    /// Appends the event of a push, rendered by `write` unless it is cached.
    func append(_ view: PushView, write: (PushView, inout [UInt8]) -> Void, to bytes: inout [UInt8]) {
        let sequence = view.entry.sequence
        let state = State(view.entry)
        let place = Int(sequence % UInt64(RenderedEventCache.countMax))
        let known = rendered.withLock { $0.isEmpty ? nil : $0[place] }
        if let known, known.sequence == sequence, known.state == state {
            bytes.append(contentsOf: known.bytes)
            return
        }
        let start = bytes.count
        write(view, &bytes)
        guard bytes.count - start <= RenderedEventCache.bytesMax else { return }
        let new = Rendered(sequence: sequence, state: state, bytes: Array(bytes[start...]))
        rendered.withLock { rendered in
            if rendered.isEmpty { rendered = Array(repeating: nil, count: RenderedEventCache.countMax) }
            rendered[place] = new
        }
    }

    func removeAll() { rendered.withLock { $0 = [] } }
}
