internal import APNsRules
internal import MynahSystem

/// The ledger of provider certificates: a JSON array with one entry per line, the oldest first.
///
/// A new entry is written behind the last one, so that neither writing it nor the start of a server takes longer with
/// each certificate. A revocation is a further entry of its certificate. What a crash left of an entry is overwritten by
/// the next one. Only `certificate` (DER in base64) and the times are read, and at a start `issuer` and `serialNumber`
/// of the revoked ones; the rest, and the `.pem` files, are for people.
extension StateFolder {
    static let ledgerName = "provider-certificates.json"

    /// The longest line: the base64 of ``ProviderCertificate/bytesMax``, and room for the names beside it.
    private static let lineBytesMax = 1 << 20
    private static let pieceBytes = 1 << 18

    private static let remedy =
        "Correct it or delete it; without it no certificate is revoked, and issued ones stay valid"

    /// How far the ledger's file has been read.
    struct LedgerPosition: Equatable {
        fileprivate var inode: ino_t = 0
        /// Where the last entry that was read ends.
        fileprivate var end = 0
        fileprivate var line = 1
    }

    /// Calls `body` with the entries after a position, and moves the position to their end; starts again in a file that
    /// was replaced.
    func readLedger(
        from position: inout LedgerPosition, _ body: (CertificateLedger.Item) -> Void
    ) throws(TrustError) {
        try readLines(from: &position) { (line, number) throws(TrustError) in body(try item(line, number)) }
    }

    /// The certificates that are revoked, and the position behind the last entry; a broken entry of another one is noticed
    /// when it is read.
    func revokedSerials() throws(TrustError) -> (serials: Set<RevokedSerial>, end: LedgerPosition) {
        var serials: Set<RevokedSerial> = []
        var position = LedgerPosition()
        try readLines(from: &position) { (line, number) throws(TrustError) in
            guard line.first == 0x7B, line.last == 0x7D else { throw notAnEntry(number) }
            guard StateFolder.hasRevocation(line) else { return }
            let entry = try head(of: line, number)
            _ = try time(in: entry, named: "revokedAt", at: number)
            if let issuer = entry["issuer"]?.string, let serialNumber = entry["serialNumber"]?.string {
                serials.insert(RevokedSerial(issuer: issuer, serialNumber: serialNumber))
            } else {
                serials.insert(RevokedSerial(try item(line, number).identity))
            }
        }
        return (serials, position)
    }

