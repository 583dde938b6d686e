internal import APNsRules
internal import MynahCore

/// What the servers of a cluster make of their one order: which of them live and what ends with each, which batches have
/// an effect, and whether all servers come to the same answers.
///
/// ``OrderApplier`` asks it as it makes and applies batches; it belongs to the same thread.
final class ClusterOrder: OrderSharing {
    /// What servers have to do about a batch besides answering it.
    struct Effects {
        /// The connections of servers that have opened, proved a credential or ended, one after another.
        fileprivate(set) var connections: [ClusterMembers.ConnectionChange] = []
        /// The connections that are to be ended by the servers that have them.
        fileprivate(set) var ends: [EndConnections] = []
        /// Whether a reset forgets closed connections and failed handshakes.
        fileprivate(set) var forgetsConnections = false
        /// The server that has begun the cluster anew, with other settings or another version.
        fileprivate(set) var beginner: String?
        /// Whether another program published what is no batch.
        fileprivate(set) var isForeign = false
    }

    /// How many digests are kept to compare with the digests of other servers.
    private static let digestsMax: UInt64 = 1024

    private(set) var members: ClusterMembers
    /// This server's place in the cluster, and the number of its last batch.
    var origin: BatchOrigin
    // The life in which this process began.
    private let firstLife: UInt64
    // After those positions.
    private var digests: [UInt64: UInt64] = [:]
    // The server whose batch is being applied.
    private var author: String?
    /// What the batch that was applied last asks of the server.
    private(set) var effects = Effects()

    /// - Parameter members: The servers of a snapshot.
    init(_ origin: BatchOrigin, members: ClusterMembers = ClusterMembers()) {
        self.origin = origin
        self.members = members
        firstLife = origin.life
    }

    var revision: UInt64 { members.revision }
    var state: (any LogState)? { members.isEmpty ? nil : members }

    // MARK: Batches

    func makeSource(after position: UInt64) -> BatchSource {
        origin = origin.next
        return origin.source(after: position)
    }

    func owner(of source: BatchSource) -> BatchOwner {
        let written = BatchOrigin(source)
        if written == origin { return .awaited }
        return written.server == origin.server && written.life >= firstLife ? .earlier : .another
    }

    /// Begins a server's batch; returns whether it is admitted.
    ///
    /// - Throws: ``CodingProblem`` if the server had another state than this one.
    func begin(_ source: BatchSource?, digest: UInt64, in order: OrderApplier) throws(CodingProblem) -> Bool {
        effects = Effects()
        author = nil
        guard let source else { return true }
        let origin = BatchOrigin(source)
        guard members.admits(origin) else { return false }
        if let own = digests[source.position], own != digest {
            throw CodingProblem(
                "the servers \(origin.server) and \(self.origin.server) have come to different states after batch "
                    + "\(source.position)")
        }
        // A new life follows one that didn't end.
        if members[origin.server]?.life != origin.life { end(origin.server, in: order) }
        members.recordBatch(of: origin)
        author = origin.server
        return true
    }

    func beginForeign() {
        effects = Effects()
        effects.isForeign = true
    }

    func end(at position: UInt64, digest: UInt64) {
        author = nil
        digests[position] = digest
        if position > ClusterOrder.digestsMax { digests[position - ClusterOrder.digestsMax] = nil }
    }

    /// Goes on without comparing what comes with the answers so far, which servers with other rules may not have given.
    func forgetDigests() { digests = [:] }

    // MARK: Changes

    func addWithheld(_ ticket: PendingPush.Ticket) { if let author { members.add(ticket, of: author) } }
    func removeWithheld(_ ticket: PendingPush.Ticket) { if let author { members.remove(ticket, of: author) } }

    func recordEffects(of command: any Command) {
        guard let author else { return }
        if type(of: command).changesVerdicts { members.revision += 1 }
        switch command {
        case let noted as NoteConnection:
            if let change = members.recordConnection(noted.change, noted.connection, of: author) {
                effects.connections.append(change)
            }
        case let noted as NoteCredential:
            if let change = members.recordCredential(noted.credential, of: noted.connection, of: author) {
                effects.connections.append(change)
            }
        case let wanted as EndConnections: effects.ends.append(wanted)
        case let reset as Reset where reset.forgetsConnections: effects.forgetsConnections = true
        case let connected as ConnectDevice: members.recordClient(connected.client, of: connected.id, at: author)
        case let gone as DisconnectDevice: members.recordClient(gone.client, of: nil, at: author)
        default: break
        }
    }

    func applyLogChange(_ change: LogChange, in order: OrderApplier) throws(CodingProblem) -> ChangeOutcome {
        switch try ClusterChange(change) {
        case .begin(let identity):
            if !members.identity.isEmpty, let author {
                for server in members.living where server != author { end(server, in: order) }
                effects.beginner = author
            }
            members.identity = identity
        case .alive: if let author { for server in members.recordSignOfLife(of: author) { end(server, in: order) } }
        case .stopped: if let author { end(author, in: order) }
        case .takeNumbers:
            let simulation = order.simulation
            let highest = max(simulation.connectionNumbers.highest, simulation.devices.clientNumbers.highest)
            return .numbers(members.makeNumbers(above: highest))
        }
        return .done
    }

    /// Ends what a server had.
    private func end(_ server: String, in order: OrderApplier) {
        guard let ended = members.end(server) else { return }
        let simulation = order.simulation
        for ticket in ended.tickets.sorted() { order.abandon(ticket) }
        for (client, device) in ended.clients.sorted(by: { $0.key < $1.key }) {
            // A device that is gone has no client.
            _ = try? DisconnectDevice(id: device, client: client).apply(to: simulation)
        }
        let time = simulation.now.rfc3339
        for (number, connection) in ended.connections.sorted(by: { $0.key < $1.key }) {
            effects.connections.append(.init(server: server, number: number, connection: nil))
            let closed = [
                JSONMember("closedAt", .string(time)), JSONMember("reason", .string("its server \(server) is gone")),
            ]
            simulation.events.record(.closed, ofConnection: .object((connection.object ?? []) + closed))
        }
        order.adoptClocks()
    }
}
