internal import APNsRules
internal import MynahCore

/// Which server of a cluster wrote a batch, in which of its lives, and the batch's number in that life, from 1.
struct BatchOrigin: Hashable, Sendable {
    let server: String
    let life: UInt64
    let number: UInt64

    /// The origin of the server's next batch.
    var next: BatchOrigin { BatchOrigin(server: server, life: life, number: number + 1) }

    /// The form in which a batch names it, whose digest was taken after a position.
    func source(after position: UInt64) -> BatchSource {
        BatchSource(name: server, start: life, number: number, position: position)
    }
}

extension BatchOrigin {
    init(_ source: BatchSource) { self.init(server: source.name, life: source.start, number: source.number) }
}

/// The servers of a cluster as the order of changes has them: which live, and what ends with each.
///
/// A server is taken for dead when it wrote nothing while another one wrote several times that it is alive. No clock is
/// read for that, so a time without the engine ends no server's life.
///
/// A part of ``OrderState``, and so of each snapshot; ``ClusterOrder`` alone changes it, as batches are applied.
struct ClusterMembers: LogState {
    /// How often another server writes that it is alive, which it does every ``ClusterLog/alivePause``, until a silent one is
    /// taken for dead.
    static let silenceMax = 5
    /// How many numbers of connections a server gets at once.
    static let blockCount: UInt64 = 10_000
    /// How many lives that have ended are remembered, so that what they still send is ignored; the engine itself drops
    /// what is sent again within two minutes.
    private static let endedMax = 100

    /// A server in its last life.
    struct Member: Sendable {
        let life: UInt64
        fileprivate(set) var lastBatch: UInt64 = 0
        fileprivate(set) var isAlive = true
        // How often others have said that they are alive since it was heard.
        fileprivate var missed: [String: Int] = [:]
        /// The server's open connections, as the API shows them.
        var connections: [UInt64: JSONValue] = [:]
        /// The server's requests whose answers faults withhold.
        var tickets: Set<PendingPush.Ticket> = []
        /// The numbers of the server's live clients, and their devices.
        var clients: [UInt64: String] = [:]
    }

    /// A connection of a server that has opened or proved a credential, or with `nil` ended.
    struct ConnectionChange: Sendable {
        let server: String
        let number: UInt64
        let connection: JSONValue?
    }

    private(set) var all: [String: Member] = [:]
    /// The last number of a connection that was given to a server.
    var lastNumber: UInt64 = 0
    /// Counts the changes of keys and clocks, by which what connections have judged before is out of date.
    var revision: UInt64 = 0
    /// What all servers have in common (``ClusterIdentity``).
    var identity: [UInt8] = []

    /// Whether there is a cluster.
    var isEmpty: Bool { identity.isEmpty && all.isEmpty }
    /// The names of the living servers, sorted.
    var living: [String] { all.filter(\.value.isAlive).keys.sorted() }
    /// The name of the first living server.
    var first: String? { living.first }

    subscript(server: String) -> Member? { all[server] }

    /// The open connections of all servers.
    var connections: [ConnectionChange] {
        all.flatMap { server, member in
            member.connections.map { ConnectionChange(server: server, number: $0, connection: $1) }
        }
    }

    /// The server that has a connection.
    func holder(of connection: UInt64) -> String? { all.first { $0.value.connections[connection] != nil }?.key }

    // MARK: Changes

    /// Whether a batch is the next of its server's life, or the first of a new one.
    func admits(_ origin: BatchOrigin) -> Bool {
        guard let member = all[origin.server] else { return origin.number == 1 }
        guard member.life == origin.life else { return origin.number == 1 && origin.life > member.life }
        return member.isAlive && origin.number > member.lastBatch
    }

    /// Records a batch that is admitted; a life that it follows has been ended.
    mutating func recordBatch(of origin: BatchOrigin) {
        if all[origin.server]?.life != origin.life { all[origin.server] = Member(life: origin.life) }
        all[origin.server]?.lastBatch = origin.number
        all[origin.server]?.missed = [:]
    }

