internal import CNghttp2
internal import MynahSystem

/// The buffer that nghttp2 fills with one frame at a time, up to 16 KiB, shared by the sessions of an event loop.
///
/// nghttp2 keeps one for each session, but has nothing in it once all of the session's output was taken, which
/// ``HTTP2Session`` does before another session is asked for its own: 4 kB less for each connection.
final class FrameBuffer {
    // The size of a cache line, with which copying a frame takes the fewest instructions.
    private static let alignment = 64
    // Made when the first session asks for it, with the size that it asks for.
    private var memory: UnsafeMutableRawBufferPointer?

    deinit { memory?.deallocate() }

    /// The buffer, if it has `count` bytes.
    fileprivate func lend(_ count: Int) -> UnsafeMutableRawBufferPointer? {
        let memory = memory ?? .allocate(byteCount: count, alignment: FrameBuffer.alignment)
        self.memory = memory
        return count <= memory.count ? memory : nil
    }
}

/// The memory of one session: malloc and its relatives, except for the first buffer of a frame.
struct SessionAllocator {
    /// A little less than the size of nghttp2's buffer for a frame; nothing else that it allocates is as large.
    private static let frameByteCountMin = 16 << 10
    private let frameBuffer: FrameBuffer
    // While the session has it. Further buffers, for a header block of several frames, are malloc's.
    private var borrowed: UnsafeMutableRawBufferPointer?

    init(_ frameBuffer: FrameBuffer) { self.frameBuffer = frameBuffer }

    static func functions(of allocator: UnsafeMutablePointer<SessionAllocator>) -> nghttp2_mem {
        nghttp2_mem(
            mem_user_data: allocator,
            malloc: { count, _ in malloc(count) },
            free: { start, allocator in
                let allocator = allocator?.assumingMemoryBound(to: SessionAllocator.self)
                if allocator?.pointee.giveBack(start) != true { free(start) }
            },
            calloc: { count, size, _ in calloc(count, size) },
            realloc: { start, count, allocator in
                allocator?.assumingMemoryBound(to: SessionAllocator.self).pointee.reallocate(start, count)
            })
    }

    /// Serves realloc, by which nghttp2 also makes a new buffer, from a null pointer.
    private mutating func reallocate(_ old: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutableRawPointer? {
        if old == nil, borrowed == nil, count >= SessionAllocator.frameByteCountMin {
            borrowed = frameBuffer.lend(count)
            if let borrowed { return borrowed.baseAddress }
        }
        guard let old, let borrowed, old == borrowed.baseAddress else { return realloc(old, count) }
        guard let copy = malloc(count) else { return nil }
        memcpy(copy, old, min(count, borrowed.count))
        self.borrowed = nil
        return copy
    }

    /// Frees the frame's buffer, if `start` is its address; returns whether it was.
    private mutating func giveBack(_ start: UnsafeMutableRawPointer?) -> Bool {
        guard let borrowed, start == borrowed.baseAddress else { return false }
        self.borrowed = nil
        return true
    }
}
