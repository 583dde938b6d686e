internal import APNsRules
internal import HTTPTypes
internal import Hummingbird

/// `/livez`, `/healthz`, `/readyz`: GET and HEAD, without the token; 503 until the fixtures are in and while
/// shutting down.
struct ProbeRoutes {
    let state: ControlState

    var routes: [Route] {
        ["/livez", "/healthz", "/readyz"].flatMap { path in
            [
                Route(.get, path, isOpen: true) { [state] _ in ProbeRoutes.answer(state) },
                Route(.head, path, isOpen: true) { [state] _ in ProbeRoutes.answer(state).createHeadResponse() },
            ]
        }
    }

    private static func answer(_ state: ControlState) -> Response {
        let readiness = state.readiness
        return .json(
            ["status": .string(readiness.rawValue)], status: readiness == .ready ? .ok : .serviceUnavailable)
    }
}
