// A table is written in pieces, so that a thread with a copy of it needs no memory for all of it: a head, and one for
// each 1,024 places. Tables that had the same calls have the same bytes: they name places and numbers of shared values,
// which decide the places of later devices, and nothing depends on the order of a set or dictionary.
extension DeviceTable {
    /// Version 1 has no web apps.
    private static let version: UInt8 = 2
    /// How many places of devices a piece has, vacant ones included.
    package static let placesPerPiece: Int32 = 1024

    /// The first piece.
    private struct Head: VersionedRecord {
        static var version: UInt8 { DeviceTable.version }
        let tokens: TokenDirectory.Head
        let devices: DeviceDirectory.Head
        let effects: Effects

        static let members = ByteMembers(Head.init) { ($0.tokens, $0.devices, $0.effects) }
    }

    /// The number of pieces in which the table is written.
    package var pieceCount: Int { 1 + Int((devices.end + DeviceTable.placesPerPiece - 1) / DeviceTable.placesPerPiece) }

    /// The bytes of one of the pieces, counted from 0.
    package func bytes(ofPiece piece: Int) -> [UInt8] {
        precondition((0..<pieceCount).contains(piece), "there is no piece \(piece) of \(pieceCount)")
        guard piece > 0 else { return Head(tokens: tokens.head, devices: devices.head, effects: effects).coded }
        var writer = ByteWriter()
        writer.write(DeviceTable.version)
        let start = Int32(piece - 1) * DeviceTable.placesPerPiece
        writer.write(start)
        for place in start..<min(start + DeviceTable.placesPerPiece, devices.end) {
            guard !devices.isVacant(place) else {
                Device.writeVacant(to: &writer)
                continue
            }
            devices[place].write(to: &writer)
            writer.write(varint: UInt64(tokens.registrationCount(of: devices[place])))
            var slot = devices[place].firstRegistration
            while slot >= 0 {
                tokens[slot].write(to: &writer)
                slot = tokens[slot].next
            }
        }
        return writer.bytes
    }

    /// Reads all pieces of a table, in their order; the written one may have had other settings.
    package init(
        settings: DeviceSettings = DeviceSettings(), shard: Int = 0, of shardCount: Int = 1,
        random: SeededGenerator = SeededGenerator(seed: 0), pieces: [ByteReader]
    ) throws(CodingProblem) {
        guard var first = pieces.first else { throw CodingProblem("a table of devices has no pieces") }
        let head = try first.last(Head.self)
        var tokens = TokenDirectory(settings: settings, shard: shard, of: shardCount, random: random)
        try first.located { () throws(CodingProblem) in try tokens.begin(with: head.tokens) }
        var devices = try first.located { () throws(CodingProblem) in try DeviceDirectory(head.devices) }
        let end = head.devices.end
        for piece in pieces.dropFirst() {
            var reader = ByteReader([], sharing: SharedInDevices())
            reader.proceed(to: piece)
            _ = try reader.version(newest: DeviceTable.version)
            let start = try reader.read(Int32.self)
            guard start == devices.end, start < end else {
                throw reader.problem("the piece of place \(start) follows \(devices.end) of \(end)")
            }
            for place in start..<min(start + DeviceTable.placesPerPiece, end) {
                try DeviceTable.restore(place, from: &reader, to: &devices, &tokens)
            }
            try reader.end()
        }
        try first.located { () throws(CodingProblem) in
            guard devices.end == end else { throw CodingProblem("\(devices.end) of \(end) places were read") }
            try devices.endRestoring(vacantPlaces: head.devices.vacantPlaces)
            guard tokens.topics.areAllUsed else { throw CodingProblem("a topic belongs to no registration") }
        }
        self.init(settings: settings, devices: devices, tokens: tokens, effects: head.effects)
    }

    private static func restore(
        _ place: Int32, from reader: inout ByteReader, to devices: inout DeviceDirectory, _ tokens: inout TokenDirectory
    ) throws(CodingProblem) {
        guard var device = try Device.read(from: &reader, in: &devices) else {
            return try devices.restore(nil, of: reader)
        }
        var last: Int32?
        for _ in 0..<(try reader.count()) {
            last = try tokens.restore(from: &reader, behind: last, to: &device, at: place)
        }
        guard device.id != nil || last != nil else { throw reader.problem("a device has neither an id nor a token") }
        try devices.restore(device, of: reader)
    }
}
