internal import HTTPTypes
internal import Hummingbird

/// `GET /openapi.json`.
struct OpenAPIRoutes {
    var routes: [Route] {
        [
            Route(.get, "/openapi.json") { call in
                try call.checkNoQuery()
                return .bytes(Array(OpenAPIDocument.text.utf8), "application/json")
            }
        ]
    }
}
