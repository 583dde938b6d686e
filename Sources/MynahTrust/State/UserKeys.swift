/// The user's own signing keys (`ControlAPI#Authentication-of-providers`).
enum UserKeys {
    /// Reads `AuthKey_<KEYID>.p8` files of one team.
    ///
    /// - Throws: ``TrustError`` that names the file: unreadable, no such key inside, a name without a key id,
    ///   one key id twice; or the flag, when the team is missing.
    static func read(_ files: [String], team: String?) throws(TrustError) -> [SigningKey] {
        guard let team else {
            throw TrustError(
                .badSetting, "--auth-key gives a key of your own without the team that it belongs to",
                remedy: "Give the team's id of 10 characters with --team-id")
        }
        try Identifier.check(team, "team id (--team-id)")
        var keys: [SigningKey] = []
        for file in files {
            let key = try read(file, team: team)
            guard !keys.contains(where: { $0.keyID == key.keyID }) else {
                throw TrustError(
                    .badSetting, file: file, "is the second key with the id \(key.keyID)",
                    remedy: "Give each key once with --auth-key")
            }
            keys.append(key)
        }
        return keys
    }

    private static func read(_ file: String, team: String) throws(TrustError) -> SigningKey {
        guard let keyID = SigningKey.keyID(inFileName: FileSystem.name(of: file)) else {
            throw TrustError(
                .badFileName, file: file, "has a name without a key id",
                remedy: "Name it as Apple does, AuthKey_<KEYID>.p8 with the key id of 10 letters or digits")
        }
        let text = try FileSystem.text(of: file, remedy: "Check --auth-key")
        do {
            return try SigningKey(keyID: keyID, team: team, privateKey: P256PrivateKey(pem: text))
        } catch {
            throw error.inFile(file)
        }
    }
}
