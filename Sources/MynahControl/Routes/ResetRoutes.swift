internal import APNsRules
internal import HTTPTypes
internal import Hummingbird
internal import Mynah

/// `POST /v1/reset`: back to the state after start; connections stay unless asked.
struct ResetRoutes {
    let state: ControlState

    var routes: [Route] {
        [
            Route(.post, "/v1/reset") { [state] call in
                try call.checkNoQuery()
                let document = try RequestDocument(call.body, mayBeEmpty: true)
                let scope = try ScopeReading.scope(document)
                let parts = try ResetRoutes.parts(document, scope)
                return .json(["removed": try await state.server.reset(parts, ofScope: scope)])
            }
        ]
    }

    /// The parts that `only` names; `nil` without it.
    private static func parts(_ document: RequestDocument, _ scope: String?) throws(Problem) -> Set<ResetPart>? {
        try document.check(known: ["only", "scope"])
        guard let only = document["only"] else { return nil }
        let names = ResetPart.allCases.map(\.rawValue)
        guard let elements = only.array else {
            throw Problem(
                .invalidField, "only is \(only.kind); it is an array of names", field: "/only", allowed: names)
        }
        var parts: Set<ResetPart> = []
        for (index, element) in elements.enumerated() {
            let field = RequestDocument.pointer("only", String(index))
            guard let name = element.string else {
                throw Problem(.invalidField, "only has \(element.kind); it has names", field: field, allowed: names)
            }
            guard let part = ResetPart(rawValue: name) else {
                throw Problem(
                    .invalidField, "\(name) can't be reset" + NearestName.suggestion(for: name, among: names),
                    field: field, allowed: names)
            }
            guard scope == nil || part.hasScope else {
                throw Problem(
                    .invalidField, "\(name) belong to the whole server, not to a scope; reset them without scope",
                    field: field, allowed: ResetPart.allCases.filter(\.hasScope).map(\.rawValue))
            }
            parts.insert(part)
        }
        return parts
    }
}
