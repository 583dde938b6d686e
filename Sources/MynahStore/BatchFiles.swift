internal import APNsRules
internal import MynahCore

/// Which failures an answered push survives: the words of `--sync`, by which ``BatchFiles`` waits for the disk.
package enum LogSync: String, CaseIterable, Sendable {
    /// The end of the process, and of the machine's power: a commit waits for the disk.
    case full
    /// The end of the process. A power cut may take back the newest commits, whose bytes ``BatchFiles`` bounds, and leaves
    /// the others whole.
    case normal
}

/// The files beside the database that have the newest batches, until they are trimmed or a stop moves them to it:
/// appending to a file costs a third of a transaction, which writes each page twice.
///
/// A file has a header, then its batches: each with its number, time, rules and checksum before its bytes. What follows
/// the last whole batch of the newest file was being written when the process or the machine ended; with whole batches
/// further on, the file is damaged.
struct BatchFiles {
    private struct File {
        let slot: Int
        let file: SystemFile
        /// How the server that wrote the log synchronises it.
        var sync = LogSync.full
        var positions: ClosedRange<UInt64>?
        var end = BatchFiles.headerBytes
        /// How many bytes follow the last whole batch.
        var restByteCount = 0
        /// `nil` for a file of a test, which the system doesn't know.
        let identity: SystemFile.Identity?

        init(slot: Int, file: SystemFile, sync: LogSync = .full) {
            self.slot = slot
            self.file = file
            self.sync = sync
            identity = SystemFile.Identity(of: file.path)
        }
    }

    private struct Record {
        static let headerBytes = 28
        let position: UInt64
        let time: Instant
        let rules: UInt32
        let byteCount: Int
        let crc: UInt32
    }

    /// Names for files: more is appended to the newest file.
    private static let slotCount = 100
    /// The bytes of a file after which another one is begun, as the log is trimmed by whole files.
    static let fileBytes = 16 << 20
    /// How much a power cut can take back, beside a single batch, where no batch waits for the disk.
    private static let unsynchronisedBytesMax = 1 << 20
    private static let headerBytes = 16
    /// How much of the bytes after the last whole batch is looked at, times their number: more would take hours with bytes
    /// that were made for that.
    private static let searchFactor = 4
    /// The fewest bytes that each possible beginning of a batch costs of the search's budget.
    private static let searchBytesMin = 4 << 10
    /// How many of these bytes are read at once.
    private static let searchPieceBytes = 1 << 20
    /// A bound that no log's position reaches, by which a position is told from other bytes.
    private static let positionMax: UInt64 = 1 << 48
    private static let format: UInt32 = 1
    private static let beginning: [UInt8] = {
        var writer = ByteWriter()
        writer.write(raw: Array("mynahlog".utf8))
        writer.write(fixed: format)
        return writer.bytes
    }()
    private static let syncs: [LogSync] = [.normal, .full]

    private let database: String
    private let sync: LogSync
    private let vfs: String?
    private let fileBytes: Int
    // The oldest first; only the newest may be without a batch.
    private var files: [File] = []
    private var unsynchronisedBytes = 0
    // The bytes of the batch that could not be written.
    private var failedBytes = 0
    // Where the batch at a position is.
    private var place: (position: UInt64, file: Int, offset: Int)?
    /// What follows the last whole batch, as it was found.
    private(set) var rest: (path: String, byteCount: Int)?

