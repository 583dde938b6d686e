internal import APNsRules
internal import MynahClient
internal import MynahCore

/// A file of expectations, YAML or JSON: an array of them, or an object with `expectations` and what holds for those
/// that do not say it themselves (`scope`, `after`, `within`, `settle`).
///
/// Each is an object as `POST /v1/expectations` takes it, with a `name`.
struct ExpectationFile: Sendable {
    /// The most expectations of a file: each is a call that is held open on the server.
    static let countMax = 1000
    /// What a file, or the command line, may say once for all of its expectations.
    static let sharedNames = ["scope", "after", "within", "settle"]

    // What standard input is called where a file's name would stand.
    private static let standardInput = "standard input"

    /// The expectations, in the order of the file.
    let expectations: [NamedExpectation]

    /// Reads a file, `-` for standard input.
    ///
    /// - Parameter flags: what the command line says for expectations that do not say it themselves.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(path: String, flags: [JSONMember] = []) throws(CommandFailure) {
        let text: String?
        do throws(ClientError) {
            text =
                path == "-"
                ? String(decoding: try FileAccess.readStandardInput(), as: UTF8.self) : try FileAccess.readText(path)
        } catch {
            throw CommandFailure(.configuration, "--file: \(error.message)")
        }
        guard let text else { throw CommandFailure(.configuration, "--file: there is no file \(path)") }
        try self.init(text, path: path == "-" ? ExpectationFile.standardInput : path, flags: flags)
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(_ text: String, path: String, flags: [JSONMember] = []) throws(CommandFailure) {
        let document = try LocatedDocument(text, path: path)
        let (elements, place) = try ExpectationFile.elements(document)
        let shared = ExpectationFile.sharedNames.compactMap { name in
            (flags.first { $0.name == name } ?? document.value.object?.first { $0.name == name })
        }
        guard !elements.isEmpty, elements.count <= ExpectationFile.countMax else {
            throw YAMLText.failure(
                path, document.line(of: place),
                "\(elements.count) expectations; 1 to \(ExpectationFile.countMax) were expected")
        }
        var expectations: [NamedExpectation] = []
        for (index, element) in elements.enumerated() {
            let pointer = "\(place)/\(index)"
            let expectation = try ExpectationFile.expectation(element, index, shared, document, at: pointer)
            if let other = expectations.first(where: { $0.name == expectation.name }) {
                throw YAMLText.failure(
                    path, document.line(of: pointer + "/name"),
                    "the name \"\(other.name)\" is that of the expectation on line \(other.line ?? 1), too")
            }
            expectations.append(expectation)
        }
        self.expectations = expectations
    }

    private static func elements(_ document: LocatedDocument) throws(CommandFailure) -> ([JSONValue], String) {
        if let elements = document.value.array { return (elements, "") }
        let known = ["expectations"] + sharedNames
        for member in document.value.object ?? [] where !known.contains(member.name) {
            throw YAMLText.failure(
                document.path, document.line(of: JSONPointer(steps: [member.name]).description),
                "there is no \(member.name) here" + NearestName.suggestion(for: member.name, among: known)
                    + "; known: \(known.joined(separator: ", "))")
        }
        guard let elements = document.value["expectations"]?.array else {
            throw YAMLText.failure(
                document.path, document.line(of: "/expectations"),
                "expected an array of expectations, or an object that has one as expectations")
        }
        return (elements, "/expectations")
    }

    private static func expectation(
        _ element: JSONValue, _ index: Int, _ shared: [JSONMember], _ document: LocatedDocument, at pointer: String
    ) throws(CommandFailure) -> NamedExpectation {
        var name = "expectation \(index + 1)"
        if let given = element["name"] {
            guard let text = given.string, !text.isEmpty else {
                throw YAMLText.failure(
                    document.path, document.line(of: pointer + "/name"), "/name: a text that is not empty was expected")
            }
            name = text
        }
        let own = (element.object ?? []).filter { $0.name != "name" }
        let rest = shared.filter { other in !own.contains { $0.name == other.name } }
        let body: JSONValue = element.object == nil ? element : .object(own + rest)
        do throws(InputError) {
            _ = try Expectation(json: body)
        } catch {
            let isShared = rest.contains { error.field == "/" + $0.name }
            throw YAMLText.failure(
                document.path, document.line(of: isShared ? error.field : pointer + error.field),
                error.description)
        }
        guard document.path != standardInput else { return NamedExpectation(name: name, body: body) }
        return NamedExpectation(name: name, body: body, file: document.path, line: document.line(of: pointer))
    }
}
