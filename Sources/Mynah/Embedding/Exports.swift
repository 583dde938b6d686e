// Types of these modules stand in this module's public declarations. Re-exported, so that a test imports one module and
// sees their members under `MemberImportVisibility` too.
@_exported public import APNsRules
@_exported public import MynahCore

/// The outcome of a push.
public typealias PushOutcome = Outcome
/// The result of advancing a clock.
public typealias ClockAdvance = ClockReport
