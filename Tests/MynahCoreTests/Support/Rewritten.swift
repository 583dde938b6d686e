@testable import MynahCore

extension AppPresentation {
    /// The app as it is read from the bytes that it is written as.
    func rewritten() throws -> AppPresentation {
        var writer = ByteWriter()
        var written = SharedWriting<StringsFile>()
        write(to: &writer, sharing: &written)
        var reader = ByteReader(writer.bytes)
        var read = SharedReading<StringsFile>()
        let app = try AppPresentation(from: &reader, sharing: &read)
        try reader.end()
        return app
    }
}

extension DeviceTable {
    /// The bytes of all pieces.
    var pieces: [[UInt8]] {
        (0..<pieceCount).map { piece in
            var writer = ByteWriter()
            write(piece: piece, to: &writer)
            return writer.bytes
        }
    }

    /// The table as it is read from its bytes, those of `shard` with this seed.
    func rewritten(shard: Int = 0, of shardCount: Int = 1, seed: UInt64 = 0) throws -> DeviceTable {
        try DeviceTable(
            settings: settings, shard: shard, of: shardCount, random: SeededGenerator(seed: seed),
            pieces: pieces.map { ByteReader($0) })
    }
}
