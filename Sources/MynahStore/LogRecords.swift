package import APNsRules

/// A batch of commands as the log has it.
package struct LoggedBatch: Equatable, Sendable {
    /// The batch's number in its log, from 1, without gaps.
    package let position: UInt64
    /// The time at which its commands apply.
    package let time: Instant
    /// The version of the rules by which its commands were applied first.
    package let rules: UInt32
    package let bytes: [UInt8]

    package init(position: UInt64, time: Instant, rules: UInt32, bytes: [UInt8]) {
        self.position = position
        self.time = time
        self.rules = rules
        self.bytes = bytes
    }

    /// The checksum of all members.
    var checksum: UInt32 {
        var checksum = RowChecksum()
        checksum.add(position)
        checksum.add(time.milliseconds)
        checksum.add(rules)
        checksum.add(bytes)
        return checksum.value
    }
}

/// What a log says of a complete snapshot.
package struct LoggedSnapshot: Equatable, Sendable {
    /// The batch after which the state was as in this snapshot.
    package let position: UInt64
    /// The time of the batch at ``position``.
    package let time: Instant
    /// The version of the rules that made the snapshot.
    package let rules: UInt32
    package let pieceCount: Int
    /// The sum of the pieces' bytes.
    package let byteCount: Int
}

/// A part of a snapshot, of one section.
package struct SnapshotPiece: Equatable, Sendable {
    package let section: String
    package let bytes: [UInt8]

    package init(section: String, bytes: [UInt8]) {
        self.section = section
        self.bytes = bytes
    }
}
