internal import APNsRules
internal import MynahCore

/// Where the calls of a server change and read its simulation: in place or, if the run is kept, in the order of all
/// changes.
extension Server {
    /// Carries out a command.
    /// - Throws: Its failure, and ``InputError`` if the run can't be kept.
    func perform<C: Command>(_ command: C) async throws(InputError) -> C.Answer where C.Failure == InputError {
        try checkWritable()
        guard let order else { return try simulation.perform(command) }
        return try await order.perform(command).get()
    }

    func perform<C: Command>(_ command: C) async throws(InputError) -> C.Answer where C.Failure == Never {
        try checkWritable()
        guard let order else { return simulation.perform(command) }
        return try await order.perform(command).get()
    }

    private func checkWritable() throws(InputError) {
        guard recorded == nil else { throw InputError(.conflict, Server.readOnlyProblem) }
    }

    /// What is said of every change of a recorded run.
    package static let readOnlyProblem = "the run is read-only: it was recorded, and can only be looked at"

    /// Says whose the data folder is, to another process that wants it: by a URL, for instance.
    package func setDataOwner(_ owner: String) async throws { try await order?.setOwner(owner) }

    /// In a shared order, waits until all that was answered anywhere before is in the simulation.
    /// - Throws: ``InputError`` while the engine is away.
    package func catchUp() async throws(InputError) { try await order?.catchUpWithLog() }

    /// Why pushes and changes are refused at present, or the server is otherwise not ready; `nil` if it is.
    package var changeProblem: String? { order?.problem }

    /// Waits until all that was answered before is in the simulation and what is due by now is done; returns the time up
    /// to which.
    @discardableResult
    func look() async -> DeviceTime {
        guard let order else { return simulation.look() }
        return await order.waitUntilApplied() ?? simulation.devices.time
    }
}