    /// Whether an entry may have a time of revocation, without reading it as JSON, which takes a hundred times as long.
    private static func hasRevocation(_ line: [UInt8]) -> Bool {
        guard let place = place(of: #""revokedAt""#, in: line) else { return false }
        return line[place...].dropFirst(11).first { ![0x20, 0x09, 0x3A].contains($0) } != UInt8(ascii: "n")
    }

    /// The members before the certificate, by far the longest one, which is written last.
    private func head(of line: [UInt8], _ number: Int) throws(TrustError) -> JSONValue {
        if let place = StateFolder.place(of: #","certificate""#, in: line),
            let head = try? JSONValue(parsing: Array(line[..<place]) + [0x7D]), head.object != nil
        {
            return head
        }
        return try document(line, number)
    }

    /// Where a text that begins with a quote, or a byte before one, is in a line.
    private static func place(of text: String, in line: [UInt8]) -> Int? {
        let text = Array(text.utf8)
        let quotePlace = text.firstIndex(of: 0x22) ?? 0
        return line.withUnsafeBytes { line in
            guard let start = line.baseAddress else { return nil }
            var place = quotePlace
            // Quotes are few, and found many bytes at a time.
            while place < line.count, let quote = memchr(start + place, 0x22, line.count - place) {
                place = UnsafeRawPointer(quote) - start
                if line[(place - quotePlace)...].starts(with: text) { return place - quotePlace }
                place += 1
            }
            return nil
        }
    }

    // MARK: - Lines

    fileprivate func readLines(
        from position: inout LedgerPosition, _ body: ([UInt8], Int) throws(TrustError) -> Void
    ) throws(TrustError) {
        guard let path = path(of: StateFolder.ledgerName) else { return }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return }
            throw unreadable(FileSystem.failure().problem)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(FileSystem.failure().problem) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is no plain file") }
        if status.st_ino != position.inode || !StateFolder.isEndOfEntry(file, position.end) {
            position = LedgerPosition(inode: status.st_ino)
        }
        var rest: [UInt8] = []
        var offset = position.end
        var chunk = [UInt8](repeating: 0, count: StateFolder.pieceBytes)
        var isAtEnd = false
        while !isAtEnd {
            let count = chunk.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(offset)) }
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw unreadable(FileSystem.failure().problem)
            }
            offset += count
            isAtEnd = count == 0
            rest += chunk[..<count]
            var start = 0
            while let end = rest[start...].firstIndex(of: 0x0A) {
                try readLine(rest[start..<end], isWhole: true, at: offset - rest.count + start, &position, body)
                position.line += 1
                start = end + 1
            }
            rest.removeSubrange(..<start)
            guard rest.count <= StateFolder.lineBytesMax else { throw notAnEntry(position.line) }
        }
        try readLine(rest[...], isWhole: false, at: offset - rest.count, &position, body)
    }

    /// Reads a line, or what of one is there so far: an entry that a crash has cut off is left out.
    private func readLine(
        _ line: ArraySlice<UInt8>, isWhole: Bool, at offset: Int, _ position: inout LedgerPosition,
        _ body: ([UInt8], Int) throws(TrustError) -> Void
    ) throws(TrustError) {
        let entry = StateFolder.trimmed(line)
        guard let last = entry.last else { return }
        guard isWhole || entry.first != 0x7B || last == 0x7D else { return }
        try body(Array(entry), position.line)
        position.end = offset + (entry.endIndex - line.startIndex)
    }

    /// A line without what is around an entry: brackets, commas and blanks.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isAround = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x2C, 0x5B, 0x5D].contains(byte) }
        var line = line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        line = line.drop(while: isAround)
        while let last = line.last, isAround(last) { line.removeLast() }
        return line
    }

    private static func isEndOfEntry(_ file: Int32, _ end: Int) -> Bool {
        guard end > 0 else { return true }
        var byte: UInt8 = 0
        return pread(file, &byte, 1, off_t(end - 1)) == 1 && byte == 0x7D
    }

    // MARK: - Entries

    private func document(_ line: [UInt8], _ number: Int) throws(TrustError) -> JSONValue {
        let document: JSONValue
        do { document = try JSONValue(parsing: line) } catch {
            throw broken("is not JSON in line \(number): \(error.problem)")
        }
        guard document.object != nil else { throw notAnEntry(number) }
        return document
    }

    private func item(_ line: [UInt8], _ number: Int) throws(TrustError) -> CertificateLedger.Item {
        let entry = try document(line, number)
        guard let der = entry["certificate"]?.string.flatMap({ Base64.decode($0.utf8)?.bytes }) else {
            throw broken("has no certificate in base64 in line \(number), member `certificate`")
        }
        guard let issuedAt = try time(in: entry, named: "issuedAt", at: number) else {
            throw broken("has no time in line \(number), member `issuedAt`")
        }
        let revokedAt = try time(in: entry, named: "revokedAt", at: number)
        do { return try CertificateLedger.Item(der: der, issuedAt: issuedAt, revokedAt: revokedAt) } catch {
            throw broken("has a broken certificate in line \(number): \(error.problem)")
        }
    }

    private func time(in entry: JSONValue, named name: String, at line: Int) throws(TrustError) -> Instant? {
        guard let value = entry[name], value != .null else { return nil }
        if let instant = value.string.flatMap({ Instant(rfc3339: $0) }) { return instant }
        throw broken("has no time in line \(line), member `\(name)`; one looks like 2026-11-21T09:30:00.000Z")
    }

    private func notAnEntry(_ line: Int) -> TrustError {
        broken("has no certificate's entry in line \(line): expected one JSON object per line")
    }

    private func broken(_ problem: String) -> TrustError {
        TrustError(.malformed, file: path(of: StateFolder.ledgerName), problem, remedy: StateFolder.remedy)
    }

    private func unreadable(_ problem: String) -> TrustError {
        TrustError(
            .unreadable, file: path(of: StateFolder.ledgerName), "cannot be read: \(problem)",
            remedy: "Let the user that runs mynah read it, or name another folder with --state-dir")
    }

    private static func document(_ item: CertificateLedger.Item) -> JSONValue {
        [
            "serialNumber": .string(item.identity.serialNumber),
            "subject": .string(item.identity.subject),
            "issuer": .string(item.identity.issuer),
            "topics": .array(item.identity.topics.map { .string($0.name) }),
            "environment": .string(item.identity.environment.rawValue),
            "notAfter": .string(item.identity.notAfter.rfc3339),
            "issuedAt": .string(item.issuedAt.rfc3339),
            "revokedAt": item.revokedAt.map { .string($0.rfc3339) } ?? .null,
            "certificate": .string(Base64.encode(item.der)),
        ]
    }

    // MARK: - Writing

    /// Adds entries to the ledger, and a `provider-<serial number>.pem` for each certificate that has none; returns
    /// whether they are on disk.
    func append(_ items: [CertificateLedger.Item]) throws(TrustError) -> Bool {
        guard obstacle == nil, let path = path(of: StateFolder.ledgerName) else { return false }
        for item in items {
            let name = "provider-\(item.identity.serialNumber).pem"
            guard let path = self.path(of: name), FileSystem.mode(of: path) == nil else { continue }
            guard try write(item.pem, to: name, mode: 0o644) else { return false }
        }
        let entries = items.map { StateFolder.document($0).encodedText }.joined(separator: ",\n  ")
        guard !entries.isEmpty else { return true }
        let file = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw unwritable() }
            return try write("[\n  \(entries)\n]\n", to: StateFolder.ledgerName, mode: 0o644)
        }
        defer { close(file) }
        let end = try endOfEntries(file)
        let start =
            switch end {
            case 0: "[\n  "
            case _ where StateFolder.isEndOfEntry(file, end): ",\n  "
            default: "\n  "
            }
        guard StateFolder.replaceEnd(of: file, from: end, by: start + entries + "\n]\n") else {
            let failure = unwritable()
            _ = StateFolder.replaceEnd(of: file, from: end, by: end == 0 ? "[]\n" : "\n]\n")
            throw failure
        }
        guard fsync(file) == 0 else { throw unwritable() }
        return true
    }

    private func unwritable() -> TrustError {
        TrustError(
            .unwritable, file: path(of: StateFolder.ledgerName), "cannot be written: \(FileSystem.failure().problem)",
            remedy: "Make room or give permission, or name another folder with --state-dir")
    }

    private static func replaceEnd(of file: Int32, from end: Int, by text: String) -> Bool {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                pwrite(file, $0.baseAddress, $0.count, off_t(end + written))
            }
            guard count >= 0 || errno == EINTR else { return false }
            written += max(count, 0)
        }
        return ftruncate(file, off_t(end + bytes.count)) == 0
    }

    /// Where the last whole entry ends, or the bracket before the first one; 0 in an empty file.
    private func endOfEntries(_ file: Int32) throws(TrustError) -> Int {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw unreadable(FileSystem.failure().problem) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw unreadable("it is no plain file") }
        let size = Int(status.st_size)
        let start = max(0, size - 2 * StateFolder.lineBytesMax)
        // Most often the end is among the last bytes.
        for first in [max(0, size - 16), start] {
            var tail = [UInt8](repeating: 0, count: size - first)
            let count = tail.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(first)) }
            guard count == tail.count else { throw unreadable(FileSystem.failure().problem) }
            if let end = StateFolder.end(of: tail[...]) { return first + end }
        }
        guard start == 0 else { throw broken("has no entry at its end") }
        return 0
    }

    /// Where the last entry in a piece ends that is followed by nothing but brackets, or by what a crash left of one.
    private static func end(of tail: ArraySlice<UInt8>) -> Int? {
        var rest = tail
        while true {
            let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
            while let last = rest.last, isBlank(last) { rest.removeLast() }
            if rest.last == 0x5D { rest.removeLast() }
            while let last = rest.last, isBlank(last) || last == 0x2C { rest.removeLast() }
            if rest.last == 0x7D || rest.last == 0x5B && rest.dropLast().allSatisfy(isBlank) { return rest.endIndex }
            guard let line = rest.lastIndex(of: 0x0A) else { return nil }
            rest = rest[..<line]
        }
    }
}

