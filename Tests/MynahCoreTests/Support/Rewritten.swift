@testable import MynahCore

extension AppPresentation {
    /// The app as it is read from the bytes that it is written as.
    func rewritten() throws -> AppPresentation {
        var writer = ByteWriter()
        writer.write(self)
        var reader = ByteReader(writer.bytes, sharing: SharedInDevices())
        return try reader.last()
    }
}

extension DeviceTable {
    /// The bytes of all pieces.
    var pieces: [[UInt8]] { (0..<pieceCount).map(bytes(ofPiece:)) }

    /// The table as it is read from its bytes, those of `shard` with this seed.
    func rewritten(shard: Int = 0, of shardCount: Int = 1, seed: UInt64 = 0) throws -> DeviceTable {
        try DeviceTable(
            settings: settings, shard: shard, of: shardCount, random: SeededGenerator(seed: seed),
            pieces: pieces.map { ByteReader($0) })
    }
}