    /// Opens the files of a database, whose newest batch is given if it has any, and removes files whose batches are
    /// all in the database.
    init(
        of database: String, after last: UInt64?, sync: LogSync, isReadOnly: Bool, vfs: String?, fileBytes: Int
    ) throws(LogProblem) {
        self.database = database
        self.sync = sync
        self.vfs = vfs
        self.fileBytes = fileBytes
        for slot in 0..<BatchFiles.slotCount {
            try SystemFile.checkPlain(path(slot))
            guard SystemFile.isThere(path(slot), vfs: vfs) else { continue }
            var file = File(slot: slot, file: try SystemFile(path(slot), isReadOnly: isReadOnly, vfs: vfs))
            try scan(&file)
            if file.restByteCount > 0 { rest = (file.file.path, file.restByteCount) }
            guard let positions = file.positions, positions.upperBound > last ?? 0 else {
                if !isReadOnly { try SystemFile.remove(file.file.path, vfs: vfs) }
                continue
            }
            files.append(file)
        }
        files.sort { ($0.positions?.lowerBound ?? 0) < ($1.positions?.lowerBound ?? 0) }
        var next = last.map { $0 + 1 }
        for file in files {
            guard let positions = file.positions else { continue }
            guard positions.lowerBound <= next ?? .max else {
                throw missing(next ?? 0, in: file.file.path)
            }
            next = positions.upperBound + 1
        }
        guard !isReadOnly, let newest = files.last, try newest.file.byteCount() > newest.end else { return }
        try newest.file.truncate(to: newest.end)
    }

    /// The paths of all files that a log may have.
    static func paths(of database: String) -> [String] { (0..<slotCount).map { path($0, of: database) } }

    private static func path(_ slot: Int, of database: String) -> String {
        "\(database)-\(slot < 10 ? "0" : "")\(slot)"
    }

    private func path(_ slot: Int) -> String { BatchFiles.path(slot, of: database) }

    var positions: ClosedRange<UInt64>? {
        guard let first = files.first?.positions, let last = files.last(where: { $0.positions != nil })?.positions
        else {
            return nil
        }
        return first.lowerBound...last.upperBound
    }

    var byteCount: Int { files.reduce(0) { $0 + $1.end } }

    // MARK: Writing

    /// Appends a batch; after a problem ``cutOff()`` comes first.
    mutating func append(_ batch: LoggedBatch) throws(LogProblem) {
        failedBytes = batch.bytes.count
        if files.last.map({ $0.end >= fileBytes || $0.sync != sync }) ?? true { try begin() }
        let index = files.count - 1
        let file = files[index].file
        let end = files[index].end
        try file.write(batch.bytes, at: end + Record.headerBytes)
        // After the bytes, so that a process that ends between the two leaves no batch.
        try file.write(BatchFiles.header(of: batch), at: end)
        let count = Record.headerBytes + batch.bytes.count
        unsynchronisedBytes += count
        if sync == .full || unsynchronisedBytes >= BatchFiles.unsynchronisedBytesMax { try synchronise() }
        files[index].end = end + count
        files[index].positions = (files[index].positions?.lowerBound ?? batch.position)...batch.position
    }

    /// Begins another file, if a name is left.
    private mutating func begin() throws(LogProblem) {
        guard let slot = (0..<BatchFiles.slotCount).first(where: { slot in !files.contains { $0.slot == slot } }) else {
            return
        }
        try synchronise()
        let file = try SystemFile(path(slot), isReadOnly: false, vfs: vfs)
        try file.truncate(to: 0)
        let mark = BatchFiles.syncs.firstIndex(of: sync) ?? 0
        try file.write(BatchFiles.beginning + [UInt8(mark), 0, 0, 0], at: 0)
        try file.synchronise()
        files.append(File(slot: slot, file: file, sync: sync))
    }

    /// Removes what a failed ``append(_:)`` has written, so that its batch is certainly not there.
    mutating func cutOff() throws(LogProblem) {
        guard let newest = files.last, try newest.file.byteCount() > newest.end else { return }
        try newest.file.truncate(to: newest.end)
        if sync == .full { try newest.file.synchronise() }
    }

    /// Finds out whether the batch that could not be written would fit now.
    mutating func checkWritable() throws(LogProblem) {
        if files.isEmpty { try begin() }
        guard let newest = files.last else { return }
        try newest.file.write([UInt8](repeating: 0, count: Record.headerBytes + failedBytes), at: newest.end)
        try newest.file.truncate(to: newest.end)
    }

