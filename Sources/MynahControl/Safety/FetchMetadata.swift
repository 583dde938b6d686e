internal import HTTPTypes
internal import Hummingbird

/// What a browser says about the cause of a request (W3C, *Fetch Metadata Request Headers*).
///
/// Pages can't set or change it. It identifies images, scripts, frames and links of other sites' pages, whose requests
/// carry no `Origin`. Only browsers send it, to loopback addresses and over TLS.
struct FetchMetadata: Equatable, Sendable {
    private let site: String?
    private let destination: String?

    init(_ fields: HTTPFields) {
        site = fields[.secFetchSite]
        destination = fields[.secFetchDest]
    }

    /// Whether another origin caused the request, including a page of another port.
    var isForeign: Bool {
        switch site {
        case nil, "same-origin", "none": false
        default: true
        }
    }

    /// Whether the user followed a link, and will see the answer as a page of this server.
    var isNavigation: Bool { destination == "document" }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name.known("Sec-Fetch-Site")
    static let secFetchDest = HTTPField.Name.known("Sec-Fetch-Dest")
}
