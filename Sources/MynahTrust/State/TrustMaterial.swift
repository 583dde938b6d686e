package import APNsRules

/// Everything that a server proves itself with, and that its clients need to trust it and be trusted.
///
/// Immutable; renewing makes another one. The CA's key signs provider certificates, and is neither handed out nor
/// printed.
package struct TrustMaterial: Sendable {
    /// What is made anew although it is there and good.
    package enum Renewal: Sendable {
        /// Nothing.
        case nothing
        /// The server's certificate and its key.
        case serverCertificate
        /// The CA, and with it the server's certificate. Clients must trust the new CA.
        case authority
    }

    /// The CA's certificate in PEM; what clients trust.
    package let caPEM: String
    /// The system's roots, where they could be read, and the CA: for runtimes whose setting replaces their
    /// roots (`ControlAPI#Export-folder`).
    package let caBundlePEM: String
    /// The server's certificate with all names and its CA's, in PEM, in the order of TLS: for clients that connect to
    /// an address.
    package let serverChainPEM: String
    /// The server's certificate without addresses and its CA's, in PEM, in the order of TLS: for clients that name a
    /// host.
    package let hostChainPEM: String
    /// The key of both in PEM.
    package let serverKeyPEM: String
    /// The names in the server's certificate that were wanted: DNS names and addresses as people write them.
    package let serverNames: [String]
    /// The keys whose provider tokens are accepted.
    package let keyRing: SigningKeyRing
    /// The generated key with its private half; `nil` when the user's own keys are used.
    ///
    /// The only private key that may be handed out.
    package let developmentKey: SigningKey?
    /// The key to name to users: the generated one, or the first of their own.
    package let primaryKey: SigningKey
    /// The absolute path of `ca.pem`; `nil` when it is in memory only.
    package let caFile: String?
    /// The absolute path of `ca-bundle.pem`; `nil` when it is in memory only.
    package let caBundleFile: String?
    /// The absolute path of ``primaryKey``'s file; `nil` when it is in memory only.
    package let keyFile: String?
    /// The absolute path of the state folder; `nil` without one.
    package let stateDirectory: String?
    /// Sentences that the user should read once: what is wrong, or will be.
    package let warnings: [String]
    /// Sentences about what was changed without being asked for.
    package let notices: [String]
    /// The provider certificates that were made and revoked, when this was read.
    package let ledger: CertificateLedger
    /// The CA, with its key where that is at hand.
    let authority: CertificateAuthority
    /// The CAs of `--provider-ca`, DER.
    let providerCAs: [[UInt8]]

    /// Apple's names, all of which are in the server's certificate (`ProviderAPI#Hosts-and-ports`).
    package static var appleNames: [String] { ServerNames.apple }

    /// The name of this machine, or of this container; `nil` when it has none.
    package static var hostName: String? { ServerNames.hostName }

    /// Where Debian and its kin keep the roots that the system trusts.
    static let systemRootsFile = "/etc/ssl/certs/ca-certificates.crt"
    static let bundleName = "ca-bundle.pem"

    /// Reads the state folder, and makes what is missing in it (`ControlAPI#State-folder`).
    ///
    /// A folder that cannot be written is no error: what had to be made is in memory, and one warning says so.
    ///
    /// - Parameters:
    ///   - stateDirectory: `--state-dir`; `nil`: everything in memory, on purpose.
    ///   - tlsNames: `--tls-name`.
    ///   - authKeyFiles: `--auth-key`; empty: a key is generated.
    ///   - teamID: `--team-id`; needed with `authKeyFiles`, else chosen at random once.
    ///   - providerCAFiles: `--provider-ca`.
    ///   - now: The wall's time, because clients judge certificates by it.
    ///   - renew: What to replace.
    /// - Throws: ``TrustError`` that names the file or the flag, the fault and the remedy.
    package static func open(
        stateDirectory: String?, tlsNames: [String] = [], authKeyFiles: [String] = [], teamID: String? = nil,
        providerCAFiles: [String] = [], now: Instant, renew: Renewal = .nothing
    ) throws(TrustError) -> TrustMaterial {
        let further = try ServerNames.parse(tlsNames)
        let providerCAs = try ProviderAuthorityFile.read(providerCAFiles, now: now)
        if let teamID { try Identifier.check(teamID, "team id (--team-id)") }
        let userKeys = authKeyFiles.isEmpty ? [] : try UserKeys.read(authKeyFiles, team: teamID)
        let folder = stateDirectory.map { StateFolder($0) } ?? StateFolder()
        if renew != .nothing, let stateDirectory, let obstacle = folder.obstacle {
            throw TrustError(
                .unwritable, file: stateDirectory, "cannot be written, so nothing in it can be renewed: \(obstacle)",
                remedy: "Give permission, or name another folder by --state-dir")
        }
        var remarks = TrustRemarks()

        let (authority, authorityIsOnDisk) = try folder.authority(
            further, now: now, renew: renew == .authority, remarks: &remarks)
        let wanted = ServerNames.wanted(further)
        let server = try folder.server(
            wanted, under: authority, now: now, renew: renew != .nothing, remarks: &remarks)
        if !server.leftOut.isEmpty { remarks.warnings.append(leftOutWarning(server.leftOut, authority)) }
        let development = userKeys.isEmpty ? try folder.developmentKey(team: teamID) : nil
        let bundle = bundle(with: authority.pem)
        let bundleIsOnDisk = authorityIsOnDisk ? try folder.keepBundle(bundle) : false
        remarks.warnings += folder.looseKeyWarnings()
        let ledger = try folder.ledger()
        let inMemory = [
            authorityIsOnDisk ? nil : "the CA", server.isOnDisk ? nil : "the server's certificate",
            development?.isOnDisk == false ? "the signing key" : nil,
        ].compactMap(\.self)
        if let stateDirectory, let obstacle = folder.obstacle, !inMemory.isEmpty {
            remarks.warnings.append(memoryWarning(stateDirectory, obstacle, inMemory))
        }

        guard let primaryKey = development?.key ?? userKeys.first else {
            preconditionFailure("a key is generated where the user gives none")
        }
        return TrustMaterial(
            caPEM: authority.pem, caBundlePEM: bundle,
            serverChainPEM: PEM.encode(server.certificate, label: "CERTIFICATE") + authority.pem,
            hostChainPEM: PEM.encode(server.hostCertificate, label: "CERTIFICATE") + authority.pem,
            serverKeyPEM: server.key.pem,
            serverNames: wanted.filter { !server.leftOut.contains($0) }.map(\.text),
            keyRing: SigningKeyRing(development.map { [$0.key] } ?? userKeys),
            developmentKey: development?.key, primaryKey: primaryKey,
            caFile: authorityIsOnDisk ? folder.path(of: StateFolder.authorityName) : nil,
            caBundleFile: bundleIsOnDisk ? folder.path(of: bundleName) : nil,
            keyFile: keyFile(primaryKey, development?.isOnDisk, folder, authKeyFiles),
            stateDirectory: folder.path, warnings: remarks.warnings, notices: remarks.notices, ledger: ledger,
            authority: authority,
            providerCAs: providerCAs)
    }

    private static func keyFile(
        _ key: SigningKey, _ developmentIsOnDisk: Bool?, _ folder: borrowing StateFolder, _ userFiles: [String]
    ) -> String? {
        switch developmentIsOnDisk {
        case true?: folder.path(of: key.fileName)
        case false?: nil
        case nil: userFiles.first.map(FileSystem.absolute)
        }
    }

    // The roots are a convenience: a machine without them still has the CA in the bundle.
    private static func bundle(with authority: String) -> String {
        do {
            guard let roots = try FileSystem.read(systemRootsFile), !roots.isEmpty else { return authority }
            return roots.hasSuffix("\n") ? roots + authority : roots + "\n" + authority
        } catch {
            return authority
        }
    }

    private static func leftOutWarning(_ names: [CertificateName], _ authority: CertificateAuthority) -> String {
        let cause =
            authority.key == nil
            ? "the CA's key is not in the state folder"
            : "the CA was made without them and one name outside of its constraints makes a certificate invalid"
        return "Not in the server's certificate, because \(cause): \(names.map(\.text).joined(separator: ", ")). "
            + "To have them, make a new CA by `mynah certs init --renew-ca` with a --tls-name for each, and let "
            + "clients trust that one."
    }

    private static func memoryWarning(_ folder: String, _ obstacle: String, _ things: [String]) -> String {
        "The state folder \(folder) cannot be written (\(obstacle)): in memory only, and new at every start: "
            + "\(things.joined(separator: ", ")). Name a folder that can be written by --state-dir."
    }
}

/// What the user should be told of the state folder; sentences.
struct TrustRemarks {
    /// What is wrong, or will be.
    var warnings: [String] = []
    /// What was changed without being asked for.
    var notices: [String] = []
}

extension StateFolder {
    /// Keeps the bundle, where it is not there already; answers whether it is.
    fileprivate func keepBundle(_ bundle: String) throws(TrustError) -> Bool {
        if try read(TrustMaterial.bundleName) == bundle { return true }
        return try write(bundle, to: TrustMaterial.bundleName, mode: 0o644)
    }

    /// A sentence for each secret that others may read.
    fileprivate func looseKeyWarnings() -> [String] {
        [StateFolder.authorityKeyName, StateFolder.serverKeyName].compactMap { name in
            guard let path = path(of: name), let mode = FileSystem.mode(of: path), mode & 0o077 != 0 else { return nil }
            return "\(path) may be read by others (mode \(String(mode, radix: 8))); `chmod 600` it."
        }
    }
}
