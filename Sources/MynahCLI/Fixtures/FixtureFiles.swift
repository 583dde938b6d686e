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
    // The documents of the keys, devices and fault rules, and their indices in those.
    private var keyOrigins: [Origin] = []
    private var deviceOrigins: [Origin] = []
    private var faultOrigins: [Origin] = []
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
                throw FixtureFiles.failure(error, document)
            }
            keys += fixtures.keys
            keyOrigins += fixtures.keys.indices.map { (document, $0) }
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
                let fault = FixtureFault("/clock", "second clock: \(first.document.path) has one already")
                throw FixtureFiles.failure(fault, document)
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
            throw FixtureFiles.failure(error, clock.document)
        }
    }

    /// The failure for a device that the server refuses, with its place.
    func failure(_ fault: DeviceFixtureFault) -> CommandFailure {
        let origin = deviceOrigins[fault.index]
        return FixtureFiles.failure(Fixtures.fault(fault.error, ofDevice: origin.index), origin.document)
    }

    /// The failure for a fault rule that the server refuses, with its place.
    func failure(_ fault: FaultFixtureFault) -> CommandFailure {
        let origin = faultOrigins[fault.index]
        return FixtureFiles.failure(Fixtures.fault(fault.error, ofFault: origin.index), origin.document)
    }

    /// The failure for a key that the server refuses, with its place.
    func failure(_ fault: KeyFault) -> CommandFailure {
        guard keyOrigins.indices.contains(fault.index) else { return CommandFailure(.configuration, fault.description) }
        let origin = keyOrigins[fault.index]
        return FixtureFiles.failure(
            Fixtures.fault(fault, ofKey: origin.index, in: origin.document.value), origin.document)
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
    private static func text(of name: String, nextTo path: String) -> Result<String, FixtureFault> {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        return Result { () throws(CommandFailure) in try NamedFile.text(name.hasPrefix("/") ? name : folder + name) }
            .mapError { FixtureFault("", $0.message) }
    }

    private static func failure(_ fault: FixtureFault, _ document: LocatedDocument) -> CommandFailure {
        document.failure(at: fault.field, fault.field.isEmpty ? fault.problem : fault.description)
    }
}
