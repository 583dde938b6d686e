extension OpenAPIDocument {
    /// The page in the browser: each path with GET and HEAD.
    static let pagePaths = [
        page("/", "page", "The page in the browser", ["text/html"], parameters: []),
        page("/assets/{file}", "pageFile", "A file that the page loads", fileTypes, parameters: ["file"]),
        page(
            "/assets/{folder}/{file}", "pageFolderFile", "A file that the page loads, in a folder", fileTypes,
            parameters: ["folder", "file"]),
    ].joined(separator: ",\n")

    private static let fileTypes = ["text/javascript", "text/css", "image/svg+xml", "text/html"]

    private static func page(
        _ path: String, _ id: String, _ summary: String, _ types: [String], parameters: [String]
    ) -> String {
        let list = parameters.map { name in
            ##"{"name": "\##(name)", "in": "path", "required": true, "description": "A name of the page's.", "schema": {"type": "string"}}"##
        }.joined(separator: ", ")
        let content = types.map { ##""\##($0)": {"schema": {"type": "string"}}"## }.joined(separator: ", ")
        let problem = ##"{"$ref": "#/components/responses/Problem"}"##
        let missing = parameters.isEmpty ? "" : ##", "404": \##(problem)"##
        return ##"""
                "\##(path)": {
                  "get": {
                    "operationId": "\##(id)", "summary": "\##(summary)", "security": [{}], "parameters": [\##(list)],
                    "responses": {
                      "200": {"description": "The file, with an ETag.", "content": {\##(content)}},
                      "304": {"description": "If-None-Match names the version that there is."},
                      "403": \##(problem)\##(missing)
                    }
                  },
                  "head": {
                    "operationId": "\##(id)Head", "summary": "The same without a body", "security": [{}], "parameters": [\##(list)],
                    "responses": {
                      "200": {"description": "It is there."},
                      "304": {"description": "If-None-Match names the version that there is."},
                      "403": {"description": "Not for a page of this Origin, or by this Host."}\##(missing)
                    }
                  }
                }
            """##
    }
}
