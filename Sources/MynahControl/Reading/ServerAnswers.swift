internal import APNsRules
internal import MynahCore

/// What `GET /v1/` answers.
struct PathIndex: Sendable {
    let paths: [String]

    var json: JSONValue { .object(PathIndex.fields.members(of: self)) }

    static let fields: Fields<PathIndex> = [
        Field(shown: "version", .anyText, "The version of the program.") { _ in .string(MynahVersion.current) },
        Field(shown: "openapi", .anyText, "The path of the OpenAPI document.") { _ in "/openapi.json" },
        Field(shown: "paths", .array(of: .anyText), "Every path below /v1/ that has no parameter in it.") {
            .texts($0.paths)
        },
    ]
}

/// What a probe answers.
struct Probe: Sendable {
    let readiness: Readiness
    /// Why changes can't be kept, or how the clock is wrong.
    let problem: String?

    var json: JSONValue { .object(Probe.fields.members(of: self)) }

    static let fields: Fields<Probe> = [
        Field(shown: "status", .choice(Readiness.self), "Whether it accepts pushes.") {
            .string($0.readiness.rawValue)
        },
        Field(
            shown: "problem", .nullableText,
            "Why changes can't be kept, or how its clock is wrong; null if neither is so."
        ) { .text($0.problem) },
    ]
}

/// How many things of each kind a call changed.
struct ChangedCounts: Sendable {
    let devices: Int

    var json: JSONValue { .object(ChangedCounts.fields.members(of: self)) }

    static let fields: Fields<ChangedCounts> = [
        Field(shown: "changed", .map(of: .whole), "How many of each kind were changed.") {
            ["devices": .whole($0.devices)]
        }
    ]
}
