internal import APNsRules
internal import MynahCore

/// A change in the order of all changes.
enum OrderedChange: Sendable {
    /// A push, and how many changes of keys and clocks there had been when it was judged (``OrderSharing/revision``).
    case push(IncomingPush, judged: UInt64 = 0)
    /// The delay of a withheld request is over.
    case release(PendingPush.Ticket)
    /// The stream or connection of a withheld request has ended.
    case abandon(PendingPush.Ticket)
    /// A process goes on with the order: the connections and live clients of those before it have ended.
    case started
    /// A command, as its kind and its document.
    case command(CommandKind, [UInt8])
    /// A change that only the log understands.
    case ofLog(LogChange)

    var byteCount: Int {
        switch self {
        case .push(let push, _): push.bytes.count
        case .release, .abandon, .started: 0
        case .command(_, let document): document.count
        case .ofLog(let change): change.bytes.count
        }
    }

    /// - Throws: ``InputError`` for a command that could not be read again.
    init(_ command: some Command) throws(InputError) {
        self = .command(type(of: command).kind, try CommandCoding.encode(command))
    }
}

/// A change that only the log understands, which the order has among its own.
struct LogChange: Sendable {
    /// One of ``BatchForm/kindsOfLog``.
    let kind: UInt8
    let bytes: [UInt8]
}

/// Where a batch of a shared log comes from (``OrderSharing``); only the log knows what that means.
struct BatchSource: ByteRecord {
    let name: String
    let start: UInt64
    let number: UInt64
    /// The position of the batch after which the digest was taken.
    let position: UInt64

    static let members = ByteMembers(BatchSource.init) { ($0.name, $0.start, $0.number, $0.position) }
}

/// The form of a batch: its version, the digest of all answers before it, in a shared log its source, the credentials
/// that its pushes share, the number of changes, and each change with its length before it and its kind.
enum BatchForm {
    static let version: UInt8 = 1
    /// Of a batch of a shared log.
    static let versionWithSource: UInt8 = 2
    /// The kinds of changes that only the log understands.
    static let kindsOfLog: ClosedRange<UInt8> = 5...8
    /// No version will be as high, so that a text that somebody publishes to a shared log is no batch.
    private static let versionEnd: UInt8 = 0x20

    /// Whether bytes are no batch of any version.
    static func isForeign(_ bytes: [UInt8]) -> Bool { bytes.first.map { $0 >= versionEnd } ?? true }

    enum Kind: UInt8 {
        case push = 0
        case release = 1
        case abandon = 2
        case command = 3
        case started = 4
        // 5 to 8 are the log's.
        case judgedPush = 9
    }
}

/// Gathers changes into the bytes of one batch.
struct BatchWriter {
    private var credentials = ByteWriter()
    private var places: [ObjectIdentifier: Int] = [:]
    // So that no other object gets the address of one in `places`.
    private var written: [RecordedCredential] = []
    private var changes = ByteWriter()
    private var change = ByteWriter()
    private(set) var count = 0

    var byteCount: Int { credentials.count + changes.count }

    mutating func add(_ change: OrderedChange) {
        self.change.removeAll()
        // What comes last is not copied twice.
        var rest: [UInt8] = []
        switch change {
        case .push(let push, let revision):
            let credential = place(of: push.candidate.credential.recorded)
            if revision == 0 {
                begin(.push)
            } else {
                begin(.judgedPush)
                self.change.write(varint: revision)
            }
            push.writeHead(to: &self.change, credential: credential)
            rest = push.bytes
        case .release(let ticket):
            begin(.release)
            self.change.write(ticket)
        case .abandon(let ticket):
            begin(.abandon)
            self.change.write(ticket)
        case .started: begin(.started)
        case .ofLog(let own):
            self.change.write(byte: own.kind)
            rest = own.bytes
        case .command(let kind, let document):
            begin(.command)
            self.change.write(fixed: kind.rawValue)
            rest = document
        }
        changes.write(varint: UInt64(self.change.count + rest.count))
        changes.write(raw: self.change.bytes)
        changes.write(raw: rest)
        count += 1
    }

