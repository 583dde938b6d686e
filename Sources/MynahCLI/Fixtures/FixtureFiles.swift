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
    // Where each of the keys, devices and fault rules stands.
    private let origins: [Origin]
    private let deviceOrigins: [Origin]
    private let faultOrigins: [Origin]
    private let clock: (document: LocatedDocument, value: FixtureClock)?

    private typealias Origin = (document: LocatedDocument, index: Int)

    /// Reads what the documents hold.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration``, with file, line and field.
    init(
        _ documents: [LocatedDocument], tokenByteCounts: ClosedRange<Int> = DeviceToken.defaultByteCounts
    ) throws(CommandFailure) {
        var keys: [NewKey] = []
        var origins: [Origin] = []
        var devices: [DeviceSpecification] = []
        var deviceOrigins: [Origin] = []
        var faults: [FaultDraft] = []
        var faultOrigins: [Origin] = []
        var clock: (document: LocatedDocument, value: FixtureClock)?
        for document in documents {
            let fixtures: Fixtures
            do throws(FixtureFault) {
                fixtures = try Fixtures(document.value, tokenByteCounts: tokenByteCounts) {
                    FixtureFiles.text(of: $0, beside: document.path)
                }
            } catch {
                throw FixtureFiles.failure(error, document)
            }
            for (index, key) in fixtures.keys.enumerated() {
                keys.append(key)
                origins.append((document, index))
            }
            devices += fixtures.devices
            deviceOrigins += fixtures.devices.indices.map { (document, $0) }
            faults += fixtures.faults
            faultOrigins += fixtures.faults.indices.map { (document, $0) }
            guard let given = fixtures.clock else { continue }
            if let first = clock {
                let fault = FixtureFault("/clock", "the clock is given already, in \(first.document.path)")
                throw FixtureFiles.failure(fault, document)
            }
            clock = (document, given)
        }
        self.keys = keys
        self.origins = origins
        self.devices = devices
        self.deviceOrigins = deviceOrigins
        self.faults = faults
        self.faultOrigins = faultOrigins
        self.clock = clock
    }

    /// The clock of a start at which the wall says `wall`.
    ///
    /// - Throws: ``CommandFailure`` with ``CommandStatus/configuration`` for one that cannot be.
    func clock(wall: Instant) throws(CommandFailure) -> ClockState {
        guard let clock else { return ClockState() }
        do throws(FixtureFault) {
            return try clock.value.state(wall: wall)
        } catch {
            throw FixtureFiles.failure(error, clock.document)
        }
    }

    /// The failure of a start over a device that the server does not take, with the place that gave it.
    func failure(_ fault: DeviceFixtureFault) -> CommandFailure {
        let origin = deviceOrigins[fault.index]
        return FixtureFiles.failure(Fixtures.fault(fault.error, ofDevice: origin.index), origin.document)
    }

    /// The failure of a start over a fault rule that the server does not take, with the place that gave it.
    func failure(_ fault: FaultFixtureFault) -> CommandFailure {
        let origin = faultOrigins[fault.index]
        return FixtureFiles.failure(Fixtures.fault(fault.error, ofFault: origin.index), origin.document)
    }

    /// The failure of a start over a key that the server does not take, with the place that gave it.
    func failure(_ fault: KeyFault) -> CommandFailure {
        guard origins.indices.contains(fault.index) else { return CommandFailure(.configuration, fault.description) }
        let origin = origins[fault.index]
        return FixtureFiles.failure(
            Fixtures.fault(fault, ofKey: origin.index, in: origin.document.value), origin.document)
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
    private static func text(of name: String, beside path: String) -> Result<String, FixtureFault> {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let path = name.hasPrefix("/") ? name : folder + name
        do throws(ClientError) {
            guard let text = try FileAccess.readText(path) else {
                return .failure(FixtureFault("", "there is no file \(path)"))
            }
            return .success(text)
        } catch {
            return .failure(FixtureFault("", error.message))
        }
    }

    private static func failure(_ fault: FixtureFault, _ document: LocatedDocument) -> CommandFailure {
        YAMLText.failure(
            document.path, document.line(of: fault.field), fault.field.isEmpty ? fault.problem : fault.description)
    }
}
