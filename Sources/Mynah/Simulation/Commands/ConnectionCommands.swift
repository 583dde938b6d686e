internal import APNsRules
internal import MynahCore

/// Records an event of a connection, which this simulation otherwise knows nothing of.
struct NoteConnection: Command {
    let change: Event.Change
    /// The connection, or with ``Event/Change/failed`` the failed handshake, as the API shows it.
    let connection: JSONValue

    func apply(to simulation: Simulation) {
        if case .number(let number)? = connection["id"], let number = UInt64(number.text) {
            simulation.connectionNumbers.recordUsed(number)
        }
        simulation.events.record(change, ofConnection: connection)
    }
}

/// Counts that rules of `accept` or `handshake` met a connection, which has done by itself what they want.
struct CountConnection: Command {
    let event: FaultEvent
    let connection: UInt64
    let environment: APNsEnvironment?

    func apply(to simulation: Simulation) {
        var facts = FaultFacts(event, connection: connection, environment: environment, now: simulation.now)
        let faults = LoopFaults(simulation.faults, seed: simulation.seed)
        guard faults.contains(event) else { return }
        // A close after silence is counted when it takes place.
        _ = faults.claim(&facts) { _, _ in }
    }
}

/// Counts a close for which a rule has waited for silence; returns `false` if the rule is gone or has no firing left.
struct CountIdleClose: Command {
    let rule: String
    /// The rule's age, by which another one with its id is known.
    let age: Int?

    func apply(to simulation: Simulation) -> Bool {
        guard let tally = simulation.faults.tally(of: rule), tally.age == age else { return false }
        return tally.fire()
    }
}

/// Records what a connection has proved, for the lists of connections wherever the order is applied.
struct NoteCredential: Command {
    let connection: UInt64
    let credential: JSONValue

    func apply(to simulation: Simulation) {}
}

/// Has connections ended, wherever they are.
struct EndConnections: Command {
    let connections: [UInt64]
    /// Whether connections end by a TCP reset in place of GOAWAY.
    let isAborted: Bool

    init(connections: [UInt64], isAborted: Bool) {
        self.connections = connections
        self.isAborted = isAborted
    }

    /// Reads what earlier versions wrote, too, which ended one at a time.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let earlier = try decoder.container(keyedBy: EarlierKeys.self)
        let single = try earlier.decodeIfPresent(UInt64.self, forKey: .connection)
        connections = try single.map { [$0] } ?? members.decode([UInt64].self, forKey: .connections)
        isAborted = try members.decode(Bool.self, forKey: .isAborted)
    }

    private enum EarlierKeys: CodingKey { case connection }

    func apply(to simulation: Simulation) {}
}

extension CommandKind {
    static let connections: Numbered = [
        60: NoteConnection.self,
        61: CountConnection.self,
        62: CountIdleClose.self,
        63: NoteCredential.self,
        64: EndConnections.self,
    ]
}
