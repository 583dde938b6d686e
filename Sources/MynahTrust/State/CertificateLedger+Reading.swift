extension CertificateLedger {
    /// The ledger in a state folder as it is now; an empty one where there is none.
    ///
    /// - Throws: ``TrustError`` that names the file, and the line or the entry with the fault.
    package static func read(stateDirectory: String) throws(TrustError) -> CertificateLedger {
        try StateFolder(stateDirectory).ledger()
    }
}
