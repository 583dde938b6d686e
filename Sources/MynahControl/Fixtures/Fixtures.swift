public import APNsRules
public import Mynah
package import MynahCore

/// What a fixtures file gives a server before it is ready (`ControlAPI#Fixtures`): the objects of the API
/// under the names of its lists.
public struct Fixtures: Sendable {
    /// The lists that a file may have.
    ///
    /// What is added here (`certificates`) is read in ``init(_:tokenByteCounts:readFile:)``.
    public static let fields = ["devices", "clock", "keys", "faults"]

    /// `devices`, in their order.
    package let devices: [DeviceSpecification]
    /// `clock`.
    package let clock: FixtureClock?
    /// `keys`, in their order.
    public let keys: [NewKey]
    /// `faults`, in their order: the last one is the newest.
    package let faults: [FaultDraft]

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - tokenByteCounts: how long a device's token may be (`--token-length`).
    ///   - readFile: the text of a file that the document names, or why it can't be had, as the end of a sentence.
    /// - Throws: ``FixtureFault``.
    public init(
        _ document: JSONValue, tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts,
        readFile: @escaping (String) -> Result<String, FixtureFault>
    ) throws(FixtureFault) {
        guard let members = document.object else {
            throw FixtureFault("", "fixtures are \(document.kind); an object was expected, such as keys: [...]")
        }
        for member in members where !Fixtures.fields.contains(member.name) {
            throw FixtureFault(
                RequestDocument.pointer(member.name),
                "\(member.name) is nothing that fixtures of this version have"
                    + NearestName.suggestion(for: member.name, among: Fixtures.fields)
                    + "; they have \(Fixtures.fields.joined(separator: ", "))")
        }
        devices = try Fixtures.elements(of: document, "devices") { members, base throws(Problem) in
            try Fixtures.device(members, at: JSONPointer(steps: base).description, tokenByteCounts)
        }
        clock = try Fixtures.clock(of: document)
        keys = try Fixtures.elements(of: document, "keys") { members, base throws(Problem) in
            try KeyReading(members, at: base, readFile: readFile).newKey()
        }
        faults = try Fixtures.elements(of: document, "faults") { members, base throws(Problem) in
            do throws(QueryError) {
                return try FaultDraft(json: .object(members), at: JSONPointer(steps: base).description)
            } catch {
                throw Problem(
                    .invalidField, Fixtures.problem(error.problem, error.allowed), field: error.field)
            }
        }
    }

    /// The fault of a key that the server does not take, in the file that gave it.
    ///
    /// - Parameters:
    ///   - index: which of the file's keys it is.
    ///   - document: what the file holds.
    public static func fault(_ fault: KeyFault, ofKey index: Int, in document: JSONValue) -> FixtureFault {
        let keys = document["keys"]?.array ?? []
        let members = keys.indices.contains(index) ? keys[index].object : nil
        return FixtureFault(KeyReading(members ?? [], at: ["keys", String(index)]).problem(fault))
    }

    /// The fault of a device that the server does not take, in the file that gave it.
    ///
    /// - Parameter index: which of the file's devices it is.
    package static func fault(_ error: DeviceError, ofDevice index: Int) -> FixtureFault {
        FixtureFault("/devices/\(index)\(error.field ?? "")", problem(of: error))
    }

    /// The fault of a rule that the server does not take, in the file that gave it.
    ///
    /// - Parameter index: which of the file's rules it is.
    package static func fault(_ error: QueryError, ofFault index: Int) -> FixtureFault {
        FixtureFault("/faults/\(index)\(error.field)", problem(error.problem, error.allowed))
    }

    private static func device(
        _ members: [JSONMember], at base: String, _ tokenByteCounts: ClosedRange<Int>
    ) throws(Problem) -> DeviceSpecification {
        do {
            return try DeviceSpecification(json: .object(members), at: base, tokenByteCounts: tokenByteCounts)
        } catch {
            throw Problem(.invalidField, problem(of: error), field: error.field)
        }
    }

    // A file's author has no list of what is allowed beside the sentence.
    private static func problem(of error: DeviceError) -> String {
        problem(error.problem, error.allowed)
    }

    private static func problem(_ problem: String, _ allowed: [String]) -> String {
        allowed.isEmpty ? problem : "\(problem); \(allowed.joined(separator: ", ")) are"
    }

    private static func clock(of document: JSONValue) throws(FixtureFault) -> FixtureClock? {
        guard let value = document["clock"], value != .null else { return nil }
        guard let members = value.object else {
            throw FixtureFault("/clock", "clock is \(value.kind); an object was expected, such as mode: frozen")
        }
        do {
            return try FixtureClock(members, at: "/clock")
        } catch {
            throw FixtureFault(error)
        }
    }

    private static func elements<Element>(
        of document: JSONValue, _ name: String,
        _ read: ([JSONMember], [String]) throws(Problem) -> Element
    ) throws(FixtureFault) -> [Element] {
        guard let value = document[name], value != .null else { return [] }
        guard let array = value.array else {
            throw FixtureFault(RequestDocument.pointer(name), "\(name) is \(value.kind); an array was expected")
        }
        var elements: [Element] = []
        for (index, element) in array.enumerated() {
            let base = [name, String(index)]
            guard let members = element.object else {
                throw FixtureFault(
                    JSONPointer(steps: base).description, "is \(element.kind); an object was expected")
            }
            do throws(Problem) {
                elements.append(try read(members, base))
            } catch {
                throw FixtureFault(error)
            }
        }
        return elements
    }
}

/// What is wrong in a file with fixtures.
public struct FixtureFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where: a JSON pointer (RFC 6901).
    public let field: String
    /// What is wrong and what would be right, a sentence without its period.
    public let problem: String

    /// A fault.
    public init(_ field: String, _ problem: String) {
        self.field = field
        self.problem = problem
    }

    init(_ problem: Problem) {
        self.init(problem.field ?? "", problem.detail)
    }

    /// Both.
    public var description: String { "\(field): \(problem)" }
}
