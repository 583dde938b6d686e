/// One of the files that the page in the browser consists of, embedded into the binary.
struct PageFile: Sendable {
    /// Its path below `Page/Web`.
    let name: String
    /// Differs for every version of the text.
    let tag: String
    let text: String

    /// Its media type, or `nil` for a file that no page asks for.
    var contentType: String? {
        let types = [
            ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
            ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
        ]
        return types.first { name.hasSuffix($0.key) }?.value
    }
}
