internal import APNsRules
internal import Mynah
internal import MynahCore

/// Reads a signing key as a call or a file gives it (`Documents#Keys`); what it means is for the server to check.
struct KeyReading {
    /// The fields of a key.
    static let fields = [
        "keyId", "team", "publicKey", "privateKey", "environment", "topics", "related", "revokedAt", "hasPrivateKey",
    ]
    /// Those that only files have: paths beside them.
    static let fileFields = ["publicKeyFile", "privateKeyFile"]

    private let members: [JSONMember]
    private let base: [String]
    private let readFile: FileReading?

    /// The text of a file that a file with keys names; its error is the end of a sentence.
    typealias FileReading = (String) -> Result<String, FixtureFault>

    /// An object's members; `base` is where in the document it stands, `readFile` is there when the document is a
    /// file.
    init(_ members: [JSONMember], at base: [String] = [], readFile: FileReading? = nil) {
        self.members = members
        self.base = base
        self.readFile = readFile
    }

    /// The key.
    ///
    /// - Throws: ``Problem`` that names the field.
    func newKey() throws(Problem) -> NewKey {
        let known = KeyReading.fields + (readFile == nil ? [] : KeyReading.fileFields)
        for member in members where !known.contains(member.name) {
            throw Problem(
                .unknownField,
                "\(member.name) is no field of a key" + NearestName.suggestion(for: member.name, among: known),
                field: pointer(member.name), allowed: known)
        }
        // What a list of keys answers may be sent back; whether the server has the private half is its own affair.
        if let value = self["hasPrivateKey"], value.bool == nil {
            throw wrong("hasPrivateKey", value, "it is true or false")
        }
        return NewKey(
            keyID: try text("keyId"), team: try text("team"), material: try material(),
            environment: try environment(), topics: try topics(), related: try text("related"),
            revokedAt: try revokedAt())
    }

    /// The problem that a server's fault is; one with a key of a file names that file.
    func problem(_ fault: KeyFault) -> Problem {
        if let name = fault.field.first.map({ $0 + "File" }), let path = self[name]?.string {
            return Problem(.invalidField, "\(path): \(fault.description)", field: pointer(name))
        }
        return Problem(
            fault.code == .exists ? .conflict : .invalidField, fault.description, field: pointer(fault.field),
            allowed: fault.allowed)
    }

    // MARK: - Fields

    private func material() throws(Problem) -> NewKey.Material {
        let names = ["publicKey", "privateKey"] + (readFile == nil ? [] : KeyReading.fileFields)
        let given = names.filter { self[$0] != nil }
        guard given.count <= 1 else {
            throw Problem(
                .invalidField, "\(given.joined(separator: " and ")) are both there; give one of them",
                field: pointer(given[1]))
        }
        guard let name = given.first, let text = try text(name) else {
            guard readFile == nil else {
                throw Problem(
                    .invalidField, "a key in a file needs one of \(names.joined(separator: ", "))", field: pointer())
            }
            return .made
        }
        guard name.hasSuffix("File"), let readFile else {
            return name == "publicKey" ? .publicKey(text) : .privateKey(text)
        }
        switch readFile(text) {
        case .success(let pem): return name == "publicKeyFile" ? .publicKey(pem) : .privateKey(pem)
        case .failure(let fault): throw Problem(.invalidField, "\(name): \(fault.problem)", field: pointer(name))
        }
    }

    private func environment() throws(Problem) -> EnvironmentScope {
        guard let text = try text("environment") else { return .both }
        guard let environment = EnvironmentScope(rawValue: text) else {
            let allowed = EnvironmentScope.allCases.map(\.rawValue)
            throw Problem(
                .invalidField, "environment is \(text); it is one of \(allowed.joined(separator: ", "))",
                field: pointer("environment"), allowed: allowed)
        }
        return environment
    }

    private func topics() throws(Problem) -> [String]? {
        guard let value = self["topics"] else { return nil }
        guard let elements = value.array else {
            throw wrong("topics", value, "it is an array of topics, or null for a key of the whole team")
        }
        var topics: [String] = []
        for (index, element) in elements.enumerated() {
            guard let topic = element.string else {
                throw Problem(
                    .invalidField, "topics has \(element.kind); it has topics as strings",
                    field: pointer("topics", String(index)))
            }
            topics.append(topic)
        }
        return topics
    }

    private func revokedAt() throws(Problem) -> Instant? {
        guard let text = try text("revokedAt") else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw Problem(
                .invalidField, "revokedAt is \(text); it is a time like 2026-11-21T09:30:00.123Z",
                field: pointer("revokedAt"))
        }
        return instant
    }

    private func text(_ name: String) throws(Problem) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.string else { throw wrong(name, value, "it is a string") }
        return text
    }

    private func wrong(_ name: String, _ value: JSONValue, _ right: String) -> Problem {
        Problem(.invalidField, "\(name) is \(value.kind); \(right)", field: pointer(name))
    }

    /// `null` is the same as absent.
    private subscript(name: String) -> JSONValue? {
        guard let value = members.last(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    private func pointer(_ parts: String...) -> String { pointer(parts) }

    private func pointer(_ parts: [String]) -> String { JSONPointer(steps: base + parts).description }
}
