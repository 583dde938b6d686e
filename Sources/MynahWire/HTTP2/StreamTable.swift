internal import APNsRules

/// The open streams of one connection and their incoming requests; slots and the memory of their requests are reused
/// until ``freeMemory()``, so that a steady stream of pushes allocates nothing here.
struct StreamTable {
    /// Whether an answer that is withheld comes later, or may never come.
    enum Withholding { case delayed, stalled }

    /// A stream, from its first HEADERS frame until it is closed and its request answered.
    struct Slot {
        /// 0 while the slot is free.
        var id: Int32 = 0
        var request = PushRequest()
        /// Whether the request waits in the list of events.
        var isQueued = false
        /// Whether a reply was submitted or withheld, or none will be.
        var isAnswered = false
        /// How the reply is withheld; `nil` if it isn't.
        fileprivate(set) var withholding: Withholding?
        /// The bytes of the request that were received after the answer.
        var discardedBytes = 0
        var isClosed = false
        /// Whether the first block of fields is complete: later fields are trailers.
        var hasAllHeaders = false
        fileprivate(set) var hasEnded = false
        /// Bytes of the request that are held until it is complete.
        fileprivate var heldByteCount = 0
        /// Calls of ``StreamTable/overdue(after:)`` at which the peer had not ended its side.
        fileprivate var age = 0
        /// Whether the fields exceed the limit.
        var headersTooLarge = false
        /// The limit of the body by the request's fields; 0 until a body is large enough to need it.
        var bodyBytesMax = 0
        /// The unsent rest of a reply's body.
        fileprivate(set) var replyBody: ArraySlice<UInt8> = []

        /// Frees the slot, whose request keeps its memory for the next stream.
        fileprivate mutating func clear() {
            var request = PushRequest()
            swap(&request, &self.request)
            request.headers.removeAll()
            request.authorization = nil
            request.body.removeAll(keepingCapacity: true)
            request.excessiveBodyByteCount = nil
            self = Slot(request: request)
        }
    }

    /// What a stream counts in addition to the bytes of its request: about as much as nghttp2 and the slot take.
    static let bytesOfStream = 512

    private(set) var slots: [Slot] = []
    private var free: [Int] = []
    private(set) var openCount = 0
    private(set) var totalCount = 0
    /// The streams that the peer has not ended.
    private(set) var unfinishedCount = 0
    private(set) var heldByteCount = 0
    /// The requests whose answer is withheld and will come.
    private(set) var owedCount = 0
    /// The unsent bytes of all replies' bodies.
    private(set) var replyByteCount = 0

    mutating func open(_ id: Int32) -> Int {
        openCount += 1
        totalCount += 1
        unfinishedCount += 1
        if free.isEmpty {
            free.append(slots.count)
            slots.append(Slot())
        }
        let index = free.removeLast()
        slots[index].id = id
        return index
    }

    /// Counts more bytes of an incomplete request.
    mutating func hold(_ byteCount: Int, _ index: Int) {
        guard !slots[index].isAnswered else { return }
        slots[index].heldByteCount += byteCount
        heldByteCount += byteCount
    }

    /// Abandons unfinished requests, the newest first, until at most `byteCount` bytes are held; returns their streams.
    mutating func abandonUnfinished(above byteCount: Int) -> [Int32] {
        let unfinished = slots.indices.filter { slots[$0].heldByteCount > 0 && !slots[$0].isQueued }
        var given: [Int32] = []
        for index in unfinished.sorted(by: { slots[$0].id > slots[$1].id }) where heldByteCount > byteCount {
            heldByteCount -= slots[index].heldByteCount
            slots[index].heldByteCount = 0
            slots[index].isAnswered = true
            // The request's memory is given back, not kept for the slot's next stream.
            slots[index].request = PushRequest()
            given.append(slots[index].id)
        }
        return given
    }

    mutating func end(_ index: Int) {
        slots[index].hasEnded = true
        unfinishedCount -= 1
        heldByteCount -= slots[index].heldByteCount
        slots[index].heldByteCount = 0
    }

    /// Returns the streams that the peer had not ended at the last `times` calls either.
    mutating func overdue(after times: Int) -> [(id: Int32, isAnswered: Bool)] {
        let unfinished = slots.indices.filter { slots[$0].id != 0 && !slots[$0].isClosed && !slots[$0].hasEnded }
        for index in unfinished { slots[index].age += 1 }
        return unfinished.filter { slots[$0].age > times }.map { (slots[$0].id, slots[$0].isAnswered) }
    }

