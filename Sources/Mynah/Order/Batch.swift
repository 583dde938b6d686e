internal import APNsRules
internal import MynahCore

/// A change in the order of all changes.
enum OrderedChange: Sendable {
    /// A push, and ``ClusterMembers/revision`` when it was judged.
    case push(IncomingPush, judged: UInt64 = 0)
    /// The delay of a withheld request is over.
    case release(PendingPush.Ticket)
    /// The stream or connection of a withheld request has ended.
    case abandon(PendingPush.Ticket)
    /// A process goes on with the order: the connections and live clients of those before it have ended.
    case started
    /// A command by its kind and document.
    case command(CommandKind, [UInt8])
    /// A cluster begins, whose servers have this in common; in one that has begun before, the lives of the others end.
    case begin([UInt8])
    /// The server that wrote the batch is alive.
    case alive
    /// It has ended.
    case stopped
    /// It needs numbers for connections.
    case takeNumbers

    var byteCount: Int {
        switch self {
        case .push(let push, _): push.bytes.count
        case .release, .abandon, .started, .alive, .stopped, .takeNumbers: 0
        case .command(_, let document), .begin(let document): document.count
        }
    }

    /// - Throws: ``InputError`` for a command that could not be read again.
    init(_ command: some Command) throws(InputError) {
        self = .command(type(of: command).kind, try CommandCoding.encode(command))
    }
}

/// The form of a batch: its version, the digest of all answers before it, in a cluster who wrote it and after which
/// position, the credentials that its pushes share, the number of changes, and each change with its length before it and
/// its kind.
enum BatchForm {
    static let version: UInt8 = 1
    /// Of a batch of a cluster.
    static let versionOfCluster: UInt8 = 2
    /// No version will be as high, so that a text that somebody publishes to a cluster's log is no batch.
    private static let versionEnd: UInt8 = 0x20

    /// Whether bytes are no batch of any version.
    static func isForeign(_ bytes: [UInt8]) -> Bool { bytes.first.map { $0 >= versionEnd } ?? true }

    enum Kind: UInt8 {
        case push = 0
        case release = 1
        case abandon = 2
        case command = 3
        case started = 4
        case begin = 5
        case alive = 6
        case stopped = 7
        case takeNumbers = 8
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
        case .begin(let document):
            begin(.begin)
            self.change.write(raw: document)
        case .alive: begin(.alive)
        case .stopped: begin(.stopped)
        case .takeNumbers: begin(.takeNumbers)
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
        // Nearly always that of the push before.
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
    /// - Parameters:
    ///   - origin: Who writes it, in a cluster.
    ///   - position: Of the batch after which the digest was taken, in a cluster.
    func finish(digest: UInt64, _ origin: BatchOrigin? = nil, after position: UInt64 = 0) -> [UInt8] {
        var batch = ByteWriter()
        batch.reserve(byteCount + 32)
        batch.write(fixed: origin == nil ? BatchForm.version : BatchForm.versionOfCluster)
        batch.write(fixed: digest)
        if let origin { batch.write(origin.server, origin.life, origin.number, position) }
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
    /// Who wrote it in a cluster, and after which position.
    let origin: BatchOrigin?
    let position: UInt64
    private let credentials: [JudgedCredential]
    private(set) var remaining: Int
    private var reader: ByteReader

    init(_ bytes: [UInt8]) throws(CodingProblem) {
        reader = ByteReader(bytes)
        let version = try reader.byte()
        guard version == BatchForm.version || version == BatchForm.versionOfCluster else {
            throw CodingProblem("batches of form \(version) were written by a newer Mynah")
        }
        digest = try reader.fixed()
        if version == BatchForm.versionOfCluster {
            origin = BatchOrigin(server: try reader.read(), life: try reader.read(), number: try reader.read())
            position = try reader.read()
        } else {
            origin = nil
            position = 0
        }
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
        guard let kind = BatchForm.Kind(rawValue: number) else {
            throw CodingProblem("changes of kind \(number) were written by a newer Mynah")
        }
        let value: OrderedChange
        switch kind {
        case .push: value = .push(try IncomingPush(from: &change, in: context(credentials)))
        case .release: value = .release(try change.read())
        case .abandon: value = .abandon(try change.read())
        case .started: value = .started
        case .begin: value = .begin(Array(try change.raw(change.remainingCount)))
        case .alive: value = .alive
        case .stopped: value = .stopped
        case .takeNumbers: value = .takeNumbers
        case .judgedPush:
            let revision = try change.varint()
            value = .push(try IncomingPush(from: &change, in: context(credentials)), judged: revision)
        case .command:
            let number = try change.byte()
            guard let kind = CommandKind(rawValue: number) else {
                throw CodingProblem("commands of kind \(number) were written by a newer Mynah")
            }
            value = .command(kind, Array(try change.raw(change.remainingCount)))
        }
        try change.end()
        return value
    }
}
