import APNsRules
import ArgumentParser
import MynahClient
import MynahTrust

/// The certificate that `mynah send` presents instead of a provider token (`ProviderAPI#Certificates`).
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Present this certificate instead of a provider token: PEM or PKCS #12.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's key, if it is in a separate file.", valueName: "file"))
    var certificateKey: String?

    @OptionGroup var password: PasswordOptions

    func validate() throws {
        guard certificate == nil else { return }
        if certificateKey != nil { throw ValidationError("--certificate-key needs --certificate") }
        if password.isGiven { throw ValidationError("--password needs --certificate") }
    }

    /// The certificate and its key, if one was given.
    ///
    /// - Throws: ``CommandFailure`` that names the file and its fault.
    func identity() throws -> Provider.Certificate? {
        guard let certificate else { return nil }
        let password = try password.text()
        do throws(TrustError) {
            let identity = try ProviderIdentityFile.read(
                certificate: certificate, key: certificateKey, password: password)
            return Provider.Certificate(chainPEM: identity.chainPEM, keyPEM: identity.keyPEM)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }
}

/// The password of a PKCS #12 file or an encrypted key, from the command line or a file.
struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The password of the PKCS #12 file or the encrypted key.", valueName: "password"))
    var password: String?

    @Option(help: ArgumentHelp("A file with that password in its first line.", valueName: "file"))
    var passwordFile: String?

    var isGiven: Bool { password != nil || passwordFile != nil }

    func validate() throws {
        if password != nil, passwordFile != nil {
            throw ValidationError("--password and --password-file: give one of them")
        }
    }

    /// The password, if one was given.
    func text() throws(CommandFailure) -> String? {
        guard let passwordFile else { return password }
        let text = try NamedFile.text(passwordFile, from: "--password-file")
        // Editors end the line; a password may have any other character.
        return text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first
            .map { String($0.last == "\r" ? $0.dropLast() : $0) } ?? ""
    }
}
