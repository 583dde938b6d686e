package import APNsRules
internal import MynahSystem

/// The certificates and keys of a server and its clients; the CA's key never leaves this value.
package struct TrustMaterial: Sendable {
    /// The certificates and keys to replace even if they are valid.
    package enum Renewal: Sendable {
        case nothing
        /// The server's certificate and its key.
        case serverCertificate
        /// The CA, and with it the server's certificate. Clients must trust the new CA.
        case authority
    }

    /// The CA's certificate, which clients trust.
    package var caPEM: String { authority.pem }
    /// The CA and the system's roots, if those are readable: for runtimes whose CA setting replaces their own roots
    /// (`ControlAPI#Export-folder`).
    package let caBundlePEM: String
    /// The server's certificate with all names, then the CA's: for clients that connect to an address.
    package var serverChainPEM: String { PEM.certificate(server.certificate) + caPEM }
    /// The server's certificate without addresses, then the CA's: for clients that name a host.
    package var hostChainPEM: String { PEM.certificate(server.hostCertificate) + caPEM }
    package var serverKeyPEM: String { server.key.pem }
    /// The wanted names that the server's certificate has: DNS names and addresses.
    package let serverNames: [String]
    /// The keys whose provider tokens are accepted.
    package let keyRing: SigningKeyRing
    /// The generated key, the only private key that clients may get; `nil` with keys of the user's own.
    package let developmentKey: SigningKey?
    /// The key to show to users: the generated one, or the first of their own.
    package let primaryKey: SigningKey
    /// The absolute path of `ca.pem`; `nil` if it is in memory only.
    package let caFile: String?
    /// The absolute path of `ca-bundle.pem`; `nil` if it is in memory only.
    package let caBundleFile: String?
    /// The absolute path of ``primaryKey``'s file; `nil` if it is in memory only.
    package let keyFile: String?
    package let stateDirectory: String?
    /// Sentences about present and future problems, for the log.
    package let warnings: [String]
    /// Sentences about automatic changes, for the log.
    package let notices: [String]
    /// The revoked provider certificates at the time of reading.
    private let revoked: Set<RevokedSerial>
    /// What is added to the ledger of provider certificates from the time of reading on.
    package let ledgerFile: LedgerFile
    let authority: CertificateAuthority
    let server: ServerCredential
    /// The CAs of `--provider-ca`, DER.
    let providerCAs: [[UInt8]]

    /// The CA's certificate in DER, for clients whose libraries take bytes.
    package var authoritiesDER: [[UInt8]] { [authority.der] }

    /// Where Debian and its derivatives keep the system's roots.
    package static let systemRootsFile = "/etc/ssl/certs/ca-certificates.crt"
    static let bundleName = "ca-bundle.pem"

    /// Reads the state folder and makes what is missing, with a warning if only in memory (`ControlAPI#State-folder`).
    ///
    /// The parameters are `--state-dir` (`nil` keeps all in memory, without a warning), `--tls-name`, `--auth-key` (if
    /// empty, a key is generated), `--team-id` (required with keys, otherwise random), `--provider-ca`, and the
    /// system's time, by which clients judge certificates.
    package static func open(
        stateDirectory: String?, tlsNames: [String] = [], authKeyFiles: [String] = [], teamID: String? = nil,
        providerCAFiles: [String] = [], now: Instant, renew: Renewal = .nothing
    ) throws(TrustError) -> TrustMaterial {
        let further = try ServerNames.parse(tlsNames)
        let providerCAs = try ProviderAuthorityFile.read(providerCAFiles, now: now)
        if let teamID { try Identifier.check(teamID, "team id (--team-id)") }
        let userKeys = authKeyFiles.isEmpty ? [] : try UserKeys.read(authKeyFiles, team: teamID)
        var folder = StateFolder(stateDirectory)
        if renew != .nothing, let stateDirectory, let obstacle = folder.obstacle {
            throw TrustError(
                .unwritable, file: stateDirectory, "cannot be written, so nothing in it can be renewed: \(obstacle)",
                remedy: "Give permission, or name another folder with --state-dir")
        }
        let (authority, authorityIsOnDisk) = try folder.authority(further, now: now, renew: renew == .authority)
        let wanted = ServerNames.wanted(further)
        let server = try folder.server(wanted, under: authority, now: now, renew: renew != .nothing)
        if !server.leftOut.isEmpty {
            folder.warnings.append(leftOutWarning(server.leftOut, authority, folder.renewing("--renew-ca")))
        }
        let development = userKeys.isEmpty ? try folder.developmentKey(team: teamID) : nil
        let bundle = bundle(with: authority.pem)
        let bundleIsOnDisk = authorityIsOnDisk ? try folder.keepBundle(bundle) : false
        folder.warnings += folder.looseKeyWarnings()
        let (revoked, ledgerEnd) = try folder.revokedSerials()
        let inMemory = [
            authorityIsOnDisk ? nil : "the CA", server.isOnDisk ? nil : "the server's certificate",
            development != nil && development?.file == nil ? "the signing key" : nil,
        ].compactMap(\.self)
        if let stateDirectory, let obstacle = folder.obstacle, !inMemory.isEmpty {
            folder.warnings.append(memoryWarning(folder: stateDirectory, obstacle: obstacle, about: inMemory))
        }

        guard let primaryKey = development?.key ?? userKeys.first else {
            preconditionFailure("a key is generated unless the user gives one")
        }
        let keyFile = if let development { development.file } else { authKeyFiles.first.map(FileSystem.absolute) }
        return TrustMaterial(
            caBundlePEM: bundle, serverNames: wanted.filter { !server.leftOut.contains($0) }.map(\.text),
            keyRing: SigningKeyRing(development.map { [$0.key] } ?? userKeys),
            developmentKey: development?.key, primaryKey: primaryKey,
            caFile: authorityIsOnDisk ? folder.path(of: CertificateAuthority.fileName) : nil,
            caBundleFile: bundleIsOnDisk ? folder.path(of: bundleName) : nil,
            keyFile: keyFile, stateDirectory: folder.path, warnings: folder.warnings, notices: folder.notices,
            revoked: revoked, ledgerFile: LedgerFile(stateDirectory: folder.path, from: ledgerEnd),
            authority: authority, server: server, providerCAs: providerCAs)
    }

    // On a machine without roots the bundle has only the CA.
    private static func bundle(with authority: String) -> String {
        guard let bytes = try? FileSystem.read(systemRootsFile), !bytes.isEmpty else { return authority }
        let roots = String(decoding: bytes, as: UTF8.self)
        return roots.hasSuffix("\n") ? roots + authority : roots + "\n" + authority
    }

    private static func leftOutWarning(
        _ names: [CertificateName], _ authority: CertificateAuthority, _ command: String
    ) -> String {
        let cause =
            authority.key == nil
            ? "the CA's key is not in the state folder"
            : "the CA was made without them and a single name outside its constraints makes a certificate invalid"
        let flags = names.map { " --tls-name \(ShellWord.quoted($0.text))" }.joined()
        return "Not in the server's certificate, because \(cause): \(names.map(\.text).joined(separator: ", ")). "
            + "To add them, make a new CA with `\(command)\(flags)`, and let clients trust that one."
    }

    private static func memoryWarning(folder: String, obstacle: String, about things: [String]) -> String {
        "The state folder \(folder) cannot be written (\(obstacle)): in memory only, and new at every start: "
            + "\(things.joined(separator: ", ")). Name a folder that can be written with --state-dir."
    }
}

