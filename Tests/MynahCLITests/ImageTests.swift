import APNsRules
import ArgumentParser
import Foundation
import Logging
import Mynah
import MynahControl
import Testing

@testable import MynahCLI

/// The files in `docker/` use existing settings, ports and host names (`ControlAPI#The-image`).
@Suite("The image and its compose files")
struct ImageTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "docker")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// All files below `docker/`, by their paths in it.
    private static func files(_ suffix: String) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let found = paths.filter { $0.hasSuffix(suffix) }.sorted()
        try #require(!found.isEmpty, "docker/ has no \(suffix)")
        return found
    }

    /// The arguments of an instruction, for each of its lines in the Dockerfile.
    private static func instructions(_ name: String) throws -> [String] {
        try text("Dockerfile").split(separator: "\n").filter { $0.hasPrefix(name + " ") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    /// Files whose `MYNAH_…` variables reach the program; scripts elsewhere have variables of their own.
    private static let placesOfSettings = ["Dockerfile", "compose.yaml", "examples/", "deb/"]

    @Test("every variable in the image, compose files and package is read by the program")
    func variablesExist() throws {
        let known = Set(SettingTable.all.flatMap { [$0.variable, $0.fileVariable].compactMap(\.self) })
            .union(EnvironmentReader.clientVariables).union(EnvironmentReader.fileVariables)
        var found = 0
        for path in try Self.files("") where Self.placesOfSettings.contains(where: { path.hasPrefix($0) }) {
            guard let text = try? Self.text(path) else { continue }
            for match in text.matches(of: /\bMYNAH_[A-Z0-9_]+/) {
                found += 1
                #expect(known.contains(String(match.output)), "docker/\(path) sets \(match.output)")
            }
        }
        #expect(found > 0)
    }

    /// Variables that Kubernetes sets in a namespace with services named `mynah` and `mynah-control`.
    private static let links = [
        "MYNAH_PORT": "tcp://10.0.0.1:2197", "MYNAH_SERVICE_HOST": "10.0.0.1", "MYNAH_SERVICE_PORT": "2197",
        "MYNAH_PORT_2197_TCP": "tcp://10.0.0.1:2197", "MYNAH_CONTROL_PORT": "tcp://10.0.0.2:8197",
    ]

    @Test(
        "the image's settings hold despite Kubernetes' variables, and its fixtures folder may be missing",
        arguments: [[:], links])
    func settings(linksOfServices: [String: String]) throws {
        var environment: [String: String] = [:]
        for line in try Self.instructions("ENV") {
            let parts = line.split(separator: "=", maxSplits: 1)
            environment[String(try #require(parts.first))] = String(try #require(parts.last))
        }
        let path = try #require(environment["MYNAH_DEFAULTS"])
        #expect(try Self.instructions("COPY").contains("docker/defaults.yaml \(path)"))
        environment.merge(linksOfServices) { $1 }
        let fixture = SettingsFixture(environment: environment, files: [path: try Self.text("defaults.yaml")])
        let resolved = try fixture.resolve()
        #expect(resolved.warnings.isEmpty)
        #expect(resolved.notes.isEmpty == linksOfServices.isEmpty)
        #expect(resolved.settings.server.host == "0.0.0.0")
        #expect(resolved.settings.server.ports.map(\.port) == [2197, 443])
        #expect(resolved.settings.control.port == 8197)
        #expect(resolved.settings.control.insecureControl)
        #expect(resolved.settings.server.stateDirectory == "/var/lib/mynah")
        #expect(resolved.settings.fixtures == "/etc/mynah/fixtures.d")
        #expect(resolved.settings.fixturesMayBeAbsent)
    }

    @Test("the Dockerfile has exactly the documented instructions")
    func instructions() throws {
        #expect(try Self.instructions("EXPOSE") == ["443", "2195", "2196", "2197", "2198", "8197"])
        #expect(try Self.instructions("ENTRYPOINT") == ["[\"mynah\"]"])
        #expect(try Self.instructions("USER") == ["10001:0"])
        #expect(
            try Self.instructions("HEALTHCHECK")
                == [
                    "--interval=1s --timeout=2s --start-period=60s --retries=10 CMD [\"mynah\", \"healthcheck\"]"
                ])
        #expect(try Self.instructions("CMD").isEmpty)
        #expect(try Self.instructions("VOLUME").isEmpty)
        // BuildKit's own place for arguments of FROM is before the first one.
        #expect(
            try Self.instructions("ARG").map { String($0.prefix { $0 != "=" }) }
                == ["SWIFT_IMAGE", "BASE_IMAGE", "BASE_IMAGE", "VERSION", "REVISION", "CREATED", "SOURCE"])
    }

    @Test("the image has the program's version")
    func versions() throws {
        let version = MynahCommand.configuration.version
        #expect(try Self.instructions("ARG").contains("VERSION=\(version)"))
    }

    @Test("the image is built with the packages that the scripts install")
    func buildPackages() throws {
        let script = Self.folder.deletingLastPathComponent().appending(path: "Sources/toolchain.sh")
        let lines = try String(contentsOf: script, encoding: .utf8).split(separator: "\n")
        let line = try #require(lines.first { $0.hasPrefix("build_packages=") })
        let packages = line.split(separator: "\"").dropFirst().joined().split(separator: " ")
        #expect(!packages.isEmpty)
        let dockerfile = try Self.text("Dockerfile")
        for package in packages { #expect(dockerfile.contains(" \(package) ")) }
    }

    @Test("compose files publish the control port only on this machine", arguments: try files("compose.yaml"))
    func publishedPorts(path: String) throws {
        let document = try LocatedDocument(Self.text(path), path: path).value
        guard case .object(let services)? = document["services"] else {
            Issue.record("docker/\(path) has no services")
            return
        }
        for service in services {
            guard case .array(let ports)? = service.value["ports"] else { continue }
            for port in ports {
                #expect(port.string?.hasPrefix("127.0.0.1:") == true, "docker/\(path): \(service.name)")
            }
        }
    }

    @Test("Mynah's aliases are in its certificate, and include all of Apple's names")
    func aliases() throws {
        let document = try LocatedDocument(Self.text("compose.yaml"), path: "compose.yaml").value
        let network = document["services"]?["mynah"]?["networks"]?["default"]
        guard case .array(let values)? = network?["aliases"] else {
            Issue.record("docker/compose.yaml gives mynah no aliases")
            return
        }
        let aliases = Set(values.compactMap(\.string))
        #expect(aliases.isSuperset(of: ["api.push.apple.com", "api.sandbox.push.apple.com"]))
        let folder = FileManager.default.temporaryDirectory.appending(path: "mynah-image-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var settings = ServeSettings().server
        settings.stateDirectory = folder.path
        let logger = Logger(label: "test") { _ in StderrLogHandler(format: .text, logLevel: .critical) }
        let made = try CertsInitCommand.make(settings, logger: logger)
        let certified = Set(try #require(made["names"]?.array).compactMap(\.string))
        #expect(aliases.subtracting(certified).isEmpty)
        // The names of the discontinued binary service have no listener.
        let apple = certified.filter { $0.hasSuffix(".push.apple.com") && $0.hasPrefix("api") }
        #expect(apple.subtracting(aliases).isEmpty)
    }
}
