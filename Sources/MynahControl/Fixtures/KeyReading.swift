internal import APNsRules
internal import Mynah
package import MynahCore

/// Reads a signing key as a call or a file gives it (`Documents#Keys`); what it means is for the server to check.
package struct KeyReading {
    /// The members of a key; the last is read over, so that an answer can be sent back.
    static let schema: Schema = [
        Member("keyId", .anyText, "Made, where none is given."),
        Member("team", .anyText, "The team of the server's own key, where none is given."),
        Member("publicKey", .anyText, "PUBLIC KEY in PEM, on P-256; instead of privateKey."),
        Member("privateKey", .anyText, "PRIVATE KEY (PKCS #8) in PEM, on P-256; instead of publicKey."),
        Member("environment", .choice(EnvironmentScope.self), "A topic-specific key is for one.", default: "both"),
        Member(
            "topics", .array(of: .anyText),
            "null: a key of the whole team. A bundle id covers its suffixed topics."),
        Member(
            "related", .anyText,
            "The one topic-specific key of the same team and environment that may share a connection with it."),
        Member("revokedAt", .time),
        Member("hasPrivateKey", .bool, "Ignored, so that what was answered can be sent."),
    ]
    /// Members that only files have: paths relative to theirs.
    private static let fileSchema: Schema = [
        Member("publicKeyFile", .anyText), Member("privateKeyFile", .anyText),
    ]

    private let reader: ObjectReader
    private let readFile: FileReading?

    /// The text of a file that a file with keys names; its error is the end of a sentence.
    package typealias FileReading = (String) -> Result<String, InputError>

    /// - Parameter readFile: Given when the document is a file.
    init(_ json: JSONValue, at place: String = "", readFile: FileReading? = nil) throws(InputError) {
        let schema = readFile == nil ? KeyReading.schema : KeyReading.schema + KeyReading.fileSchema
        reader = try ObjectReader(json, at: place, schema)
        self.readFile = readFile
    }

    /// - Throws: ``InputError`` that names the member.
    func newKey() throws(InputError) -> NewKey {
        NewKey(
            keyID: reader.text("keyId"), team: reader.text("team"), material: try material(),
            environment: reader.choice("environment") ?? .both, topics: reader.texts("topics"),
            related: reader.text("related"), revokedAt: reader.instant("revokedAt"))
    }

    private func material() throws(InputError) -> NewKey.Material {
        let names = ["publicKey", "privateKey", "publicKeyFile", "privateKeyFile"]
        let given = names.filter { reader[$0] != nil }
        guard given.count <= 1 else {
            throw reader.error(given[1], "\(given[0]) and \(given[1]) exclude each other: expected one of them")
        }
        guard let name = given.first, let text = reader.text(name) else {
            guard readFile == nil else {
                throw InputError(at: reader.pointer, "a key in a file has none", allowed: names)
            }
            return .made
        }
        guard name.hasSuffix("File"), let readFile else {
            return name == "publicKey" ? .publicKey(text) : .privateKey(text)
        }
        switch readFile(text) {
        case .success(let pem): return name == "publicKeyFile" ? .publicKey(pem) : .privateKey(pem)
        case .failure(let error): throw reader.error(name, "\(name): \(error.problem)")
        }
    }
}
