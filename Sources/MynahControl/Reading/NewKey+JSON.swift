internal import APNsRules
package import Mynah
package import MynahCore

/// Reads a file that a fixtures file names.
package typealias FileReading = (String) -> Result<String, InputError>

/// A signing key as a call or a file describes it (`Documents#Keys`); the server checks the key itself.
extension NewKey {
    package static let schema: Schema = [
        Member("keyId", .named("KeyID", .anyText), summary: "The key's id, 10 letters or digits; random by default."),
        Member("team", .named("KeyID", .anyText), summary: "The key's team; by default that of the server's own key."),
        Member("publicKey", .anyText, summary: "PUBLIC KEY in PEM, on P-256; instead of privateKey."),
        Member("privateKey", .anyText, summary: "PRIVATE KEY (PKCS #8) in PEM, on P-256; instead of publicKey."),
        Member(
            "environment", .choice(EnvironmentScope.self), summary: "A topic-specific key is for one environment.",
            default: "both"),
        Member(
            "topics", .named("KeyTopics", .array(of: .anyText)),
            summary:
                "The topics of a topic-specific key, a bundle ID with its suffixed ones; without any it is for the "
                + "whole team."),
        Member(
            "related", .anyText,
            summary:
                "The topic-specific key of the same team and environment that may share a connection with this one."),
        Member("revokedAt", .time, summary: "When it was revoked; null if it is valid."),
        Member("canSign", .bool, summary: "Ignored, so that an answer can be sent back."),
    ]
    static let document = RequestDocument(
        "KeySpecification", schema, example: ["keyId": "ABC123DEFG", "team": "TEAM123456"])
    /// Members that only files have: paths relative to the file's own folder.
    private static let fileSchema: Schema = [Member("publicKeyFile", .anyText), Member("privateKeyFile", .anyText)]

    /// - Parameter readFile: Given when the document is a file.
    /// - Throws: ``InputError`` that names the member.
    init(json: JSONValue, at place: String = "", readFile: FileReading? = nil) throws(InputError) {
        let schema = readFile == nil ? NewKey.schema : NewKey.schema + NewKey.fileSchema
        let reader = try ObjectReader(json, at: place, schema)
        self.init(
            keyID: reader.text("keyId"), team: reader.text("team"), material: try Material(reader, readFile),
            environment: reader.choice("environment") ?? .both, topics: reader.texts("topics"),
            related: reader.text("related"), revokedAt: reader.instant("revokedAt"))
    }
}

extension NewKey.Material {
    fileprivate init(_ reader: ObjectReader, _ readFile: FileReading?) throws(InputError) {
        let names = ["publicKey", "privateKey", "publicKeyFile", "privateKeyFile"]
        let given = names.filter { reader[$0] != nil }
        guard given.count <= 1 else {
            throw reader.error(given[1], "\(given[0]) and \(given[1]) exclude each other: expected one of them")
        }
        guard let name = given.first, var pem = reader.text(name) else {
            guard readFile == nil else {
                throw InputError(at: reader.pointer, "missing key", allowed: names)
            }
            self = .made
            return
        }
        if name.hasSuffix("File"), let readFile {
            do { pem = try readFile(pem).get() } catch { throw reader.error(name, "\(name): \(error.problem)") }
        }
        self = name.hasPrefix("public") ? .publicKey(pem) : .privateKey(pem)
    }
}
