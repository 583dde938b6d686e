import APNsRules
import MynahClient
import MynahCore

/// A file of expectations, YAML or JSON: an array, or an object with `expectations` and defaults for them (`scope`,
/// `after`, `within`, `settle`), and `exclusive: true` if no push may come that none of them expects.
///
/// Each expectation is an object for `POST /v1/expectations`, with a `name`.
struct ExpectationFile: Sendable {
    /// The most expectations of a file, because each is an open call on the server.
    static let countMax = 1000
    /// The members that a file or the command line may give for all expectations.
    static let sharedNames = ["scope", "after", "within", "settle"]
    private static let exclusiveName = "exclusive"
    // Stands for the file's name in messages and reports.
    private static let standardInput = "standard input"
    let expectations: [NamedExpectation]

    /// Reads a file, `-` for standard input.
    init(path: String, flags: [JSONMember] = []) throws(CommandFailure) {
        let text = try NamedFile.text(path, from: "--file", orStandardInput: true)
        try self.init(text, path: path == "-" ? ExpectationFile.standardInput : path, flags: flags)
    }

    init(_ text: String, path: String, flags: [JSONMember] = []) throws(CommandFailure) {
        let document = try LocatedDocument(text, path: path)
        let (elements, place) = try ExpectationFile.elements(document)
        let shared = ExpectationFile.sharedNames.compactMap { name in
            flags.first { $0.name == name } ?? document.value.object?.first { $0.name == name }
        }
        guard !elements.isEmpty, elements.count <= ExpectationFile.countMax else {
            throw document.failure(
                at: place, "\(elements.count) expectations: expected 1 to \(ExpectationFile.countMax)")
        }
        var expectations: [NamedExpectation] = []
        for (index, element) in elements.enumerated() {
            let pointer = "\(place)/\(index)"
            let expectation = try ExpectationFile.expectation(
                element, index: index, shared: shared, in: document, at: pointer)
            if let other = expectations.first(where: { $0.name == expectation.name }) {
                throw document.failure(
                    at: pointer + "/name",
                    "duplicate name \"\(other.name)\": the expectation on line \(other.line ?? 1) has it")
            }
            expectations.append(expectation)
        }
        if try ExpectationFile.isExclusive(document) {
            expectations.append(try ExpectationFile.nothingElse(than: expectations, shared: shared, in: document))
        }
        self.expectations = expectations
    }

    private static func isExclusive(_ document: LocatedDocument) throws(CommandFailure) -> Bool {
        guard let value = document.value[exclusiveName], value != .null else { return false }
        guard let isExclusive = value.bool else {
            throw document.failure(at: "/" + exclusiveName, "/\(exclusiveName): expected true or false")
        }
        return isExclusive
    }

    /// An expectation that no push comes but those that the others expect.
    private static func nothingElse(
        than others: [NamedExpectation], shared: [JSONMember], in document: LocatedDocument
    ) throws(CommandFailure) -> NamedExpectation {
        let expected = others.filter { $0.counts.most != 0 }.flatMap { other -> [JSONValue] in
            let scope = other.body["scope"].map { [JSONMember("scope", $0)] } ?? []
            let matches = other.body["inOrder"]?.array ?? [other.body["match"] ?? [:]]
            return matches.map { match in
                .object((match.object ?? []) + (match["scope"] == nil ? scope : []))
            }
        }
        let others = expected.isEmpty ? [] : [JSONMember("otherThan", .array(expected))]
        let body: JSONValue = .object([JSONMember("count", ["max": 0])] + others + shared)
        do { _ = try Expectation(json: body) } catch {
            throw document.failure(at: "/" + exclusiveName, "\(exclusiveName): \(error.problem)")
        }
        var made = NamedExpectation(name: "nothing else is sent", body: body, comesLast: true)
        if document.path != standardInput {
            made.file = document.path
            made.line = document.line(of: "/" + exclusiveName)
        }
        return made
    }

    private static func elements(_ document: LocatedDocument) throws(CommandFailure) -> ([JSONValue], String) {
        if let elements = document.value.array { return (elements, "") }
        let known = ["expectations", exclusiveName] + sharedNames
        for member in document.value.object ?? [] where !known.contains(member.name) {
            let place = JSONPointer.below("", member.name)
            throw document.failure(
                at: place, InputError.unknown("member", member.name, at: place, among: known).problem)
        }
        guard let elements = document.value["expectations"]?.array else {
            throw document.failure(
                at: "/expectations", "expected an array of expectations, or an object with one as expectations")
        }
        return (elements, "/expectations")
    }

