package import NIOCore
internal import Synchronization

/// The buffer into which an event loop reads from its sockets, shared by its connections.
///
/// SwiftNIO has one for each channel, and keeps it as large as it ever was: 2 kB for a connection that was only opened, 64
/// kB for one that has pushed a few large payloads.
package struct ReadBuffer: RecvByteBufferAllocator {
    /// The most bytes that are read at once.
    private static let byteCount = 64 << 10

    private final class Shared: Sendable {
        let spare = Mutex(ByteBuffer())
    }

    private let shared = Shared()
    private var hasRead = false

    /// Has a channel of this loop read into the buffer, which the channel's handler gives back after each read.
    package func serve(_ channel: any Channel) throws {
        // The channel keeps as many buffers as it may read one after the other.
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try channel.syncOptions?.setOption(.recvAllocator, value: self)
    }

    /// Takes back a buffer, whose bytes may still be in use.
    func giveBack(_ buffer: ByteBuffer) {
        if buffer.storageCapacity == ReadBuffer.byteCount { shared.spare.withLock { $0 = buffer } }
    }

    package func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
        // The first buffer is the one that the channel keeps.
        guard hasRead else { return allocator.buffer(capacity: 1) }
        var buffer = ByteBuffer()
        shared.spare.withLock { swap(&buffer, &$0) }
        let isFree = buffer.modifyIfUniquelyOwned { $0.clear() } != nil
        return isFree && buffer.storageCapacity > 0 ? buffer : allocator.buffer(capacity: ReadBuffer.byteCount)
    }

    /// - Returns: `true`, as if the next buffer had to be larger: otherwise the channel would use the kept one.
    package mutating func record(actualReadBytes: Int) -> Bool {
        hasRead = true
        return true
    }
}
