extension TrustMaterial {
    /// Writes what a provider in another container needs: `ca.pem`, `ca-bundle.pem` and the generated key as
    /// `AuthKey_<KEYID>.p8`, mode 0644 (`ControlAPI#Export-folder`).
    ///
    /// Never the CA's key, the server's key, or a key of the user's own. Files of the same names are replaced.
    ///
    /// - Throws: ``TrustError`` that names the file that can't be written.
    package func exportFolder(_ folder: String) throws(TrustError) {
        let folder = FileSystem.withoutTrailingSlash(folder)
        do {
            try FileSystem.makeFolder(folder, mode: 0o755)
        } catch {
            throw TrustMaterial.cannotExport(folder, error)
        }
        var files = [(CertificateAuthority.fileName, caPEM), (TrustMaterial.bundleName, caBundlePEM)]
        if let developmentKey, let privateKey = developmentKey.privateKey {
            files.append((developmentKey.fileName, privateKey.pem))
        }
        for (name, text) in files {
            let file = "\(folder)/\(name)"
            do {
                try FileSystem.write(text, to: file, mode: 0o644)
            } catch {
                throw TrustMaterial.cannotExport(file, error)
            }
        }
    }

    private static func cannotExport(_ file: String, _ failure: FileSystem.Failure) -> TrustError {
        TrustError(
            .unwritable, file: file, "cannot be written: \(failure.text)",
            remedy: "Give permission, or name another folder with --export-dir")
    }
}
