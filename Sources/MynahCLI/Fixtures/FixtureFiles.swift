import APNsRules
import Mynah
import MynahClient
import MynahControl
import MynahCore

/// The fixtures with which a server starts, from `--fixtures` and the settings file.
struct FixtureFiles: Sendable {
    static let endings = [".yaml", ".yml", ".json"]
    // In the order of the files.
    private(set) var keys: [NewKey] = []
    private(set) var devices: [DeviceSpecification] = []
    private(set) var channels: [ChannelSpecification] = []
    private(set) var faults: [FaultDraft] = []
    // The document of each element and its index there, by the name of the list.
    private var origins: [String: [Origin]] = [:]
    private var clock: (document: LocatedDocument, value: ClockChange)?
    /// The keys and the clock as they are given, which only a start takes.
    private(set) var givenAtStart: [JSONValue] = []

    private typealias Origin = (document: LocatedDocument, index: Int)

    init(
        _ documents: [LocatedDocument], tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts,
        environment: APNsEnvironment = .sandbox
    ) throws(CommandFailure) {
        for document in documents {
            let fixtures = try document.read { (json) throws(InputError) in
                try Fixtures(json, tokenByteCounts: tokenByteCounts, environment: environment) {
                    FixtureFiles.text(of: $0, nextTo: document.path)
                }
            }
            givenAtStart += ["keys", "clock"].compactMap { document.value[$0] }
            keys += fixtures.keys
            devices += fixtures.devices
            channels += fixtures.channels
            faults += fixtures.faults
            let counts = [
                "keys": fixtures.keys.count, "devices": fixtures.devices.count, "channels": fixtures.channels.count,
                "faults": fixtures.faults.count,
            ]
            for (name, count) in counts { origins[name, default: []] += (0..<count).map { (document, $0) } }
            guard let given = fixtures.clock else { continue }
            if let first = clock {
                throw document.failure(
                    InputError(at: "/clock", "second clock: \(first.document.path) sets one already"))
            }
            clock = (document, given)
        }
    }

    /// Reads the fixtures of a server: those of its settings file, and of `--fixtures`.
    init(of settings: ServeSettings) throws(CommandFailure) {
        var documents = settings.fixtureDocuments
        if let path = settings.fixtures, !settings.lacksFixtures { documents += try FixtureFiles.documents(at: path) }
        try self.init(
            documents, tokenByteCounts: settings.server.rules.tokenByteCounts,
            environment: settings.server.usualEnvironment)
    }

    func clock(wall: Instant) throws(CommandFailure) -> ClockState {
        guard let clock else { return ClockState() }
        return try clock.document.read { (_) throws(InputError) in try clock.value.state(wall: wall) }
    }

    /// The failure for an element of a list that the server refuses, with its place, or for all that was given.
    func failure(_ error: InputError) -> CommandFailure {
        guard error.kind != .tooLarge else {
            return CommandFailure(.configuration, "fixtures and scenarios together: \(error.problem)")
        }
        let steps = error.field.split(separator: "/", maxSplits: 2).map(String.init)
        guard steps.count > 1, let list = origins[steps[0]], let index = Int(steps[1]), list.indices.contains(index)
        else { return CommandFailure(.configuration, error.description) }
        let (document, ownIndex) = list[index]
        var place = "/\(steps[0])/\(ownIndex)"
        var problem = error.problem
        if steps.count > 2 { place += "/" + steps[2] }
        // The key's text came from another file.
        if steps.count > 2, let file = document.value[steps[0]]?.array?[ownIndex][steps[2] + "File"]?.string {
            place = place + "File"
            problem = "\(file): \(problem)"
        }
        return document.failure(InputError(at: place, problem))
    }

    static func isFileName(_ path: String) -> Bool { endings.contains(where: path.hasSuffix) }

    /// The documents of `--fixtures`: one file, or those in a folder in the order of their names.
    static func documents(at path: String) throws(CommandFailure) -> [LocatedDocument] {
        try files(at: path).map { (path) throws(CommandFailure) in try LocatedDocument(file: path, from: "--fixtures") }
    }

    /// The files of `--fixtures`: one, or those in a folder in the order of their names.
    static func files(at path: String) throws(CommandFailure) -> [String] {
        guard FileAccess.isFolder(path) else { return [path] }
        do throws(ClientError) {
            return try (FileAccess.names(in: path) ?? []).filter(isFileName).map { "\(path)/\($0)" }
        } catch {
            throw CommandFailure(.configuration, "--fixtures: \(error.message)")
        }
    }

    /// The text of a file whose path is relative to the file that names it.
    private static func text(of name: String, nextTo path: String) -> Result<String, InputError> {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return Result { () throws(CommandFailure) in
            try NamedFile.text(name.hasPrefix("/") ? name : folder + name, isOfKeys: true)
        }
        .mapError { InputError(at: "", $0.message) }
    }
}
