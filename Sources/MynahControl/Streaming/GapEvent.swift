internal import APNsRules
internal import MynahCore

/// Numbers whose events were evicted before they could be sent (`Documents#Event-stream`).
struct GapEvent: Sendable {
    let numbers: ClosedRange<UInt64>

    var json: JSONValue { .object(GapEvent.fields.members(of: self)) }

    static let fields: Fields<GapEvent> = [
        Field(shown: "from", .whole, "The first number that is missing.") { .whole($0.numbers.lowerBound) },
        Field(shown: "to", .whole, "The last number that is missing.") { .whole($0.numbers.upperBound) },
    ]
}
