internal import APNsRules
internal import Mynah
internal import MynahClient
internal import MynahControl
internal import MynahCore

/// The fixtures of a start: those of `--fixtures` and of the settings' file, read and ready to be taken.
struct FixtureFiles: Sendable {
    /// The endings of the files that a folder is searched for.
    static let endings = [".yaml", ".yml", ".json"]

    /// The keys of all files, in the order of the files.
    let keys: [NewKey]
    /// The devices of all files, in the order of the files.
    let devices: [DeviceSpecification]
    /// The fault rules of all files, in the order of the files.
    let faults: [FaultDraft]
    // Where each of them stands, by the name of its list.
    private let origins: [String: [Origin]]
    private let clock: (document: LocatedDocument, value: FixtureClock)?

    private typealias Origin = (document: LocatedDocument, index: Int)

    /// Reads what the documents hold.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(
        _ documents: [LocatedDocument], tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(CommandFailure) {
        var keys: [NewKey] = []
        var devices: [DeviceSpecification] = []
        var faults: [FaultDraft] = []
        var origins: [String: [Origin]] = [:]
        var clock: (document: LocatedDocument, value: FixtureClock)?
        for document in documents {
            let fixtures: Fixtures
            do throws(InputError) {
                fixtures = try Fixtures(document.value, tokenByteCounts: tokenByteCounts) {
                    FixtureFiles.text(of: $0, beside: document.path)
                }
            } catch {
                throw FixtureFiles.failure(error, document)
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
                let fault = InputError(at: "/clock", "the clock is given already, in \(first.document.path)")
                throw FixtureFiles.failure(fault, document)
            }
            clock = (document, given)
        }
        self.keys = keys
        self.origins = origins
        self.devices = devices
        self.faults = faults
        self.clock = clock
    }

    /// The clock of a start at which the wall says `wall`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` for one that cannot be.
    func clock(wall: Instant) throws(CommandFailure) -> ClockState {
        guard let clock else { return ClockState() }
        do throws(InputError) {
            return try clock.value.state(wall: wall)
        } catch {
            throw FixtureFiles.failure(error, clock.document)
        }
    }

    /// The failure of a start over an element of a list that the server does not take, with the place that gave it.
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
        return FixtureFiles.failure(InputError(at: field, problem), document)
    }

    /// Whether a path is by its ending that of a file with fixtures, and not of a folder.
    static func isFileName(_ path: String) -> Bool {
        endings.contains { path.hasSuffix($0) }
    }

    /// The documents of `--fixtures`: one file, or those of a folder by their names.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` when nothing is there or it can't be read.
    static func documents(at path: String) throws(CommandFailure) -> [LocatedDocument] {
        guard FileAccess.isFolder(path) else { return try documents([path]) }
        let names: [String]
        do throws(ClientError) {
            names = try FileAccess.names(in: path) ?? []
        } catch {
            throw CommandFailure(.configuration, "--fixtures: \(error.message)")
        }
        return try documents(
            names.filter { isFileName($0) }.map { "\(path)/\($0)" })
    }

    private static func documents(_ paths: [String]) throws(CommandFailure) -> [LocatedDocument] {
        var documents: [LocatedDocument] = []
        for path in paths {
            let text: String?
            do throws(ClientError) {
                text = try FileAccess.readText(path)
            } catch {
                throw CommandFailure(.configuration, "--fixtures: \(error.message)")
            }
            guard let text else { throw CommandFailure(.configuration, "--fixtures: there is no file \(path)") }
            documents.append(try LocatedDocument(text, path: path))
        }
        return documents
    }

    /// The text of a file that another one names, relative to it.
    private static func text(of name: String, beside path: String) -> Result<String, InputError> {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let path = name.hasPrefix("/") ? name : folder + name
        do throws(ClientError) {
            guard let text = try FileAccess.readText(path) else {
                return .failure(InputError(at: "", "there is no file \(path)"))
            }
            return .success(text)
        } catch {
            return .failure(InputError(at: "", error.message))
        }
    }

    private static func failure(_ error: InputError, _ document: LocatedDocument) -> CommandFailure {
        YAMLText.failure(document.path, document.line(of: error.field), error.description)
    }
}
