internal import HTTPTypes
internal import Hummingbird

/// What a browser says of how a request came about (W3C, *Fetch Metadata Request Headers*).
///
/// A page can neither set nor change it. Images, scripts, frames and links of other sites' pages carry no `Origin`; by
/// this they can be told all the same. Browsers send it to loopback addresses and over TLS; everybody else is silent.
struct FetchMetadata: Equatable, Sendable {
    private let site: String?
    private let destination: String?

    init(_ fields: HTTPFields) {
        site = fields[.secFetchSite]
        destination = fields[.secFetchDest]
    }

    /// Whether something of another origin has caused the request: a page of another port too.
    var isForeign: Bool {
        switch site {
        case nil, "same-origin", "none": false
        default: true
        }
    }

    /// Whether the user has followed a link, and sees the answer as a page of this server.
    var isNavigation: Bool { destination == "document" }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name.known("Sec-Fetch-Site")
    static let secFetchDest = HTTPField.Name.known("Sec-Fetch-Dest")
}
