/// The value of an `authorization` field, shared by all pushes that send the same bytes.
///
/// Providers send one token hundreds of thousands of times; trust and journal recognise it by its reference, without
/// comparing or copying the bytes.
package final class AuthorizationValue: Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The provider token after the scheme `bearer`, in upper or lower case (`ProviderAPI#Headers`).
    package var bearerToken: ArraySlice<UInt8>? {
        let scheme: [UInt8] = [0x62, 0x65, 0x61, 0x72, 0x65, 0x72]
        guard bytes.count > scheme.count, bytes[scheme.count] == 0x20 else { return nil }
        for index in scheme.indices where bytes[index] | 0x20 != scheme[index] { return nil }
        let token = bytes[(scheme.count + 1)...].drop { $0 == 0x20 }
        return token.isEmpty ? nil : token
    }

    /// The value without what only its sender knows, as the journal shows it: scheme, header and claims.
    package var withoutSignature: String {
        let value = bytes
        let count = Secrets.shownCount(ofCredential: value.span)
        return String(decoding: value[..<count], as: UTF8.self)
    }
}
