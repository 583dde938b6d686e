import Mynah
import MynahClient

/// The three files of a provider certificate.
struct ProviderFiles: Sendable {
    /// The folder as it was named.
    let folder: String
    /// The certificate, and the CA's behind it.
    let certificate: String
    /// The key.
    let key: String
    /// All of it.
    let pkcs12: String

    init(folder: String, name: String) {
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        self.folder = folder
        let path = folder == "." ? name : folder == "/" ? "/" + name : folder + "/" + name
        certificate = path + ".pem"
        key = path + "-key.pem"
        pkcs12 = path + ".p12"
    }

    /// Checks that nothing would be replaced.
    func checkAbsent() throws(CommandFailure) {
        for file in [certificate, key, pkcs12] where FileAccess.exists(file) {
            throw CommandFailure(
                .configuration,
                "\(file) is there already: choose another --name or --out, or replace it by --force")
        }
    }

    /// Writes all three, the certificate last: where it is, the others are.
    func write(_ issued: IssuedCertificate) throws(ClientError) {
        if !FileAccess.exists(folder) { try FileAccess.makePrivateFolder(folder) }
        try FileAccess.writeAtomically(Array(issued.privateKeyPEM.utf8), to: key, mode: 0o600)
        try FileAccess.writeAtomically(issued.pkcs12, to: pkcs12, mode: 0o600)
        let chain = issued.certificate.pem + issued.authorityPEM
        try FileAccess.writeAtomically(Array(chain.utf8), to: certificate, mode: 0o644)
    }
}
