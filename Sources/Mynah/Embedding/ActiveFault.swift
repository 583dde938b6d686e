internal import MynahCore

/// A fault in force.
public struct ActiveFault: Hashable, Sendable {
    /// A fault's counters.
    public struct Counts: Hashable, Sendable {
        /// Requests that matched.
        public let matched: Int
        /// How often it acted.
        public let fired: Int
        /// How often it may still act; `nil` for no limit.
        public let remaining: Int?
    }

    let server: MynahServer
    /// Its id, by which the journal names it.
    public let id: String

    /// Its counters; `nil` if it is gone.
    public var counts: Counts? { server.running.fault(id).map { Counts($0) } }

    /// Waits until it has acted `times` times or the time is over, and returns its counters; `nil` if it is gone.
    public func waitUntilFired(_ times: Int = 1, within: Duration = .seconds(5)) async -> Counts? {
        await server.running.waitForFault(id, hits: times, until: .now + within).map { Counts($0) }
    }

    /// Removes it; returns `false` if it was gone.
    @discardableResult
    public func remove() throws(MynahError) -> Bool { try server.changeable().removeFault(id) }

    /// Whether both are of one server and of one id.
    public static func == (left: ActiveFault, right: ActiveFault) -> Bool {
        left.server === right.server && left.id == right.id
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension ActiveFault.Counts {
    fileprivate init(_ view: FaultView) {
        self.matched = view.counters.matched
        self.fired = view.counters.fired
        self.remaining = view.counters.remaining(of: view.rule.schedule)
    }
}

extension MynahSimulation {
    /// Adds a fault, in a scope for its pushes only; it is asked before the existing ones.
    @discardableResult
    public func addFault(_ fault: Fault) async throws(MynahError) -> ActiveFault {
        let server = try self.server.changeable()
        let draft = try fault.draft(scope: scopeName)
        do throws(InputError) {
            guard let view = try server.addFaults([draft]).first else {
                throw InputError(.conflict, "the fault was removed at the same time")
            }
            return ActiveFault(server: self.server, id: view.rule.id)
        } catch {
            throw MynahError(error)
        }
    }

    /// The faults in force, in the order in which they are asked; in a scope its own.
    public var faults: [ActiveFault] {
        server.running.faults.filter { scopeName == nil || $0.rule.scope == scopeName }
            .map { ActiveFault(server: server, id: $0.rule.id) }
    }

    /// Removes all faults, in a scope its own; returns how many there were.
    @discardableResult
    public func removeFaults() throws(MynahError) -> Int { try server.changeable().removeFaults(ofScope: scopeName) }
}