    private static func expectation(
        _ element: JSONValue, index: Int, shared: [JSONMember], in document: LocatedDocument, at pointer: String
    ) throws(CommandFailure) -> NamedExpectation {
        let name = element["name"].map(\.string) ?? "expectation \(index + 1)"
        guard let name, !name.isEmpty else {
            throw document.failure(at: pointer + "/name", "/name: expected a string that is not empty")
        }
        let own = (element.object ?? []).filter { $0.name != "name" }
        let rest = shared.filter { other in !own.contains { $0.name == other.name } }
        let body: JSONValue = element.object == nil ? element : .object(own + rest)
        do { _ = try Expectation(json: body) } catch {
            let isShared = rest.contains { error.field == "/" + $0.name }
            throw document.failure(at: isShared ? error.field : pointer + error.field, error.description)
        }
        guard document.path != standardInput else { return NamedExpectation(name: name, body: body) }
        return NamedExpectation(name: name, body: body, file: document.path, line: document.line(of: pointer))
    }
}

struct NamedExpectation: Sendable, Equatable {
    /// Unique in the file.
    let name: String
    /// The body of `POST /v1/expectations`.
    let body: JSONValue
    /// The expectation's file; `nil` for one from flags.
    var file: String?
    /// The first line of the expectation in the file.
    var line: Int?
    /// Whether it is checked when all others have been, as what it forbids may be waited for by one of them.
    var comesLast = false

    /// A description: `at least 1 within 5s`.
    var wanted: String {
        let (least, most) = counts
        return FindingText.wanted(
            steps: body["inOrder"]?.array?.count, least: least, most: most, within: body["within"]?.string ?? "5s",
            settle: body["settle"]?.string)
    }

    fileprivate var counts: (least: Int64, most: Int64?) {
        let count = body["count"]
        if let exactly = count?["exactly"]?.integer { return (exactly, exactly) }
        let most = count?["max"]?.integer
        return (count?["min"]?.integer ?? (most == nil ? 1 : 0), most)
    }
}

struct CheckedExpectation: Sendable {
    let expectation: NamedExpectation
    /// The server's answer, in which `met` is a boolean.
    let result: Result<JSONValue, ClientError>
    let duration: Duration

    var isMet: Bool { if case .success(let answer) = result { answer["met"] == true } else { false } }

    /// The most concurrent calls; further expectations wait.
    static let openMax = 100

    /// Checks expectations concurrently, so that a file takes as long as the slowest one, and then those that come last.
    static func all(_ expectations: [NamedExpectation], _ client: ControlClient) async -> [CheckedExpectation] {
        let first = await together(expectations.filter { !$0.comesLast }, client)
        return first + (await together(expectations.filter(\.comesLast), client))
    }

    private static func together(
        _ expectations: [NamedExpectation], _ client: ControlClient
    ) async -> [CheckedExpectation] {
        await withTaskGroup(of: (Int, CheckedExpectation).self) { group in
            var checked: [(Int, CheckedExpectation)] = []
            for (index, expectation) in expectations.enumerated() {
                if index >= openMax, let one = await group.next() { checked.append(one) }
                group.addTask { (index, await check(expectation, client)) }
            }
            for await one in group { checked.append(one) }
            return checked.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private static func check(_ expectation: NamedExpectation, _ client: ControlClient) async -> CheckedExpectation {
        let started = ContinuousClock.now
        let result: Result<JSONValue, ClientError>
        do throws(ClientError) { result = .success(try await client.documents.expectation(expectation.body)) } catch {
            result = .failure(error)
        }
        return CheckedExpectation(expectation: expectation, result: result, duration: ContinuousClock.now - started)
    }

    /// The exit status: an error takes precedence over an unmet expectation, so that 1 only means unmet.
    static func status(of checked: [CheckedExpectation]) -> CommandStatus {
        for one in checked {
            if case .failure(let error) = one.result { return CommandStatus(of: error) }
        }
        return checked.allSatisfy(\.isMet) ? .success : .unmet
    }
}
