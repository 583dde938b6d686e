internal import MynahCore

/// The changes that wait for the order, as the bytes of the batches that they will be, with who waits for each; and the
/// readers that wait for all of them.
///
/// Whoever submits a change writes it: the order's thread would first have to fetch what another processor has made.
struct OrderQueue: Sendable {
    /// The most bytes of a batch, except for a single change that is larger, for a log that takes as much.
    static let batchBytesMax = 256 << 10

    enum Asker: Sendable {
        /// A change that stays in the queue while the log fails, as no caller waits to whom it could be refused.
        case nobody(OrderedChange)
        /// The loop of a withheld request whose delay is over, which can't be refused either.
        case release(PendingPush.Ticket, OrderedRequests.Place)
        case push(OrderedRequests.Place)
        case call(any WaitingCall)
        /// A call that stays in the queue while the log fails, since it concerns what has happened already.
        case event(OrderedChange, any WaitingCall)

        /// Whether the change waits for as long as the log fails.
        var isPatient: Bool { patientChange != nil }

        /// The place of the request that waits, if one does.
        var place: OrderedRequests.Place? {
            switch self {
            case .push(let place), .release(_, let place): place
            case .nobody, .call, .event: nil
            }
        }

        /// The call that waits, if one does.
        var call: (any WaitingCall)? {
            switch self {
            case .call(let call), .event(_, let call): call
            case .nobody, .push, .release: nil
            }
        }

        fileprivate var patientChange: OrderedChange? {
            switch self {
            case .nobody(let change), .event(let change, _): change
            case .release(let ticket, _): .release(ticket)
            case .push, .call: nil
            }
        }
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    struct Reader: Sendable {
        /// Whether it reads all that a shared log has.
        let catchesUp: Bool
        let report: @Sendable (DeviceTime) -> Void
    }

    /// Who waits for a batch, in the order of its changes.
    struct Taken: Sendable {
        var askers: [Asker] = []
        var readers: [Reader] = []

        var look: OrderApplier.LookWanted {
            readers.isEmpty ? .none : readers.contains { $0.catchesUp } ? .always : .ifDue
        }
    }

    private struct Gathered: Sendable {
        var writer = BatchWriter()
        var askers: [Asker] = []

        mutating func add(_ change: OrderedChange, for asker: Asker) {
            writer.add(change)
            askers.append(asker)
        }
    }

    // The most bytes of a batch, unless a single change is larger.
    private let batchBytesMax: Int
    // The batches that are full, the oldest first, and the one that isn't.
    private var full: [Gathered] = []
    private var last = Gathered()
    private var fullByteCount = 0
    // Has the memory for the next batch.
    private var spare: BatchWriter?
    var readers: [Reader] = []
    var isScheduled = false
    /// Why the server is not ready.
    var warning: String?
    /// The error that refuses all but patient changes; set while the log fails, and at the end.
    private(set) var refusal: Order.Unavailable?
    /// Whether nothing is taken in any more; what waits is still applied.
    private(set) var isEnded = false

    init(batchBytesMax: Int) { self.batchBytesMax = batchBytesMax }

    /// The bytes of all changes in the queue.
    var byteCount: Int { fullByteCount + last.writer.byteCount }
    var isEmpty: Bool { full.isEmpty && last.askers.isEmpty && readers.isEmpty }

    mutating func refuse(_ refusal: Order.Unavailable) { if !isEnded { self.refusal = refusal } }
    mutating func accept() { if !isEnded { refusal = nil } }
    mutating func end() {
        refusal = Order.Unavailable(problem: "the server is stopping")
        isEnded = true
    }

    /// Records that the queue is to be flushed; returns whether that was noted before.
    mutating func schedule() -> Bool {
        defer { isScheduled = true }
        return isScheduled
    }

    mutating func add(_ change: OrderedChange, for asker: Asker) {
        if !last.askers.isEmpty, last.writer.byteCount + change.byteCount > batchBytesMax {
            fullByteCount += last.writer.byteCount
            full.append(removeLast())
        }
        last.add(change, for: asker)
    }

    private mutating func removeLast() -> Gathered {
        defer { last = Gathered(writer: spare.take() ?? BatchWriter()) }
        return last
    }

    /// Removes the first batch, and the readers if that is all.
    mutating func removeFirstBatch() -> (BatchWriter, Taken) {
        guard full.isEmpty else {
            let first = full.removeFirst()
            fullByteCount -= first.writer.byteCount
            return (first.writer, Taken(askers: first.askers))
        }
        let gathered = removeLast()
        let readers = readers
        self.readers = []
        return (gathered.writer, Taken(askers: gathered.askers, readers: readers))
    }

    /// Takes back the memory of a batch that has been taken.
    mutating func reuse(_ writer: consuming BatchWriter) {
        writer.removeAll()
        spare = writer
    }

    /// Removes all that is not patient, and the readers.
    mutating func removeRefused() -> Taken {
        let readers = readers
        self.readers = []
        let askers = (full + [last]).flatMap(\.askers)
        // A log that fails for long is tried often, and much may wait.
        guard askers.contains(where: { !$0.isPatient }) else { return Taken(readers: readers) }
        full = []
        fullByteCount = 0
        last = Gathered()
        for asker in askers { if let change = asker.patientChange { add(change, for: asker) } }
        return Taken(askers: askers.filter { !$0.isPatient }, readers: readers)
    }

    /// Puts patient changes back in front of all that wait.
    mutating func putBack(_ taken: Taken) {
        var first = Gathered()
        for asker in taken.askers { if let change = asker.patientChange { first.add(change, for: asker) } }
        guard !first.askers.isEmpty else { return }
        fullByteCount += first.writer.byteCount
        full.insert(first, at: 0)
    }
}
