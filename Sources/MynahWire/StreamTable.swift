internal import APNsRules

/// The open streams of one connection and the requests that grow in them.
///
/// Slots and the memory of their requests are used again: a steady stream of pushes allocates nothing here.
struct StreamTable {
    /// One stream, from its first HEADERS frame until it is closed and its request answered.
    struct Slot {
        /// The stream's identifier; 0 while the slot is free.
        var id: Int32 = 0
        /// The request as far as it has come.
        var request = PushRequest()
        /// Whether the request waits in the list of events.
        var isQueued = false
        /// Whether a reply was submitted or withheld, or none is due.
        var isAnswered = false
        /// Whether a reply may still come.
        var isWithheld = false
        /// Bytes that came after the answer.
        var discardedBytes = 0
        /// Whether HTTP/2 has closed the stream.
        var isClosed = false
        /// Whether the first block of fields is complete: what comes now are trailers.
        var hasAllHeaders = false
        /// Whether the fields have passed the limit.
        var headersTooLarge = false
        /// The most bytes of body by the request's fields; 0 before anybody needed to know.
        var bodyBytesMax = 0
        /// What is left to be sent of a reply's body.
        var replyBody: ArraySlice<UInt8> = []

        fileprivate mutating func clear() {
            id = 0
            request.headers.removeAll()
            request.authorization = nil
            request.body.removeAll(keepingCapacity: true)
            request.bodyState = .complete
            isQueued = false
            isAnswered = false
            isWithheld = false
            discardedBytes = 0
            isClosed = false
            hasAllHeaders = false
            headersTooLarge = false
            bodyBytesMax = 0
            replyBody = []
        }
    }

    private(set) var slots: [Slot] = []
    private var free: [Int] = []
    /// The streams that HTTP/2 has not closed.
    private(set) var openCount = 0
    /// The streams that were ever opened.
    private(set) var totalCount = 0

    /// A slot for a new stream.
    mutating func open(_ id: Int32) -> Int {
        openCount += 1
        totalCount += 1
        let index: Int
        if let recycled = free.popLast() {
            index = recycled
        } else {
            index = slots.count
            slots.append(Slot())
        }
        slots[index].id = id
        return index
    }

    /// HTTP/2 has closed the stream; whether its answer was still withheld.
    ///
    /// The slot stays while its request waits to be judged.
    mutating func close(_ index: Int) -> Bool {
        let wasWithheld = slots[index].isWithheld
        openCount -= 1
        slots[index].isClosed = true
        if !slots[index].isQueued { recycle(index) }
        return wasWithheld
    }

    /// Takes up a request whose answer was withheld, until it is judged again; `false` when none was on this stream.
    mutating func takeWithheld(_ index: Int, stream: Int32) -> Bool {
        guard slots[index].id == stream, slots[index].isWithheld else { return false }
        slots[index].isWithheld = false
        slots[index].isQueued = true
        return true
    }

    /// The lowest stream that HTTP/2 has not closed.
    var lowestOpen: Int32? {
        slots.lazy.filter { $0.id != 0 && !$0.isClosed }.map(\.id).min()
    }

    /// The request has been judged; a slot whose stream is closed is free again.
    mutating func judged(_ index: Int) {
        slots[index].isQueued = false
        if slots[index].isClosed { recycle(index) }
    }

    /// Changes one slot in place.
    @inline(__always)
    mutating func change<Result>(_ index: Int, _ body: (inout Slot) -> Result) -> Result {
        body(&slots[index])
    }

    private mutating func recycle(_ index: Int) {
        slots[index].clear()
        free.append(index)
    }
}