/// The ledger of a state folder, as far as it has been read; without a folder, or in one that can't be written, it is
/// kept here.
package struct LedgerFile: Sendable {
    /// The CA's private key: a folder with this file is a state folder, and one without it only publishes the CA.
    package static let authorityKeyName = CertificateAuthority.keyFileName

    /// The entries that ``readOn()`` has read, and the entries that couldn't be written.
    package private(set) var ledger = CertificateLedger()
    private var unwritten: [CertificateLedger.Item] = []
    private let stateDirectory: String?
    private var position: StateFolder.LedgerPosition

    package init(stateDirectory: String?) { self.init(stateDirectory: stateDirectory, from: .init()) }

    init(stateDirectory: String?, from position: StateFolder.LedgerPosition) {
        self.stateDirectory = stateDirectory
        self.position = position
    }

    /// The whole ledger file, read from its beginning, with the entries that this one has.
    package var whole: LedgerFile {
        var whole = LedgerFile(stateDirectory: stateDirectory)
        for item in unwritten { whole.keep(item) }
        return whole
    }

    /// Reads what was added since the last time.
    package mutating func readOn() throws(TrustError) {
        guard let stateDirectory else { return }
        let folder = StateFolder(stateDirectory)
        var found: [CertificateLedger.Item] = []
        try folder.readLedger(from: &position) { found.append($0) }
        for item in found { ledger.add(item) }
    }

    /// Adds entries to the file, where ``readOn()`` finds them; throws if writing fails.
    package mutating func append(_ items: [CertificateLedger.Item]) throws(TrustError) {
        if let stateDirectory, try StateFolder(stateDirectory).append(items) { return }
        for item in items { keep(item) }
    }

    private mutating func keep(_ item: CertificateLedger.Item) {
        unwritten.append(item)
        ledger.add(item)
    }
}
