// Types of this module stand in this module's public declarations: `JSONValue`, `Instant`. Re-exported, so that a test
// imports one module and sees their members under `MemberImportVisibility` too.
@_exported public import APNsRules
