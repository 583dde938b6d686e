internal import APNsRules
internal import Mynah
internal import MynahCore

/// The members of requests that have no type of their own.
enum RequestSchemas {
    static let clockChange = ClockChange.schema + scope

    static let clockAdvance =
        [
            Member("by", .duration(.zero...Form.durationMax)),
            Member("to", .someText, "A time, or next for the next thing that is due."),
        ] + scope

    static let userAction: Schema = [
        Member(
            "action", .someText, "default, dismiss, or the ID of one of the category's actions.", isRequired: true),
        Member("text", .anyText, "What the user types, for an action that takes a text."),
    ]

    static let reset: Schema = [
        Member("only", .array(of: .choice(ResetPart.self))),
        Member(
            "scope", ScopeName.form,
            "Resets only what belongs to this scope: notifications, devices, faults and a clock."),
    ]

    private static let scope: Schema = [Member("scope", ScopeName.form)]
}
