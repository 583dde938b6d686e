internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah
internal import MynahCore

/// `POST /v1/reset`: back to the state after start; connections stay unless asked.
struct ResetRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.post, "/v1/reset") { [state] call in
                try call.checkNoQuery()
                let reader = try RequestDocument.reader(call.body, mayBeEmpty: true, ResetRoutes.schema)
                let scope = reader.text("scope")
                let parts = try ResetRoutes.parts(reader, scope)
                return .json(["removed": try await state.server.reset(parts, ofScope: scope)])
            }
        ]
    }

    static let schema: Schema = [
        Member("only", .array(of: .choice(ResetPart.self))),
        Member("scope", .name(bytesMax: ScopeName.bytesMax)),
    ]

    /// The parts that `only` names; `nil` without it.
    private static func parts(_ reader: ObjectReader, _ scope: String?) throws(Problem) -> Set<ResetPart>? {
        guard let parts = reader.texts("only")?.compactMap({ ResetPart(rawValue: $0) }) else { return nil }
        if scope != nil, let index = parts.firstIndex(where: { !$0.hasScope }) {
            throw Problem(
                .invalidField,
                "\(parts[index].rawValue) belong to the whole server, not to a scope; reset them without scope",
                field: reader.place("only", index), allowed: ResetPart.allCases.filter(\.hasScope).map(\.rawValue))
        }
        return Set(parts)
    }
}
