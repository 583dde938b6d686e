internal import APNsRules
internal import Mynah
internal import MynahCore
internal import Synchronization

/// The stream of a device's arrivals for one reader.
///
/// It holds only the reader's position: arrivals that a slow reader has not taken yet stay in the inbox, within its bound,
/// and the reader receives a gap event for those that were evicted.
struct DeviceStream {
    let server: Server
    let id: String
    let limits: StreamLimits
    /// How many of the inbox's arrivals the reader has, including dropped ones.
    private var taken: UInt64
    /// The sequence number of the last of them; 0 if there was none.
    private var lastSequence: UInt64

    /// A stream of what arrives after `inbox` was read, or after the push with the number `lastEventID`.
    init(_ server: Server, of id: String, from inbox: DeviceInbox, lastEventID: UInt64?, limits: StreamLimits) {
        self.server = server
        self.id = id
        self.limits = limits
        let end = inbox.dropped + UInt64(inbox.items.count)
        guard let lastEventID else {
            taken = end
            lastSequence = inbox.items.last?.sequence ?? 0
            return
        }
        lastSequence = lastEventID
        if let place = inbox.place(after: lastEventID) {
            taken = inbox.dropped + UInt64(place)
        } else {
            // Not in the inbox any more, or never was: resume with later pushes; earlier ones may be lost.
            let place = inbox.items.firstIndex { $0.sequence > lastEventID } ?? inbox.items.count
            taken = place == 0 ? 0 : inbox.dropped + UInt64(place)
        }
    }

    /// Writes what arrives until the device is removed or the server shuts down.
    /// - Throws: `CancellationError` when the reader left or was disconnected; what `write` throws.
    mutating func run(_ watched: AsyncStream<Void>, write: ([UInt8]) async throws -> Void) async throws {
        let heartbeat = limits.heartbeat
        // At once: it confirms the connection.
        try await write(ServerSentEvent.comment)
        guard try await writeArrivals(write) else { return }
        try await DeviceUpdates.with(watched, timer: .every(heartbeat)) { updates in
            var nextComment = ContinuousClock.now + heartbeat
            for await _ in updates {
                guard try await writeArrivals(write) else { return }
                guard ContinuousClock.now >= nextComment else { continue }
                try await write(ServerSentEvent.comment)
                nextComment = ContinuousClock.now + heartbeat
            }
            try Task.checkCancellation()
        }
    }

    /// Writes new arrivals; returns whether the device still exists.
    private mutating func writeArrivals(_ write: ([UInt8]) async throws -> Void) async throws -> Bool {
        guard !server.isEnded, let inbox = try? await server.inbox(of: id) else { return false }
        try await writeArrivals(of: inbox, write)
        return true
    }

    mutating func writeArrivals(of inbox: DeviceInbox, _ write: ([UInt8]) async throws -> Void) async throws {
        let gap = find(in: inbox)
        var bytes: [UInt8] = []
        if gap > 0 {
            let from = lastSequence + 1
            let next = inbox.items.first?.sequence ?? 0
            DeviceStream.writeGap(nil, from...max(from + 1, next) - 1, gap, to: &bytes)
        }
        for arrival in inbox.arrivals[Int(taken - inbox.dropped)...] {
            if arrival.view == nil {
                let sequence = arrival.sequence
                DeviceStream.writeGap(sequence, sequence...sequence, 1, to: &bytes)
            } else {
                ServerSentEvent.write("notification", id: arrival.sequence, arrival.json, to: &bytes)
            }
            taken = arrival.ordinal
            lastSequence = arrival.sequence
            if bytes.count >= StreamLimits.batchBytesMax {
                try await write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        if !bytes.isEmpty { try await write(bytes) }
    }

    /// Finds the reader's position again; returns how many arrivals after it were evicted.
    private mutating func find(in inbox: DeviceInbox) -> UInt64 {
        // A device that was replaced counts its arrivals from the beginning.
        if taken > inbox.dropped + UInt64(inbox.items.count) { taken = 0 }
        guard taken < inbox.dropped else { return 0 }
        defer { taken = inbox.dropped }
        return inbox.dropped - taken
    }

    private static func writeGap(
        _ id: UInt64?, _ numbers: ClosedRange<UInt64>, _ count: UInt64, to bytes: inout [UInt8]
    ) {
        let members = GapEvent.fields.members(of: GapEvent(numbers: numbers))
        ServerSentEvent.write("gap", id: id, .object(members + [JSONMember("count", .whole(count))]), to: &bytes)
    }
}

/// Keeps a device online while a reader is connected (`?connect=true`), and releases it exactly once, even if the answer
/// is never read.
final class DevicePresence: Sendable {
    private let server: Server
    private let id: String
    private let client: UInt64
    private let isHeld = Atomic(true)

    /// Brings the device online; its stored pushes arrive.
    /// - Throws: `InputError` for an unknown device.
    init(_ id: String, _ server: Server) async throws(InputError) {
        self.client = try await server.connectDevice(id)
        self.server = server
        self.id = id
    }

    deinit {
        guard isHeld.load(ordering: .acquiring) else { return }
        server.disconnectDevice(id, client: client)
    }

    /// Releases the device, which goes offline with its last client.
    func end() {
        guard isHeld.exchange(false, ordering: .acquiringAndReleasing) else { return }
        server.disconnectDevice(id, client: client)
    }
}