    /// Begins another batch in the same memory.
    mutating func removeAll() {
        credentials.removeAll()
        changes.removeAll()
        written.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        count = 0
    }

    private mutating func begin(_ kind: BatchForm.Kind) { change.write(byte: kind.rawValue) }

    private mutating func place(of credential: RecordedCredential) -> Int {
        // The credential is nearly always the same as of the push before.
        if let last = written.last, last === credential { return written.count - 1 }
        let name = ObjectIdentifier(credential)
        if let place = places[name] { return place }
        credentials.write(credential)
        written.append(credential)
        places[name] = written.count - 1
        return written.count - 1
    }

    /// The bytes of all changes, behind the digest of the answers before them.
    ///
    /// - Parameter source: Where it comes from, in a shared log.
    func finish(digest: UInt64, _ source: BatchSource? = nil) -> [UInt8] {
        var batch = ByteWriter()
        batch.reserve(byteCount + 32)
        batch.write(fixed: source == nil ? BatchForm.version : BatchForm.versionWithSource)
        batch.write(fixed: digest)
        if let source { batch.write(source) }
        batch.write(varint: UInt64(written.count))
        batch.write(raw: credentials.bytes)
        batch.write(varint: UInt64(count))
        batch.write(raw: changes.bytes)
        return batch.bytes
    }
}

/// Reads the changes of a batch one after another, since how one is read may depend on those before it.
struct BatchReader {
    /// The digest of all answers before the batch, where it was written.
    let digest: UInt64
    /// Where it comes from, in a shared log.
    let source: BatchSource?
    private let credentials: [JudgedCredential]
    private(set) var remaining: Int
    private var reader: ByteReader

    init(_ bytes: [UInt8]) throws(CodingProblem) {
        reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == BatchForm.version || version == BatchForm.versionWithSource else {
            throw CodingProblem("batches of form \(version) were written by a newer Mynah")
        }
        digest = try reader.fixed()
        source = version == BatchForm.versionWithSource ? try reader.read(BatchSource.self) : nil
        var credentials: [JudgedCredential] = []
        for _ in 0..<(try reader.count()) { credentials.append(JudgedCredential(try reader.read())) }
        self.credentials = credentials
        remaining = try reader.count()
    }

    /// Passes over the next change without reading it.
    mutating func skip() throws(CodingProblem) {
        remaining -= 1
        _ = try reader.bytes()
    }

    /// The next change; `nil` at the end; `context` gets the credentials of the batch.
    mutating func next(
        in context: ([JudgedCredential]) -> PushCodingContext
    ) throws(CodingProblem) -> OrderedChange? {
        guard remaining > 0 else {
            try reader.end()
            return nil
        }
        remaining -= 1
        var change = ByteReader(try reader.bytes())
        let number = try change.byte()
        if BatchForm.kindsOfLog.contains(number) {
            return .ofLog(LogChange(kind: number, bytes: Array(try change.raw(change.remainingCount))))
        }
        guard let kind = BatchForm.Kind(rawValue: number) else {
            throw CodingProblem("changes of kind \(number) were written by a newer Mynah")
        }
        let value: OrderedChange
        switch kind {
        case .push: value = .push(try IncomingPush(from: &change, in: context(credentials)))
        case .release: value = .release(try change.read())
        case .abandon: value = .abandon(try change.read())
        case .started: value = .started
        case .judgedPush:
            let revision = try change.varint()
            value = .push(try IncomingPush(from: &change, in: context(credentials)), judged: revision)
        case .command:
            let number = try change.byte()
            guard let kind = CommandKind.byNumber[number] else {
                throw CodingProblem("commands of kind \(number) were written by a newer Mynah")
            }
            value = .command(kind, Array(try change.raw(change.remainingCount)))
        }
        try change.end()
        return value
    }
}
