/// The CA that clients of a server have to trust; its key stays inside.
public struct TrustRoots: Hashable, Sendable {
    /// The CA's certificate, `CERTIFICATE` in PEM.
    public let pem: String
    /// The same certificate's DER, one element for each certificate; for libraries that want bytes.
    public let der: [[UInt8]]
}
