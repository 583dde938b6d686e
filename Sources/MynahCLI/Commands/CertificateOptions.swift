import APNsRules
import ArgumentParser
import MynahClient
import MynahTrust

/// The certificate that `mynah send` shows instead of a provider token (`ProviderAPI#Certificates`).
struct CertificateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show this certificate instead of sending a provider token: PEM, or PKCS #12.", valueName: "file"))
    var certificate: String?

    @Option(help: ArgumentHelp("The certificate's key, where it is in a file of its own.", valueName: "file"))
    var certificateKey: String?

    @OptionGroup var password: PasswordOptions

    func validate() throws {
        guard certificate == nil else { return }
        if certificateKey != nil { throw ValidationError("--certificate-key: give the certificate by --certificate") }
        if password.isGiven { throw ValidationError("a password was given, and no --certificate that it opens") }
    }

    /// The certificate and its key; `nil` when none is to be shown.
    ///
    /// - Throws: ``CommandFailure`` that names the file and what is wrong with it.
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

/// The password of a PKCS #12 file or of an encrypted key, by itself or from a file.
struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The password of the PKCS #12 file or the encrypted key.", valueName: "password"))
    var password: String?

    @Option(help: ArgumentHelp("A file whose first line is that password.", valueName: "file"))
    var passwordFile: String?

    /// Whether either is there.
    var isGiven: Bool { password != nil || passwordFile != nil }

    func validate() throws {
        if password != nil, passwordFile != nil {
            throw ValidationError("--password and --password-file: give one of them")
        }
    }

    /// The password; `nil` when none was given.
    ///
    /// - Throws: ``CommandFailure`` when there is no such file, ``ClientError`` when it can't be read.
    func text() throws -> String? {
        guard let passwordFile else { return password }
        guard let text = try FileAccess.readText(passwordFile) else {
            throw CommandFailure(.configuration, "--password-file: there is no file \(passwordFile)")
        }
        // An editor ends the line; a password may hold any other character.
        return text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first
            .map { String($0.last == "\r" ? $0.dropLast() : $0) } ?? ""
    }
}