    /// The path of a file that is no longer where it was opened.
    var missingPath: String? { files.first { $0.identity != SystemFile.Identity(of: $0.file.path) }?.file.path }

    /// Waits until the disk has all batches.
    mutating func synchronise() throws(LogProblem) {
        guard unsynchronisedBytes > 0 else { return }
        try files.last?.file.synchronise()
        unsynchronisedBytes = 0
    }

    /// Removes the oldest file if all its batches are before a position; returns whether it did.
    mutating func removeOldest(before position: UInt64) throws(LogProblem) -> Bool {
        guard files.count > 1, let last = files[0].positions?.upperBound, last < position else { return false }
        try SystemFile.remove(files[0].file.path, vfs: vfs)
        files.removeFirst()
        place = nil
        return true
    }

    /// Removes all files, whose batches the database has.
    mutating func removeAll() throws(LogProblem) {
        while let file = files.first {
            try SystemFile.remove(file.file.path, vfs: vfs)
            files.removeFirst()
        }
        place = nil
    }

    // MARK: Reading

    /// The batch at a position that is in one of the files.
    mutating func batch(at position: UInt64) throws(LogProblem) -> LoggedBatch {
        let (index, offset) = try find(position)
        guard let record = try record(at: offset, of: files[index]), record.position == position,
            let batch = try batch(record, at: offset, of: files[index])
        else { throw damaged("batch \(position) is not what was written", in: files[index].file.path) }
        place = (position + 1, index, offset + Record.headerBytes + record.byteCount)
        return batch
    }

    /// The bytes of the batches in a range.
    func byteCount(of positions: ClosedRange<UInt64>) throws(LogProblem) -> Int {
        var count = 0
        for file in files {
            guard let own = file.positions, own.overlaps(positions) else { continue }
            if positions.lowerBound <= own.lowerBound, own.upperBound <= positions.upperBound {
                count += file.end - BatchFiles.headerBytes - own.count * Record.headerBytes
                continue
            }
            var offset = BatchFiles.headerBytes
            while offset < file.end, let record = try record(at: offset, of: file) {
                if positions.contains(record.position) { count += record.byteCount }
                offset += Record.headerBytes + record.byteCount
            }
        }
        return count
    }

    private func find(_ position: UInt64) throws(LogProblem) -> (file: Int, offset: Int) {
        guard let index = files.firstIndex(where: { $0.positions?.contains(position) ?? false }) else {
            throw missing(position, in: database)
        }
        if let place, place.position == position, place.file == index { return (index, place.offset) }
        var offset = BatchFiles.headerBytes
        while offset < files[index].end, let record = try record(at: offset, of: files[index]) {
            if record.position == position { return (index, offset) }
            offset += Record.headerBytes + record.byteCount
        }
        throw missing(position, in: files[index].file.path)
    }

    /// Finds the batches of a file that has been opened.
    private func scan(_ file: inout File) throws(LogProblem) {
        let count = try file.file.byteCount()
        guard count > BatchFiles.headerBytes else { return }
        let most = max(fileBytes, BatchFiles.fileBytes) + Record.headerBytes + RunLog.bytesMax
        guard count <= most else {
            throw damaged("it has \(count) bytes: at most \(most) were expected", in: file.file.path)
        }
        let header = try file.file.read(BatchFiles.headerBytes, at: 0)
        let mark = Int(header[BatchFiles.beginning.count])
        guard header.starts(with: BatchFiles.beginning), BatchFiles.syncs.indices.contains(mark) else {
            guard header.starts(with: BatchFiles.beginning.prefix(8)) else {
                throw damaged("it does not begin as a file of batches does", in: file.file.path)
            }
            throw LogProblem(
                .newer, file: file.file.path, "a later version of Mynah wrote it", remedy: "Open it with that version")
        }
        file.sync = BatchFiles.syncs[mark]
        file.end = count
        var offset = BatchFiles.headerBytes
        while let record = try record(at: offset, of: file), try batch(record, at: offset, of: file) != nil {
            let first = file.positions?.lowerBound ?? record.position
            guard record.position == first + UInt64(file.positions?.count ?? 0) else { break }
            file.positions = first...record.position
            offset += Record.headerBytes + record.byteCount
        }
        try checkRest(of: file, from: offset)
        file.restByteCount = count - offset
        file.end = offset
    }