    /// Closes a stream; returns whether its answer was still withheld.
    mutating func close(_ index: Int) -> Bool {
        let wasWithheld = slots[index].withholding != nil
        if slots[index].withholding == .delayed { owedCount -= 1 }
        if !slots[index].hasEnded { end(index) }
        openCount -= 1
        setReply([], index)
        slots[index].isClosed = true
        if !slots[index].isQueued { recycle(index) }
        return wasWithheld
    }

    /// Marks a slot's request as answered; returns its stream, or `nil` if the peer has reset it.
    mutating func beginAnswer(_ index: Int) -> Int32? {
        slots[index].isAnswered = true
        return slots[index].isClosed ? nil : slots[index].id
    }

    mutating func setReply(_ body: ArraySlice<UInt8>, _ index: Int) {
        replyByteCount += body.count - slots[index].replyBody.count
        slots[index].replyBody = body
    }

    /// Lends the unsent rest of a reply's body to be sent.
    mutating func sendReply<Result>(_ index: Int, _ body: (inout ArraySlice<UInt8>) -> Result) -> Result {
        let before = slots[index].replyBody.count
        defer { replyByteCount += slots[index].replyBody.count - before }
        return body(&slots[index].replyBody)
    }

    mutating func withhold(_ index: Int, _ withholding: Withholding) {
        slots[index].withholding = withholding
        if withholding == .delayed { owedCount += 1 }
    }

    /// Resumes a request whose answer was withheld, until ``judged(_:)``; returns `false` if the stream has none.
    mutating func resumeWithheld(_ index: Int, stream: Int32) -> Bool {
        guard slots[index].id == stream, let withholding = slots[index].withholding else { return false }
        if withholding == .delayed { owedCount -= 1 }
        slots[index].withholding = nil
        slots[index].isQueued = true
        return true
    }

    /// The lowest stream that HTTP/2 has not closed.
    var lowestOpen: Int32? { slots.lazy.filter { $0.id != 0 && !$0.isClosed }.map(\.id).min() }

    /// Records that a request was judged; frees the slot if its stream is closed.
    mutating func judged(_ index: Int) {
        slots[index].isQueued = false
        if slots[index].isClosed { recycle(index) }
    }

    @inline(__always)
    mutating func change<Result>(_ index: Int, _ body: (inout Slot) -> Result) -> Result { body(&slots[index]) }

    /// Lends a slot's request, which is moved out of the table until `body` returns, so that its memory has one owner.
    mutating func withRequest<Result>(_ index: Int, _ body: (borrowing PushRequest) -> Result) -> Result {
        var request = PushRequest()
        swap(&request, &slots[index].request)
        defer { swap(&request, &slots[index].request) }
        return body(request)
    }

    /// Frees the memory that is kept for further streams, unless a stream is open.
    mutating func freeMemory() {
        guard free.count == slots.count else { return }
        slots = []
        free = []
    }

    private mutating func recycle(_ index: Int) {
        slots[index].clear()
        free.append(index)
    }
}

/// The SETTINGS_MAX_CONCURRENT_STREAMS that binds the peer (RFC 9113 §6.5.3, `ProviderAPI#Stream-limits`).
///
/// A limit binds from the peer's ACK on; streams opened before that are served up to the hard cap. A higher limit
/// applies as soon as it is sent, because a peer that uses it has received it.
struct StreamLimit: Sendable, Equatable {
    private let openMax: Int
    // Announced and not yet acknowledged, the oldest first.
    private var announced: [Int] = []
    private var acknowledged: Int?

    init(openMax: Int = Limits.streamsMax) { self.openMax = openMax }
    var latest: Int? { announced.last ?? acknowledged }
    mutating func announce(_ limit: Int) { announced.append(limit) }
    /// Records the peer's acknowledgement of the oldest SETTINGS frame without one.
    mutating func acknowledge() { if !announced.isEmpty { acknowledged = announced.removeFirst() } }
    func allowsOpening(open: Int) -> Bool { open < (acknowledged.map { announced.reduce($0, max) } ?? openMax) }
}
