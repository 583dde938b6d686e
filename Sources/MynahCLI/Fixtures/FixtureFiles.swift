internal import APNsRules
internal import Mynah
internal import MynahClient
internal import MynahControl
internal import MynahCore

/// The fixtures of a start, from `--fixtures` and the settings' file.
struct FixtureFiles: Sendable {
    /// The file name extensions of fixtures in a folder.
    static let endings = [".yaml", ".yml", ".json"]

    /// The keys of all files, in the order of the files.
    private(set) var keys: [NewKey] = []
    /// The devices of all files, in the order of the files.
    private(set) var devices: [DeviceSpecification] = []
    /// The fault rules of all files, in the order of the files.
    private(set) var faults: [FaultDraft] = []
    // By the name of a list, the document of each element and its index there.
    private var origins: [String: [Origin]] = [:]
    private var clock: (document: LocatedDocument, value: FixtureClock)?

    private typealias Origin = (document: LocatedDocument, index: Int)

    /// Reads the fixtures in the documents.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(
        _ documents: [LocatedDocument], tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(CommandFailure) {
        for document in documents {
            let fixtures: Fixtures
            do throws(InputError) {
                fixtures = try Fixtures(document.value, tokenByteCounts: tokenByteCounts) {
                    FixtureFiles.text(of: $0, nextTo: document.path)
                }
            } catch {
                throw document.failure(error)
            }
            keys += fixtures.keys
            devices += fixtures.devices
            faults += fixtures.faults
            for (name, indices) in [
                ("keys", fixtures.keys.indices), ("devices", fixtures.devices.indices),
                ("faults", fixtures.faults.indices),
            ] {
                origins[name, default: []] += indices.map { (document, $0) }
            }
            guard let given = fixtures.clock else { continue }
            if let first = clock {
                throw document.failure(InputError(at: "/clock", "second clock: \(first.document.path) has one already"))
            }
            clock = (document, given)
        }
    }

    /// The clock at the start.
    ///
    /// - Parameter wall: The system's time.
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` for an impossible clock.
    func clock(wall: Instant) throws(CommandFailure) -> ClockState {
        guard let clock else { return ClockState() }
        do throws(InputError) {
            return try clock.value.state(wall: wall)
        } catch {
            throw clock.document.failure(error)
        }
    }

    /// The failure for an element of a list that the server refuses, with its place.
    func failure(_ error: InputError) -> CommandFailure {
        let steps = error.field.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).map(String.init)
        guard steps.count > 1, let list = origins[steps[0]], let index = Int(steps[1]), list.indices.contains(index)
        else { return CommandFailure(.configuration, error.description) }
        let (document, ownIndex) = list[index]
        let place = "/\(steps[0])/\(ownIndex)"
        var field = steps.count > 2 ? "\(place)/\(steps[2])" : place
        var problem = error.problem
        // A key that came from a file of its own.
        if let name = steps.dropFirst(2).first.map({ $0 + "File" }),
            let path = document.value[steps[0]]?.array?[ownIndex][name]?.string
        {
            (field, problem) = ("\(place)/\(name)", "\(path): \(problem)")
        }
        return document.failure(InputError(at: field, problem))
    }

    /// Whether a path has the extension of a file with fixtures.
    static func isFileName(_ path: String) -> Bool {
        endings.contains { path.hasSuffix($0) }
    }

    /// The documents of `--fixtures`: one file, or those in a folder in the order of their names.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` if one doesn't exist or can't be read.
    static func documents(at path: String) throws(CommandFailure) -> [LocatedDocument] {
        var paths = [path]
        if FileAccess.isFolder(path) {
            do throws(ClientError) {
                paths = try (FileAccess.names(in: path) ?? []).filter { isFileName($0) }.map { "\(path)/\($0)" }
            } catch {
                throw CommandFailure(.configuration, "--fixtures: \(error.message)")
            }
        }
        return try paths.map { (path) throws(CommandFailure) in try LocatedDocument(file: path, from: "--fixtures") }
    }

    /// The text of a file that another file names, relative to that.
    private static func text(of name: String, nextTo path: String) -> Result<String, InputError> {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return Result { () throws(CommandFailure) in try NamedFile.text(name.hasPrefix("/") ? name : folder + name) }
            .mapError { InputError(at: "", $0.message) }
    }
}
