internal import APNsRules
internal import Hummingbird
internal import Logging
internal import Mynah
internal import MynahCore
internal import NIOCore
internal import Synchronization

/// What arrives on a device, as it arrives, for one reader.
///
/// Holds the place of the reader in the inbox and nothing of its contents: what a slow reader has not taken stays in
/// the inbox, within its bound, and what went there to make room is told as a gap.
struct DeviceStream {
    let server: Server
    let id: String
    let limits: StreamLimits
    /// How many arrivals the reader has, counted as the inbox counts them.
    private var taken: UInt64
    /// The number of the last of them; 0 when there was none.
    private var lastSequence: UInt64

    /// A stream of what arrives from `inbox` on, or from behind the push with the number that a reader gave back.
    init(_ server: Server, _ id: String, from inbox: DeviceInbox, lastEventID: UInt64?, _ limits: StreamLimits) {
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
        if let place = inbox.place(behind: lastEventID) {
            taken = inbox.dropped + UInt64(place)
        } else if lastEventID == 0 {
            taken = 0
        } else {
            // It is no longer there, or never was: what was sent later is meant, and all that went before it may be lost.
            let place = inbox.items.firstIndex { $0.sequence > lastEventID } ?? inbox.items.count
            taken = place == 0 ? 0 : inbox.dropped + UInt64(place)
        }
    }

    /// Writes what arrives until the device is gone or the server shuts down.
    ///
    /// - Throws: `CancellationError` when the reader has gone or was cut off; what `write` throws.
    mutating func run(
        _ watched: AsyncStream<Void>, write: ([UInt8]) async throws -> Void
    ) async throws {
        let heartbeat = limits.heartbeat
        // At once, so that a reader knows that it is heard, and with what is there already.
        try await write(ServerSentEvent.comment)
        guard try await writeArrivals(write) else { return }
        var stream = self
        defer { self = stream }
        try await DeviceWakes.with(watched, .every(heartbeat)) { wakes in
            var nextComment = ContinuousClock.now + heartbeat
            for await _ in wakes {
                guard try await stream.writeArrivals(write) else { return }
                guard ContinuousClock.now >= nextComment else { continue }
                try await write(ServerSentEvent.comment)
                nextComment = ContinuousClock.now + heartbeat
            }
            try Task.checkCancellation()
        }
    }

    /// Writes what arrived since, in batches; answers whether there is still a device.
    private mutating func writeArrivals(_ write: ([UInt8]) async throws -> Void) async throws -> Bool {
        let inbox: DeviceInbox
        do throws(DeviceError) {
            inbox = try await server.inbox(of: id)
        } catch {
            return false
        }
        try await writeArrivals(of: inbox, write)
        return true
    }

    /// Writes what of an inbox the reader has not got.
    mutating func writeArrivals(of inbox: DeviceInbox, _ write: ([UInt8]) async throws -> Void) async throws {
        let gap = find(in: inbox)
        var bytes: [UInt8] = []
        if gap > 0 { writeGap(gap, before: inbox.items.first?.sequence, to: &bytes) }
        for arrival in inbox.arrivals[Int(taken - inbox.dropped)...] {
            if arrival.view == nil {
                writeGap(1, at: arrival.sequence, to: &bytes)
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

    /// Finds the reader's place again; answers how many arrivals behind it went to make room.
    private mutating func find(in inbox: DeviceInbox) -> UInt64 {
        let end = inbox.dropped + UInt64(inbox.items.count)
        guard taken <= end else {
            // The device was made anew: its inbox counts from the beginning.
            taken = inbox.dropped
            return inbox.dropped
        }
        guard taken < inbox.dropped else { return 0 }
        let lost = inbox.dropped - taken
        taken = inbox.dropped
        return lost
    }

    private func writeGap(_ count: UInt64, before next: UInt64?, to bytes: inout [UInt8]) {
        let from = lastSequence + 1
        let end = next.map { $0 > from ? $0 - 1 : from } ?? from
        ServerSentEvent.write("gap", id: nil, DeviceStream.gap(from: from, to: end, count), to: &bytes)
    }

    private func writeGap(_ count: UInt64, at sequence: UInt64, to bytes: inout [UInt8]) {
        ServerSentEvent.write(
            "gap", id: sequence, DeviceStream.gap(from: sequence, to: sequence, count), to: &bytes)
    }

    private static func gap(from: UInt64, to: UInt64, _ count: UInt64) -> JSONValue {
        [
            "from": .number(JSONNumber(from)), "to": .number(JSONNumber(to)), "count": .number(JSONNumber(count)),
        ]
    }
}
