internal import APNsRules
internal import MynahCore

/// What a push's connection has to do after the push was applied.
enum PushResult: Sendable {
    /// Answer as APNs does: with 200 or a refusal.
    case answered(Refusal?, uniqueID: NotificationID?)
    /// Answer a call of channel management.
    case managed(ManagedChannel)
    /// Answer when the broadcast has gone to its followers, which the connection has done elsewhere.
    // Apart, as in a judgement.
    indirect case spreading(AcceptedBroadcast)
    case faulted(FaultedPush)
}

/// What a fault makes of a push; a class, because few pushes meet one.
final class FaultedPush: Sendable {
    enum Step: Sendable {
        /// APNs' answer, with the action's addition.
        case answered(Refusal?, uniqueID: NotificationID?)
        case managed(ManagedChannel)
        /// The action's own answer, with the server's time in it.
        case replaced(at: Instant)
        /// No answer ever comes.
        case stalled
        /// Withheld until a time on the action's clock has passed, then answered by ``PushApplier/release(_:)``.
        case pending(Duration)
    }

    let firing: FaultFiring
    let step: Step
    /// The ticket by which a pending or stalled push is released or abandoned.
    let ticket: PendingPush.Ticket?
    /// A broadcast that still has to go to its followers, and the copies that they get.
    let spreading: (broadcast: AcceptedBroadcast, furtherCopies: Int)?

    init(
        _ firing: FaultFiring, _ step: Step, ticket: PendingPush.Ticket? = nil,
        spreading: (broadcast: AcceptedBroadcast, furtherCopies: Int)? = nil
    ) {
        self.firing = firing
        self.step = step
        self.ticket = ticket
        self.spreading = spreading
    }
}
