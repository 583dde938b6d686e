public import APNsRules
internal import MynahTrust

/// The CA that clients of a server have to trust; its key stays inside.
public struct TrustRoots: Hashable, Sendable {
    /// The CA's certificate, `CERTIFICATE` in PEM.
    public let pem: String
    /// The certificates in DER, one element for each.
    public let der: [[UInt8]]
}

/// A key that signs provider tokens: what Apple issues as `AuthKey_<KEYID>.p8`, with its two ids
/// (`ProviderAPI#Token-format`).
public struct ProviderKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The `kid` of its tokens, 10 letters or digits.
    public let keyID: String
    /// The `iss` of its tokens, 10 letters or digits.
    public let teamID: String
    /// The text of the .p8 file: `PRIVATE KEY`, PKCS #8 in PEM.
    public let pem: String

    /// A key of the caller's, whether or not a server knows it.
    public init(keyID: String, teamID: String, pem: String) {
        self.keyID = keyID
        self.teamID = teamID
        self.pem = pem
    }

    /// The name that Apple gives the key's file.
    public var fileName: String { "AuthKey_\(keyID).p8" }
    /// The ids of key and team; never the key itself.
    public var description: String { "provider key \(keyID) of team \(teamID)" }
    /// The ids of key and team, so that `dump` and debuggers don't show the key.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID, "teamID": teamID]) }

    /// Makes a provider token of a moment: compact JWS, ES256, without the word `bearer` (`ProviderAPI#Token-format`).
    ///
    /// APNs takes it for an hour from `issuedAt`, cut to the second. Throws if ``pem`` is not a key on P-256, or an id
    /// is invalid.
    public func token(issuedAt: Instant) throws(MynahError) -> String {
        do {
            let key = try SigningKey(keyID: keyID, team: teamID, privateKey: try P256PrivateKey(pem: pem))
            return try key.token(issuedAt: issuedAt)
        } catch {
            throw MynahError(.invalid, error.description)
        }
    }
}

/// A certificate that a provider uses instead of tokens (`ProviderAPI#Certificates`).
public struct ProviderCertificate: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The serial number, which identifies it for revocation.
    public let serialNumber: String
    /// The certificate, PEM; ``TrustRoots`` have the CA's.
    public let certificatePEM: String
    /// The certificate's private key, `PRIVATE KEY` in PEM, not encrypted.
    public let keyPEM: String
    /// Certificate and key as a PKCS #12 file, as Keychain Access exports them.
    public let pkcs12: [UInt8]
    /// The password of ``pkcs12``.
    public let password: String
    /// The certificate's serial number; never the key.
    public var description: String { "provider certificate \(serialNumber)" }
    /// The certificate's serial number, so that `dump` and debuggers don't show the key.
    public var customMirror: Mirror { Mirror(self, children: ["serialNumber": serialNumber]) }
}

extension MynahServer {
    /// The CA that clients have to trust.
    public var trustRoots: TrustRoots { TrustRoots(pem: running.trust.caPEM, der: running.trust.authoritiesDER) }

    /// The key to sign provider tokens with: a generated one, or the first of ``Settings/authKeyFiles``.
    public var signingKey: ProviderKey {
        let key = running.trust.primaryKey
        guard let pem = key.privateKey?.pem else { preconditionFailure("a server's own key has its private half") }
        return ProviderKey(keyID: key.keyID, teamID: key.team, pem: pem)
    }

    /// Adds a signing key, by default a new pair, for every later push; returns it with its private half, or `nil` if
    /// only the public half was given.
    @discardableResult
    public func addKey(_ new: NewKey = NewKey()) async throws(MynahError) -> ProviderKey? {
        let added = try await change { try await $0.addKey(new) }
        let given: String? = if case .privateKey(let pem) = new.material { pem } else { nil }
        return (added.privateKey ?? given).map { ProviderKey(keyID: added.key.keyID, teamID: added.key.team, pem: $0) }
    }

    /// Revokes a key: every later push signed with it is refused, on open connections too.
    public func revokeKey(_ keyID: String) async throws(MynahError) {
        guard try await change({ try await $0.revokeKey(keyID) }) != nil else {
            throw MynahError(.notFound, "there is no key \(keyID)")
        }
    }

    /// Issues a provider certificate with a new key, which is trusted at once; `topics` begins with the app's bundle id,
    /// and an expired certificate is for handshakes that must fail.
    ///
    /// Without an `environment` it is for both, or, like Apple's for MDM, Wallet and Safari, for production. To make an
    /// RSA key takes some hundred milliseconds on a busy machine.
    public func issueCertificate(
        topics: String..., environment: EnvironmentScope? = nil, isExpired: Bool = false,
        keyType: ProviderKeyType = .rsa
    ) async throws(MynahError) -> ProviderCertificate {
        var order = CertificateOrder(topics: topics)
        order.environment = environment
        order.isExpired = isExpired
        order.keyType = keyType
        let issued: IssuedCertificate
        do throws(MynahError) {
            issued = try await change { [order] in try await $0.issueCertificate(order) }
        } catch {
            // The order as a whole is no field of this call.
            throw MynahError(error.code, field: error.field == "" ? nil : error.field, error.description)
        }
        guard let keyPEM = issued.privateKeyPEM, let pkcs12 = issued.pkcs12 else {
            preconditionFailure("a key is made unless the order has a signing request")
        }
        return ProviderCertificate(
            serialNumber: issued.certificate.identity.serialNumber, certificatePEM: issued.certificate.pem,
            keyPEM: keyPEM, pkcs12: pkcs12, password: order.password)
    }

    /// Revokes a provider certificate: handshakes with it fail, and pushes on its open connections are refused.
    public func revokeCertificate(_ certificate: ProviderCertificate) async throws(MynahError) {
        let serialNumber = certificate.serialNumber
        guard try await change({ try await $0.revokeCertificate(serialNumber: serialNumber) }) != nil else {
            throw MynahError(.notFound, "there is no certificate \(serialNumber)")
        }
    }
}