/// Issuing, accepting and recording provider certificates (`ProviderAPI#Certificates`).
extension TrustMaterial {
    /// The accepted CAs of provider certificates, Mynah's own and the CAs of `--provider-ca`, and the revoked
    /// certificates at the time of reading.
    package var providerAuthorities: ProviderAuthorities {
        ProviderAuthorities([authority.der] + providerCAs, revoked: revoked)
    }

    /// Signs a certificate for a key by the CA, without an entry in the ledger.
    package func issueProvider(
        _ request: ProviderCertificateRequest, for subject: ProviderSubject
    ) throws(TrustError) -> IssuedProviderCertificate {
        try authority.issueProvider(request, for: subject)
    }

    /// The issued and revoked provider certificates in the state folder; empty without one.
    package func ledger() throws(TrustError) -> CertificateLedger {
        var file = LedgerFile(stateDirectory: stateDirectory)
        try file.readOn()
        return file.ledger
    }

    /// Adds an entry to the ledger in the state folder, and does nothing without a folder; throws if it can't be written.
    package func record(_ item: CertificateLedger.Item) throws(TrustError) {
        guard let stateDirectory else { return }
        try TrustMaterial.append([item], to: StateFolder(stateDirectory))
    }

    /// Changes the ledger in the state folder, under its lock, and returns it; writes nothing if `change` throws.
    ///
    /// Without a folder, changes and returns an empty one.
    package func updateLedger(
        _ change: (inout CertificateLedger) throws(TrustError) -> Void
    ) throws(TrustError) -> CertificateLedger {
        var changed = CertificateLedger()
        guard let stateDirectory else {
            try change(&changed)
            return changed
        }
        let folder = StateFolder(stateDirectory)
        var position = StateFolder.LedgerPosition()
        var found: [CertificateLedger.Item] = []
        try folder.readLedger(from: &position) { found.append($0) }
        for item in found { changed.add(item) }
        let count = changed.changeCount
        try change(&changed)
        try TrustMaterial.append(changed.changes(after: count), to: folder)
        return changed
    }