    /// Checks that what follows the last whole batch may be what a crash has left of the next ones.
    private func checkRest(of file: File, from offset: Int) throws(LogProblem) {
        // So far apart, the disk had the one before the other was written.
        let distance = file.sync == .full ? 1 : BatchFiles.unsynchronisedBytesMax
        let last = file.positions?.upperBound
        let positions = (last ?? 0) + 1...(last.map { $0 + UInt64(file.end) } ?? BatchFiles.positionMax)
        guard file.end - offset > distance else { return }
        var looks = BatchFiles.searchFactor * (file.end - offset)
        var start = offset + distance
        while start + Record.headerBytes <= file.end {
            let count = min(BatchFiles.searchPieceBytes, file.end - start)
            let piece = try file.file.read(count, at: start)
            let places = 0...(count - MemoryLayout<UInt64>.size)
            let found = piece.withUnsafeBytes { bytes in
                places.filter { positions.contains(bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)) }
            }
            for place in found {
                guard let record = try record(at: start + place, of: file) else { continue }
                looks -= max(record.byteCount, BatchFiles.searchBytesMin)
                guard looks >= 0 else {
                    throw damaged(
                        "what follows \(last.map { "batch \($0)" } ?? "its beginning") is not what was written",
                        in: file.file.path)
                }
                guard try batch(record, at: start + place, of: file) != nil else { continue }
                throw damaged(
                    "batch \(positions.lowerBound) is not what was written, and \(record.position) is",
                    in: file.file.path)
            }
            start += places.count
        }
    }

    // The record at an offset; `nil` if there is no record.
    private func record(at offset: Int, of file: File) throws(LogProblem) -> Record? {
        guard offset + Record.headerBytes <= file.end else { return nil }
        let header = try file.file.read(Record.headerBytes, at: offset)
        func number<Number: FixedWidthInteger>(at place: Int) -> Number {
            Number(littleEndian: header.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) })
        }
        let position: UInt64 = number(at: 0)
        let byteCount: UInt32 = number(at: 20)
        guard position > 0, byteCount <= RunLog.bytesMax,
            offset + Record.headerBytes + Int(byteCount) <= file.end
        else { return nil }
        return Record(
            position: position, time: Instant(milliseconds: number(at: 8)), rules: number(at: 16),
            byteCount: Int(byteCount), crc: number(at: 24))
    }

    // The batch of a record; `nil` if its bytes aren't what was written.
    private func batch(_ record: Record, at offset: Int, of file: File) throws(LogProblem) -> LoggedBatch? {
        let bytes = try file.file.read(record.byteCount, at: offset + Record.headerBytes)
        let batch = LoggedBatch(position: record.position, time: record.time, rules: record.rules, bytes: bytes)
        return batch.checksum == record.crc ? batch : nil
    }

    private static func header(of batch: LoggedBatch) -> [UInt8] {
        var writer = ByteWriter()
        writer.reserve(Record.headerBytes)
        writer.write(fixed: batch.position)
        writer.write(fixed: UInt64(bitPattern: batch.time.milliseconds))
        writer.write(fixed: batch.rules)
        writer.write(fixed: UInt32(batch.bytes.count))
        writer.write(fixed: batch.checksum)
        return writer.bytes
    }

    private func missing(_ position: UInt64, in path: String) -> LogProblem {
        LogProblem(.damaged, file: path, "batch \(position) is missing", remedy: LogProblem.copyRemedy)
    }

    private func damaged(_ what: String, in path: String) -> LogProblem {
        LogProblem(.damaged, file: path, what, remedy: LogProblem.damagedRemedy)
    }
}
