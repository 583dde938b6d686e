internal import APNsRules
internal import Hummingbird

/// `GET /openapi.json`: the description of all routes.
enum OpenAPIRoutes {
    static let routes: [Route] = [
        Route(
            .get, "/openapi.json", "openAPI", "Get this document", answers: [.ok("OpenAPI 3.1.", ["type": "object"])]
        ) { _ in
            .bytes(Array(OpenAPIRoutes.document.utf8), "application/json")
        }
    ]

    static let document: String = OpenAPIDocument.text(of: RouteTable.all.routes)
}