    private static func append(
        _ items: [CertificateLedger.Item], to folder: borrowing StateFolder
    ) throws(TrustError) {
        guard try !folder.append(items) else { return }
        throw TrustError(
            .unwritable, file: folder.path,
            "cannot be written, so no provider certificate can be recorded: "
                + (folder.obstacle ?? ""),
            remedy: "Give permission, or name another folder with --state-dir")
    }

    /// Writes the files that a provider in another container needs: `ca.pem`, `ca-bundle.pem` and the generated key as
    /// `AuthKey_<KEYID>.p8`, mode 0644, and no other key (`ControlAPI#Export-folder`).
    package func exportFolder(_ folder: String) throws(TrustError) {
        func unwritable(_ file: String, _ error: TrustError) -> TrustError {
            FileSystem.unwritable(
                file, error, remedy: "Make room or give permission, or name another folder with --export-dir")
        }
        let folder = FileSystem.withoutTrailingSlash(folder)
        try attempt(FileSystem.makeFolder(folder, mode: 0o755)) { unwritable(folder, $0) }
        var files = [(CertificateAuthority.fileName, caPEM), (TrustMaterial.bundleName, caBundlePEM)]
        if let key = developmentKey, let pem = key.privateKey?.pem { files.append((key.fileName, pem)) }
        for (name, text) in files {
            let file = "\(folder)/\(name)"
            try attempt(FileSystem.write(text, to: file, mode: 0o644)) { unwritable(file, $0) }
        }
    }
}

extension StateFolder {
    /// Writes the bundle unless it is already there; returns whether it is on disk.
    fileprivate func keepBundle(_ bundle: String) throws(TrustError) -> Bool {
        if try read(TrustMaterial.bundleName)?.text == bundle { return true }
        return try write(bundle, to: TrustMaterial.bundleName, mode: 0o644)
    }

    fileprivate func looseKeyWarnings() -> [String] {
        [CertificateAuthority.keyFileName, StateFolder.serverKeyName].compactMap { name in
            guard let path = path(of: name), let mode = FileSystem.mode(of: path), mode & 0o077 != 0 else { return nil }
            return "\(path) can be read by other users (mode \(String(mode, radix: 8))): run "
                + "`chmod 600 \(ShellWord.quoted(path))`."
        }
    }
}
