internal import Synchronization

/// A server's supply of connection numbers in a cluster, whose order gives each server blocks of its own.
final class NumberBlocks: Sendable {
    private struct State {
        var blocks: [ClosedRange<UInt64>] = []
        var isRequested = true
    }

    // A struct, because a closure in generic storage is wrapped at each access.
    private struct Request: Sendable { let send: @Sendable () -> Void }

    private let state = Mutex(State())
    private let request: Request

    /// - Parameter request: Asks for another block, which ``add(_:)`` gets; the first one has been asked for.
    init(request: @escaping @Sendable () -> Void) { self.request = Request(send: request) }

    func add(_ block: ClosedRange<UInt64>) {
        state.withLock { state in
            state.blocks.append(block)
            state.isRequested = false
        }
    }

    /// The next number; `nil` if all are used and the order can give no more at present.
    func next() -> UInt64? {
        let (number, isLow) = state.withLock { state -> (UInt64?, Bool) in
            guard let first = state.blocks.first else { return (nil, false) }
            let number = first.lowerBound
            if number < first.upperBound {
                state.blocks[0] = (number + 1)...first.upperBound
            } else {
                state.blocks.removeFirst()
            }
            let left = state.blocks.reduce(0) { $0 + UInt64($1.count) }
            guard !state.isRequested, left < ClusterMembers.blockCount / 2 else { return (number, false) }
            state.isRequested = true
            return (number, true)
        }
        if isLow { request.send() }
        return number
    }
}
