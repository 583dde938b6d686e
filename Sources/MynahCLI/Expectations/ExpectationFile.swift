internal import APNsRules
internal import MynahCore

/// A file of expectations, YAML or JSON: an array, or an object with `expectations` and defaults for them (`scope`,
/// `after`, `within`, `settle`).
///
/// Each expectation is an object for `POST /v1/expectations`, with a `name`.
struct ExpectationFile: Sendable {
    /// The most expectations of a file, because each is an open call on the server.
    static let countMax = 1000
    /// The members that a file or the command line may give for all expectations.
    static let sharedNames = ["scope", "after", "within", "settle"]

    // In place of a file's name.
    private static let standardInput = "standard input"

    /// The expectations, in the order of the file.
    let expectations: [NamedExpectation]

    /// Reads a file, `-` for standard input.
    ///
    /// - Parameter flags: Defaults from the command line.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(path: String, flags: [JSONMember] = []) throws(CommandFailure) {
        let text = try NamedFile.text(path, from: "--file", orStandardInput: true)
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
            throw document.failure(
                at: place, "\(elements.count) expectations: expected 1 to \(ExpectationFile.countMax)")
        }
        var expectations: [NamedExpectation] = []
        for (index, element) in elements.enumerated() {
            let pointer = "\(place)/\(index)"
            let expectation = try ExpectationFile.expectation(element, index, shared, document, at: pointer)
            if let other = expectations.first(where: { $0.name == expectation.name }) {
                throw document.failure(
                    at: pointer + "/name",
                    "duplicate name \"\(other.name)\": the expectation on line \(other.line ?? 1) has it")
            }
            expectations.append(expectation)
        }
        self.expectations = expectations
    }

    private static func elements(_ document: LocatedDocument) throws(CommandFailure) -> ([JSONValue], String) {
        if let elements = document.value.array { return (elements, "") }
        let known = ["expectations"] + sharedNames
        for member in document.value.object ?? [] where !known.contains(member.name) {
            throw document.failure(
                at: JSONPointer(steps: [member.name]).description,
                "unknown member \(member.name)" + NearestName.suggestion(for: member.name, among: known)
                    + "; known: \(known.joined(separator: ", "))")
        }
        guard let elements = document.value["expectations"]?.array else {
            throw document.failure(
                at: "/expectations", "expected an array of expectations, or an object with one as expectations")
        }
        return (elements, "/expectations")
    }

    private static func expectation(
        _ element: JSONValue, _ index: Int, _ shared: [JSONMember], _ document: LocatedDocument, at pointer: String
    ) throws(CommandFailure) -> NamedExpectation {
        var name = "expectation \(index + 1)"
        if let given = element["name"] {
            guard let text = given.string, !text.isEmpty else {
                throw document.failure(at: pointer + "/name", "/name: expected a text that is not empty")
            }
            name = text
        }
        let own = (element.object ?? []).filter { $0.name != "name" }
        let rest = shared.filter { other in !own.contains { $0.name == other.name } }
        let body: JSONValue = element.object == nil ? element : .object(own + rest)
        do {
            _ = try Expectation(json: body)
        } catch {
            let isShared = rest.contains { error.field == "/" + $0.name }
            throw document.failure(at: isShared ? error.field : pointer + error.field, error.description)
        }
        guard document.path != standardInput else { return NamedExpectation(name: name, body: body) }
        return NamedExpectation(name: name, body: body, file: document.path, line: document.line(of: pointer))
    }
}
