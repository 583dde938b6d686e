internal import APNsRules
internal import MynahCore

/// A command that was applied.
struct AppliedCommand {
    let command: any Command
    let outcome: CommandOutcome
}

extension Command {
    /// Applies the command, whose answer nobody waits for.
    func applied(to simulation: Simulation) -> AppliedCommand { applied(to: simulation) { _ in } }

    /// Applies the command; its answer is reported once the outcome's ``CommandOutcome/answer`` is called.
    fileprivate func applied(
        to simulation: Simulation, report: @escaping @Sendable (Result<Answer, Failure>) -> Void
    ) -> AppliedCommand {
        let result = Result { () throws(Failure) in try apply(to: simulation) }
        let failure: (any Error)? = if case .failure(let error) = result { error } else { nil }
        return AppliedCommand(command: self, outcome: CommandOutcome(failure: failure) { report(result) })
    }
}

/// A call that waits for the answer of its command, whose type it alone knows; so it is the call that reads the command
/// and applies it.
protocol WaitingCall: Sendable {
    /// Applies the command as it was read from a batch.
    /// - Throws: ``InputError`` if the bytes are no such command.
    func applyCommand(_ kind: CommandKind, _ document: [UInt8], to simulation: Simulation) throws(InputError)
        -> AppliedCommand
    func refuse(_ refusal: Order.Unavailable)
}

/// A call that waits for the answer of a command of one type.
struct CommandCall<C: Command>: WaitingCall {
    /// Gets the answer or the failure of the command, or why it was not carried out.
    let report: @Sendable (Result<Result<C.Answer, C.Failure>, InputError>) -> Void

    func applyCommand(
        _ kind: CommandKind, _ document: [UInt8], to simulation: Simulation
    ) throws(InputError) -> AppliedCommand {
        guard kind == C.kind else {
            throw InputError(at: "", "a command of kind \(kind) was read: expected \(C.kind), as it was submitted")
        }
        return try CommandCoding.decode(C.self, document.span).applied(to: simulation) { [report] in
            report(.success($0))
        }
    }

    func refuse(_ refusal: Order.Unavailable) { report(.failure(refusal.inputError)) }
}
