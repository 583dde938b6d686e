/// The token of `--control-token`.
struct BearerToken: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// Whether an `Authorization` value carries this token (RFC 6750 §2.1); the case of the scheme doesn't matter.
    ///
    /// Takes the same time wherever the first wrong byte is, so that the token can't be guessed byte by byte.
    func matches(_ authorization: String) -> Bool {
        let scheme = "bearer "
        guard authorization.utf8.count >= scheme.utf8.count,
            authorization.prefix(scheme.count).lowercased() == scheme
        else { return false }
        let given = Array(authorization.utf8.dropFirst(scheme.utf8.count).drop { $0 == 0x20 })
        var difference = given.count ^ bytes.count
        for index in bytes.indices {
            difference |= Int(bytes[index] ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}
