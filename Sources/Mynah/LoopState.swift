internal import APNsRules
internal import MynahCore
internal import MynahWire
internal import NIOCore
internal import NIOPosix

/// What one event loop holds for all of its connections: the wire's shared buffers and a copy of everything
/// that control calls replace, so that the push path takes no lock to read it.
///
/// Not `Sendable`: it belongs to its loop.
final class LoopState {
    let wire: WireLoop
    /// The clock in force; replaced on every loop before a control call answers.
    var clock: ClockState
    /// Counts the changes of keys and authorities: what a connection remembers of a credential is good for one count.
    var trustGeneration: UInt64 = 0

    init(wire: WireLoop, clock: ClockState) {
        self.wire = wire
        self.clock = clock
    }
}

/// The states of all loops of a server.
final class LoopStates: Sendable {
    private let boxes: [NIOLoopBoundBox<LoopState>]

    /// One state for each loop of the group.
    ///
    /// - Throws: ``OpenSSLError`` when the identity can't be used.
    init(_ group: MultiThreadedEventLoopGroup, identity: TLSIdentity, clock: ClockState) async throws {
        var boxes: [NIOLoopBoundBox<LoopState>] = []
        for loop in group.makeIterator() {
            let box = try await loop.submit {
                NIOLoopBoundBox(LoopState(wire: try WireLoop(identity), clock: clock), eventLoop: loop)
            }.get()
            boxes.append(box)
        }
        self.boxes = boxes
    }

    /// The state of the loop that this is called on.
    func current(_ loop: any EventLoop) -> LoopState {
        guard let box = boxes.first(where: { $0.eventLoop === loop }) else {
            preconditionFailure("a connection runs on a loop that is none of the server's")
        }
        return box.value
    }

    /// Changes every loop's state; returns when all have it.
    func update(_ change: @escaping @Sendable (LoopState) -> Void) async throws {
        for box in boxes {
            try await box.eventLoop.submit { change(box.value) }.get()
        }
    }
}
