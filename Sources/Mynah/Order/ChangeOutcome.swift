internal import APNsRules
internal import MynahCore

/// What became of a change that was submitted to the order.
enum ChangeOutcome: Sendable {
    case push(PushResult, [IdleClose])
    /// A push that was judged by keys or a clock of before a change, and is to be judged again.
    case stale
    /// A withheld request whose delay is over; `nil` if it was given up before.
    case released((push: IncomingPush, result: FaultedPush)?)
    case command(CommandOutcome)
    /// The numbers that were asked for.
    case numbers(ClosedRange<UInt64>)
    /// It was made, and there is nothing to tell.
    case done
    /// It was not made.
    case refused(Order.Unavailable)
}

/// What became of a command.
struct CommandOutcome: Sendable {
    /// Why nothing was changed; `nil` if the command was carried out.
    let failure: (any Error)?
    /// Gives its answer to whoever waits for that.
    let answer: @Sendable () -> Void
}
