internal import HTTPTypes
internal import Hummingbird

/// `POST /v1/expectations`.
struct ExpectationRoutes {
    let state: ControlState
    var routes: [Route] { [] }
}
