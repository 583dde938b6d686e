// `DeviceToken`, `Instant`, `Reason`, `JSONValue` and the other words of the rules stand in this module's public
// declarations. Re-exported, so that a test imports one module and their members are visible under
// `MemberImportVisibility` too; the language has no other spelling for it.
@_exported public import APNsRules
