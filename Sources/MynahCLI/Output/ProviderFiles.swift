import APNsRules
import MynahClient

/// The three files of a provider certificate.
struct ProviderFiles: Sendable {
    /// The folder as the user named it.
    let folder: String
    /// The file of the certificate, followed by the CA's.
    let certificate: String
    let key: String
    /// The file with both certificates and the key.
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

    /// Checks that no file would be replaced.
    func checkAbsent() throws(CommandFailure) {
        for file in [certificate, key, pkcs12] where FileAccess.exists(file) {
            throw CommandFailure(
                .configuration,
                "\(file) exists: choose another --name or --out, or replace it with --force")
        }
    }

    /// Writes the files, the certificate last, so that it implies the others.
    ///
    /// - Parameter issued: The answer of `POST /v1/certificates`.
    func write(_ issued: JSONValue) throws(ClientError) {
        guard let leaf = issued["certificate"]?.string, let authority = issued["authority"]?.string,
            let privateKey = issued["privateKey"]?.string,
            let bundle = issued["pkcs12"]?.string.flatMap({ Base64.decode($0.utf8) })
        else {
            throw ClientError(.notMynah, "the answer to POST /v1/certificates lacks the certificate or its key")
        }
        if !FileAccess.exists(folder) { try FileAccess.makePrivateFolder(folder) }
        try FileAccess.writeAtomically(Array(privateKey.utf8), to: key, mode: 0o600)
        try FileAccess.writeAtomically(bundle.bytes, to: pkcs12, mode: 0o600)
        try FileAccess.writeAtomically(Array((leaf + authority).utf8), to: certificate, mode: 0o644)
    }
}