    /// Records that a server says that it is alive; returns those that have gone, by their names.
    mutating func recordSignOfLife(of server: String) -> [String] {
        var silent: [String] = []
        for (name, member) in all where name != server && member.isAlive {
            let missed = member.missed[server, default: 0] + 1
            all[name]?.missed[server] = missed
            if missed >= ClusterMembers.silenceMax { silent.append(name) }
        }
        return silent.sorted()
    }

    /// Ends a server's life; returns what ends with it, which ``ClusterOrder`` carries out.
    mutating func end(_ server: String) -> Member? {
        guard let member = all[server], member.isAlive else { return nil }
        all[server] = Member(life: member.life)
        all[server]?.isAlive = false
        let ended = all.filter { !$0.value.isAlive }
        if ended.count > ClusterMembers.endedMax,
            let oldest = ended.min(by: { ($0.value.life, $0.key) < ($1.value.life, $1.key) })
        {
            all[oldest.key] = nil
        }
        return member
    }

    /// The numbers for a server's next connections, none of which another one gets.
    mutating func makeNumbers(above highest: UInt64) -> ClosedRange<UInt64> {
        let first = min(max(lastNumber, highest), OrderedNumbers.numberMax) + 1
        lastNumber = first + ClusterMembers.blockCount - 1
        return first...lastNumber
    }

    /// Records an event of a connection; returns what it changes in the list, if it does.
    mutating func recordConnection(_ change: Event.Change, _ connection: JSONValue, of server: String)
        -> ConnectionChange?
    {
        guard case .number(let number)? = connection["id"], let number = UInt64(number.text) else { return nil }
        switch change {
        case .opened: return setConnection(connection, number, of: server)
        case .closed: return setConnection(nil, number, of: server)
        default: return nil
        }
    }

    mutating func recordCredential(_ credential: JSONValue, of number: UInt64, of server: String) -> ConnectionChange? {
        guard let known = all[server]?.connections[number]?.object else { return nil }
        let connection = JSONValue.object(
            known.map { $0.name == "credential" ? JSONMember($0.name, credential) : $0 })
        return setConnection(connection, number, of: server)
    }

    private mutating func setConnection(_ connection: JSONValue?, _ number: UInt64, of server: String)
        -> ConnectionChange
    {
        all[server]?.connections[number] = connection
        return ConnectionChange(server: server, number: number, connection: connection)
    }

    mutating func add(_ ticket: PendingPush.Ticket, of server: String) { all[server]?.tickets.insert(ticket) }
    mutating func remove(_ ticket: PendingPush.Ticket, of server: String) { all[server]?.tickets.remove(ticket) }

    mutating func recordClient(_ client: UInt64, of device: String?, at server: String) {
        all[server]?.clients[client] = device
    }
}

extension ClusterMembers: ByteRecord {
    static let members = ByteMembers({
        ClusterMembers(all: $3, lastNumber: $0, revision: $1, identity: $2)
    }) { ($0.lastNumber, $0.revision, $0.identity, $0.all) }

    /// The part of a snapshot's section `order`.
    var bytes: [UInt8] { coded }
}

extension ClusterMembers.Member: ByteRecord {
    static let members: some ByteForm<ClusterMembers.Member> = ByteMembers({
        ClusterMembers.Member(
            life: $0, lastBatch: $1, isAlive: $2, missed: $3, connections: $4.mapValues(\.json), tickets: $5,
            clients: $6)
    }) {
        (
            $0.life, $0.lastBatch, $0.isAlive, $0.missed, $0.connections.mapValues(ConnectionDocument.init), $0.tickets,
            $0.clients
        )
    }
}

/// A connection as the API shows it, which is written as the text of the document.
private struct ConnectionDocument: ByteRecord {
    let json: JSONValue
    init(_ json: JSONValue) { self.json = json }
    init(bytes: [UInt8]) throws(JSONError) { json = try JSONValue(parsing: bytes) }

    static let members = CheckedMembers(
        ConnectionDocument.init(bytes:), problem: { "a connection is \($0)" }
    ) { $0.json.encoded }
}
